# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# MUSTER_UNITY: the compiler reads several sources of a target as one. Measured with AddressSanitizer: a module compiles in
# 40 % of the time, a test in 35 %. Presets that somebody waits for from nothing use it (release, the sanitizers, fuzz); dev and
# clang-tsa compile each file alone, which is quicker after an edit and finds a file that lacks an include. Names in anonymous
# namespaces must differ within a target; a folder that cannot do that says NO_UNITY.
option(MUSTER_UNITY "Compile several sources of a module or a test as one" OFF)

# muster_compile_together(<target>): applies MUSTER_UNITY.
function(muster_compile_together target)
  if(MUSTER_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    # It warns about a class of a source that holds a type of its anonymous namespace, unless that source is the main file.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
