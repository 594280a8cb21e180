# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Relative links of the documentation lead somewhere."""

import re
from pathlib import PurePosixPath
import posixpath

LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")


def check(tree):
    findings = []
    for path in (f for f in tree.files if f.endswith(".md")):
        text = re.sub(r"```.*?```", lambda block: "\n" * block.group(0).count("\n"), tree.text(path), flags=re.DOTALL)
        for number, line in enumerate(text.splitlines(), 1):
            for first, second in LINK.findall(line):
                target = (first or second).split("#")[0]
                if not target or re.match(r"[a-z]+:", target):
                    continue
                resolved = posixpath.normpath(posixpath.join(PurePosixPath(path).parent.as_posix(), target))
                if not tree.has(resolved):
                    findings.append(f"{path}:{number}: the link {target} leads nowhere")
    return findings
