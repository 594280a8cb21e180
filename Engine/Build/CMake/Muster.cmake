# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# The functions of the house. See each file's head for their arguments.
include("${CMAKE_CURRENT_LIST_DIR}/MusterGraph.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/ModuleGraph.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MusterModule.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MusterPlugin.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MusterProgram.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/MusterTest.cmake")
muster_check_graph()

# muster_add_folders(<glob>...): adds every folder that matches and has a CMakeLists.txt. Globs are relative to the root.
# A headless build leaves out what draws, and its tests with it.
function(muster_add_folders)
  set(pictureFolders Gpu Renderer DebugUi Monitor Editor)
  foreach(pattern IN LISTS ARGN)
    file(GLOB lists CONFIGURE_DEPENDS "${MUSTER_SOURCE_ROOT}/${pattern}/CMakeLists.txt")
    foreach(list IN LISTS lists)
      cmake_path(GET list PARENT_PATH folder)
      cmake_path(GET folder FILENAME folderName)
      if(MUSTER_HEADLESS AND folderName IN_LIST pictureFolders)
        continue()
      endif()
      add_subdirectory("${folder}")
    endforeach()
  endforeach()
endfunction()
