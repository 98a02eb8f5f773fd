#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts times of single tokens on an H100 from launches and bytes, beside what was measured, and rates of gradients
of attention from machine code.

usage: predict.py [TEXT]

A layer, or a step, takes `first + next x (launches - 1) + bytes / bandwidth`: 7.4 us, 2.5 us and 3.06 TB/s, fitted to
the four layers of one token in bench/results/gpu-h100.jsonl, each within 5 %. They were measured with one CTA on a
multiprocessor. The second prediction has 1.6 us for a launch whose weights stream while the one before ends. Both add
0.4 us for each product that normalises its rows: the 700 cycles that lib/Analysis/ProductTiles.cpp expects. They
subtract 0.85 us for each product whose sums a cluster joins, where all that was measured joined them through memory:
what that file expects of either. Launches and bytes are those of block-report: weights, as codes with their scales
where kernels read these, activations, and caches. Nothing is run. With TEXT, cases with it in their name alone. Needs
the build's tools on PATH.

A gradient of causal attention by whole tiles takes, for 128 of its queries and 64 keys or the other way round, the
cycles of the busiest unit in a round of each loop of its kernels, as block-report counts them in machine code. Rounds
that hide keys, few of many, are left out, and so is all that is no such loop. Its rate counts five products.
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
# Gradients of attention: heads' columns, and the goal in TFLOP/s.
GRADIENTS = {"a gradient of attention, heads of 64": (64, None), "a gradient of attention, heads of 128": (128, 470)}
MULTIPLY_ADDS, FLOPS = 2048, 989e12  # of a cycle and multiprocessor; of a second


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


def count_rounds(folder, size):
    """Names of the kernels of a gradient, and cycles of the units in a round of each of their loops that hide no key:
    of loops with the same products, the shortest."""
    rows = f"tensor<1x8192x{16 * size}xbf16>"
    inputs = ", ".join(f'%{name}: {rows} {{block.input = "{name}"}}' for name in "gqkv")
    outputs = ", ".join(f'{rows} {{block.output = "d{name}"}}' for name in "qkv")
    source, kernels, code, found = (folder / name for name in ("m.mlir", "k.mlir", "k.cubin", "r.json"))
    source.write_text(f"""func.func @main({inputs}) -> ({outputs}) {{
  %d:3 = block.sdpa_grad %g of %q, %k, %v {{wrt = ["query", "key", "value"], heads = 16 : i64, kv_heads = 16 : i64,
      scores = #block.scores<scale = 0.125, causal = true>}} : ({rows}, {rows}, {rows}, {rows}) -> ({rows}, {rows}, {rows})
  return %d#0, %d#1, %d#2 : {rows}, {rows}, {rows}
}}
""", encoding="utf-8")
    run("block-opt", source, f"--block-optimize={CHIP}", "-o", kernels)
    run("block-translate", "--block-to-cubin", "--chip=sm_90a", kernels, "-o", code)
    run("block-opt", kernels, f"--block-report=format=json file={found} machine-code={code} chip=sm_90a", "-o", "/dev/null")
    rounds = {}
    for kernel in json.loads(found.read_text())["machine_code"]:
        for loop in kernel["product_loops"]:
            key = (kernel["name"], *sorted(loop["products"].items()))
            if key not in rounds or loop["others"] < rounds[key]["others"]:
                rounds[key] = loop
    return [loop["cycles"] for loop in rounds.values()]


def write_gradients(folder):
    cases = {title: case for title, case in GRADIENTS.items() if not sys.argv[1:] or sys.argv[1] in title}
    if cases:
        print("| bf16, causal, `sm_90a` | loops | tensor cores | shared memory | busiest of each | goal, TFLOP/s | predicted, "
              "at most |\n|---|---|---|---|---|---|---|")
    for title, (size, goal) in cases.items():
        loops = count_rounds(folder, size)
        busiest = sum(max(loop.values()) for loop in loops)
        rate = 5 * 128 * 64 * size / MULTIPLY_ADDS / busiest * FLOPS / 1e12
        cycles = " | ".join(f"{sum(loop[unit] for loop in loops):.0f}" for unit in ("tensor", "shared"))
        print(f"| {title} | {len(loops)} | {cycles} | {busiest:.0f} | {goal or ''} | {rate:.0f} |")


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
        write_gradients(pathlib.Path(name))


if __name__ == "__main__":
    main()
