#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/measured/Performance.md from what block-bench measured.

    build/bin/block-bench --suite=cpu --python=PYTHON --json=cpu-znver5.json
    bench/keep.py cpu-znver5.json
    scripts/update_performance.py [--check] [REPORT ...]

By default of all that bench/results has. Each processor has a section for each suite,
cpu and decode; several reports of one are parts of its tables, each with other cases.
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import keep

DOCUMENT = ROOT / "docs" / "measured" / "Performance.md"
#: Where the tables of a suite stand in the document.
BEGIN, END = {"cpu": "<!-- tables of scripts/update_performance.py: begin -->",
              "decode": "<!-- tables of generation of scripts/update_performance.py: begin -->"}, "<!-- end -->"
OURS = ["serial fused", "parallel fused"]

def fastest(cell, name):
    """The fastest run of an engine, in milliseconds; none if it has no times."""
    return cell["times"].get(name, [None])[0]


def cell_text(time):
    return f"{time:.2f}" if time else "-"


def best_peer(cell, peers):
    """The fastest of those that did what was asked for."""
    times = [fastest(cell, name) for name in peers if name not in cell.get("differs", {})]
    return min((time for time in times if time), default=None)


def write_row(words):
    return "| " + " | ".join(words) + " |"


def memory_share(cell, wholes):
    """Of the speed of a plain loop over as many bytes as weights have: that of all layers, where they were run."""
    if cell["tokens"] != 1:
        return "-"
    same = [whole for whole in wholes if whole["threads"] == cell["threads"]]
    share = next((each["of_memory_speed"] for each in [*same, cell] if "of_memory_speed" in each), None)
    return f"{100 * share:.0f} %" if share else "-"


def table(cells, peers):
    """One row per T and number of threads."""
    wholes = [cell for cell in cells if "layers" in cell]
    head = ["T", "threads", *OURS, *peers, "best peer / serial", "serial / parallel", "of memory speed"]
    rows = [write_row(head), "|---" * len(head) + "|"]
    for cell in (cell for cell in cells if "layers" not in cell):
        serial, parallel = (fastest(cell, name) for name in OURS)
        best = best_peer(cell, peers)
        rows.append(
            write_row(
                [
                    str(cell["tokens"]),
                    str(cell["threads"]),
                    *(cell_text(fastest(cell, name)) for name in OURS + peers),
                    f"{best / serial:.2f}" if best else "-",
                    f"{serial / parallel:.2f}",
                    memory_share(cell, wholes),
                ]
            )
        )
    return "\n".join(rows)


def list_notes(cells, kind, text):
    """What is said of peers, once per reason."""
    found = {note for cell in cells for note in cell.get(kind, {}).items()}
    return "\n".join(text.format(name, reason) for name, reason in sorted(found))


def explain(cells):
    """What stands under a table: who does other work, and is no bar, and who has no time."""
    differing = list_notes(cells, "differs", "- {} {}, and is no bar")
    skipped = list_notes(cells, "skipped", "- {}: {}")
    return [differing] * bool(differing) + ["No times:\n\n" + skipped] * bool(skipped)


def repeats(cells, ours):
    """How often our own were run, from the longest to the shortest."""
    counts = {cell["times"][name][2] for cell in cells for name in ours if name in cell["times"]}
    return str(counts.pop()) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def list_peers(cells, ours):
    """Those that have a time somewhere, in order of first appearance."""
    return list(dict.fromkeys(name for cell in cells for name in cell["times"] if name not in ours))


def list_floors(header, cells):
    """Floors of cases by kind, then those of several cases."""
    kinds = {}
    for cell in cells:
        for kind, floor in cell.get("floors", {}).items():
            kinds.setdefault(kind, []).append((f"{kind}, {cell['case']}", floor))
    floors = [floor for same in kinds.values() for floor in same] + list(header.get("floors", {}).items())
    lines = []
    for name, floor in floors:
        kept = floor["value"] <= floor["at_most"] if "at_most" in floor else floor["value"] >= floor["at_least"]
        bound = f"at most {floor['at_most']:g}" if "at_most" in floor else f"at least {floor['at_least']:g}"
        lines.append(f"- {name}: {floor['value']:.2f}, expected {bound}" + ("" if kept else " (**not kept**)"))
    return ["### Floors", "\n".join(lines)] if lines else []


def mention_stop(header):
    """That there are cells which nobody measured; reports without the field are whole."""
    return [] if header.get("complete", True) else ["The run was stopped before its end: not all cases are here."]


def render_cpu(header, cells):
    rates = ", ".join(f"{name} {rate:.0f}" for name, rate in sorted(header.get("rates", {}).items()))
    parts = [
        f"## {header['class']}: `{header['cpu']}`",
        f"Fastest of {repeats(cells, OURS)} runs, milliseconds."
        + (f" Multiplications with additions a nanosecond: {rates}." if rates else ""),
        *mention_stop(header),
    ]
    ordered = sorted(cells, key=lambda cell: (cell["tokens"], cell["threads"]))
    for dtype in dict.fromkeys(cell["dtype"] for cell in ordered):
        own = [cell for cell in ordered if cell["dtype"] == dtype]
        parts += [f"### {dtype}", table(own, list_peers(own, OURS)), *explain(own)]
    return "\n\n".join(parts + list_floors(header, cells))


def decode_row(cell, peers):
    """Tokens a second, or how long a long prompt takes to its first token."""
    rows = "1 row" if cell["batch"] == 1 else f"{cell['batch']} rows"
    makes_many = cell["new"] > 1
    what = f"{rows}, tokens/s" if makes_many else f"first token of {cell['prompt']}, ms"

    def show(time):
        if not time:
            return "-"
        return f"{1000 * cell['batch'] / time:.1f}" if makes_many else f"{time:.1f}"

    best, ours = best_peer(cell, peers), fastest(cell, "parablock")
    ratio = f"{best / ours:.2f}" if best else "-"
    share = f"{100 * cell['of_memory_speed']:.0f} %" if "of_memory_speed" in cell else "-"
    times = (show(fastest(cell, name)) for name in ["parablock", *peers])
    return [what, str(cell["threads"]), *times, ratio, share]


def list_steps(cells):
    """What a step costs whatever room caches have."""
    lines = []
    for cell in (cell for cell in cells if "capacity_ms" in cell):
        sizes = sorted(cell["capacity_ms"].items(), key=lambda item: int(item[0]))
        times = ", ".join(f"{time:.2f} ms with room for {capacity}" for capacity, time in sizes)
        count = f"; {cell['allocations']} allocations" if "allocations" in cell else ""
        lines.append(f"- {cell['threads']} thread{'s' if cell['threads'] > 1 else ''}: a step takes {times}{count}")
    return "\n".join(lines)


def render_decode(header, cells):
    parts = [
        f"### {header['class']}: `{header['cpu']}`",
        f"Fastest of {repeats(cells, ['parablock'])} runs.",
        *mention_stop(header),
    ]
    for model, dtype in dict.fromkeys((cell["model"], cell["dtype"]) for cell in cells):
        own = [cell for cell in cells if (cell["model"], cell["dtype"]) == (model, dtype)]
        peers = list_peers(own, ["parablock"])
        head = ["what", "threads", "parablock", *peers, "best peer's time / ours", "of memory speed"]
        lines = [head, ["---"] * len(head), *(decode_row(cell, peers) for cell in own)]
        parts += [f"#### {model}, {dtype}", "\n".join(map(write_row, lines))]
        parts += [text for text in [list_steps(own), *explain(own)] if text]
    return "\n\n".join(parts + [part.replace("###", "####") for part in list_floors(header, cells)])


RENDERERS = {"cpu": render_cpu, "decode": render_decode}


def join(reports):
    """The first line and the cells of reports that are parts of one."""
    headers = [header for header, _ in reports]
    floors = {name: floor for header in headers for name, floor in header.get("floors", {}).items()}
    complete = all(header.get("complete", True) for header in headers)
    return {**headers[0], "complete": complete, "floors": floors}, [cell for _, cells in reports for cell in cells]


def write_tables(text, suite, reports):
    """The document with other tables of a suite, a section for each processor."""
    processors = {}
    for report in reports:
        processors.setdefault((report[0]["class"], report[0]["cpu"]), []).append(report)
    tables = "\n\n".join(RENDERERS[suite](*join(own)) for own in processors.values())
    before, rest = text.split(BEGIN[suite])
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN[suite]}\n\n{tables}\n\n{END}{after}"


def main():
    parser = argparse.ArgumentParser(description="writes the tables of Performance.md")
    parser.add_argument("--check", action="store_true", help="fail where the document has other tables")
    parser.add_argument("reports", nargs="*", type=pathlib.Path, help="what bench/keep.py kept, or raw reports")
    flags = parser.parse_args()
    kept = [path for suite in RENDERERS for path in sorted(keep.RESULTS.glob(f"{suite}-*.jsonl"))]
    reports = [keep.read(path) for path in flags.reports or kept]
    before = text = DOCUMENT.read_text(encoding="utf-8")
    for suite in RENDERERS:
        if own := [report for report in reports if report[0]["suite"] == suite]:
            text = write_tables(text, suite, own)
    if flags.check and text != before:
        sys.exit(f"error: {DOCUMENT.name} has other tables than bench/results: scripts/update_performance.py repairs it")
    if not flags.check:
        DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
