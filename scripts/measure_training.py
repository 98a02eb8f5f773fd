#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of trainings in docs/measured/Training.md.

    measure_training.py [--check]             from what bench/results/train-*.jsonl has
    measure_training.py --measure [--folder=FOLDER]

The second one trains first, by `python -m parablock train` of the Python that runs it, and
records the results; it takes about half an hour of one core. An interrupted one goes on in
the same --folder. With --check it fails where the document has other tables than the record.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import keep

DOCUMENT = ROOT / "docs" / "measured" / "Training.md"
MIB = 1 << 20
MARKS = ("<!-- measure_training.py -->", "<!-- end of measure_training.py -->")
NANO = ("nanogpt-modern", "nanogpt-palm", "nanogpt-palm[upper]")
SIMPLE = ("pre-ln", "sas", "sas-p", "no-norm")
BOTH = ["--parallel-layers=all", "--parallel-layers=upper"]
SMALL = ["--layers=6", "--width=128", "--heads=4", "--tokens=128", "--batch=8", "--learning-rate=2e-3"]
TINY = ["--layers=6", "--width=64", "--heads=4", "--tokens=64", "--batch=8", "--learning-rate=2e-3"]
LARGE = ["--layers=6", "--width=384", "--heads=6", "--tokens=256", "--batch=8"]
# What is trained for losses, over three seeds, and what for times and memory, turn by turn.
EXPERIMENTS = {
    "nanogpt-loss": ["--form=nanogpt-modern,nanogpt-palm", *BOTH, *SMALL, "--steps=240", "--seed=1,2,3", "--no-memory"],
    "simplified-loss": ["--form=pre-ln,sas,sas-p,no-norm", *TINY, "--steps=300", "--seed=1,2,3", "--no-memory"],
    "nanogpt-time": [
        *("--form=nanogpt-modern,nanogpt-palm", *BOTH, *LARGE, "--steps=6"),
        "--engine=parablock,torch,torch-compile",
    ],
    "simplified-time": ["--form=pre-ln,sas,sas-p,no-norm", *LARGE, "--steps=3", "--engine=parablock,torch"],
}


# Published sizes, in which parameters are counted: layers, width, heads, positions and tokens.
COUNTED = {"layers": 18, "width": 768, "heads": 12, "tokens": 1024}, 50000


def count_parameters():
    """Parameters of each form in the published sizes."""
    import torch
    from parablock_studies.trainer.settings import Settings
    from parablock_studies.trainer.text import VOCABULARY

    sizes, vocabulary = COUNTED
    counts = {}
    with torch.device("meta"):
        for form in SIMPLE:
            module = Settings(form=form, **sizes).make_module()
            more = (vocabulary - VOCABULARY) * sizes["width"]
            counts[form] = more + sum(parameter.numel() for parameter in module.parameters())
    return counts


def measure(folder):
    """Trains everything, or goes on where it was left, and records the results."""
    for name, options in EXPERIMENTS.items():
        out = folder / name
        again = ["--resume"] if list(out.glob("*/training.json")) else []
        command = [sys.executable, "-m", "parablock", "train", *options, *again, f"--out={out}"]
        if subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"error: {name} failed; --folder={folder} goes on with what is there")
        published = count_parameters() if name == "simplified-loss" else None
        record = json.loads((out / "results.json").read_text())
        keep.write(keep.RESULTS / f"train-{name}.jsonl", *keep.condense_training(record, published))


def read(name):
    """Returns the first line of a record with its runs, each of all seeds."""
    header, runs = keep.read(keep.RESULTS / f"train-{name}.jsonl")
    return {**header, "runs": {(run["label"], run["engine"]): run for run in runs}}


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return lines + [f"| {' | '.join(row)} |" for row in rows]


def spread(values):
    return f"{statistics.mean(values):.4f} ± {statistics.stdev(values):.4f}"


def describe(record, seeds):
    settings, versions = record["settings"], record["versions"]
    return (
        f"{settings['layers']} x {settings['width']}, {settings['heads']} heads, {settings['batch']} rows of "
        f"{settings['tokens']} bytes a step, {settings['steps']} steps, AdamW at {settings['learning_rate']:g} for all forms, "
        f"{seeds}, one thread, f32, PyTorch {versions['torch']}"
    )


def judge(each, comparisons):
    """Returns the verdict on a difference that is one of several."""
    if each["significant"]:
        return "significant"
    if each["low"] <= 0 <= each["high"]:
        return "not significant"
    # The interval is of this comparison alone; significance is among all comparisons.
    return f"significant alone (p = {each['p']:.3f}), not among the {comparisons} comparisons"


def difference(record, label, other):
    """Returns the difference of held-out losses with its interval, and the verdict on it."""
    each = record["runs"][label, "parablock"].get("held_out_loss_less", {}).get(f"{other} parablock")
    if not each:
        return "-", "-"
    verdict = judge(each, record["comparisons"])
    return f"{each['mean']:+.4f} ({each['low']:+.4f} to {each['high']:+.4f})", verdict


def write_losses(record, forms, columns):
    """Held-out losses and differences; `columns` are more of each form, by head."""
    rows = []
    base = forms[0]
    for form in forms:
        run = record["runs"][form, "parablock"]
        more = [give(run) for give in columns.values()]
        rows.append([f"`{form}`", *more, spread(run["held_out_loss"]), *difference(record, form, base)])
    head = ["form", *columns, "held-out loss", f"less that of `{base}`, of equal seeds (95 % interval)", "verdict"]
    return table(head, rows)


def in_mib(size):
    return f"{size / MIB:.0f}" if size else "-"


def write_times(record, forms):
    """Times of a step and peaks, of each engine beside ours."""
    rows = []
    for form in forms:
        own = record["runs"][form, "parablock"]["median_cpu_ms"]
        for engine in ("parablock", "torch", "torch-compile"):
            if run := record["runs"].get((form, engine)):
                memory = run.get("memory", {})
                time, used = (statistics.median(run[key]) for key in ("median_ms", "median_cpu_ms"))
                rows.append(
                    [
                        f"`{form}`",
                        engine,
                        f"{time:.0f}",
                        f"{used:.0f}",
                        f"{used / statistics.median(own):.2f}",
                        *(in_mib(memory.get(key)) for key in ("predicted", "allocated", "measured", "process")),
                    ]
                )
    head = ["form", "engine", "ms a step", "of these on the processor", "ratio to ours", "memory of a step predicted, MiB", "allocated", "measured", "of the process"]
    return table(head, rows)


def write_text():
    """What stands between the marks."""
    nano, simple = read("nanogpt-loss"), read("simplified-loss")
    nano_time, simple_time = read("nanogpt-time"), read("simplified-time")
    first = simple["runs"][SIMPLE[0], "parablock"]["published_parameters"]
    columns = {
        "parameters of 18 x 768, vocabulary 50000": lambda run: f"{run['published_parameters'] / 1e6:.1f} M",
        f"beside `{SIMPLE[0]}`": lambda run: f"{100 * (run['published_parameters'] / first - 1):+.1f} %",
        "parameters trained": lambda run: str(run["parameters"]),
    }
    upper, verdict = difference(nano, "nanogpt-palm[upper]", "nanogpt-palm")
    lines = [
        f"Processor: {nano['processor']}. Text: {nano['corpus']['text']}, {nano['corpus']['train_bytes']} bytes, and "
        f"{nano['corpus']['held_out_bytes']} held out.",
        "",
        f"Losses, of {describe(nano, 'three seeds')}; `[upper]` is parallel in the upper half of the layers alone:",
        "",
        *write_losses(nano, NANO, {}),
        "",
        f"Parallel in the upper layers less parallel in all of them: {upper}, {verdict}.",
        "",
        f"Times and memory, of {describe(nano_time, 'one seed')}, a step of each run in turn:",
        "",
        *write_times(nano_time, NANO),
        "",
        f"Simplified blocks, losses of {describe(simple, 'three seeds')}:",
        "",
        *write_losses(simple, SIMPLE, columns),
        "",
        f"Their times and memory, of {describe(simple_time, 'one seed')}, in turn, too:",
        "",
        *write_times(simple_time, SIMPLE),
    ]
    return "\n".join(line if line.startswith("|") else textwrap.fill(line, 120) for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="train first")
    parser.add_argument("--folder", type=pathlib.Path, help="checkpoints of --measure, to go on from")
    parser.add_argument("--check", action="store_true", help="fail where the document has other tables")
    arguments = parser.parse_args()
    if arguments.measure:
        with tempfile.TemporaryDirectory() as scratch:
            measure(arguments.folder or pathlib.Path(scratch))
    before = DOCUMENT.read_text()
    begin, end = (before.index(mark) for mark in MARKS)
    after = f"{before[:begin]}{MARKS[0]}\n{write_text()}\n{before[end:]}"
    if arguments.check and after != before:
        sys.exit(f"error: {DOCUMENT.name} has other tables than bench/results: scripts/measure_training.py repairs it")
    if not arguments.check:
        DOCUMENT.write_text(after)


if __name__ == "__main__":
    main()
