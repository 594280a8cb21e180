# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT

# muster_add_module(<Name> LAYER <Runtime|Developer> [HEADER_ONLY] [NO_UNITY]
#                   [DEPENDS <modules>...] [PRIVATE_DEPENDS <modules>...]
#                   [LIBRARIES <targets>...] [PRIVATE_LIBRARIES <targets>...])
#
# Declares target Muster<Name>, alias Muster::<Name>: a static library (an interface library when HEADER_ONLY) of
# Private/*.cpp and *.cpp; every *.h outside Private/ is public and is included as "<Name>/<Header>.h".
# DEPENDS are modules that the public headers use, PRIVATE_DEPENDS those that only the sources use; each edge must stand in
# ModuleGraph.cmake. LIBRARIES are third-party targets.
#
# Each module has an include directory of its own in the build tree that holds one forwarding header per public header.
# So a header of a module that was not declared, or of anybody's Private/, is not found by the compiler at all.
function(muster_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADER_ONLY;NO_UNITY" "LAYER" "DEPENDS;PRIVATE_DEPENDS;LIBRARIES;PRIVATE_LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "muster_add_module(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_LAYER MATCHES "^(Runtime|Developer)$")
    message(FATAL_ERROR "muster_add_module(${name}): LAYER must be Runtime or Developer, is '${arg_LAYER}'")
  endif()
  set(expectedDir "${MUSTER_SOURCE_ROOT}/Engine/${arg_LAYER}/${name}")
  if(NOT CMAKE_CURRENT_SOURCE_DIR STREQUAL expectedDir)
    message(FATAL_ERROR "Module ${name} of layer ${arg_LAYER} belongs in ${expectedDir}")
  endif()
  get_property(known GLOBAL PROPERTY MUSTER_GRAPH_MODULES)
  if(NOT name IN_LIST known)
    message(FATAL_ERROR "Module ${name} has no line in Engine/Build/CMake/ModuleGraph.cmake.")
  endif()
  foreach(used IN LISTS arg_DEPENDS arg_PRIVATE_DEPENDS)
    muster_require_edge(${name} ${used})
  endforeach()

  set(target Muster${name})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  list(FILTER headers EXCLUDE REGEX "/Private/")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(NOT sources AND NOT arg_HEADER_ONLY)
    muster_incomplete("Module ${name} has no .cpp yet. Add one, or declare the module HEADER_ONLY.")
    return()
  endif()
  muster_forward_headers(${name} forwarders ${headers})
  set(includeRoot "${CMAKE_BINARY_DIR}/Include/${name}")

  if(arg_HEADER_ONLY)
    if(sources)
      message(FATAL_ERROR "Module ${name} is HEADER_ONLY but has sources: ${sources}")
    endif()
    add_library(${target} INTERFACE)
    set(outer INTERFACE)
    target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS "${includeRoot}" FILES ${forwarders})
  else()
    add_library(${target} STATIC ${sources})
    set(outer PUBLIC)
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${includeRoot}" FILES ${forwarders})
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/Private")
    target_link_libraries(${target} PRIVATE ${arg_PRIVATE_LIBRARIES})
    muster_want_modules(${target} PRIVATE ${arg_PRIVATE_DEPENDS})
    if(NOT arg_NO_UNITY)
      muster_compile_together(${target})
    endif()
  endif()
  add_library(Muster::${name} ALIAS ${target})
  target_link_libraries(${target} ${outer} ${arg_LIBRARIES})
  muster_want_modules(${target} ${outer} ${arg_DEPENDS})
  set_property(GLOBAL PROPERTY MUSTER_MODULE_LAYER_${name} ${arg_LAYER})
  set_property(GLOBAL APPEND PROPERTY MUSTER_MODULES ${name})
endfunction()

# Writes one forwarding header per public header and drops those whose header is gone.
function(muster_forward_headers name outVariable)
  set(root "${CMAKE_BINARY_DIR}/Include/${name}/${name}")
  set(written "")
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH relative "${CMAKE_CURRENT_SOURCE_DIR}" "${header}")
    set(forwarder "${root}/${relative}")
    file(CONFIGURE OUTPUT "${forwarder}" CONTENT "#pragma once\n#include \"${header}\"\n" @ONLY)
    list(APPEND written "${forwarder}")
  endforeach()
  file(GLOB_RECURSE present "${root}/*.h")
  foreach(forwarder IN LISTS present)
    if(NOT forwarder IN_LIST written)
      file(REMOVE "${forwarder}")
    endif()
  endforeach()
  set(${outVariable} "${written}" PARENT_SCOPE)
endfunction()
