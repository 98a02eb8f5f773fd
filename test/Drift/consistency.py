# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What block-drift reports is what the models that it speaks of compute.

The serial model with the original weights and the model that block-parallelize
makes of the choice file, with the corrected weights, are run by block-run on the
report split; KL, agreement and perplexity are computed here from their logits.
The prediction is the KL on the select split, scaled by what the uncorrected model
costs on the fit and select splits together and on the select split alone.
"""

import json
import pathlib

import numpy as np

from models import Checks, drift, folder, generate, kl, log_softmax, logits, run, write_tensors

SEQUENCES, LENGTH = 64, 24
checks = Checks()


def compare(family, flags):
    generate(family, "--layers=3", "--batch=?", f"--seq={LENGTH}")
    ids = np.random.default_rng(5).integers(0, 31, (SEQUENCES, LENGTH))
    write_tensors("data.safetensors", {"input_ids": ids})
    corrected = any(flag.startswith("--correction") for flag in flags)
    out = ["--weights-out=corrected.safetensors"] if corrected else []
    report = drift("--data=data.safetensors", "--choice=choice.json", *out, *flags)
    run("block-opt", "model.mlir", "--block-parallelize=blocks=@choice.json", "-o", "parallel.mlir")
    weights = "corrected.safetensors" if corrected else "model.safetensors"
    half, quarter = SEQUENCES // 2, SEQUENCES // 4
    all_serial = logits("model.mlir", "model.safetensors", ids)
    held_out = logits("parallel.mlir", weights, ids[half:])
    choice = json.loads(pathlib.Path("choice.json").read_text())
    pathlib.Path("plain.json").write_text(json.dumps({**choice, "correction": "none", "weights_hash": "", "weights_file": ""}))
    run("block-opt", "model.mlir", "--block-parallelize=blocks=@plain.json", "-o", "plain.mlir")
    plain = logits("plain.mlir", "model.safetensors", ids[:-quarter])
    last, serial, parallel = ids[-quarter:], all_serial[-quarter:], held_out[quarter:]
    name = " ".join([family, *flags])
    select = kl(all_serial[half:-quarter], held_out[:quarter])
    checks.check(f"{name}: select split", abs(report["selected_kl"] - select) <= 1e-9 * select, report["selected_kl"])
    predicted = select * kl(all_serial[:-quarter], plain) / kl(all_serial[half:-quarter], plain[half:])
    checks.check(f"{name}: prediction", abs(report["predicted_kl"] - predicted) <= 1e-9 * predicted,
                 (report["predicted_kl"], predicted, select))
    checks.check(f"{name}: the prediction is more than the select split",
                 abs(report["predicted_kl"] / select - 1) > 1e-6, select)
    want = kl(serial, parallel)
    got = report["measured_kl"]
    checks.check(f"{name}: KL", abs(got - want) <= 1e-9 * want, f"expected {want}, got {got}")
    agree = float((serial.argmax(-1) == parallel.argmax(-1)).mean())
    checks.check(f"{name}: agreement", abs(report["top1"] - agree) < 1e-12, agree)
    for kind, values in (("serial", serial), ("parallel", parallel)):
        logp = log_softmax(values)[:, :-1]
        nll = -np.take_along_axis(logp, last[:, 1:, None], -1).mean()
        checks.check(f"{name}: perplexity, {kind}",
                     abs(report["perplexity"][kind] - np.exp(nll)) < 1e-6 * np.exp(nll), np.exp(nll))
    chosen = json.loads(pathlib.Path("choice.json").read_text())
    checks.check(f"{name}: choice", chosen["chosen"] == report["chosen"]
                 and chosen["kl"] == got and chosen["chosen"], chosen)


with folder():
    compare("llama", ["--pairing=shifted", "--correction=refit"])
    compare("llama", ["--norm=shared", "--blocks=1-2", "--scale=0.7071"])
    compare("llama", ["--norm=shared-lossy", "--attn-scale=0.9", "--correction=output-refit"])
    compare("gpt2", ["--pairing=best", "--correction=refit"])
    compare("gpt2", ["--correction=mean-jacobian", "--mlp-scale=0.8"])
    compare("phi3", ["--correction=refit"])
    compare("granite", ["--pairing=shifted", "--correction=refit"])
    compare("gemma2", ["--pairing=shifted", "--correction=refit"])
    compare("gemma2", ["--pairing=ladder", "--scale=0.9", "--mlp-scale=0.8", "--from=1"])
    compare("llama", ["--pairing=ladder", "--correction=refit", "--attn-scale=0.8"])
    compare("mixtral", ["--pairing=shifted", "--correction=refit"])
    compare("mixtral", ["--norm=shared", "--correction=output-refit"])
    compare("deepseek-v3", ["--pairing=best", "--correction=output-refit"])
checks.finish()
