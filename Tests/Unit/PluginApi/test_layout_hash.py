# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""LayoutHash.h is current; comments and formatting leave it so, a changed layout does not, and only where it is used."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1))
SCRIPT = ROOT / "Engine/Build/Scripts/layout_hash.py"
HEADERS = ROOT / "Engine/Runtime/PluginApi"


def run(folder, *extra):
    return subprocess.run([sys.executable, SCRIPT, "--headers", folder, *extra], capture_output=True).returncode


class LayoutHash(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        for header in HEADERS.glob("*.h"):
            shutil.copy(header, self.folder)

    def tearDown(self):
        self.temporary.cleanup()

    def edit(self, header, old, new):
        path = self.folder / header
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))

    def hashes(self):
        run(self.folder)
        return dict(re.findall(r"#define (MU_LAYOUT_\w+) (0x\w+)ull", (self.folder / "LayoutHash.h").read_text()))

    def test_committed_header_is_current(self):
        self.assertEqual(run(HEADERS, "--check"), 0, "run " + str(SCRIPT))

    def test_comments_and_formatting_do_not_count(self):
        self.edit("SpatialIndex.h", "uint32_t k;", "uint32_t\n     k  ; /* how many */ // of them")
        self.assertEqual(run(self.folder, "--check"), 0)

    def test_changed_field_is_noticed_where_it_is_used(self):
        before = self.hashes()
        self.edit("SpatialIndex.h", "uint32_t k;", "uint64_t k;")
        self.assertEqual(run(self.folder, "--check"), 1)
        after = self.hashes()
        changed = {name for name in before if before[name] != after[name]}
        self.assertEqual(changed, {"MU_LAYOUT_SPATIAL_INDEX_V0", "MU_LAYOUT_AI_CONTROLLER_V0"})

    def test_changed_base_type_is_noticed_everywhere(self):
        before = self.hashes()
        self.edit("Abi.h", "typedef int32_t mu_status;", "typedef int64_t mu_status;")
        after = self.hashes()
        self.assertTrue(all(before[name] != after[name] for name in before))


if __name__ == "__main__":
    unittest.main()
