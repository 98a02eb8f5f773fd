# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The walk of somebody who asks what parallel layers cost: researcher.py MODEL FOLDER.

MODEL is examples/trained/model; docs/Drift.md has the story, python/tests/test_journeys.py
runs this.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

import parablock
from parablock.weights import read_safetensors

checkpoint, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
small = checkpoint / "small.safetensors"
held_out = read_safetensors(checkpoint / "held_out.safetensors")["input_ids"].array[:16]
choice = folder / "choice.json"


def say(title):
    print(f"== {title}", flush=True)


def get_loss(model):
    """Nats a token on rows that nothing was fitted on."""
    logits = model.compile()(held_out).logits[:, :-1].astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    shares = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return -np.take_along_axis(shares, held_out[:, 1:, None], -1).mean()


say("what each pair costs, and which fit a budget")
serial = parablock.from_pretrained(checkpoint)
drift = serial.drift(small, budget=0.05)
print(len(drift.to_dict()["layers"]), "pairs measured,", "some" if drift.chosen else "none", "chosen")
print("within the budget:", drift.to_dict()["measured_kl"] < 0.1)

say("all of them, corrected, and the choice in a file")
drift = serial.drift(small, correction="refit", budget=10.0, choice=choice)
print(drift.chosen)
print(json.loads(choice.read_text())["correction"], sorted(p.name for p in folder.glob("choice.*")))

say("losses")
plain = serial.optimize(parallel="all")
corrected = serial.optimize(parallel=drift)
from_file = serial.optimize(parallel=f"@{choice}")
losses = [get_loss(model) for model in (serial, corrected, plain)]
print("serial < corrected < plain:", losses[0] < losses[1] < losses[2])
print("half of the loss or more is recovered:", losses[2] - losses[1] > 0.5 * (losses[2] - losses[0]))
print("the file gives the same:", get_loss(from_file) == losses[1])
print(corrected.count()["model"]["launches"], "launches, serial", serial.optimize().count()["model"]["launches"])

say("the page, and the same by the tools")
print("before: serial" in corrected.report(folder / "page.html").read_text())
command = ["block-gen", f"--config={checkpoint}/config.json", "--batch=1", "--seq=16", "-o", "m.mlir"]
subprocess.run(command, check=True, cwd=folder)
command = ["block-opt", "m.mlir", f"--block-optimize=parallel=@{choice}", "-o", "parallel.mlir"]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
print(done.returncode, (done.stderr.splitlines() or [""])[0][:100])
command = ["block-run", "parallel.mlir", f"--weights={folder}/choice.safetensors", "--seed=1"]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
print(done.returncode, (done.stderr + done.stdout)[:100])
