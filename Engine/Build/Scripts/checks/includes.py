# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Includes follow the module graph: nobody's Private/, no undeclared edge, and a plugin sees the plugin API alone."""

import re

PLUGIN_MODULES = {"PluginApi", "Serialization"}

# Third-party headers with a home: (pattern of the include, folders that may include it, why).
HOMES = [
    (re.compile(r"^enet/"), ("Plugins/EnetTransport/",), "ENet is known to its transport plugin alone"),
    (re.compile(r"^boost/dll"), ("Engine/Runtime/PluginHost/",), "libraries are loaded by PluginHost alone"),
    (re.compile(r"^Q[A-Z]|^Qt"), ("Editor/", "Tests/Unit/Editor"), "Qt stays in the editor"),
    (
        re.compile(r"^vulkan/|^GLFW/|^imgui"),
        ("Engine/Runtime/Gpu/", "Engine/Runtime/Renderer/", "Engine/Runtime/DebugUi/", "Engine/Programs/Monitor/",
         "Editor/", "Tests/Unit/Gpu/", "Tests/Unit/Renderer/", "Tests/Golden/"),
        "everything headless builds without Vulkan, GLFW and Dear ImGui",
    ),
]


def check(tree):
    graph = tree.graph()
    modules = tree.modules()
    findings = []
    for path in tree.sources():
        for line, included in tree.includes(path):
            where = f"{path}:{line}"
            findings += _common(where, path, included, graph)
    for name, folder in modules.items():
        findings += _module(tree, name, folder, graph)
    for name in tree.folders("Plugins"):
        findings += _plugin(tree, name, graph)
    developer = set(tree.folders("Engine/Developer"))
    for path in tree.sources("Server/"):
        for line, included in tree.includes(path):
            if included.split("/")[0] in developer:
                findings.append(f"{path}:{line}: the server includes Developer module {included.split('/')[0]}")
    return findings


def _common(where, path, included, graph):
    findings = []
    parts = included.split("/")
    if "Private" in parts:
        findings.append(f"{where}: includes {included}; Private/ is on its own module's path only")
    if ".." in parts:
        findings.append(f"{where}: includes {included}; name the module instead of climbing")
    for pattern, homes, why in HOMES:
        if pattern.search(included) and parts[0] not in graph and not path.startswith(homes):
            findings.append(f"{where}: includes {included}; {why}")
    return findings


def _module(tree, name, folder, graph):
    findings = []
    public, private = tree.declared(folder)
    seen = set()
    for path in tree.sources(folder + "/"):
        isPublic = path.endswith(".h") and "/Private/" not in path
        for line, included in tree.includes(path):
            used = included.split("/")[0]
            if "/" not in included or used not in graph or used == name:
                continue
            seen.add(used)
            where = f"{path}:{line}"
            if used not in graph.get(name, set()):
                findings.append(f"{where}: {name} includes {included}, an edge that ModuleGraph.cmake lacks")
            elif used not in public | private:
                findings.append(f"{where}: {name} includes {included} but its CMakeLists.txt does not declare {used}")
            elif isPublic and used not in public:
                findings.append(f"{where}: a public header needs {used} under DEPENDS, not PRIVATE_DEPENDS")
    for unused in sorted((public | private) - seen):
        findings.append(f"{folder}/CMakeLists.txt: {name} declares {unused} and includes nothing of it")
    return findings


def _plugin(tree, name, graph):
    findings = []
    folder = f"Plugins/{name}"
    codec = "SERIALIZATION" in tree.text(f"{folder}/CMakeLists.txt") if tree.has(f"{folder}/CMakeLists.txt") else False
    allowed = PLUGIN_MODULES if codec else {"PluginApi"}
    for path in tree.sources(folder + "/"):
        if path.startswith(f"{folder}/Tests/"):
            continue
        for line, included in tree.includes(path):
            used = included.split("/")[0]
            if "/" in included and used in graph and used not in allowed:
                findings.append(f"{path}:{line}: plugin {name} includes {included}; it may use {sorted(allowed)} only")
    return findings
