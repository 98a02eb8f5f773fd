# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refits of pairs of an attention and experts: routers, shared experts, experts and outputs."""

import pathlib
import re

import numpy as np
import tiers

from models import Checks, drift, folder, generate, kl, logits, read_tensors, run, write_tensors

checks = Checks()


def refit(family, router, kinds):
    """Fits of all parts help, and what is written computes what was measured."""
    data = ["--seed=11", "--dims=batch=128", "--generate=0", f"--router={router}"]
    plain = drift(*data)
    report = drift(*data, "--correction=refit", "--ir-out=parallel.mlir", "--weights-out=fitted.safetensors",
                   "--choice=choice.json")
    name = f"{family}, router={router}"
    pair = report["converted"][-1]
    found = {fit["what"].split()[0] for fit in pair["fits"]}
    fitted = sum(fit["what"].startswith("expert ") for fit in pair["fits"])
    checks.check(f"{name}: fits", kinds <= found and pair["applied"] and pair["experts"]["refitted"] == fitted > 0,
                 (found, pair["experts"]))
    outputs = {int(fit["what"].split()[-1]) for fit in pair["fits"] if fit["what"].startswith("output of expert ")}
    before, after = (read_tensors(f"{each}.safetensors") for each in ("model", "fitted"))
    changed = {expert for key in before if ".1." in key and key.endswith("experts.down_proj")
               for expert, matrix in enumerate(before[key]) if not np.array_equal(matrix, after[key][expert])}
    checks.check(f"{name}: output matrices", changed == outputs and pair["expert_outputs"]["refitted"] == len(outputs) > 0,
                 (changed, outputs, pair["expert_outputs"]))
    changed = [[layer["changed"] for layer in each["experts"]][-1] for each in (plain, report)]
    checks.check(f"{name}: refit", report["measured_kl"] < 0.8 * plain["measured_kl"] and (router == "serial" or changed[1] < changed[0]),
                 (plain["measured_kl"], report["measured_kl"], changed))
    again = drift(*data, "--blocks=@choice.json", "--corrected-weights=fitted.safetensors")
    checks.check(f"{name}: measured again", abs(again["measured_kl"] - report["measured_kl"]) <= 1e-9, again["measured_kl"])
    cpu = drift(*data, "--blocks=@choice.json", "--corrected-weights=fitted.safetensors", engine="cpu")
    checks.check(f"{name}: on the CPU", abs(cpu["measured_kl"] - report["measured_kl"]) <= 1e-3 * report["measured_kl"], cpu["measured_kl"])
    error = run("block-run", "model.mlir", "--engine=reference", "--weights=fitted.safetensors", "--seed=1", "--dims=batch=2", code=1)
    checks.check(f"{name}: weights of another form", "fitted by correction=refit" in error, error)
    ids = np.random.default_rng(6).integers(0, 31, (4, 12))
    serial, fit = logits("model.mlir", "model.safetensors", ids), logits("parallel.mlir", "fitted.safetensors", ids)
    write_tensors("ids.safetensors", {"input_ids": ids})
    checks.check(f"{name}: what is written", kl(serial, fit) < 2 * report["measured_kl"], (kl(serial, fit), report["measured_kl"]))


def output_matrices(form):
    """Output matrices of experts are fitted where rows suffice, and the others are counted."""
    if form != "activation = silu":
        text = pathlib.Path("model.mlir").read_text()
        pathlib.Path("model.mlir").write_text(text.replace("#block.experts<activation = silu>", f"#block.experts<{form}>"))
        checks.check(f"{form}: form", form in pathlib.Path("model.mlir").read_text(), text)
    data = ["--seed=11", "--dims=batch=256", "--generate=0", "--blocks=1", "--ridge=0.01"]
    plain, fit = drift(*data, "--correction=output-refit"), drift(*data, "--correction=refit")
    pair = fit["converted"][-1]
    counts = pair["expert_outputs"]
    fits = [each for each in pair["fits"] if each["what"].startswith("output of expert ")]
    # 4 rows for each of 56 hidden values.
    checks.check(f"{form}: counts", counts["needed_rows"] == 224 and counts["refitted"] == len(fits) > 1 and counts["left"] == 8 - len(fits)
                 and all(each["tokens"] >= 224 and each["unknowns"] == 56 and each["residual"] < 1 for each in fits), (counts, fits))
    checks.check(f"{form}: distance", pair["held_out_ratio"] < 0.5 * plain["converted"][-1]["held_out_ratio"],
                 (pair["held_out_ratio"], plain["converted"][-1]["held_out_ratio"]))
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", *data, "--correction=refit")
    line = f"remark: pair 1: refit leaves output matrices of {counts['left']} of 8 experts, which fewer than 224 of 1536 tokens choose\n"
    checks.check(f"{form}: remark", line in remarks, remarks)


def stream(ir, weights, ids):
    """What the last layer of a model writes, in float64."""
    text = pathlib.Path(ir).read_text()
    layer = re.search(r"(%\d+) = block\.layer .*? -> (tensor<\?x12x16xf32>)", text)
    text = re.sub(r"-> \(tensor<\?x12x31xf32> (\{block.output = \"logits\"\})\)", r"-> (tensor<?x12x16xf32> \1)", text)
    text = re.sub(r"return %\d+ : tensor<\?x12x31xf32>", f"return {layer[1]} : {layer[2]}", text)
    pathlib.Path("stream.mlir").write_text(text)
    return logits("stream.mlir", weights, ids).astype(np.float64)


def least_squares(form):
    """Output matrices are those of NumPy's least squares, on what the rest of the fitted pair leaves to do."""
    generate("mixtral", "--layers=1", "--batch=?", "--seq=12", name="one")
    if form != "activation = silu":
        text = pathlib.Path("one.mlir").read_text()
        pathlib.Path("one.mlir").write_text(text.replace("#block.experts<activation = silu>", f"#block.experts<{form}>"))
    ids = np.random.default_rng(8).integers(0, 31, (256, 12))
    write_tensors("one.ids.safetensors", {"input_ids": ids})
    ridge = 0.01
    report = drift("--data=one.ids.safetensors", "--generate=0", "--blocks=0", f"--ridge={ridge}", "--correction=refit",
                   "--weights-out=pair.safetensors", name="one")
    # Takes any weights: the written form takes fitted ones alone.
    run("block-opt", "one.mlir", "--block-parallelize=blocks=0", "-o", "pair.mlir")
    fitted = [int(fit["what"].split()[-1]) for fit in report["converted"][0]["fits"] if fit["what"].startswith("output of expert ")]
    weights, before = read_tensors("pair.safetensors"), read_tensors("one.safetensors")
    stem = "model.layers.0.mlp."
    down = stem + "experts.down_proj"
    write_tensors("others.safetensors", {**weights, down: before[down]})
    ids = ids[:128]  # the part to fit
    missing = (stream("one.mlir", "one.safetensors", ids) - stream("pair.mlir", "others.safetensors", ids)).reshape(-1, 16)
    exact = {name: array.astype(np.float64) for name, array in weights.items()}
    x = exact["model.embed_tokens.weight"][ids].reshape(-1, 16)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * exact["model.layers.0.post_attention_layernorm.weight"]
    scores = np.exp(x @ exact[stem + "gate.weight"].T)
    chosen = np.argsort(-scores, -1)[:, :2]
    share = np.take_along_axis(scores, chosen, -1)
    share /= share.sum(-1, keepdims=True)
    worst = 0.0
    for expert in fitted:
        rows, slots = np.nonzero(chosen == expert)
        weight = share[rows, slots][:, None]
        reads, scale = (x[rows] * weight, 1) if "weigh" in form else (x[rows], weight)
        gate, up = np.split(reads @ exact[stem + "experts.gate_up_proj"][expert].T, 2, -1)
        features = scale * gate / (1 + np.exp(-gate)) * up
        gram = features.T @ features
        change = np.linalg.solve(gram + ridge * np.trace(gram) / len(gram) * np.eye(len(gram)), features.T @ missing[rows])
        missing[rows] -= features @ change
        got = (exact[down][expert] - before[down][expert].astype(np.float64)).T
        worst = max(worst, np.linalg.norm(got - change) / np.linalg.norm(change))
    checks.check(f"{form}: NumPy's least squares", len(fitted) > 1 and worst < 1e-5, (fitted, worst))


def stored_one_by_one():
    """Corrected stacks take the place of matrices that a file has expert by expert."""
    weights = read_tensors("model.safetensors")
    parts = {}
    for name, value in weights.items():
        if not name.endswith((".experts.gate_up_proj", ".experts.down_proj")):
            parts[name] = value
            continue
        stem = name.rsplit(".", 1)[0]
        for expert, matrix in enumerate(value):
            if name.endswith("down_proj"):
                parts[f"{stem}.{expert}.w2.weight"] = matrix
            else:
                parts[f"{stem}.{expert}.w1.weight"], parts[f"{stem}.{expert}.w3.weight"] = np.split(matrix, 2)
    write_tensors("parts.safetensors", parts)
    data = ["--seed=11", "--dims=batch=128", "--generate=0", "--correction=refit"]
    reports = [drift(*data, f"--weights-out={name}.fitted", weights=f"{name}.safetensors") for name in ("model", "parts")]
    whole, own = read_tensors("model.fitted"), read_tensors("parts.fitted")
    stack = "model.layers.1.mlp.experts.gate_up_proj"
    checks.check("experts stored one by one", np.array_equal(whole[stack], own[stack])
                 and not np.array_equal(whole[stack], weights[stack]) and not any(".w1." in name for name in own)
                 and reports[0]["measured_kl"] == reports[1]["measured_kl"], sorted(own))


def shortcut():
    """What is measured is what the written model computes, and a refit helps."""
    ids = np.random.default_rng(7).integers(0, 31, (256, 12))
    write_tensors("ids.safetensors", {"input_ids": ids})
    data = ["--data=ids.safetensors", "--generate=0", "--pairing=shortcut"]
    plain = drift(*data, "--ir-out=short.mlir")
    ids = ids[-64:]
    want = kl(logits("model.mlir", "model.safetensors", ids), logits("short.mlir", "model.safetensors", ids))
    checks.check("shortcut: KL", plain["chosen"] == ["1+"] and abs(plain["measured_kl"] - want) <= 1e-9 * want > 0,
                 (plain["chosen"], plain["measured_kl"], want))
    scales = ["--scale=0.5", "--attn-scale=0.75", "--mlp-scale=1.5"]
    scaled = drift(*data, *scales, "--ir-out=scaled.mlir")
    want_scaled = kl(logits("model.mlir", "model.safetensors", ids), logits("scaled.mlir", "model.safetensors", ids))
    checks.check("shortcut: scales", abs(scaled["measured_kl"] - want_scaled) <= 1e-9 * want_scaled and want_scaled != want,
                 (scaled["measured_kl"], want_scaled))
    shifted = drift("--data=ids.safetensors", "--generate=0", "--pairing=shifted", "--blocks=1+")
    checks.check("shortcut: not the shifted pair", shifted["measured_kl"] != plain["measured_kl"], shifted["measured_kl"])
    fit = drift("--data=ids.safetensors", "--generate=0", "--pairing=shifted", "--blocks=1+", "--correction=output-refit")
    checks.check("shared experts of the first branch", fit["measured_kl"] < 0.9 * shifted["measured_kl"], fit["measured_kl"])
    cpu = drift(*data, engine="cpu")
    checks.check("shortcut: on the CPU", abs(cpu["measured_kl"] - want) <= 1e-3 * want, cpu["measured_kl"])
    fit = drift(*data, "--correction=refit", "--choice=choice.json", "--weights-out=fitted.safetensors")
    checks.check("shortcut: refit", fit["measured_kl"] < plain["measured_kl"], (plain["measured_kl"], fit["measured_kl"]))
    again = drift("--data=ids.safetensors", "--generate=0", "--blocks=@choice.json", "--corrected-weights=fitted.safetensors")
    checks.check("shortcut: measured again", abs(again["measured_kl"] - fit["measured_kl"]) <= 1e-9, again["measured_kl"])
    drift("--data=ids.safetensors", "--generate=0", "--pairing=shifted", "--blocks=1+", "--choice=pairs.json")
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *data, "--blocks=@pairs.json", code=1)
    want = "error: --pairing: expected that of pairs.json, which has the form of its pairs: leave it out\n"
    checks.check("shortcut: choice of pairs", error == want, error)
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--engine=reference", *data)
    why = "stays in series: pairing=shortcut requires a branch of experts, and an attention behind it"
    checks.check("shortcut: dense and last layers", remarks == f"remark: pair 0+ {why}\nremark: pair 2+ {why}\n", remarks)
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *data, "--blocks=2", code=1)
    checks.check("shortcut: no such layer", "no layer has index 3, which pair 2+ needs (blocks=2)" in error, error)
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *data, "--router=serial", code=1)
    checks.check("shortcut: routers", "--router: expected parallel with --pairing=shortcut" in error, error)
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *data, "--norm=shared", code=1)
    checks.check("shortcut: norms", error == "error: --norm: expected separate with --pairing=shortcut, whose branches read two "
                 "streams, got 'shared'\n", error)


CASES = [("mixtral", "parallel"), ("mixtral", "serial"), ("deepseek-v3", "parallel"), ("gpt-oss", "serial"), ("glm4-moe", "serial"),
         ("granitemoe", "parallel"), ("qwen3-moe", "serial"), ("olmoe", "parallel")]
SHARED = {"deepseek-v3", "glm4-moe"}

with folder():
    generate("mixtral", "--layers=2", "--batch=?", "--seq=12")
    stored_one_by_one()
    for form in tiers.take_turn(["activation = silu", "activation = silu, weigh = input"], 2):
        output_matrices(form)
        least_squares(form)
    generate("glm4-moe", "--layers=3", "--batch=?", "--seq=12")
    shortcut()
    for family, router in tiers.take_turn(CASES, 4):
        generate(family, "--layers=2", "--batch=?", "--seq=12")
        refit(family, router, {"router", "expert", "outputs"} | ({"shared"} if family in SHARED else set()))
checks.finish()
