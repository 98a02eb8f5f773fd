#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explains the memory of two published training runs, by what the compiler says that a step saves.

    nanogpt_memory.py [--check]

The runs are those of nanogpt-modern (serial) and nanogpt-palm (parallel) of 12 layers of width 768, in
bf16 by torch.compile with a residual stream in f32, whose logs have the peak of each. The models are made by
block-gen and block-differentiate; what a step saves, value by value, and what the parameters are, is read
from block-report. The rest is stated below, each entry with what it is. Prints the tables of
docs/measured/Training.md; with --check also fails where a peak is further than 1 % from the logs, or a
difference of two further than half of their last digit, and where the document has other tables.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "measured" / "Training.md"
MARKS = ("<!-- nanogpt_memory.py -->", "<!-- end of nanogpt_memory.py -->")
FORMS = {"serial": "nanogpt-modern", "parallel": "nanogpt-palm"}
SEQUENCE = 1024
MIB = 1 << 20
# Tokens of a step, whether gradients are there beside the buckets that they are reduced in, and what the runs logged,
# in MiB.
RUNS = (
    ("65536 tokens", 65536, False, {"serial": 30602, "parallel": 28295}),
    ("16384 tokens", 16384, True, {"serial": 9521, "parallel": 8944}),
)
# What backward layers of the same step may keep, by the names of block-checkpoint's log.
RUNGS = (
    ("all", "all"),
    ("q, k, v, attention, up", "rope+rope.2+attn.c_v+sdpa+mlp.c_fc"),
    ("q, k, v, attention", "rope+rope.2+attn.c_v+sdpa"),
    ("attention", "sdpa"),
)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(command)}: exit code {done.returncode}\n{done.stderr}")


def make_step(folder, form, tokens):
    """Writes the step of a form and returns its path."""
    model, step = folder / f"{form}.{tokens}.mlir", folder / f"{form}.{tokens}.step.mlir"
    batch = tokens // SEQUENCE
    sizes = ["--layers=12", "--width=768", "--heads=6", "--vocab=50304", f"--batch={batch}", f"--seq={SEQUENCE}"]
    run("block-gen", f"--family={FORMS[form]}", *sizes, "--dtype=bf16", "--loss=cross-entropy", "-o", str(model))
    run("block-opt", str(model), "--block-differentiate=wrt=params", "-o", str(step))
    return step


def report(step, *passes):
    """What block-report says of a step behind passes."""
    target = step.with_suffix(".json")
    run("block-opt", str(step), *passes, f"--block-report=format=json file={target}", "-o", "/dev/null")
    return json.loads(target.read_text())


def explain(found, gradients_stay):
    """The entries of a published peak: a name, how it is known, and bytes."""
    step, params = found["step"], found["model"]["params"]
    tokens = found["sizes"]["batch"] * found["sizes"]["sequence"]
    saved = {"layers": 0, "statistics": 0, "stream": 0, "outside": 0}
    width = max(value["bytes"] for value in step["saved"] if value["layer"] is None and value["type"] == "bf16")
    last = max(layer["index"] for layer in step["layers"])
    labels = [layer["name"] for layer in step["layers"]]
    for value in step["saved"]:
        layer = value["layer"]
        # A layer's own result is its last residual; the serial form has one more, between its halves, which
        # torch.compile makes again from what it added, of the same bytes.
        is_stream = layer is None and value["name"] == "embedding"
        is_stream |= layer is not None and value["name"] == stream_of(step, layer)
        if is_stream:
            saved["stream"] += value["bytes"]
        elif layer is None:
            saved["outside"] += value["bytes"]
        elif value["type"] == "f32":
            saved["statistics"] += value["bytes"]
        else:
            saved["layers"] += value["bytes"]
    assert len(labels) == last + 1 and width == tokens * 2 * 768
    heads = 6
    matrices = params["attention"] + params["mlp"]
    entries = [
        ("values of layers, bf16", "listed", saved["layers"]),
        ("statistics of rows, f32", "listed", saved["statistics"]),
        ("the stream behind the embedding and each layer, f32 there", "listed, twice the bytes", 2 * saved["stream"]),
        ("final norm and its statistic", "listed", saved["outside"]),
        ("its result once more, in f32", "inferred", 2 * width),
        ("log-sum-exp of each head", "exact", len(labels) * tokens * heads * 4),
        ("logits, bf16", "inferred", 2 * 50304 * tokens),
        ("ids, targets and losses", "exact", 20 * tokens),
        ("weights, f32 and bf16", "exact", 6 * params["total"]),
        ("Adam's two moments of the embedding", "exact", 8 * params["embedding"]),
        ("Muon's momentum of the matrices", "exact", 4 * matrices),
        ("gradients in the buckets of the reduction, f32", "inferred", 4 * params["total"]),
    ]
    if gradients_stay:
        entries.append(("gradients of earlier micro-batches, f32", "inferred", 4 * params["total"]))
    return entries


def stream_of(step, label):
    """The name of the last residual of a layer: with a residual before it, that counts."""
    names = [v["name"] for v in step["saved"] if v["layer"] == label and v["name"].split(".")[0] == "residual"]
    return names[0] if len(names) == 1 else "residual.2"


def describe_published(folder):
    """The first two tables, and what is wrong."""
    found, wrong, lines = {}, [], []
    peaks = {}
    for title, tokens, stay, logged in RUNS:
        for form in FORMS:
            key = form, tokens
            found[key] = report(make_step(folder, form, tokens))
            entries = explain(found[key], stay)
            peaks[key] = entries, sum(size for _, _, size in entries) / MIB
    lines += ["| of the peak at 65536 tokens, MiB | known | serial | parallel |", "|---|---|---|---|"]
    for serial, parallel in zip(peaks["serial", 65536][0], peaks["parallel", 65536][0]):
        lines.append(f"| {serial[0]} | {serial[1]} | {serial[2] / MIB:.1f} | {parallel[2] / MIB:.1f} |")
    lines += ["", "| MiB | | serial | parallel | difference | saved by the compiler's own two steps, difference |", "|---|---|---|---|---|---|"]
    for title, tokens, stay, logged in RUNS:
        serial, parallel = (peaks[form, tokens][1] for form in FORMS)
        own = (found["serial", tokens]["step"]["saved_bytes"] - found["parallel", tokens]["step"]["saved_bytes"]) / MIB
        difference = logged["serial"] - logged["parallel"]
        lines.append(f"| {title} | explained | {serial:.1f} | {parallel:.1f} | {serial - parallel:.1f} | {own:.1f} |")
        lines.append(f"| | logged | {logged['serial']} | {logged['parallel']} | {difference} | |")
        for form, value in (("serial", serial), ("parallel", parallel)):
            if abs(value / logged[form] - 1) > 0.01:
                wrong.append(f"{title}, {form}: {value:.1f} MiB, logged {logged[form]}")
        for value in (serial - parallel, own):
            if abs(value - difference) > 0.5:
                wrong.append(f"{title}: a difference of {value:.1f} MiB, logged {difference}")
    return lines, wrong, found


def describe_rungs(folder, found):
    """The table of the same step within less memory."""
    lines = ["| kept of a layer, beside what it reads | form | bytes a token and layer, in widths | peak of the step, MiB | with weights and optimiser | of what was logged | more work |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for form in FORMS:
        step = folder / f"{form}.65536.step.mlir"
        params = found[form, 65536]["model"]["params"]
        rest = 6 * params["total"] + 8 * params["embedding"] + 4 * (params["attention"] + params["mlp"])
        work = 3 * sum(layer["flops"] for layer in found[form, 65536]["layers"])
        for title, kept in RUNGS:
            if form == "serial" and kept not in ("all",):
                title, kept = title + ", middle stream", kept + "+residual"
            got = report(step, f"--block-checkpoint=memory-budget=100% layers=*:{kept}")["step"]
            layers = [value["saved_bytes"] / 65536 for value in got["layers"]]
            total = (got["peak_bytes"] + rest) / MIB
            lines.append(
                f"| {title} | {form} | {sum(layers) / len(layers) / 768:.1f} | {got['peak_bytes'] / MIB:.0f} | {total:.0f} "
                f"| {100 * total / RUNS[0][3][form]:.0f} % | {100 * got['recompute_flops'] / work:.1f} % |"
            )
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail where a number or the document is off")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        lines, wrong, found = describe_published(folder)
        lines += [""] + describe_rungs(folder, found)
    text = "\n".join(lines)
    print(text)
    if not arguments.check:
        return
    document = DOCUMENT.read_text()
    if f"{MARKS[0]}\n{text}\n{MARKS[1]}" not in document:
        wrong.append(f"{DOCUMENT.name} has other tables: put what is printed between {MARKS[0]} and {MARKS[1]}")
    if wrong:
        sys.exit("error: " + "\nerror: ".join(wrong))


if __name__ == "__main__":
    main()
