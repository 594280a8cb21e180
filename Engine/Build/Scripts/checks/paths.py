# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Nothing in the tree names a place of somebody's machine."""

import re

PLACE = re.compile(r"(?<![\w.$}>~-])/(home|root|work|Users|mnt|media)/[\w.-]+|[A-Z]:\\Users\\")
SCRATCH = re.compile(r"(?<![\w.$}>~-])/tmp/[\w.-]+")


def check(tree):
    findings = []
    for path in tree.files:
        for number, line in enumerate(tree.text(path).splitlines(), 1):
            found = PLACE.search(line)
            # Docs may show a scratch path; code asks the system for one.
            if not found and not path.endswith(".md"):
                found = SCRATCH.search(line)
            if found:
                findings.append(f"{path}:{number}: names the machine path {found.group(0)}")
    return findings
