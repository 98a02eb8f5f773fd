#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/Performance.md from what block-bench measured.

    build/bin/block-bench --suite=cpu --python=PYTHON --json=bench/results/cpu-znver5.json
    scripts/update_performance.py [REPORT ...]

By default of all reports in bench/results. Each processor has a section; several
reports of one are parts of its tables, each with other cases.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "Performance.md"
BEGIN, END = "<!-- tables of scripts/update_performance.py: begin -->", "<!-- end -->"
OURS = ["serial fused", "parallel fused"]


def fastest(entry):
    return entry.get("time_ms", {}).get("min")


def cell_text(time):
    return f"{time:.2f}" if time else "-"


def memory_share(cell, wholes):
    """Of the speed of a plain loop over as many bytes as weights have: that of all layers, where they were run."""
    if cell["tokens"] != 1:
        return "-"
    same = [whole for whole in wholes if whole["threads"] == cell["threads"]]
    entries = [entry for each in same + [cell] for entry in each["entries"]]
    share = next((entry["of_memory_speed"] for entry in entries if "of_memory_speed" in entry), None)
    return f"{100 * share:.0f} %" if share else "-"


def table(cells, peers):
    """One row per T and number of threads."""
    wholes = [cell for cell in cells if "layers" in cell]
    cells = [cell for cell in cells if "layers" not in cell]
    head = ["T", "threads", *OURS, *peers, "best peer / serial", "serial / parallel", "of memory speed"]
    rows = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for cell in cells:
        times = {entry["name"]: fastest(entry) for entry in cell["entries"]}
        differing = {entry["name"] for entry in cell["entries"] if "differs" in entry}
        known = [times[p] for p in peers if times.get(p) and p not in differing]
        serial, parallel = (times[name] for name in OURS)
        ratio = f"{min(known) / serial:.2f}" if known else "-"
        rows.append(
            "| "
            + " | ".join(
                [
                    str(cell["tokens"]),
                    str(cell["threads"]),
                    *(cell_text(times.get(name)) for name in OURS + peers),
                    ratio,
                    f"{serial / parallel:.2f}",
                    memory_share(cell, wholes),
                ]
            )
            + " |"
        )
    return "\n".join(rows)


def differing(cells):
    """What a peer does that was not asked for: no bar, once per peer."""
    found = {(e["name"], e["differs"]) for c in cells for e in c["entries"] if "differs" in e}
    return "\n".join(f"- {name} {what}, and is no bar" for name, what in sorted(found))


def skipped(cells):
    """Why a peer has no time, once per reason."""
    reasons = {(e["name"], e["skipped"]) for c in cells for e in c["entries"] if "skipped" in e}
    return "\n".join(f"- {name}: {reason}" for name, reason in sorted(reasons))


def repeats(report):
    """How often our own were run, from the longest to the shortest."""
    counts = {e["time_ms"]["repeat"] for c in report["cells"] for e in c["entries"] if e["name"] in OURS}
    return str(counts.pop()) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def render(report):
    rates = ", ".join(f"{name} {rate:.0f}" for name, rate in sorted(report.get("rates", {}).items()))
    parts = [
        f"## {report['class']}: `{report['cpu']}`",
        f"Fastest of {repeats(report)} runs, milliseconds."
        + (f" Multiplications with additions a nanosecond: {rates}." if rates else ""),
    ]
    for dtype in dict.fromkeys(cell["dtype"] for cell in report["cells"]):
        cells = [c for c in report["cells"] if c["dtype"] == dtype]
        if not cells:
            continue
        peers = []
        for entry in (e for c in cells for e in c["entries"]):
            if entry["name"] not in OURS + peers and fastest(entry):
                peers.append(entry["name"])
        parts += [f"### {dtype}", table(cells, peers)]
        if differing(cells):
            parts.append(differing(cells))
        if skipped(cells):
            parts.append("No times:\n\n" + skipped(cells))
    if report["floors"]:
        parts.append("### Floors")
        parts.append(
            "\n".join(
                f"- {f['name']}: {f['value']:.2f}, expected at "
                + (f"most {f['at_most']:g}" if "at_most" in f else f"least {f['at_least']:g}")
                + ("" if f["pass"] else " (**not kept**)")
                for f in report["floors"]
            )
        )
    return "\n\n".join(parts)


def join(reports):
    """One report of all cells, in order."""
    cells = [cell for report in reports for cell in report["cells"]]
    cells.sort(key=lambda cell: (cell["tokens"], cell["threads"]))
    return {
        **reports[0],
        "cells": cells,
        "floors": [floor for report in reports for floor in report["floors"]],
    }


def main():
    paths = sys.argv[1:] or sorted((ROOT / "bench" / "results").glob("cpu-*.json"))
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths]
    processors = list(dict.fromkeys((report["class"], report["cpu"]) for report in reports))
    sections = [render(join([r for r in reports if (r["class"], r["cpu"]) == one])) for one in processors]
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    tables = "\n\n".join(sections)
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
