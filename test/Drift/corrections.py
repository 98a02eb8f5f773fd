# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Corrections lower the drift of tokens that nothing was fitted to."""

import json
import pathlib

import numpy as np

from models import Checks, drift, folder, generate, read_metadata, read_tensors, run, write_tensors

CORRECTIONS = ["mean-jacobian", "output-refit", "refit"]
DATA = ["--seed=11", "--dims=batch=64"]
checks = Checks()


def lowers(family, pairing):
    """Each correction lowers the joint KL, and each pair's error, on the report split."""
    name = f"{family}, {pairing}"
    plain = drift(*DATA, f"--pairing={pairing}")
    for correction in CORRECTIONS:
        report = drift(*DATA, f"--pairing={pairing}", f"--correction={correction}")
        checks.check(f"{name}, {correction}: all together", report["measured_kl"] < plain["measured_kl"],
                     (report["measured_kl"], plain["measured_kl"]))
        for layer in report["layers"]:
            recovered = layer["recovered"][correction]
            lower = recovered["update_rel_l2"]["mean"] < layer["update_rel_l2"]["mean"]
            checks.check(f"{name}, {correction}: pair {layer['pair']} alone",
                         recovered["applied"] and recovered["held_out_ratio"] < 1 and lower, recovered)
    for pair in report["converted"]:
        fits = {fit["what"]: fit for fit in pair["fits"]}
        checks.check(f"{name}: fits of pair {pair['pair']}", sorted(fits) == ["inputs", "outputs"]
                     and all(fit["tokens"] == 64 * 24 // 2 and fit["condition"] >= 1 and fit["ridge"] > 0
                             and 0 <= fit["residual"] < 1 for fit in fits.values())
                     and fits["inputs"]["unknowns"] == 16, fits)


def measured_again():
    """A choice with its corrected weights gives the same numbers; other weights are refused."""
    made = drift(*DATA, "--pairing=shifted", "--correction=refit", "--choice=choice.json",
                 "--weights-out=corrected.safetensors")
    again = drift(*DATA, "--blocks=@choice.json", "--corrected-weights=corrected.safetensors")
    close = abs(again["measured_kl"] - made["measured_kl"]) <= 1e-12 * made["measured_kl"]
    checks.check("measured again", close and again["chosen"] == made["chosen"],
                 (again["measured_kl"], made["measured_kl"]))
    beside = drift(*DATA, "--blocks=@choice.json")
    checks.check("the choice knows its weights", beside["measured_kl"] == again["measured_kl"], beside["measured_kl"])
    choice = json.loads(pathlib.Path("choice.json").read_text())
    for file, text in (("", "give them with --corrected-weights"),
                       ("../corrected.safetensors", "expected weights_file to lie in the folder of the choice, got '../")):
        pathlib.Path("lost.json").write_text(json.dumps({**choice, "weights_file": file}))
        refused = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--blocks=@lost.json",
                      "--json=none.json", code=1)
        checks.check("a corrected choice needs its weights", text in refused, refused)
    tensors = read_tensors("corrected.safetensors")
    name = sorted(name for name in tensors if "down_proj.weight" in name)[0]
    tensors[name][0, 0] += 0.5
    write_tensors("changed.safetensors", tensors)
    refused = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--blocks=@choice.json",
                  "--corrected-weights=changed.safetensors", "--json=none.json", code=1)
    checks.check("other weights are refused", "the choice is for other weights" in refused, refused)
    choice = json.loads(pathlib.Path("choice.json").read_text())
    choice["model_hash"] = "sha256:" + "0" * 64
    pathlib.Path("false.json").write_text(json.dumps(choice))
    refused = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--blocks=@false.json",
                  "--corrected-weights=corrected.safetensors", "--json=none.json", code=1)
    checks.check("another model's choice is refused", "expected model_hash sha256:" in refused, refused)
    checks.check("what is refused leaves no file", not pathlib.Path("none.json").exists())


def ladder():
    """Rungs are fitted like pairs, and projections of the first branch to what they were in series."""
    plain = drift(*DATA, "--pairing=ladder")["measured_kl"]
    report = drift(*DATA, "--pairing=ladder", "--correction=refit", "--compare-corrections", "--choice=ladder.json",
                   "--weights-out=rungs.safetensors")
    checks.check("ladder: lower", report["measured_kl"] < 0.7 * plain, (report["measured_kl"], plain))
    fits = [[fit["what"] for fit in pair["fits"]] for pair in report["converted"]]
    checks.check("ladder: fits", fits == [["inputs", "outputs"], *[["first inputs", "inputs", "outputs"]] * 2], fits)
    checks.check("ladder: other corrections", list(report["layers"][1]["recovered"]) == ["output-refit", "refit"],
                 list(report["layers"][1]["recovered"]))
    again = drift(*DATA, "--blocks=@ladder.json")
    checks.check("ladder: measured again", abs(again["measured_kl"] / report["measured_kl"] - 1) < 1e-12
                 and again["pairing"] == report["pairing"] == "ladder", again["measured_kl"])
    run("block-opt", "model.mlir", "--block-parallelize=blocks=@ladder.json", "-o", "ladder.mlir")
    checks.check("ladder: the stamp is measured", f"measured = {report['measured_kl']:.3g}"[:14] in
                 pathlib.Path("ladder.mlir").read_text(), report["measured_kl"])
    # Weights of rungs are not those of the same layers as pairs.
    drift(*DATA, "--correction=refit", "--choice=pairs.json", "--ir-out=pairs.mlir", "--weights-out=pairs.safetensors")
    for ir, weights in (("pairs", "rungs"), ("ladder", "pairs")):
        error = run("block-run", f"{ir}.mlir", f"--weights={weights}.safetensors", "--seed=1", code=1)
        checks.check(f"ladder: {ir} with weights of {weights}", "correction=refit-ladder to the pairs 0,1,2" in error
                     and "correction=refit to the pairs 0,1,2" in error, error)


def ladder_refusals():
    def refuse(text, *flags, name="model"):
        error = run("block-drift", f"{name}.mlir", "--weights=model.safetensors", *DATA, "--json=no.json", *flags, code=1)
        checks.check(f"refused: {text}", text in error and not pathlib.Path("no.json").exists(), error)

    refuse("--norm: expected separate with --pairing=ladder, whose branches read two streams, got 'shared'",
           "--pairing=ladder", "--norm=shared")
    refuse("--correction: expected none, output-refit or refit with --pairing=ladder, got 'mean-jacobian'",
           "--pairing=ladder", "--correction=mean-jacobian")
    refuse("--pairing: expected that of pairs.json, which has the form of its pairs: leave it out", "--pairing=ladder", "--blocks=@pairs.json")
    run("block-opt", "model.mlir", "--block-parallelize=blocks=0", "-o", "mixed.mlir")
    remarks = run("block-drift", "mixed.mlir", "--weights=model.safetensors", *DATA, "--pairing=ladder", "--json=drift.json")
    report = json.loads(pathlib.Path("drift.json").read_text())
    checks.check("no rung above a parallel layer", report["chosen"] == ["2"] and
                 "remark: layer 1 cannot become a rung: the layer below is no attention and MLP in series" in remarks, remarks)


def file_of_weights():
    """Only what was corrected changes; without new biases there are none."""
    before = read_tensors("model.safetensors")
    before["extra"] = np.arange(3.0, dtype=np.float32)
    write_tensors("extended.safetensors", before)
    report = drift(*DATA, "--blocks=1", "--correction=refit", "--add-biases", "--weights-out=out.safetensors",
                   weights="extended.safetensors")
    after = read_tensors("out.safetensors")
    added = sorted(set(after) - set(before))
    names = sorted(bias["name"] for bias in report["added_parameters"])
    checks.check("added biases", added == names == [f"model.layers.1.mlp.{part}_proj.bias"
                                                    for part in ("down", "gate", "up")], (added, names))
    changed = sorted(name for name in before if not np.array_equal(before[name], after[name]))
    want = sorted(f"model.layers.1.{part}.weight" for part in
                  ("mlp.down_proj", "mlp.gate_proj", "mlp.up_proj", "self_attn.o_proj"))
    checks.check("changed weights", changed == want, changed)
    said = read_metadata("out.safetensors")
    checks.check("the file says what it is for", said["parablock.form"] == "parallel" and said["parablock.pairs"] == "1"
                 and said["parablock.correction"] == "refit", said)
    report = drift(*DATA, "--blocks=1", "--correction=refit", "--weights-out=out.safetensors")
    checks.check("no biases unless asked for", report["added_parameters"] == []
                 and set(read_tensors("out.safetensors")) == set(before) - {"extra"}, report["added_parameters"])
    checks.check("no biases: still lower", report["converted"][0]["held_out_ratio"] < 1)


with folder():
    generate("gpt2", "--layers=3", "--batch=4", "--seq=24")
    lowers("gpt2", "block")
    generate("llama", "--layers=3", "--batch=4", "--seq=24")
    lowers("llama", "shifted")
    measured_again()
    file_of_weights()
    ladder()
    ladder_refusals()
checks.finish()
