# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# MUSTER_SANITIZERS: empty, "address,undefined", "thread" or any list the compiler takes. One setting for the whole tree,
# plugins included: a plugin must be sanitized as its host is, and its note says so.
set(MUSTER_SANITIZERS "" CACHE STRING "Sanitizers of the whole build, e.g. address,undefined")
if(MUSTER_SANITIZERS)
  add_compile_options(-fsanitize=${MUSTER_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MUSTER_SANITIZERS})
endif()
