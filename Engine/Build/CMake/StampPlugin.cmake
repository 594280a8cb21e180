# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# cmake -DLIBRARY=<so> -DDESCRIPTOR=<plugin.json of the source> -DTAG=<platform> -DOUTPUT=<plugin.json beside the library>
#       -P StampPlugin.cmake
# Copies the descriptor and writes {"path", "sha256"} of the library under libraries.<TAG>. The file appears by rename, so
# a reader never sees half of it.
file(READ "${DESCRIPTOR}" json)
file(SHA256 "${LIBRARY}" hash)
cmake_path(GET LIBRARY FILENAME libraryName)
string(JSON kind ERROR_VARIABLE ignored TYPE "${json}" libraries)
if(NOT kind STREQUAL "OBJECT")
  string(JSON json SET "${json}" libraries "{}")
endif()
string(JSON json SET "${json}" libraries "${TAG}" "{\"path\": \"${libraryName}\", \"sha256\": \"${hash}\"}")
file(WRITE "${OUTPUT}.tmp" "${json}\n")
file(RENAME "${OUTPUT}.tmp" "${OUTPUT}")
