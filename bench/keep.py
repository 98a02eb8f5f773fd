#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps what was measured: a line for each case, of what tables and readers use.

    bench/keep.py RAW.json ... [--folder=FOLDER]

RAW.json is what block-bench --json=RAW.json, FOLDER/hardware.sh or `parablock train` wrote.
Each becomes FOLDER/RAW.jsonl, by default in bench/results. The first line is about all of a
file: processor, date, commit, versions and settings. Every other line is one case, with the
fastest and the median time, how often it ran, and how far its numbers were off. Single
samples, sizes of buffers and lists of kernels are not kept.
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
SCHEMA = 2
#: Digits of times, of which tables have two less, and of errors.
DIGITS, ERROR_DIGITS = 8, 3
#: What `times` of a case has for each engine, by suite.
COLUMNS = {
    "cpu": ["fastest ms", "median ms", "runs", "relative L2 error"],
    "decode": ["fastest ms", "median ms", "runs", "most that a token costs"],
}
#: Facts of a case that stay as they are, and those that only our own engine has.
FACTS = ("case", "model", "dtype", "batch", "prompt", "new", "tokens", "threads", "layers")
OWN = ("of_memory_speed", "capacity_ms", "allocations")


def shorten(value, digits=DIGITS):
    """The value with numbers of at most so many digits."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, dict):
        return {key: shorten(each, digits) for key, each in value.items()}
    return [shorten(each, digits) for each in value] if isinstance(value, list) else value


def drop_empty(record):
    return {key: value for key, value in record.items() if value not in (None, {}, [], "")}


def get_error(entry):
    """The worst relative error of an entry, or what its tokens cost; none if it was not compared."""
    if "outputs" in entry:
        return shorten(max(output["rel_l2"] for output in entry["outputs"]), ERROR_DIGITS)
    return shorten(entry.get("rel_l2", entry.get("cost")), ERROR_DIGITS)


def condense_cell(cell):
    """A case of block-bench, with its engines by name."""
    record = {key: cell[key] for key in FACTS if key in cell}
    for entry in cell["entries"]:
        record.update({key: entry[key] for key in OWN if key in entry})
    times = {
        entry["name"]: [time.get("min"), time.get("median"), time.get("repeat"), get_error(entry)]
        for entry in cell["entries"]
        if (time := entry.get("time_ms")) and "skipped" not in entry
    }
    notes = {
        kind: {entry["name"]: entry[kind] for entry in cell["entries"] if kind in entry}
        for kind in ("differs", "skipped")
    }
    return drop_empty({**record, "times": times, **notes})


def condense_floors(floors, records):
    """Gives each floor to its case; returns those that are of several cases."""
    by_case = {record["case"]: record for record in records}
    rest = {}
    for floor in floors:
        name, _, case = floor["name"].rpartition(", ")
        holder = by_case[case].setdefault("floors", {}) if case in by_case else rest
        bound = "at_most" if "at_most" in floor else "at_least"
        holder[name if case in by_case else floor["name"]] = {"value": floor["value"], bound: floor[bound]}
    return rest


def condense_bench(report):
    records = [condense_cell(cell) for cell in report["cells"]]
    versions = {
        entry["name"]: entry["version"] for cell in report["cells"] for entry in cell["entries"] if "version" in entry
    }
    floors = condense_floors(report["floors"], records)
    header = {key: report[key] for key in ("suite", "cpu", "class", "rates") if key in report}
    if not report.get("complete", True):
        header["complete"] = False
    columns = COLUMNS.get(report["suite"], COLUMNS["cpu"])
    return drop_empty({**header, "versions": versions, "times": columns, "floors": floors}), records


def condense_matrix(entries):
    """Small models of all families: a line for each chip and type."""
    groups = {}
    for entry in entries:
        dtype = next((word for word in ("bf16", "f16", "f32") if f"-{word}" in entry["name"]), "")
        key = {"kind": "matrix", "chip": entry.get("chip", entry["asked"]), "dtype": dtype}
        group = groups.setdefault(tuple(key.values()), {**key, "rel_l2": {}, "failed": {}})
        name = entry["name"].replace(f"-{dtype}", "", 1)
        if entry["good"]:
            group["rel_l2"][name] = shorten(max(entry["rel_l2"].values()), ERROR_DIGITS)
        else:
            group["failed"][name] = entry.get("error", entry.get("rel_l2"))
    return list(groups.values())


def condense_sanitizer(entries):
    """A line for each tool, with the models in which it found nothing."""
    groups = {}
    for entry in entries:
        tool, _, model = entry["name"].partition("-")
        group = groups.setdefault(tool, {"kind": "sanitizer", "tool": tool, "clean": [], "failed": {}})
        if entry["good"]:
            group["clean"].append(model)
        else:
            group["failed"][model] = entry["error"]
    return list(groups.values())


def condense_counters(entry, columns):
    kernels = {
        name: [counted.get(metric, "-").replace(",", "") for metric in columns]
        for name, counted in entry.get("kernels", {}).items()
    }
    return {"kind": "counters", "name": entry["name"], "kernels": kernels, "failed": entry.get("error")}


def condense_timed(entry):
    """Our time beside those of peers or of variants, by name."""
    ours, peers = entry.get("ours", {}), entry.get("peers", {})
    named = {"ours": ours, **peers}
    # Those of generate() alone.
    more = {key: ours[key] for key in ("own_loop_ms", "weight_gb_s", "read_gb_s", "of_memory_speed") if key in ours}
    if "first_ms" in ours:
        more["first_ms"] = {name: each["first_ms"] for name, each in named.items() if "first_ms" in each}
    return {
        **{key: entry[key] for key in ("kind", "name", "asked", "limit") if key in entry},
        "chip": ours.get("chip"),
        "rel_l2": shorten(ours.get("rel_l2"), ERROR_DIGITS),
        "launches": ours.get("num_launches"),
        "ms": {name: each["ms"] for name, each in named.items() if "ms" in each},
        **more,
        "skipped": {
            name: each.get("error", f"relative L2 error {each.get('rel_l2', 1):.1e}")
            for name, each in peers.items()
            if "ms" not in each and "first_ms" not in each
        },
        "failed": None if entry["good"] else entry.get("error", "wrong numbers"),
    }


def condense_hardware(report):
    if report["dry_run"]:
        raise ValueError("a dry run has no times")
    kinds = {}
    for entry in report["cases"]:
        kinds.setdefault(entry["kind"], []).append(entry)
    matrix, sanitizer, counters = (kinds.pop(kind, []) for kind in ("matrix", "sanitizer", "counters"))
    columns = sorted({metric for entry in counters for kernel in entry.get("kernels", {}).values() for metric in kernel})
    versions = {entry["torch"] for entries in kinds.values() for entry in entries if "torch" in entry}
    records = [
        *condense_matrix(matrix),
        *(condense_timed(entry) for entries in kinds.values() for entry in entries),
        *(condense_counters(entry, columns) for entry in counters),
        *condense_sanitizer(sanitizer),
    ]
    header = {
        "suite": "gpu",
        **{key: report[key] for key in ("gpu", "device", "date", "commit") if key in report},
        "versions": {"torch": ", ".join(sorted(versions))} if versions else {},
        "kernels": columns,
    }
    return drop_empty(header), [drop_empty(record) for record in records]


def condense_training(report, published=None):
    """A line for each form and engine: the runs of all seeds, and how it differs from other forms."""
    groups = {}
    for run in report["runs"]:
        key = {name: run[name] for name in ("label", "engine")}
        group = groups.setdefault(
            tuple(key.values()),
            {**key, "parameters": run["parameters"], "published_parameters": (published or {}).get(run["label"])}
            | {name: [] for name in ("seeds", "held_out_loss", "median_ms", "median_cpu_ms")}
            | {"memory": drop_empty(report["memory"].get(" ".join(key.values()), {})), "held_out_loss_less": {}},
        )
        group["seeds"].append(run["seed"])
        for name in ("held_out_loss", "median_ms", "median_cpu_ms"):
            group[name].append(run[name])
    tested = [each for each in report["comparisons"] if each["p"] is not None]
    for each in tested:
        if each["quantity"] == "loss":
            less = groups[tuple(each["of"])]["held_out_loss_less"]
            less[" ".join(each["with"])] = {name: each[name] for name in ("mean", "low", "high", "p", "significant")}
    header = {"suite": "train", **{key: report[key] for key in ("processor", "versions", "corpus", "settings")}}
    header["comparisons"] = len(tested)
    return header, [drop_empty(record) for record in groups.values()]


def condense(report):
    """Returns the first line of a file and the lines of its cases."""
    if "cells" in report:
        return condense_bench(report)
    if "dry_run" in report:
        return condense_hardware(report)
    if "runs" in report:
        return condense_training(report)
    raise ValueError("expected a report of block-bench, of bench/hardware.sh or of a training")


def describe_commit():
    """The commit of this tree, with a mark if files differ from it."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def write(path, header, records, date=None):
    """Writes the file as a whole; the report's own date and commit come first."""
    date = date or datetime.datetime.now(datetime.timezone.utc)
    facts = {"schema": SCHEMA, "date": f"{date:%Y-%m-%d}", "commit": describe_commit()}
    lines = [{**facts, **header}, *records]
    text = "".join(json.dumps(shorten(line), ensure_ascii=False) + "\n" for line in lines)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def read(path):
    """Returns the first line of a kept file and its cases; condenses a raw report first."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if pathlib.Path(path).suffix == ".jsonl":
        header, *records = map(json.loads, text.splitlines())
    else:
        header, records = shorten(list(condense(json.loads(text))))
    return header, records


def main():
    parser = argparse.ArgumentParser(description="keeps reports of measurements, a line for each case")
    parser.add_argument("--folder", type=pathlib.Path, default=RESULTS)
    parser.add_argument("reports", nargs="+", type=pathlib.Path)
    flags = parser.parse_args()
    for path in flags.reports:
        try:
            header, records = condense(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            sys.exit(f"error: {path}: {error}")
        except (KeyError, TypeError, AttributeError) as error:
            sys.exit(f"error: {path}: not a whole report, {type(error).__name__}: {error}")
        when = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.timezone.utc)
        out = flags.folder / f"{path.stem}.jsonl"
        write(out, header, records, when)
        print(f"{out}: {len(records)} cases")


if __name__ == "__main__":
    main()
