# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT

# Everything labelled `threads`, so that a sanitizer run builds no more than it needs.
add_custom_target(thread-tests)

# muster_add_test(<Name> [DEPENDS <modules>...] [LIBRARIES <targets>...] [WHITEBOX <modules>...]
#                 [PLUGINS <plugin targets>...] [PROGRAMS <program targets>...] [SOURCES <files>...]
#                 [LABELS <labels>...] [DEFINITIONS <definitions>...] [TIMEOUT <seconds>] [NO_DISCOVER] [SERIAL])
#
# An executable of the folder's *.cpp (and *.c) with GoogleTest's main, put into <build>/tests. Every TEST becomes one ctest
# entry, Core/Tick.CountsOn... for CoreTests; NO_DISCOVER registers the binary as one entry, for suites with an expensive
# common set-up.
# WHITEBOX puts a module's Private/ on the include path. PLUGINS and PROGRAMS are built before the test.
# Tests read where they are from MUSTER_TEST_SOURCE_DIR (repository) and MUSTER_TEST_BINARY_DIR (build tree: bin/, Plugins/).
# SERIAL keeps other tests from running beside it, for suites that measure time or fill the machine.
# LABELS: `threads` is what the tsan preset runs, `slow` what a first run may leave out.
function(muster_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_DISCOVER;SERIAL" "TIMEOUT"
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

# muster_add_fuzzer(<Name> [DEPENDS <modules>...] [LIBRARIES <targets>...] [WHITEBOX <modules>...])
#
# <Name>.cpp defines LLVMFuzzerTestOneInput; Corpus/<Name>/ holds inputs, those that once failed among them. With MUSTER_FUZZERS
# (preset `fuzz`) it is a libFuzzer program of bounded length; elsewhere ReplayMain.cpp replays the corpus and a fixed
# number of seeded mutations of it, so that every build keeps what the fuzzer found.
function(muster_add_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS;LIBRARIES;WHITEBOX")
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/Corpus/${name}")
  if(MUSTER_FUZZERS)
    add_executable(${name} "${name}.cpp")
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set(found "${CMAKE_CURRENT_BINARY_DIR}/Found/${name}")
    file(MAKE_DIRECTORY "${found}")
    add_test(NAME Fuzz/${name} COMMAND ${name} -max_total_time=30 -max_len=32768 -timeout=5 "${found}" "${corpus}")
  else()
    add_executable(${name} "${name}.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/ReplayMain.cpp")
    add_test(NAME Fuzz/${name} COMMAND ${name} "${corpus}")
  endif()
  set_tests_properties(Fuzz/${name} PROPERTIES TIMEOUT 300 LABELS fuzz)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  foreach(module IN LISTS arg_WHITEBOX)
    target_include_directories(${name} PRIVATE "${MUSTER_SOURCE_ROOT}/Engine/Runtime/${module}/Private")
  endforeach()
  muster_want_modules(${name} PRIVATE ${arg_DEPENDS} ${arg_WHITEBOX})
endfunction()
