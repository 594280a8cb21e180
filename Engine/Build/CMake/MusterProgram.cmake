# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT

# muster_add_program(<exe-name> [NO_UNITY] [SOURCE_DIR <dir>] [DEPENDS <modules>...] [LIBRARIES <targets>...] [PLUGINS <names>...])
#
# An executable of all *.cpp of its folder (or of SOURCE_DIR, for the server), put into <build>/bin. A program is a leaf of
# the module graph and may use any module; what lies under Server/ may use Runtime modules only.
# PLUGINS are built together with it.
#
# Everything but main.cpp goes into a static library <exe-name>-core, so that tests link what the program is made of
# (LIBRARIES muster-swarm-core).
function(muster_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_UNITY" "SOURCE_DIR" "DEPENDS;LIBRARIES;PLUGINS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "muster_add_program(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCE_DIR)
    set(arg_SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE_DIR BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${arg_SOURCE_DIR}/*.cpp")
  if(NOT sources)
    muster_incomplete("Program ${name} has no .cpp in ${arg_SOURCE_DIR}.")
    return()
  endif()
  set(main "${arg_SOURCE_DIR}/main.cpp")
  list(REMOVE_ITEM sources "${main}")
  add_executable(${name} "${main}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  target_compile_definitions(${name} PRIVATE MUSTER_SOURCE_DIR="${MUSTER_SOURCE_ROOT}" MUSTER_VERSION="${PROJECT_VERSION}")
  if(sources)
    add_library(${name}-core STATIC ${sources})
    target_include_directories(${name}-core PUBLIC "${arg_SOURCE_DIR}")
    target_compile_definitions(${name}-core PRIVATE MUSTER_SOURCE_DIR="${MUSTER_SOURCE_ROOT}")
    target_link_libraries(${name}-core PUBLIC ${arg_LIBRARIES})
    muster_want_modules(${name}-core PUBLIC ${arg_DEPENDS})
    target_link_libraries(${name} PRIVATE ${name}-core)
    if(NOT arg_NO_UNITY)
      muster_compile_together(${name}-core)
    endif()
    if(MUSTER_SANITIZERS)
      # Nothing of a program is hot but what it calls in modules. It compiles in half the time, and g++ 12 sees no uninitialised
      # std::function in <regex>, as it does when that is sanitized and optimised at once.
      target_compile_options(${name}-core PRIVATE -O0)
    endif()
  else()
    target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
    muster_want_modules(${name} PRIVATE ${arg_DEPENDS})
  endif()
  muster_want_artifacts(${name} ${arg_PLUGINS})
  if(CMAKE_CURRENT_SOURCE_DIR STREQUAL "${MUSTER_SOURCE_ROOT}/Server")
    set_property(GLOBAL APPEND PROPERTY MUSTER_RUNTIME_ONLY ${name})
    set_property(GLOBAL PROPERTY MUSTER_DEPENDS_${name} "${arg_DEPENDS}")
  endif()
endfunction()

# muster_check_runtime_only(): the server links no Developer module.
function(muster_check_runtime_only)
  get_property(programs GLOBAL PROPERTY MUSTER_RUNTIME_ONLY)
  foreach(program IN LISTS programs)
    get_property(modules GLOBAL PROPERTY MUSTER_DEPENDS_${program})
    foreach(module IN LISTS modules)
      get_property(layer GLOBAL PROPERTY MUSTER_MODULE_LAYER_${module})
      if(layer STREQUAL "Developer")
        message(FATAL_ERROR "${program} depends on Developer module ${module}; a shipped server links Runtime only.")
      endif()
    endforeach()
  endforeach()
endfunction()
