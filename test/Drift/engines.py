# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""block-drift on the engine cpu, in float32, against the reference, in float64.

With PARABLOCK_FULL in the environment, of more families and options.
"""

import json
import pathlib
import re
import subprocess

import tiers
from models import Checks, drift, folder, generate, run

DATA = ["--seed=11", "--dims=batch=32"]
# Of numbers that are a ratio of sums, in float32; a KL is a difference of logits.
CLOSE, CLOSE_KL = 1e-4, 1e-3
checks = Checks()


def is_close(a, b, tolerance=CLOSE):
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))


def differences(reference, cpu):
    """Numbers that are further apart than the engines are."""
    wrong = []
    for a, b in zip(reference["layers"], cpu["layers"]):
        for key in ("mean", "p99"):
            if not is_close(a["update_rel_l2"][key], b["update_rel_l2"][key]):
                wrong.append((a["pair"], "update_rel_l2", a["update_rel_l2"], b["update_rel_l2"]))
        for key in ("cosine", "delta_over_x", "interaction", "nonlinearity"):
            if not is_close(a[key], b[key]):
                wrong.append((a["pair"], key, a[key], b[key]))
        for key in ("kl_alone", "kl_alone_corrected"):
            if a[key] is not None and not is_close(a[key], b[key], CLOSE_KL):
                wrong.append((a["pair"], key, a[key], b[key]))
    if reference["measured_kl"] is not None:
        wrong += [(key, reference[key], cpu[key]) for key in ("measured_kl", "predicted_kl")
                  if not is_close(reference[key], cpu[key], CLOSE_KL)]
    return wrong


def compare(name, *flags):
    reference = drift(*DATA, *flags)
    cpu = drift(*DATA, *flags, engine="cpu")
    wrong = differences(reference, cpu)
    checks.check(f"{name}: the same numbers", reference["layers"] and not wrong, wrong[:3])
    checks.check(f"{name}: the same choice", reference["chosen"] == cpu["chosen"] and reference["floor"] == cpu["floor"],
                 (reference["chosen"], cpu["chosen"]))
    checks.check(f"{name}: not on the reference", cpu["engines"]["on_reference"] == [], cpu["engines"])
    return reference, cpu


def engines():
    reference, cpu = compare("llama", "--pairing=best", "--correction=refit")
    checks.check("what says so", reference["engine"] == "reference" and cpu["engine"] == "cpu"
                 and cpu["engines"]["model"] == "cpu" and cpu["engines"]["interaction"] == "reference"
                 and cpu["engines"]["floor"] == "reference", cpu["engines"])
    checks.check("another engine, other digits", reference["measured_kl"] != cpu["measured_kl"])
    default = drift(*DATA, "--pairing=best", "--correction=refit", engine=None)
    checks.check("cpu is the default, and gives the same digits twice", default == cpu)
    shifted = json.loads(json.dumps(cpu))
    shifted["layers"][1]["kl_alone"] *= 1.01
    checks.check("the comparison can fail", differences(reference, shifted))
    error = run("block-drift", "model.mlir", "--engine=magic", code=1)
    checks.check("an unknown engine", error == "error: engine: expected cpu or reference, got 'magic'\n", error)
    table = subprocess.run(["block-drift", "model.mlir", "--engine=reference"], capture_output=True, text=True).stdout
    checks.check("the table says so", "engine: reference" in table, table)


def forms():
    everyday = [("gpt2", []), ("gemma2", ["--pairing=shifted", "--correction=refit"]), ("granite", ["--norm=shared-lossy"])]
    more = [("opt", ["--norm=shared", "--correction=output-refit"]), ("t5-encoder", []), ("vit", ["--correction=refit"]),
            ("olmo2", ["--pairing=ladder", "--correction=refit"]),
            ("mixtral", ["--pairing=shifted", "--correction=refit"]), ("deepseek-v3", [])]
    for family, flags in everyday + (more if tiers.FULL else []):
        generate(family, "--layers=2", "--batch=4", "--seq=24", *(["--padding"] if family == "gpt2" else []))
        compare(" ".join([family, *flags]), *flags)
    generate("llama", "--layers=2", "--batch=4", "--seq=24", "--dtype=bf16")
    compare("llama in bf16", "--correction=refit")


def fallback():
    """What cpu has no code for runs on the reference, with a remark, unless cpu was asked for."""
    generate("t5-encoder", "--layers=2", "--batch=4", "--seq=24")
    path = pathlib.Path("model.mlir")
    path.write_text(path.read_text().replace("<bidirectional = true>", "<bidirectional = true, max_distance = 131072>"))
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--json=drift.json", *DATA)
    checks.check("fallback: a remark, once", re.fullmatch(
        "remark: engine reference measures a part of the model: engine cpu: .*no CPU code for buckets.*\n", remarks), remarks)
    engines = json.loads(pathlib.Path("drift.json").read_text())["engines"]
    checks.check("fallback: the report", engines["model"] == "cpu"
                 and [(part["parts"], "buckets" in part["reason"]) for part in engines["on_reference"]] == [(2, True)], engines)
    mixed = json.loads(pathlib.Path("drift.json").read_text())
    wrong = differences(drift(*DATA), mixed)
    checks.check("fallback: the same numbers", mixed["layers"] and not wrong, wrong[:3])
    error = run("block-drift", "model.mlir", "--engine=cpu", *DATA, code=1)
    checks.check("no fallback where cpu was asked for", error.startswith("error: engine cpu: ")
                 and "no CPU code for buckets" in error, error)


with folder():
    generate("llama", "--layers=3", "--batch=4", "--seq=24")
    engines()
    forms()
    fallback()
checks.finish()
