# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT

# muster_add_plugin(<Name> [SERIALIZATION] [SOURCE_DIR <dir>] [DESCRIPTOR <file>] [OUTPUT_DIR <dir>]
#                   [SOURCES <files>...] [LIBRARIES <third-party targets>...] [DEFINITIONS <definitions>...])
#
# Target <Name>: a loadable module of Source/*.cpp, written to <build>/Plugins/<Name>/lib<Name>.so beside plugin.json, whose
# `libraries` entry is stamped with the SHA-256 of the library that was just linked. A plugin sees PluginApi (and, with
# SERIALIZATION, Serialization) and its own third-party libraries, nothing else of the engine.
# Id and version come from the descriptor as MUSTER_PLUGIN_ID and MUSTER_PLUGIN_VERSION, so code and descriptor agree.
#
# Fixtures build the same sources under another descriptor: SOURCE_DIR, DESCRIPTOR and OUTPUT_DIR (relative to the build
# tree, default Plugins/<Name>); SOURCES replaces the glob.
function(muster_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIALIZATION" "SOURCE_DIR;DESCRIPTOR;OUTPUT_DIR" "SOURCES;LIBRARIES;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "muster_add_plugin(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(pair IN ITEMS "SOURCE_DIR=Source" "DESCRIPTOR=plugin.json")
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 variable)
    list(GET pair 1 default)
    if(NOT arg_${variable})
      set(arg_${variable} "${default}")
    endif()
    cmake_path(ABSOLUTE_PATH arg_${variable} BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  endforeach()
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR "Plugins/${name}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIR BASE_DIRECTORY "${CMAKE_BINARY_DIR}" NORMALIZE)
  if(NOT arg_SOURCES)
    file(GLOB_RECURSE arg_SOURCES CONFIGURE_DEPENDS "${arg_SOURCE_DIR}/*.cpp" "${arg_SOURCE_DIR}/*.c")
  endif()
  if(NOT arg_SOURCES OR NOT EXISTS "${arg_DESCRIPTOR}")
    muster_incomplete("Plugin ${name} lacks its sources in ${arg_SOURCE_DIR} or its descriptor ${arg_DESCRIPTOR}.")
    return()
  endif()

  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${arg_DESCRIPTOR}")
  file(READ "${arg_DESCRIPTOR}" descriptor)
  foreach(field IN ITEMS id version)
    string(JSON ${field} ERROR_VARIABLE problem GET "${descriptor}" ${field})
    if(problem)
      message(FATAL_ERROR "Plugin ${name}: ${arg_DESCRIPTOR} lacks a readable '${field}': ${problem}")
    endif()
  endforeach()

  add_library(${name} MODULE ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${arg_OUTPUT_DIR}"
    PREFIX lib SUFFIX .so NO_SONAME ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${name} PRIVATE "${arg_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE
    MUSTER_PLUGIN_ID="${id}" MUSTER_PLUGIN_VERSION="${version}" ${arg_DEFINITIONS})
  # Unique symbols pin a library for ever, whatever dlclose says; GCC alone makes them.
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
  set(exports "${MUSTER_SOURCE_ROOT}/Engine/Build/CMake/plugin.map")
  target_link_options(${name} PRIVATE -Wl,-z,now -Wl,-z,relro "-Wl,--version-script=${exports}")
  if(NOT MUSTER_SANITIZERS AND NOT "${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    # Sanitized code takes its runtime from the program that loads it and has undefined symbols by design.
    target_link_options(${name} PRIVATE -Wl,--no-undefined)
  endif()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  muster_want_modules(${name} PRIVATE PluginApi)
  if(arg_SERIALIZATION)
    muster_want_modules(${name} PRIVATE Serialization)
  endif()

  set(stamp "${MUSTER_SOURCE_ROOT}/Engine/Build/CMake/StampPlugin.cmake")
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS "${arg_DESCRIPTOR}" "${stamp}" "${exports}")
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DLIBRARY=$<TARGET_FILE:${name}>" "-DDESCRIPTOR=${arg_DESCRIPTOR}"
            "-DTAG=${MUSTER_PLATFORM_TAG}" "-DOUTPUT=${arg_OUTPUT_DIR}/plugin.json" -P "${stamp}"
    COMMENT "Stamping ${name}/plugin.json" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY MUSTER_PLUGINS ${name})
  string(JSON kind ERROR_VARIABLE ignored GET "${descriptor}" kind)
  set_property(GLOBAL APPEND PROPERTY "MUSTER_PLUGINS_${kind}" ${name})
endfunction()

# muster_plugins_of_kind(<variable> <kind>): the plugins declared so far whose descriptor names that kind, fixtures among
# them, for tests that judge all of a kind.
function(muster_plugins_of_kind variable kind)
  get_property(plugins GLOBAL PROPERTY "MUSTER_PLUGINS_${kind}")
  set(${variable} "${plugins}" PARENT_SCOPE)
endfunction()
