# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Every source, script and build file says who holds the copyright and under which licence, in its first four lines."""

from pathlib import PurePosixPath

SUFFIXES = {".h", ".c", ".cpp", ".cmake", ".py", ".sh", ".toml", ".vert", ".frag", ".comp", ".glsl", ".txt"}
NAMES = {"CMakeLists.txt", "muster", ".clang-format", ".clang-tidy", ".editorconfig", ".gitignore"}
# Data in formats of their own, or inputs of tests that must stay byte for byte as they are.
EXEMPT = ("Content/Levels/", "Tests/Golden/", "Tests/Fuzz/Corpus/")


def check(tree):
    findings = []
    for path in tree.files:
        pure = PurePosixPath(path)
        wanted = pure.suffix in SUFFIXES or pure.name in NAMES or path == ".ci/run"
        if not wanted or path.startswith(EXEMPT) or "/Data/" in path:
            continue
        head = "\n".join(tree.text(path).splitlines()[:4])
        for line in ("SPDX-FileCopyrightText: 2026 Muster contributors", "SPDX-License-Identifier: MIT"):
            if line not in head:
                findings.append(f"{path}: the first lines lack '{line}'")
    return findings
