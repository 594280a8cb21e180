#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Writes the figures of a muster-bench report into a page.

usage: bench_page.py REPORT.json PAGE.md

Everything between the page's lines `<!-- figures -->` and `<!-- end of figures -->` is replaced; what people wrote around
them stays.
"""

import json
import sys

BEGIN = "<!-- figures -->"
END = "<!-- end of figures -->"

# Heading, and prefix of the groups below it.
SECTIONS = [
    ("Entities", "entity/"),
    ("Spatial: rebuild, ns a point", "spatial/rebuild/"),
    ("Spatial: ids within a radius, a query", "spatial/gather/"),
    ("Spatial: the 32 nearest, a query", "spatial/nearest32/"),
    ("Spatial: bits for 128 observers, a tick", "spatial/observers128/"),
    ("Spatial: price of a hit", "spatial/even/"),
    ("Parallel loops", "jobs/"),
    ("Codecs, a record", "codec/"),
    ("Packets", "packet/"),
    ("Loop: how late a tick begins", "loop/"),
]


def time_text(nanoseconds):
    if nanoseconds < 10:
        return f"{nanoseconds:.2f} ns"
    if nanoseconds < 1e4:
        return f"{nanoseconds:.0f} ns"
    return f"{nanoseconds / 1e3:.1f} us" if nanoseconds < 1e7 else f"{nanoseconds / 1e6:.1f} ms"


def groups_of(report, prefix):
    """Group name -> its cases, in the order of the report."""
    groups = {}
    for case in report["cases"]:
        if case["name"].startswith(prefix):
            groups.setdefault(case["name"], []).append(case)
    return groups


def label(case):
    return case["label"] + (" hot" if case["mode"] == "hot" and case["name"].startswith("entity/") else "")


def wide_table(groups, prefix):
    """One row a group, one column a case: for families whose groups have the same cases."""
    labels = []
    for cases in groups.values():
        labels += [label(case) for case in cases if label(case) not in labels]
    lines = ["| " + " | ".join(["group", *labels]) + " |", "|---" * (len(labels) + 1) + "|"]
    for name, cases in groups.items():
        medians = {label(case): time_text(case["median_ns"]) for case in cases}
        lines.append("| " + " | ".join([name[len(prefix):], *(medians.get(one, "-") for one in labels)]) + " |")
    return lines


def long_table(groups, prefix):
    """One row a case."""
    lines = ["| group | who | median | p10 | p99 |", "|---|---|---|---|---|"]
    for name, cases in groups.items():
        for case in cases:
            hot = ", hot" if case["mode"] == "hot" else ""
            times = " | ".join(time_text(case[key]) for key in ("median_ns", "p10_ns", "p99_ns"))
            lines.append(f"| {name[len(prefix):] or name} | {case['subject']}{hot} (a {case['unit']}) | {times} |")
    return lines


def even_table(report, prefix):
    """The price of a hit against the uniform world, worst first is what matters: one row a group."""
    lines = ["| provider, entities, query | worst setting | its price over uniform, own cells |", "|---|---|---|"]
    worst = {}
    dotted = prefix.replace("/", ".")
    for ratio in report["ratios"]:
        if ratio["name"].startswith(dotted):
            group, _, last = ratio["name"].rpartition(".")
            if group not in worst or ratio["value"] > worst[group][1]:
                worst[group] = (last.split("_over_")[0], ratio["value"])
    for group, (setting, value) in worst.items():
        lines.append(f"| {group[len(dotted):].replace('.', ', ')} | {setting.replace('_', ' ')} | {value:.2f} |")
    return lines


def ratio_table(report, prefix):
    dotted = prefix.replace("/", ".")
    rows = {}
    columns = []
    for ratio in report["ratios"]:
        if ratio["name"].startswith(dotted):
            group, _, last = ratio["name"].rpartition(".")
            rows.setdefault(group[len(dotted):] or group, {})[last] = ratio["value"]
            columns += [last] if last not in columns else []
    if not rows:
        return []
    lines = ["", "Ratios:", "", "| " + " | ".join(["group", *(c.replace("_over_", " / ") for c in columns)]) + " |",
             "|---" * (len(columns) + 1) + "|"]
    for group, values in rows.items():
        cells = [f"{values[column]:.3g}" if column in values else "-" for column in columns]
        lines.append("| " + " | ".join([group.replace(".", "/"), *cells]) + " |")
    return lines


def figures(report):
    machine = report["machine"]
    lines = [f"Revision {report['revision']}, {report['compiler']}, `{report['flags']}`, {machine['cpu']}, "
             f"{machine['cores']} cores."]
    for heading, prefix in SECTIONS:
        groups = groups_of(report, prefix)
        if not groups:
            continue
        lines += ["", f"### {heading}", ""]
        if prefix == "spatial/even/":
            lines += even_table(report, prefix)
            continue
        wide = prefix.startswith("spatial/") or prefix == "codec/"
        lines += (wide_table if wide else long_table)(groups, prefix)
        lines += ratio_table(report, prefix)
    counts = [figure for figure in report["figures"] if not figure["name"].startswith("spatial.")]
    if counts:
        lines += ["", "### Counts", "", "| what | value |", "|---|---|"]
        lines += [f"| {figure['name']} | {figure['value']:.2f} {figure['unit']} |" for figure in counts]
    return lines


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    if not report["complete"] or report["revision"].endswith("-dirty"):
        print(f"{sys.argv[1]} is of an interrupted run or of sources that no revision has; a page needs a whole one",
              file=sys.stderr)
        return 1
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    head, begin, rest = page.partition(BEGIN + "\n")
    _, end, tail = rest.partition(END + "\n")
    if not begin or not end:
        print(f"{sys.argv[2]} lacks the lines {BEGIN} and {END}", file=sys.stderr)
        return 1
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(head + begin + "\n".join(figures(report)) + "\n" + end + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main())
