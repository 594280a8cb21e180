# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""The repository as the checks see it: files, the module graph, and what each CMakeLists.txt declares."""

import re
from pathlib import Path

SKIPPED_FOLDERS = {".git", "build", ".cache", "__pycache__", "node_modules"}
SOURCE_SUFFIXES = {".h", ".c", ".cpp", ".hpp", ".cc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


class Tree:
    """Files below `root`, without build trees. Paths are given relative to the root, with forward slashes."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        self.files = sorted(self._walk(self.root))
        self._texts = {}

    def _walk(self, folder):
        for entry in folder.iterdir():
            if entry.is_symlink():
                continue
            if entry.is_dir():
                if entry.name not in SKIPPED_FOLDERS and not (entry / "CMakeCache.txt").exists():
                    yield from self._walk(entry)
            else:
                yield entry.relative_to(self.root).as_posix()

    def text(self, path):
        """Content of a file; an empty text when it is binary."""
        if path not in self._texts:
            data = (self.root / path).read_bytes()
            self._texts[path] = "" if b"\0" in data[:4096] else data.decode("utf-8", errors="replace")
        return self._texts[path]

    def has(self, path):
        return (self.root / path).exists()

    def sources(self, prefix=""):
        return [f for f in self.files if f.startswith(prefix) and Path(f).suffix in SOURCE_SUFFIXES]

    def includes(self, path):
        """(line number, included path) of each #include of a file."""
        text = self.text(path)
        return [(text.count("\n", 0, m.start(1)) + 1, m.group(1)) for m in INCLUDE.finditer(text)]

    def folders(self, prefix):
        """Names of the folders directly below `prefix` that hold at least one file."""
        found = {f[len(prefix) + 1:].split("/", 1)[0] for f in self.files if f.startswith(prefix + "/")}
        return sorted(name for name in found if (self.root / prefix / name).is_dir())

    def graph(self):
        """Module name -> modules it may use, from ModuleGraph.cmake."""
        text = re.sub(r"#.*", "", self.text("Engine/Build/CMake/ModuleGraph.cmake"))
        graph = {}
        for match in re.finditer(r"muster_module\(([^)]*)\)", text):
            name, _, *uses = match.group(1).split()
            graph[name] = set(uses)
        return graph

    def modules(self):
        """Module name -> its folder, for the modules that exist."""
        return {
            name: f"Engine/{layer}/{name}"
            for layer in ("Runtime", "Developer")
            for name in self.folders(f"Engine/{layer}")
        }

    def declared(self, folder):
        """(public, private) dependencies that a module's CMakeLists.txt declares."""
        path = f"{folder}/CMakeLists.txt"
        if path not in self.files:
            return set(), set()
        words = re.sub(r"#.*", "", self.text(path)).replace("(", " ").replace(")", " ").split()
        keywords = {"LAYER", "HEADER_ONLY", "DEPENDS", "PRIVATE_DEPENDS", "LIBRARIES", "PRIVATE_LIBRARIES"}
        lists, current = {}, None
        for word in words:
            if word in keywords:
                current = word
            elif current:
                lists.setdefault(current, set()).add(word)
        modules = set(self.graph())
        return lists.get("DEPENDS", set()) & modules, lists.get("PRIVATE_DEPENDS", set()) & modules
