# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# Warnings are errors in everything that is written here; third-party headers are SYSTEM and stay silent.
add_compile_options(
  -Werror -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wformat=2
  -Wimplicit-fallthrough -Wcast-align -Wundef -Wvla
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-branches>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wlogical-op>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wredundant-decls>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety-beta>)
