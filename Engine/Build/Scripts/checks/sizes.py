# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""No file grows into a manager: over 500 lines needs a reason in large_files.txt, and a reason needs such a file."""

LIMIT = 500
LIST = "Engine/Build/Scripts/checks/large_files.txt"


def check(tree):
    reasons = {}
    findings = []
    for line in tree.text(LIST).splitlines() if tree.has(LIST) else []:
        if line.strip() and not line.startswith("#"):
            path, _, reason = line.partition(" ")
            reasons[path] = reason.strip()
            if not reason.strip():
                findings.append(f"{LIST}: {path} is listed without a reason")
    large = {}
    for path in tree.sources() + [f for f in tree.files if f.endswith((".py", ".cmake", ".sh")) or f == "muster"]:
        lines = tree.text(path).count("\n")
        if lines > LIMIT:
            large[path] = lines
    for path, lines in large.items():
        if path not in reasons:
            findings.append(f"{path}: {lines} lines (limit {LIMIT}); split off the second thing it does, "
                            f"or give the reason in {LIST}")
    for path in reasons:
        if path not in large:
            findings.append(f"{LIST}: {path} is listed but is not over {LIMIT} lines; drop the line")
    return findings
