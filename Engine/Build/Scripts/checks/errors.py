# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Every error code is in Docs/Reference/Errors.md, once, and every code documented there exists."""

import re

REFERENCE = "Docs/Reference/Errors.md"
DECLARATION = re.compile(r"constexpr\s+(?:[\w:]+::)?ErrorCode\s+(k\w+)\s*\{\s*(\d+)\s*,\s*\"([^\"]+)\"")
ROW = re.compile(r"^\|\s*`?(\d+)`?\s*\|\s*`?([\w.-]+)`?\s*\|(.*)\|\s*$", re.MULTILINE)


def check(tree):
    findings = []
    declared, names = {}, {}
    for path in tree.sources():
        if path.startswith("Tests/"):
            continue
        code = re.sub(r"//.*", "", tree.text(path))
        for constant, number, name in DECLARATION.findall(code):
            if number in declared:
                findings.append(f"{path}: {constant} takes code {number}, which {declared[number][1]} has already")
            if name in names:
                findings.append(f"{path}: {constant} takes the name {name}, which {names[name]} has already")
            declared.setdefault(number, (name, path))
            names.setdefault(name, path)
    documented = {}
    for number, name, rest in ROW.findall(tree.text(REFERENCE)) if tree.has(REFERENCE) else []:
        if number in documented:
            findings.append(f"{REFERENCE}: {number} has two rows")
        documented[number] = (name, rest)
    for number, (name, path) in sorted(declared.items(), key=lambda item: int(item[0])):
        if number not in documented:
            findings.append(f"{path}: error {number} {name} has no row in {REFERENCE}")
        elif documented[number][0] != name:
            findings.append(f"{REFERENCE}: {number} is called {documented[number][0]}, the code says {name}")
        elif any(not cell.strip() for cell in documented[number][1].split("|")):
            findings.append(f"{REFERENCE}: the row of {number} {name} has an empty cell")
    for number in sorted(set(documented) - set(declared), key=int):
        findings.append(f"{REFERENCE}: {number} {documented[number][0]} is documented but no longer exists")
    return findings
