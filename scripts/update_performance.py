#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/measured/Performance.md from what block-bench measured.

    build/bin/block-bench --suite=cpu --python=PYTHON --json=bench/results/cpu-znver5.json
    scripts/update_performance.py [REPORT ...]

By default of all reports in bench/results. Each processor has a section for each suite,
cpu and decode; several reports of one are parts of its tables, each with other cases.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "measured" / "Performance.md"
#: Where the tables of a suite stand in the document.
BEGIN, END = {"cpu": "<!-- tables of scripts/update_performance.py: begin -->",
              "decode": "<!-- tables of generation of scripts/update_performance.py: begin -->"}, "<!-- end -->"
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


def repeats(report, ours=OURS):
    """How often our own were run, from the longest to the shortest."""
    counts = {e["time_ms"]["repeat"] for c in report["cells"] for e in c["entries"] if e["name"] in ours}
    return str(counts.pop()) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def list_peers(cells, ours):
    """Those that have a time somewhere, in order of first appearance."""
    entries = (entry for cell in cells for entry in cell["entries"])
    return list(dict.fromkeys(entry["name"] for entry in entries if entry["name"] not in ours and fastest(entry)))


def explain(cells):
    """What stands under a table."""
    parts = [differing(cells)] if differing(cells) else []
    return parts + ["No times:\n\n" + skipped(cells)] if skipped(cells) else parts


def list_floors(report):
    lines = (
        f"- {f['name']}: {f['value']:.2f}, expected at "
        + (f"most {f['at_most']:g}" if "at_most" in f else f"least {f['at_least']:g}")
        + ("" if f["pass"] else " (**not kept**)")
        for f in report["floors"]
    )
    return ["### Floors", "\n".join(lines)] if report["floors"] else []


def mention_stop(report):
    """That there are cells which nobody measured; reports without the field are whole."""
    return [] if report.get("complete", True) else ["The run was stopped before its end: not all cases are here."]


def render_cpu(report):
    rates = ", ".join(f"{name} {rate:.0f}" for name, rate in sorted(report.get("rates", {}).items()))
    parts = [
        f"## {report['class']}: `{report['cpu']}`",
        f"Fastest of {repeats(report)} runs, milliseconds."
        + (f" Multiplications with additions a nanosecond: {rates}." if rates else ""),
        *mention_stop(report),
    ]
    for dtype in dict.fromkeys(cell["dtype"] for cell in report["cells"]):
        cells = [c for c in report["cells"] if c["dtype"] == dtype]
        parts += [f"### {dtype}", table(cells, list_peers(cells, OURS)), *explain(cells)]
    return "\n\n".join(parts + list_floors(report))


def decode_row(cell, peers):
    """Tokens a second, or how long a long prompt takes to its first token."""
    entries = {entry["name"]: entry for entry in cell["entries"]}
    ours = entries["parablock"]
    rows = "1 row" if cell["batch"] == 1 else f"{cell['batch']} rows"
    makes_many = cell["new"] > 1
    what = f"{rows}, tokens/s" if makes_many else f"first token of {cell['prompt']}, ms"

    def show(entry):
        if "skipped" in entry or not fastest(entry):
            return "-"
        return f"{entry['tokens_per_second']:.1f}" if makes_many else f"{fastest(entry):.1f}"

    bars = [fastest(e) for n, e in entries.items() if n in peers and "differs" not in e and "skipped" not in e and fastest(e)]
    ratio = f"{min(bars) / fastest(ours):.2f}" if bars else "-"
    share = f"{100 * ours['of_memory_speed']:.0f} %" if "of_memory_speed" in ours else "-"
    return [what, str(cell["threads"]), *(show(entries.get(name, {})) for name in ["parablock", *peers]), ratio, share]


def list_steps(cells):
    """What a step costs whatever room caches have."""
    lines = []
    for cell in cells:
        for entry in cell["entries"]:
            if "capacity_ms" in entry:
                times = ", ".join(f"{time:.2f} ms with room for {capacity}" for capacity, time in sorted(entry["capacity_ms"].items(), key=lambda item: int(item[0])))
                count = f"; {entry['allocations']} allocations" if "allocations" in entry else ""
                lines.append(f"- {cell['threads']} thread{'s' if cell['threads'] > 1 else ''}: a step takes {times}{count}")
    return "\n".join(lines)


def render_decode(report):
    parts = [f"### {report['class']}: `{report['cpu']}`", f"Fastest of {repeats(report, ['parablock'])} runs.", *mention_stop(report)]
    for model, dtype in dict.fromkeys((cell["model"], cell["dtype"]) for cell in report["cells"]):
        cells = [c for c in report["cells"] if (c["model"], c["dtype"]) == (model, dtype)]
        peers = list_peers(cells, ["parablock"])
        head = ["what", "threads", "parablock", *peers, "best peer's time / ours", "of memory speed"]
        lines = [head, ["---"] * len(head), *(decode_row(cell, peers) for cell in cells)]
        parts += [f"#### {model}, {dtype}", "\n".join("| " + " | ".join(line) + " |" for line in lines)]
        parts += [text for text in [list_steps(cells), *explain(cells)] if text]
    return "\n\n".join(parts + [part.replace("###", "####") for part in list_floors(report)])


RENDERERS = {"cpu": render_cpu, "decode": render_decode}


def join(reports):
    """One report of all cells, in order."""
    cells = [cell for report in reports for cell in report["cells"]]
    if reports[0]["suite"] == "cpu":
        cells.sort(key=lambda cell: (cell["tokens"], cell["threads"]))
    return {
        **reports[0],
        "complete": all(report.get("complete", True) for report in reports),
        "cells": cells,
        "floors": [floor for report in reports for floor in report["floors"]],
    }


def write_tables(text, suite, reports):
    """The document with other tables of a suite, a section for each processor."""
    processors = list(dict.fromkeys((report["class"], report["cpu"]) for report in reports))
    sections = [RENDERERS[suite](join([r for r in reports if (r["class"], r["cpu"]) == one])) for one in processors]
    before, rest = text.split(BEGIN[suite])
    after = rest.split(END, 1)[1]
    tables = "\n\n".join(sections)
    return f"{before}{BEGIN[suite]}\n\n{tables}\n\n{END}{after}"


def main():
    results = ROOT / "bench" / "results"
    paths = sys.argv[1:] or [path for suite in RENDERERS for path in sorted(results.glob(f"{suite}-*.json"))]
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in paths]
    text = DOCUMENT.read_text(encoding="utf-8")
    for suite in RENDERERS:
        if own := [report for report in reports if report["suite"] == suite]:
            text = write_tables(text, suite, own)
    DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
