#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""check.py NAME... [--root DIR]: runs checks of the tree and exits 1 when one has findings.

Checks: includes, modules, spdx, sizes, paths, errors, links; `all` runs every one.
"""

import argparse
import importlib
import sys
from pathlib import Path

from checks.tree import Tree

NAMES = ("includes", "modules", "spdx", "sizes", "paths", "errors", "links")


def run(name, tree):
    return importlib.import_module(f"checks.{name}").check(tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+", choices=NAMES + ("all",), metavar="NAME")
    parser.add_argument("--root", default=Path(__file__).resolve().parents[3], help="tree to check")
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    if not tree.sources():
        print(f"check.py: {tree.root} has no source file at all; is it the root of the repository?", file=sys.stderr)
        return 2
    failed = False
    for name in NAMES if "all" in arguments.names else arguments.names:
        findings = run(name, tree)
        for finding in findings:
            print(f"{name}: {finding}")
        print(f"{name}: {len(findings)} finding(s) in {len(tree.files)} files")
        failed |= bool(findings)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
