# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# Third-party packages. The headless ones are required; those of the graphical programs are looked for by the folders that
# need them, so that everything headless configures where Qt, Vulkan, GLFW and Dear ImGui are absent.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ENET REQUIRED IMPORTED_TARGET libenet)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
set(Boost_NO_WARN_NEW_VERSIONS ON)
find_package(Boost 1.81 REQUIRED)
# Boost.DLL over std::filesystem needs no Boost library at all; mixed use would be an ODR violation, hence project-wide.
add_compile_definitions(BOOST_DLL_USE_STD_FS)

# muster_third_party(<Alias> <targets>...): Muster::<Alias>, an interface target whose headers count as system headers.
function(muster_third_party alias)
  add_library(MusterThirdParty${alias} INTERFACE)
  target_link_libraries(MusterThirdParty${alias} INTERFACE ${ARGN})
  add_library(Muster::${alias} ALIAS MusterThirdParty${alias})
endfunction()
muster_third_party(Enet PkgConfig::ENET)
muster_third_party(Sodium PkgConfig::SODIUM)
muster_third_party(BoostHeaders Boost::headers)
target_link_libraries(MusterThirdPartyBoostHeaders INTERFACE ${CMAKE_DL_LIBS})

if(MUSTER_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  include(GoogleTest)
endif()
