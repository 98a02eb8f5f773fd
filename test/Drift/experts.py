# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of an attention, latent or not, and experts.

The share of tokens whose experts change is that of routers in NumPy, where the
attention is a mean: its queries and keys are 0.
"""

import json
import re
import subprocess

import numpy as np

from models import Checks, drift, folder, generate, kl, logits, read_tensors, run, write_tensors

DATA = ["--seed=11", "--dims=batch=16", "--generate=0"]
checks = Checks()


def is_close(a, b, tolerance=1e-3):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def measure(family, *flags):
    """What is written is a parallel model."""
    reference = drift(*DATA, *flags, "--ir-out=parallel.mlir")
    name = " ".join([family, *flags])
    with open("parallel.mlir") as file:
        stamps = re.findall(r'approx = #block.approx<pass = "block-parallelize"', file.read())
    checks.check(f"{name}: stamps", len(stamps) == len(reference["chosen"]) > 0, (stamps, reference["chosen"]))
    return reference


def engines(family, *flags):
    """Both engines measure the same pairs."""
    reference = measure(family, *flags)
    cpu = drift(*DATA, *flags, engine="cpu")
    checks.check(f"{family}: engines", reference["chosen"] == cpu["chosen"] and cpu["engines"]["on_reference"] == []
                 and is_close(reference["measured_kl"], cpu["measured_kl"]) and reference["measured_kl"] > 0.01,
                 (reference["measured_kl"], cpu["measured_kl"], cpu["engines"]))
    return reference


def normalize(rows, gain):
    return rows / np.sqrt((rows ** 2).mean(-1, keepdims=True) + 1e-5) * gain


def find_experts(rows, router):
    return np.sort(np.argsort(-(rows @ router.T), axis=-1, kind="stable")[..., :2], axis=-1)


def shares():
    """Of layer 0 in pair 0: experts read x instead of x + A(x)."""
    weights = read_tensors("model.safetensors")
    for part in ("q", "k"):
        weights[f"model.layers.0.self_attn.{part}_proj.weight"] *= 0
    write_tensors("mean.safetensors", weights)
    ids = np.random.default_rng(3).integers(0, 31, (32, 12))
    write_tensors("ids.safetensors", {"input_ids": ids})
    report = drift("--data=ids.safetensors", "--blocks=0", "--generate=0", weights="mean.safetensors")
    w = {name.removeprefix("model.layers.0."): value.astype(np.float64) for name, value in weights.items()}
    x = w["model.embed_tokens.weight"][ids[-8:]]
    values = normalize(x, w["input_layernorm.weight"]) @ w["self_attn.v_proj.weight"].T
    means = values.cumsum(1) / np.arange(1, 13)[:, None]
    middle = x + np.concatenate([means, means], -1) @ w["self_attn.o_proj.weight"].T
    before, after = (find_experts(normalize(rows, w["post_attention_layernorm.weight"]), w["mlp.gate.weight"])
                     for rows in (middle, x))
    share = float((before != after).any(-1).mean())
    found = [layer["changed"] for layer in report["experts"]]
    checks.check("share of layer 0", 0 < share < 1 and abs(found[0] - share) < 1e-12, (share, found))
    checks.check("share of layer 1, which reads another stream", 0 < found[1] < 1, found)
    later = drift("--data=ids.safetensors", "--blocks=1", "--generate=0", weights="mean.safetensors")["experts"]
    checks.check("no share before the first pair", later[0]["changed"] == 0 < later[1]["changed"], later)
    done = subprocess.run(["block-drift", "model.mlir", "--weights=mean.safetensors", "--data=ids.safetensors", "--blocks=0",
                           "--engine=reference", "--generate=0"], capture_output=True, text=True)
    line = f"tokens whose experts change: layer 0 {found[0]:.4g}, layer 1 {found[1]:.4g}\n"
    checks.check("the text has them, without a remark", line in done.stdout and done.stderr == "", (line, done))


def compute_mixture(w, rows, routed):
    """Experts on `rows`, chosen by `routed`."""
    chosen = np.argsort(-(routed @ w["mlp.gate.weight"].T), axis=-1, kind="stable")[..., :2]
    scores = np.exp(routed @ w["mlp.gate.weight"].T)
    weights = np.take_along_axis(scores, chosen, axis=-1)
    weights /= weights.sum(-1, keepdims=True)
    up, down = w["mlp.experts.gate_up_proj"][chosen], w["mlp.experts.down_proj"][chosen]
    both = np.einsum("btkoi,bti->btko", up, rows)
    gate, value = np.split(both, 2, axis=-1)
    hidden = gate / (1 + np.exp(-gate)) * value
    return np.einsum("btk,btkoi,btki->bto", weights, down, hidden)


def routers():
    """A router that reads the stream behind the attention, against NumPy."""
    generate("mixtral", "--layers=1", "--batch=?", "--seq=12", name="one")
    weights = read_tensors("one.safetensors")
    for part in ("q", "k"):
        weights[f"model.layers.0.self_attn.{part}_proj.weight"] *= 0
    write_tensors("mean.safetensors", weights)
    ids = np.random.default_rng(5).integers(0, 31, (32, 12))
    write_tensors("ids.safetensors", {"input_ids": ids})
    w = {name.removeprefix("model.layers.0."): value.astype(np.float64) for name, value in weights.items()}
    x = w["model.embed_tokens.weight"][ids[-8:]]
    values = normalize(x, w["input_layernorm.weight"]) @ w["self_attn.v_proj.weight"].T
    means = values.cumsum(1) / np.arange(1, 13)[:, None]
    middle = x + np.concatenate([means, means], -1) @ w["self_attn.o_proj.weight"].T
    old, new = (normalize(rows, w["post_attention_layernorm.weight"]) for rows in (middle, x))
    wanted = {"parallel": compute_mixture(w, new, new), "serial": compute_mixture(w, new, old)}
    made = {}
    for router, update in wanted.items():
        flags = [f"--router={router}", "--blocks=0", "--generate=0", "--data=ids.safetensors"]
        report = drift(*flags, "--ir-out=parallel.mlir", weights="mean.safetensors", name="one")
        end = normalize(middle + update, w["model.norm.weight"]) @ w["lm_head.weight"].T
        found = logits("parallel.mlir", "mean.safetensors", ids[-8:])
        error = np.abs(found - end).max() / np.abs(end).max()
        checks.check(f"router={router}: logits", error < 1e-6, error)
        serial = logits("one.mlir", "mean.safetensors", ids[-8:])
        want = kl(serial, found)
        checks.check(f"router={router}: KL", abs(report["measured_kl"] - want) <= 1e-6 * want > 0, (report["measured_kl"], want))
        changed = [layer["changed"] for layer in report["experts"]]
        checks.check(f"router={router}: experts", (changed[0] > 0) == (router == "parallel") and report["router"] == router, changed)
        made[router] = report["measured_kl"]
    checks.check("routers differ", made["parallel"] != made["serial"], made)


def continue_rows(ir, ids):
    """Continues the first halves of rows with the most likely tokens."""
    rows = ids.copy()
    rows[:, 6:] = 0
    for at in range(6, 12):
        rows[:, at] = logits(ir, "model.safetensors", rows)[:, at - 1].argmax(-1)
    return rows[:, 6:]


def generation():
    """What both models generate, by block-run."""
    ids = np.random.default_rng(4).integers(0, 31, (32, 12))
    write_tensors("ids.safetensors", {"input_ids": ids})
    report = drift("--data=ids.safetensors", "--pairing=shifted", "--ir-out=parallel.mlir")
    serial, parallel = (continue_rows(ir, ids[-8:]) for ir in ("model.mlir", "parallel.mlir"))
    differ = serial != parallel
    first = differ.argmax(-1)[differ.any(-1)]
    found = report["generation"]
    checks.check("generation", found["tokens"] == 6 and found["sequences"] == 8 and found["same"] == 8 - len(first)
                 and abs(found["first_difference"] - first.mean()) < 1e-12 and found["earliest_difference"] == first.min()
                 and first.max() > 0, (found, first))
    want = kl(logits("model.mlir", "model.safetensors", ids[-8:]), logits("parallel.mlir", "model.safetensors", ids[-8:]))
    checks.check("KL", abs(report["measured_kl"] - want) <= 1e-9 * want > 0, (report["measured_kl"], want))


def quantize():
    """Weights that are not rounded are named."""
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", "--seed=11", "--dims=batch=16",
                  "--quantize=int8", "--json=drift.json")
    want = "".join(f"remark: layer {layer}, experts: weights stay as they are: --quantize rounds projections of attentions "
                   "and MLPs of one op\n" for layer in range(2))
    checks.check("weights that stay", remarks == want, remarks)
    with open("drift.json") as file:
        rounded = [(each["index"], each["projection"]) for each in json.load(file)["projections"]]
    checks.check("weights that are rounded", rounded == [(layer, part) for layer in range(2) for part in "qkvo"], rounded)


def refuse(*flags):
    return run("block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", *DATA, *flags, code=1)


def refusals():
    attention = "attention of several ops"
    error = refuse("--correction=mean-jacobian", "--add-biases", "--blocks=1")
    checks.check("biases", error == f"error: pair 1: layer 1, {attention}: --add-biases: the output projection takes no "
                 "bias: leave the flag out, or --blocks can leave the pair out\n", error)
    error = refuse("--correction=refit", "--blocks=0+")
    checks.check(f"{attention}: refit", error == f"error: pair 0+: layer 1, {attention}: --correction=refit requires "
                 "projections of the stream that are operands of one attention, MLP or mixture: --correction=output-refit "
                 "fits output projections alone, or --blocks can leave the pair out\n", error)


with folder():
    generate("mixtral", "--layers=2", "--batch=?", "--seq=12")
    engines("mixtral", "--budget-kl=4", "--correction=output-refit")
    report = measure("mixtral", "--pairing=shifted", "--correction=refit", "--add-biases")
    biases = [(added["index"], added["operand"]) for added in report["added_parameters"]]
    checks.check("biases of the attention alone", biases == [(1, f"{part}_bias") for part in "qkvo"], biases)
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--correction=output-refit",
                  "--compare-corrections", "--engine=reference", "--json=drift.json")
    with open("drift.json") as file:
        recovered = [set(layer["recovered"]) for layer in json.load(file)["layers"]]
    checks.check("what is compared", recovered == 2 * [{"mean-jacobian", "output-refit", "refit"}]
                 and all("refit leaves" in line for line in remarks.splitlines()), (recovered, remarks))
    shares()
    generation()
    routers()
    quantize()
    generate("deepseek-v3", "--layers=2", "--batch=?", "--seq=12")
    report = measure("deepseek-v3")
    checks.check("no keys to compare", report["cache_rel_l2"] is None, report["cache_rel_l2"])
    refusals()
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", *DATA, "--router=serial")
    checks.check("a dense layer has no router", remarks == "remark: pair 0 stays in series: router=serial requires a second "
                 "branch whose router reads the stream\n", remarks)
    error = refuse("--router=serial", "--pairing=shifted")
    checks.check("shifted pairs have none", error == "error: --router: expected parallel with --pairing=shifted, whose second "
                 "branch has no router behind an attention, got 'serial': use --pairing=block\n", error)
checks.finish()
