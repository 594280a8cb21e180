#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Proves that each check of Engine/Build/Scripts/checks bites: a clean fixture passes, one violation at a time fails."""

import importlib
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Engine/Build/Scripts"))
from checks.tree import Tree  # noqa: E402

SPDX = "// SPDX-FileCopyrightText: 2026 Muster contributors\n// SPDX-License-Identifier: MIT\n"
HASH_SPDX = SPDX.replace("//", "#")
README = "line\n" * 12

CLEAN = {
    "Engine/Build/CMake/ModuleGraph.cmake": HASH_SPDX
    + "muster_module(Core 0)\nmuster_module(PluginApi 1)\nmuster_module(Serialization 1)\n"
    + "muster_module(World 2 Core PluginApi)\nmuster_module(Kit 9 Core)\n",
    "Engine/Runtime/Core/CMakeLists.txt": HASH_SPDX + "muster_add_module(Core LAYER Runtime)\n",
    "Engine/Runtime/Core/README.md": README,
    "Engine/Runtime/Core/Result.h": SPDX + 'inline constexpr ErrorCode kLost{1001, "Lost"};\n',
    "Engine/Runtime/Core/Private/Hidden.h": SPDX,
    "Engine/Runtime/World/CMakeLists.txt": HASH_SPDX + "muster_add_module(World LAYER Runtime DEPENDS Core)\n",
    "Engine/Runtime/World/README.md": README,
    "Engine/Runtime/World/Store.h": SPDX + '#include "Core/Result.h"\n',
    "Plugins/Grid/CMakeLists.txt": HASH_SPDX + "muster_add_plugin(Grid)\n",
    "Plugins/Grid/README.md": README,
    "Plugins/Grid/plugin.json": "{}\n",
    "Plugins/Grid/Source/Grid.cpp": SPDX + '#include "PluginApi/Plugin.h"\n',
    "Tests/Unit/Core/ResultTests.cpp": SPDX + '#include "Core/Result.h"\n',
    "Tests/Unit/World/StoreTests.cpp": SPDX,
    "Docs/Architecture/Modules.md": "| Core | nothing |\n| World | Core PluginApi |\n[back](../Reference/Errors.md)\n",
    "Docs/Reference/Errors.md": "| 1001 | Lost | a | b | c |\n",
}


class ChecksBite(unittest.TestCase):
    def findings(self, name, changes=None):
        """Findings of one check over the clean fixture with some files changed (None removes a file)."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in {**CLEAN, **(changes or {})}.items():
                if text is not None:
                    target = Path(folder) / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(text)
            return importlib.import_module(f"checks.{name}").check(Tree(folder))

    def assert_bites(self, name, changes, words):
        findings = self.findings(name, changes)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(words, findings[0])

    def test_a_clean_tree_has_no_findings(self):
        for name in ("includes", "modules", "spdx", "sizes", "paths", "errors", "links"):
            self.assertEqual(self.findings(name), [], name)

    def test_an_edge_the_graph_lacks_is_found(self):
        self.assert_bites("includes", {"Engine/Runtime/Core/Up.h": SPDX + '#include "World/Store.h"\n'}, "ModuleGraph")

    def test_an_edge_the_module_does_not_declare_is_found(self):
        text = SPDX + '#include "PluginApi/Abi.h"\n'
        self.assert_bites("includes", {"Engine/Runtime/World/Columns.h": text}, "does not declare PluginApi")

    def test_a_public_header_over_a_private_dependency_is_found(self):
        text = "muster_add_module(World LAYER Runtime PRIVATE_DEPENDS Core)\n"
        self.assert_bites("includes", {"Engine/Runtime/World/CMakeLists.txt": text}, "not PRIVATE_DEPENDS")

    def test_a_declared_module_nobody_includes_is_found(self):
        self.assert_bites("includes", {"Engine/Runtime/World/Store.h": SPDX}, "includes nothing of it")

    def test_another_modules_private_folder_is_found(self):
        text = SPDX + '#include "Core/Private/Hidden.h"\n'
        self.assert_bites("includes", {"Tests/Unit/World/StoreTests.cpp": text}, "Private/")

    def test_climbing_out_of_a_module_is_found(self):
        text = SPDX + '#include "../Core/Result.h"\n'
        self.assert_bites("includes", {"Tests/Unit/World/StoreTests.cpp": text}, "climbing")

    def test_a_plugin_that_includes_the_engine_is_found(self):
        text = SPDX + '#include "Core/Result.h"\n'
        self.assert_bites("includes", {"Plugins/Grid/Source/Grid.cpp": text}, "plugin Grid includes Core/Result.h")

    def test_a_plugin_needs_the_word_serialization_for_it(self):
        text = SPDX + '#include "Serialization/BitWriter.h"\n'
        self.assert_bites("includes", {"Plugins/Grid/Source/Grid.cpp": text}, "plugin Grid includes Serialization")
        changes = {"Plugins/Grid/Source/Grid.cpp": text, "Plugins/Grid/CMakeLists.txt": "muster_add_plugin(Grid SERIALIZATION)\n"}
        self.assertEqual(self.findings("includes", changes), [])

    def test_plugin_api_that_includes_core_is_found(self):
        text = SPDX + '#include "Core/Result.h"\n'
        self.assert_bites("includes", {"Engine/Runtime/PluginApi/Plugin.h": text}, "PluginApi includes Core/Result.h")

    def test_a_server_with_a_developer_module_is_found(self):
        changes = {
            "Engine/Developer/Kit/Kit.h": SPDX,
            "Server/Source/Main.cpp": SPDX + '#include "Kit/Kit.h"\n',
        }
        self.assert_bites("includes", changes, "Developer module Kit")

    def test_a_library_outside_its_home_is_found(self):
        for header in ("enet/enet.h", "boost/dll.hpp", "QWidget", "vulkan/vulkan.h"):
            text = SPDX + f"#include <{header}>\n"
            self.assert_bites("includes", {"Engine/Runtime/Core/Result.h": text}, header)

    def test_a_module_without_its_parts_is_found(self):
        self.assert_bites("modules", {"Engine/Runtime/World/README.md": None}, "no README.md")
        self.assert_bites("modules", {"Engine/Runtime/World/README.md": "short\n"}, "under 10 lines")
        self.assert_bites("modules", {"Engine/Runtime/World/CMakeLists.txt": None}, "no CMakeLists.txt")
        self.assert_bites("modules", {"Tests/Unit/World/StoreTests.cpp": None}, "no Tests/Unit/World")
        self.assert_bites("modules", {"Docs/Architecture/Modules.md": "| Core | nothing |\n"}, "no row in")
        self.assert_bites(
            "modules", {"Docs/Architecture/Modules.md": "| Core | nothing |\n| World | Core |\n"}, "says the graph")
        self.assert_bites("modules", {"Plugins/Grid/plugin.json": None}, "no plugin.json")

    def test_a_module_outside_the_graph_is_found(self):
        changes = {
            f"Engine/Runtime/Extra/{file}": text
            for file, text in (("Extra.h", SPDX), ("README.md", README), ("CMakeLists.txt", HASH_SPDX))
        }
        changes["Tests/Unit/Extra/ExtraTests.cpp"] = SPDX
        changes["Docs/Architecture/Modules.md"] = "| Core | nothing |\n| World | Core PluginApi |\n| Extra | x |\n"
        self.assert_bites("modules", changes, "ModuleGraph.cmake")

    def test_a_file_without_licence_is_found(self):
        self.assertEqual(len(self.findings("spdx", {"Engine/Runtime/Core/Result.h": "int x;\n"})), 2)
        self.assert_bites("spdx", {"Engine/Build/x.py": HASH_SPDX.replace("MIT", "GPL")}, "Identifier: MIT")

    def test_a_long_file_is_found_unless_it_has_a_reason(self):
        long = SPDX + "int x;\n" * 600
        listed = "Engine/Build/Scripts/checks/large_files.txt"
        path = "Engine/Runtime/Core/Long.cpp"
        self.assert_bites("sizes", {path: long}, "602 lines")
        self.assertEqual(self.findings("sizes", {path: long, listed: f"{path} one table\n"}), [])
        self.assert_bites("sizes", {path: long, listed: f"{path}\n"}, "without a reason")
        self.assert_bites("sizes", {listed: f"{path} one table\n"}, "drop the line")

    def test_a_machine_path_is_found(self):
        for folder in ("home", "root", "Users", "tmp"):
            text = SPDX + f'const char* p = "/{folder}/someone/x";\n'
            self.assert_bites("paths", {"Engine/Runtime/Core/Result.h": text}, f"/{folder}/someone")
        text = SPDX + 'const char* p = "/var/lib/muster";  // root/x, a/home/b\n'
        self.assertEqual(self.findings("paths", {"Engine/Runtime/Core/Result.h": text}), [])

    def test_an_undocumented_error_is_found(self):
        text = SPDX + '// inline constexpr ErrorCode kExample{7, "Example"};\n'
        text += 'inline constexpr ErrorCode kLost{1001, "Lost"};\ninline constexpr ErrorCode kNew{1002, "New"};\n'
        self.assert_bites("errors", {"Engine/Runtime/Core/Result.h": text}, "1002 New has no row")

    def test_an_error_page_that_disagrees_is_found(self):
        page = "Docs/Reference/Errors.md"
        self.assert_bites("errors", {page: "| 1001 | Gone | a | b | c |\n"}, "the code says Lost")
        self.assert_bites("errors", {page: "| 1001 | Lost | a |  | c |\n"}, "empty cell")
        self.assert_bites("errors", {page: CLEAN[page] * 2}, "two rows")
        self.assert_bites("errors", {page: CLEAN[page] + "| 1009 | Old | a | b | c |\n"}, "no longer exists")

    def test_an_error_code_used_twice_is_found(self):
        text = SPDX + 'inline constexpr ErrorCode kOther{1001, "Other"};\n'
        self.assert_bites("errors", {"Engine/Runtime/World/Store2.h": text}, "code 1001")
        text = SPDX + 'inline constexpr ErrorCode kOther{1002, "Lost"};\n'
        changes = {"Engine/Runtime/World/Store2.h": text, "Docs/Reference/Errors.md": CLEAN["Docs/Reference/Errors.md"] + "| 1002 | Lost | a | b | c |\n"}
        self.assert_bites("errors", changes, "name Lost")

    def test_a_dead_link_is_found(self):
        self.assert_bites("links", {"Docs/Index.md": "[x](Nowhere.md#part)\n"}, "Nowhere.md leads nowhere")


if __name__ == "__main__":
    unittest.main()
