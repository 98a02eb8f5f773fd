# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Healing: KL falls and stays what other runs of the model compute, resumes continue bit for bit, refusals."""

import json
import pathlib

import numpy as np

from models import Checks, drift, folder, generate, kl, logits, read_metadata, read_tensors, run, write_tensors

checks = Checks()
DATA = ["--data=data.safetensors", "--blocks=0", "--correction=output-refit", "--generate=0"]
FILES = ["--weights-out=healed.safetensors", "--choice=choice.json", "--ir-out=parallel.mlir"]


def prepare():
    generate("llama", "--layers=2", "--seq=9", "--batch=?")
    # Branches small enough that first-order corrections leave little.
    tensors = read_tensors("model.safetensors")
    for name, values in tensors.items():
        if "o_proj" in name or "down_proj" in name:
            tensors[name] = (0.3 * values).astype(np.float32)
    write_tensors("model.safetensors", tensors)
    ids = np.random.default_rng(1).integers(0, 31, (512, 9))
    write_tensors("data.safetensors", {"input_ids": ids})
    write_tensors("more.safetensors", {"input_ids": np.random.default_rng(2).integers(0, 31, (256, 9))})
    return ids


def add_rate(flags):
    """The flags, with a rate if they heal."""
    heals = any(flag.startswith("--heal=") for flag in flags)
    return [*DATA, *(["--heal-rate=1e-3"] if heals else []), *flags]


def heal(*flags, **options):
    return drift(*add_rate(flags), engine="cpu", **options)


def falls(ids):
    """The report's numbers are those of the written files, by other runs of both models."""
    report = heal("--heal=60000", *FILES)
    healing = report["healing"]
    found = healing["kl"]
    checks.check("KL falls with each stage", found["healed"] < 0.9 * found["start"] < 0.5 * found["plain"], found)
    checks.check("on held-out rows, too", healing["held_out"][-1]["kl"] < 0.9 * healing["held_out"][0]["kl"], healing)
    checks.check("the report is of the healed model", report["measured_kl"] == found["healed"]
                 and report["correction"] == "healed" and report["selected_kl"] < 1.1 * healing["held_out"][-1]["kl"], report["selected_kl"])
    rows = ids[-128:]
    other = kl(logits("model.mlir", "model.safetensors", rows), logits("parallel.mlir", "healed.safetensors", rows))
    checks.check("other runs have the same KL", abs(other - found["healed"]) < 1e-3 * found["healed"], (other, found))
    before, after = read_tensors("model.safetensors"), read_tensors("healed.safetensors")
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    converted = {name for name in before if ".layers.0." in name}
    checks.check("the weights of converted layers changed", changed == converted
                 and len(changed) == healing["trained_tensors"], changed ^ converted)
    checks.check("counts", healing["steps"] == healing["planned_steps"] == 60000 // (healing["rows_per_step"] * 9)
                 and healing["tokens"] == healing["steps"] * healing["rows_per_step"] * 9
                 and healing["end"] == "all tokens" and healing["start"] == "output-refit", healing)
    metadata = read_metadata("healed.safetensors")
    choice = json.loads(pathlib.Path("choice.json").read_text())
    checks.check("the file names its form", metadata["parablock.correction"] == "healed"
                 and choice["correction"] == "healed" and choice["weights_hash"] == report["corrected_weights_hash"])
    again = heal("--blocks=@choice.json", "--correction=none")
    checks.check("a choice is measured again", abs(again["measured_kl"] - found["healed"]) < 1e-6, again["measured_kl"])
    for ir, weights, got in (("parallel.mlir", "model", "original weights"), ("model.mlir", "healed", "correction=healed")):
        error = run("block-run", ir, f"--weights={weights}.safetensors", "--seed=1", "--dims=batch=1", code=1)
        checks.check(f"{weights} in {ir}", got in error and "correction=healed" in error
                     if ir == "parallel.mlir" else got in error, error)
    further = heal("--blocks=@choice.json", "--correction=none", "--heal=60000", "--heal-data=more.safetensors")["healing"]
    checks.check("healing further", further["kl"]["start"] == again["measured_kl"] and further["start"] == "healed"
                 and further["kl"]["healed"] < further["kl"]["start"] and further["training_tokens"] == 256 * 9, further)
    return report


def resumes(whole):
    """A run in two parts is the unbroken one."""
    flags = ["--heal=60000", "--heal-checkpoint=state.safetensors"]
    part = heal(*flags, "--heal-stop=7")["healing"]
    checks.check("it stops", part["steps"] == 7 and not part["finished"] and part["end"] == "--heal-stop", part)
    wide = heal(*flags, "--weights-out=resumed.safetensors")
    same = pathlib.Path("resumed.safetensors").read_bytes() == pathlib.Path("healed.safetensors").read_bytes()
    checks.check("resumed: the same bytes", same and wide["healing"] == whole["healing"], wide["healing"])
    for flag, what in (("--heal-rate=1e-2", "learning_rate: expected 0.01"), ("--blocks=1", "pairs: expected 1, got 0")):
        refuse(f"a checkpoint of another run: {what}", *flags, flag)
    refuse("expected a checkpoint of healing, got a file without", "--heal=60000", "--heal-checkpoint=model.safetensors",
           "--correction=none")


def targets(whole):
    """Text that no model predicts, in another order."""
    text = heal("--heal=60000", "--heal-targets=text", "--seed=5")["healing"]
    checks.check("targets: another result", text["kl"]["start"] == whole["healing"]["kl"]["start"]
                 and text["kl"]["healed"] > whole["healing"]["kl"]["healed"], text["kl"])


def ladders(ids):
    tasks = np.random.default_rng(3).integers(0, 31, (400, 9))
    tasks[:, 8] = logits("model.mlir", "model.safetensors", tasks)[:, 7].argmax(-1)
    write_tensors("tasks.safetensors", {"own.input_ids": tasks, "own.answers": np.tile([8, 9], (400, 1))})
    flags = ["--data=data.safetensors", "--pairing=ladder", "--tasks=tasks.safetensors", "--generate=0"]
    report = drift(*flags, "--heal=20000", "--heal-rate=1e-3", "--weights-out=ladder.safetensors", "--ir-out=ladder.mlir",
                   engine="cpu")
    found = report["healing"]["tasks"]
    stages = {name: drift(*flags, f"--correction={correction}", engine="cpu")["tasks"]["share"]
              for name, correction in (("plain", "none"), ("start", "refit"))}
    checks.check("tasks of each stage", found == {**stages, "healed": report["tasks"]["share"]}
                 and found["plain"] < found["start"] != found["healed"], (found, stages))
    found = report["healing"]["kl"]
    checks.check("ladders: KL falls", found["healed"] < 0.9 * found["start"], found)
    rows = ids[-128:]
    other = kl(logits("model.mlir", "model.safetensors", rows), logits("ladder.mlir", "ladder.safetensors", rows))
    checks.check("ladders: other runs have the same KL", abs(other - found["healed"]) < 1e-3 * found["healed"], (other, found))


def refuse(text, *flags):
    pathlib.Path("drift.json").unlink(missing_ok=True)
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", "--json=drift.json", "--engine=cpu",
                *add_rate(flags), code=1)
    checks.check(text, f"error: {text}" in error or text in error, error)
    checks.check(f"{text}: nothing is written", not pathlib.Path("drift.json").exists())


def refusals():
    refuse("--heal: expected at least the 2016 tokens of one step, got 100", "--heal=100")
    refuse("--heal: expected at most 100 passes over the 2304 tokens to train on, got 9000000 tokens: give more data",
           "--heal=9000000")
    refuse("--heal: expected a number of tokens of at least 1, got 0", "--heal=0")
    refuse("--heal: expected engine cpu, which trains, got reference", "--heal=60000", "--engine=reference")
    refuse("--heal: expected layers to convert, got none", "--heal=60000", "--blocks=none")
    refuse("--heal: expected at least 3 sequences", "--heal=60000", "--data=short.safetensors", "--correction=none")
    refuse("--heal: expected no --quantize beside it", "--heal=60000", "--quantize=int8", "--correction=none")
    refuse("--heal-rate: expected a finite number above 0", "--heal=60000", "--heal-rate=0")
    refuse("--heal-stop: expected a --heal-checkpoint", "--heal=60000", "--heal-stop=3")
    for flag in ("--heal-data=more.safetensors", "--heal-checkpoint=x", "--heal-stop=3", "--heal-targets=text"):
        refuse(f"{flag.partition('=')[0]}: expected a --heal=TOKENS beside it", flag)
    refuse("expected none, mean-jacobian, output-refit or refit, got 'healed'", "--correction=healed")
    refuse("expected sequences of 9 tokens as in --data, got 5", "--heal=60000", "--heal-data=other.safetensors")


def main():
    with folder():
        ids = prepare()
        write_tensors("short.safetensors", {"input_ids": ids[:2]})
        write_tensors("other.safetensors", {"input_ids": ids[:, :5]})
        whole = falls(ids)
        resumes(whole)
        targets(whole)
        ladders(ids)
        refusals()
    checks.finish()


main()
