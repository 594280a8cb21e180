# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT

# Everything labelled `threads`, so that a sanitizer run builds no more than it needs.
add_custom_target(thread-tests)
# Everything that tests what a server, a client or a plugin is made of: what the address sanitizer's run builds. The fuzz
# targets are sanitized in their own preset, and `tools` (gate, bench) work on nothing from outside.
add_custom_target(memory-tests)

# muster_add_test(<Name> [DEPENDS <modules>...] [LIBRARIES <targets>...] [WHITEBOX <modules>...]
#                 [PLUGINS <plugin targets>...] [PROGRAMS <program targets>...] [SOURCES <files>...]
#                 [LABELS <labels>...] [DEFINITIONS <definitions>...] [TIMEOUT <seconds>] [NO_DISCOVER] [SERIAL] [NO_UNITY])
#
# An executable of the folder's *.cpp (and *.c) with GoogleTest's main, put into <build>/tests. Every TEST becomes one ctest
# entry, Core/Tick.CountsOn... for CoreTests; NO_DISCOVER registers the binary as one entry, for suites with an expensive
# common set-up.
# WHITEBOX puts a module's Private/ on the include path. PLUGINS and PROGRAMS are built before the test.
# Tests read where they are from MUSTER_TEST_SOURCE_DIR (repository) and MUSTER_TEST_BINARY_DIR (build tree: bin/, Plugins/).
# SERIAL keeps other tests from running beside it, for suites that measure time or fill the machine.
# LABELS: `threads` is what the tsan preset runs, `slow` what a first run may leave out, `tools` tests a program for developers.
function(muster_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_DISCOVER;SERIAL;NO_UNITY" "TIMEOUT"
                        "DEPENDS;LIBRARIES;WHITEBOX;PLUGINS;PROGRAMS;SOURCES;LABELS;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "muster_add_test(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT MUSTER_BUILD_TESTS)
    return()
  endif()
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/*.c")
  endif()
  if(NOT arg_SOURCES)
    muster_incomplete("Test ${name} has no sources in ${CMAKE_CURRENT_SOURCE_DIR}.")
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(MUSTER_SANITIZERS)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()

  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    MUSTER_TEST_SOURCE_DIR="${MUSTER_SOURCE_ROOT}" MUSTER_TEST_BINARY_DIR="${CMAKE_BINARY_DIR}" ${arg_DEFINITIONS})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  if(NOT arg_NO_UNITY)
    muster_compile_together(${name})
  endif()
  if(MUSTER_SANITIZERS)
    # What is judged is the code under test; a test compiles in half the time without optimisation and UBSan of its own.
    target_compile_options(${name} PRIVATE -O0)
    if(MUSTER_SANITIZERS MATCHES "undefined")
      target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
    endif()
  endif()
  foreach(module IN LISTS arg_WHITEBOX)
    foreach(layer IN ITEMS Runtime Developer)
      target_include_directories(${name} PRIVATE "${MUSTER_SOURCE_ROOT}/Engine/${layer}/${module}/Private")
    endforeach()
  endforeach()
  muster_want_modules(${name} PRIVATE ${arg_DEPENDS} ${arg_WHITEBOX})
  muster_want_artifacts(${name} ${arg_PLUGINS} ${arg_PROGRAMS})
  set_property(GLOBAL APPEND PROPERTY MUSTER_TESTS ${name})
  if("threads" IN_LIST arg_LABELS)
    add_dependencies(thread-tests ${name})
  endif()
  if(NOT "tools" IN_LIST arg_LABELS)
    add_dependencies(memory-tests ${name})
  endif()

  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  string(REGEX REPLACE "Tests$" "" prefix "${name}")
  if(arg_NO_DISCOVER)
    add_test(NAME ${prefix} COMMAND ${name} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}")
    set_tests_properties(${prefix} PROPERTIES ${properties} LABELS "${arg_LABELS}")
    return()
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${prefix}/" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" PROPERTIES ${properties})
  # gtest_discover_tests loses all labels but the first, so they are set on what it found.
  set(labelsFile "${CMAKE_CURRENT_BINARY_DIR}/${name}Labels.cmake")
  file(CONFIGURE OUTPUT "${labelsFile}" @ONLY CONTENT
    "if(@name@_TESTS)\n  set_tests_properties(\${@name@_TESTS} PROPERTIES LABELS \"@arg_LABELS@\")\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${labelsFile}")
endfunction()

# How long each target of preset `fuzz` looks for something new, after its corpus. Ten minutes each: MUSTER_FUZZ_SECONDS=600.
set(MUSTER_FUZZ_SECONDS 5 CACHE STRING "Seconds that ctest lets each fuzz target search (preset fuzz)")

# Every fuzz target and what it needs, so that a fuzz run builds nothing else.
add_custom_target(fuzzers)

# muster_add_fuzzer(<Name>Fuzzer [DEPENDS <modules>...] [LIBRARIES <targets>...] [WHITEBOX <modules>...]
#                   [PLUGINS <plugin targets>...] [SOURCES <files>...] [INCLUDES <folders>...]
#                   [MAX_LENGTH <bytes>] [REPLAY_MUTATIONS <count>])
#
# <Name>Fuzzer.cpp (and SOURCES) defines LLVMFuzzerTestOneInput; Corpus/<Name>/ holds its inputs, those that once failed
# among them. With MUSTER_FUZZERS (preset `fuzz`) it is a libFuzzer program, <build>/bin/<Name>Fuzzer, and its test runs the
# corpus and then searches for MUSTER_FUZZ_SECONDS within bounded memory. Elsewhere ReplayMain.cpp runs the corpus and
# REPLAY_MUTATIONS (default 500) seeded mutations of each input, so that every build keeps what the fuzzer found; that
# program, <build>/tests/<Name>Fuzzer, also writes the seeds that are binary: <Name>Fuzzer --make-seeds Corpus/<Name>.
function(muster_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MAX_LENGTH;REPLAY_MUTATIONS"
                        "DEPENDS;LIBRARIES;WHITEBOX;PLUGINS;SOURCES;INCLUDES")
  if(arg_UNPARSED_ARGUMENTS OR NOT name MATCHES "Fuzzer$")
    message(FATAL_ERROR "muster_add_fuzzer(${name}): the name ends in Fuzzer; unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_MAX_LENGTH)
    set(arg_MAX_LENGTH 4096)
  endif()
  if(NOT arg_REPLAY_MUTATIONS)
    set(arg_REPLAY_MUTATIONS 500)
  endif()
  string(REGEX REPLACE "Fuzzer$" "" subject "${name}")
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/Corpus/${subject}")
  set(timeout 300)
  if(MUSTER_FUZZERS)
    add_executable(${name} "${name}.cpp" ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set(found "${CMAKE_CURRENT_BINARY_DIR}/Found/${subject}")
    file(MAKE_DIRECTORY "${found}")
    add_test(NAME Fuzz/${name} WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
      COMMAND ${name} -max_total_time=${MUSTER_FUZZ_SECONDS} -max_len=${arg_MAX_LENGTH} -timeout=10
              -rss_limit_mb=1024 -malloc_limit_mb=256 -artifact_prefix=${found}/ "${found}" "${corpus}")
    math(EXPR timeout "${timeout} + ${MUSTER_FUZZ_SECONDS}")
  else()
    add_executable(${name} "${name}.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/ReplayMain.cpp" ${arg_SOURCES})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    target_compile_definitions(${name} PRIVATE MUSTER_REPLAY_MUTATIONS=${arg_REPLAY_MUTATIONS})
    add_test(NAME Fuzz/${name} COMMAND ${name} "${corpus}" WORKING_DIRECTORY "${CMAKE_BINARY_DIR}")
  endif()
  set_tests_properties(Fuzz/${name} PROPERTIES TIMEOUT ${timeout} LABELS fuzz)
  target_compile_definitions(${name} PRIVATE
    MUSTER_TEST_SOURCE_DIR="${MUSTER_SOURCE_ROOT}" MUSTER_TEST_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" ${arg_INCLUDES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  foreach(module IN LISTS arg_WHITEBOX)
    target_include_directories(${name} PRIVATE "${MUSTER_SOURCE_ROOT}/Engine/Runtime/${module}/Private")
  endforeach()
  muster_want_modules(${name} PRIVATE ${arg_DEPENDS} ${arg_WHITEBOX})
  muster_want_artifacts(${name} ${arg_PLUGINS})
  add_dependencies(fuzzers ${name})
endfunction()
