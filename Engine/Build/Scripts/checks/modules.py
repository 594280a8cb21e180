# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Every module and plugin has the same shape: build file, README, unit tests, a line in the graph and a row in the docs."""

MODULES_PAGE = "Docs/Architecture/Modules.md"
README_LINES = 10


def check(tree):
    findings = []
    graph = tree.graph()
    page = tree.text(MODULES_PAGE) if tree.has(MODULES_PAGE) else ""
    for name, folder in tree.modules().items():
        findings += _readme(tree, folder)
        if not tree.has(f"{folder}/CMakeLists.txt"):
            findings.append(f"{folder}: no CMakeLists.txt")
        if name not in graph:
            findings.append(f"{folder}: no line in Engine/Build/CMake/ModuleGraph.cmake")
        if not any(f.endswith("Tests.cpp") for f in tree.sources(f"Tests/Unit/{name}/")):
            findings.append(f"{folder}: no Tests/Unit/{name}/*Tests.cpp")
        row = next((line for line in page.splitlines() if line.startswith(f"| {name} |")), None)
        if row is None:
            findings.append(f"{folder}: no row in {MODULES_PAGE}")
            continue
        uses = set(row.strip(" |").split("|")[-1].split()) - {"nothing"}
        if uses != graph.get(name, uses):
            findings.append(f"{MODULES_PAGE}: {name} may use {' '.join(sorted(graph[name])) or 'nothing'}, says the graph")
    for name in tree.folders("Plugins"):
        folder = f"Plugins/{name}"
        findings += _readme(tree, folder)
        for file in ("CMakeLists.txt", "plugin.json"):
            if not tree.has(f"{folder}/{file}"):
                findings.append(f"{folder}: no {file}")
    return findings


def _readme(tree, folder):
    path = f"{folder}/README.md"
    if not tree.has(path):
        return [f"{folder}: no README.md"]
    if len([line for line in tree.text(path).splitlines() if line.strip()]) < README_LINES:
        return [f"{path}: under {README_LINES} lines; say purpose, callers, threads and allowed dependencies"]
    return []
