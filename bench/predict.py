#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts times of single tokens on an H100 from launches and bytes, beside what was measured.

usage: predict.py [TEXT]

A layer, or a step, takes `first + next x (launches - 1) + bytes / bandwidth`: 7.4 us, 2.5 us and 3.06 TB/s, fitted to
the four layers of one token in bench/results/gpu-h100.jsonl, each within 5 %. They were measured with one CTA on a
multiprocessor. The second prediction has 1.6 us for a launch whose weights stream while the one before ends. Both add
0.4 us for each product that normalises its rows: the 700 cycles that lib/Analysis/ProductTiles.cpp expects. They
subtract 0.85 us for each product whose sums a cluster joins, where all that was measured joined them through memory:
what that file expects of either. Launches and bytes are those of block-report: weights, as codes with their scales
where kernels read these, activations, and caches. Nothing is run. With TEXT, cases with it in their name alone. Needs
the build's tools on PATH.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

FIRST, NEXT, OVERLAPPED, BANDWIDTH = 7.4, 2.5, 1.6, 3.06e6  # us, us, us, bytes of a us
OWN_ROWS, JOINED = 0.4, 0.85  # us
CHIP, PEAK = "chip=sm_90a-h100", 3.35e12  # whose bandwidth block-report divides bytes by
ONE = "--family=llama --seq=1 --dtype=bf16"
LAYER = f"{ONE} --layers=1 --scope=block"
SMALL, LARGE = f"{LAYER} --width=768 --heads=12 --hidden=2048", f"{LAYER} --width=4096 --heads=32 --hidden=11008"
# The shape of Llama-3.2-1B, with room for 128 tokens.
STEP = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 2048, "intermediate_size": 8192,
        "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64,
        "vocab_size": 128256, "max_position_embeddings": 128, "rms_norm_eps": 1e-5, "rope_theta": 500000.0,
        "tie_word_embeddings": True, "hidden_act": "silu"}
# Models, whether there are caches, codes, the goal in us for the serial form, and what was measured: serial, parallel.
CASES = {
    "a layer of 768": (SMALL, False, "", 19.5, (25.4, 18.8)),
    "a layer of 4096": (LARGE, False, "", None, (153.8, 149.9)),
    "a layer of 4096, `int4-g128`": (LARGE, False, "int4-g128", 60, None),
    "a layer of 4096, `int8`": (LARGE, False, "int8", 92, None),
    "a layer of 4096, `fp8`": (LARGE, False, "fp8", 92, None),
    "16 layers of 2048, 128 cached": (STEP, True, "", 960, None),
    "the same, `int4-g128`": (STEP, True, "int4-g128", 500, None),
    "the same, `int8`": (STEP, True, "int8", 650, None),
}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))}\n{done.stderr}")


def report(folder, model, passes, form):
    """What block-report counts of a model for a GPU, the products that normalise their rows, and those that clusters
    join."""
    source, kernels, found, code = (folder / name for name in ("m.mlir", "k.mlir", "r.json", "c.mlir"))
    if isinstance(model, dict):
        (folder / "config.json").write_text(json.dumps(model))
        model = f"--config={folder / 'config.json'} --seq=1 --dtype=bf16"
    run("block-gen", *model.split(), "-o", source)
    parallel = ["--block-parallelize"] if form == "parallel" else []
    run("block-opt", source, *parallel, *passes, f"--block-optimize={CHIP}",
        f"--block-report=format=json file={found} {CHIP}", "-o", kernels)
    # Arguments of a kernel are %argN: a product of anything else is of rows that its kernel computes.
    own = len(re.findall(r"= block\.(?:linear|head) %\d", kernels.read_text()))
    run("block-opt", source, *parallel, *passes, "--block-to-gpu=chip=sm_90a", "-o", code)
    functions = re.findall(r"llvm\.func @(\w+)\((.*?)shared_bytes", code.read_text(), re.DOTALL)
    joining = "|".join(name for name, text in functions if "joins = true" in text) or "none"
    joined = len(re.findall(rf"tile\.launch @\w+::@(?:{joining})\(", code.read_text()))
    return json.loads(found.read_text())["model"], own, joined


def count(folder, model, has_caches, codes, form):
    """Launches, products with own rows, products that clusters join, and bytes of a step: weights, as codes and scales
    where kernels read these, activations and caches."""
    caches = ["--block-add-caches"] if has_caches else []
    numbers, own, joined = report(folder, model, caches, form)
    size = numbers["roofline_ms"] * PEAK / 1e3
    if not codes:
        return numbers["launches"], own, joined, size
    found, own, joined = report(folder, model, [f"--block-quantize=form={codes}", *caches], form)
    of_codes = found["codes"]
    size += of_codes["read_bytes"] + of_codes["read_number_bytes"] - of_codes["unpacked_bytes"]
    return found["launches"], own, joined, size


def predict(launches, own, joined, size, next_launch):
    return FIRST + next_launch * (launches - 1) + OWN_ROWS * own - JOINED * joined + size / BANDWIDTH


def main():
    titles = "goal, us | measured before, us | predicted, us | overlapping, us"
    print(f"| one token | form | launches | own norms | clusters | MB | {titles} |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        for title, (model, has_caches, codes, goal, measured) in CASES.items():
            if sys.argv[1:] and sys.argv[1] not in title:
                continue
            for place, form in enumerate(("serial", "parallel")):
                launches, own_rows, joined, size = count(pathlib.Path(name), model, has_caches, codes, form)
                own = f"{measured[place]:.1f}" if measured else ""
                wanted = goal if goal and form == "serial" else ""
                times = [f"{predict(launches, own_rows, joined, size, each):.1f}" for each in (NEXT, OVERLAPPED)]
                print(f"| {title} | {form} | {launches} | {own_rows} | {joined} | {size / 1e6:.1f} | {wanted} | {own} | "
                      f"{times[0]} | {times[1]} |")


if __name__ == "__main__":
    main()
