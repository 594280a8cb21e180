# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# Reads ModuleGraph.cmake and answers "may X use Y". Links are collected while folders are visited and made at the end
# (muster_link_all), so that the order of folders never matters.

# muster_module(<Name> <layer> [<modules>...]): one line of the graph.
function(muster_module name layer)
  get_property(known GLOBAL PROPERTY MUSTER_GRAPH_MODULES)
  if(name IN_LIST known)
    message(FATAL_ERROR "ModuleGraph.cmake names module ${name} twice.")
  endif()
  set_property(GLOBAL APPEND PROPERTY MUSTER_GRAPH_MODULES ${name})
  set_property(GLOBAL PROPERTY MUSTER_GRAPH_LAYER_${name} ${layer})
  set_property(GLOBAL PROPERTY MUSTER_GRAPH_USES_${name} "${ARGN}")
endfunction()

# muster_check_graph(): every edge of the graph itself goes strictly to a lower layer and to a known module. The two
# header-only modules of layer 1 (PluginApi, Serialization) are leaves, so that nothing of Core reaches a plugin.
function(muster_check_graph)
  get_property(modules GLOBAL PROPERTY MUSTER_GRAPH_MODULES)
  foreach(module IN LISTS modules)
    get_property(layer GLOBAL PROPERTY MUSTER_GRAPH_LAYER_${module})
    get_property(uses GLOBAL PROPERTY MUSTER_GRAPH_USES_${module})
    foreach(used IN LISTS uses)
      if(NOT used IN_LIST modules)
        message(FATAL_ERROR "ModuleGraph.cmake: ${module} may use ${used}, but no module of that name is declared.")
      endif()
      get_property(usedLayer GLOBAL PROPERTY MUSTER_GRAPH_LAYER_${used})
      if(NOT usedLayer LESS layer)
        message(FATAL_ERROR "ModuleGraph.cmake: the edge ${module} (layer ${layer}) -> ${used} (layer ${usedLayer}) "
                            "does not go strictly down. Move what both need into a lower module.")
      endif()
    endforeach()
  endforeach()
  foreach(leaf IN ITEMS PluginApi Serialization)
    get_property(uses GLOBAL PROPERTY MUSTER_GRAPH_USES_${leaf})
    if(uses)
      message(FATAL_ERROR "ModuleGraph.cmake: ${leaf} is what a plugin compiles against and may use no module.")
    endif()
  endforeach()
endfunction()

# muster_require_edge(<user> <used>): fails unless the graph has the edge.
function(muster_require_edge user used)
  get_property(modules GLOBAL PROPERTY MUSTER_GRAPH_MODULES)
  if(NOT used IN_LIST modules)
    message(FATAL_ERROR "${user} depends on ${used}, which Engine/Build/CMake/ModuleGraph.cmake does not declare.")
  endif()
  get_property(uses GLOBAL PROPERTY MUSTER_GRAPH_USES_${user})
  if(NOT used IN_LIST uses)
    string(REPLACE ";" " " usesText "${uses}")
    message(FATAL_ERROR
      "${user} depends on ${used}, an edge that Engine/Build/CMake/ModuleGraph.cmake lacks. ${user} may use: "
      "[${usesText}]. Take the dependency out, or, if the edge is right and goes strictly down, add it to the graph.")
  endif()
endfunction()

# muster_want_modules(<target> <PUBLIC|PRIVATE|INTERFACE> <modules>...): links Muster::<module> once all are declared.
function(muster_want_modules target visibility)
  foreach(module IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY MUSTER_WANTED_LINKS "${target}|${visibility}|${module}")
  endforeach()
endfunction()

# muster_want_artifacts(<target> <targets>...): builds these plugins or programs before <target>, once all are declared.
function(muster_want_artifacts target)
  foreach(artifact IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY MUSTER_WANTED_ARTIFACTS "${target}|${artifact}")
  endforeach()
endfunction()

# muster_incomplete(<text>): an error (MUSTER_REQUIRE_ALL), or, while something is being written, a warning; its caller then
# leaves the target out.
function(muster_incomplete text)
  if(MUSTER_REQUIRE_ALL)
    message(FATAL_ERROR "${text}")
  endif()
  message(WARNING "${text}")
endfunction()

# muster_link_all(): makes the collected links, and adds Tests/Support to every test where that exists.
function(muster_link_all)
  get_property(links GLOBAL PROPERTY MUSTER_WANTED_LINKS)
  foreach(link IN LISTS links)
    string(REPLACE "|" ";" parts "${link}")
    list(GET parts 0 target)
    list(GET parts 1 visibility)
    list(GET parts 2 module)
    if(TARGET Muster::${module})
      target_link_libraries(${target} ${visibility} Muster::${module})
    else()
      muster_incomplete("${target} needs module ${module}, which no CMakeLists.txt under Engine/ declares yet.")
    endif()
  endforeach()
  get_property(artifacts GLOBAL PROPERTY MUSTER_WANTED_ARTIFACTS)
  foreach(wanted IN LISTS artifacts)
    string(REPLACE "|" ";" parts "${wanted}")
    list(GET parts 0 target)
    list(GET parts 1 artifact)
    if(TARGET ${artifact})
      add_dependencies(${target} ${artifact})
    else()
      muster_incomplete("${target} needs ${artifact}, which no CMakeLists.txt declares yet.")
    endif()
  endforeach()
  get_property(tests GLOBAL PROPERTY MUSTER_TESTS)
  if(TARGET Muster::TestSupport)
    foreach(test IN LISTS tests)
      target_link_libraries(${test} PRIVATE Muster::TestSupport)
    endforeach()
  endif()
endfunction()
