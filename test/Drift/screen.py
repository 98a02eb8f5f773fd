# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The screen: by size of update and place, at most half of the pairs, each with a record."""

import json
import pathlib
import re

import numpy as np

from models import Checks, folder, generate, run, write_tensors

BUDGET = ["--data=ids.safetensors", "--engine=reference", "--budget-kl=1e9"]
checks = Checks()


def search(*flags):
    """The report and the remarks of a search under a budget that everything fits."""
    remarks = run("block-drift", "model.mlir", "--weights=model.safetensors", "--json=drift.json", *BUDGET, *flags)
    report = json.loads(pathlib.Path("drift.json").read_text())
    return report, dict(re.findall(r"^remark: pair (\S+) is dropped unmeasured: (.*)$", remarks, re.MULTILINE))


def names(report, dropped):
    return [layer["pair"] for layer in report["layers"] if layer["dropped"] == dropped]


def records():
    report, remarks = search()
    layers = report["layers"]
    flagged = sorted((layer for layer in layers if layer["screen"]), key=lambda layer: -layer["screen_delta_p99"])
    want = {layer["pair"] for layer in flagged[:len(layers) // 2]}
    checks.check("the largest updates go, half of all", len(layers) == 6 and set(names(report, True)) == want
                 and len(want) == 3, (want, names(report, True)))
    checks.check("a remark for each", set(remarks) == want, remarks)
    checks.check("why", all(layer["screen"] in ("large-update", "near-an-end")
                            and f"{layer['screen']}: the 99th percentile of |d|/|x| is {layer['screen_delta_p99']:.3g}"
                            in remarks[layer["pair"]] for layer in layers if layer["dropped"]), remarks)
    checks.check("a KL of what stays alone", all((layer["kl_alone"] is None) == layer["dropped"] for layer in layers))
    checks.check("chosen of what stays", report["chosen"] == names(report, False), report["chosen"])
    checks.check("the rule", report["screen"] == {"mode": "auto", "most_delta_p99": 0.5, "ends": 2}, report["screen"])
    # The rows to choose by are those to report on.
    checks.check("what it goes by", all(layer["screen_delta_p99"] == layer["delta_over_x_p99"] > 0 for layer in layers))


def off():
    report, remarks = search("--screen=off")
    checks.check("off: nothing is dropped", not remarks and not names(report, True) and len(report["chosen"]) == 6
                 and report["screen"]["mode"] == "off" and not any(layer["screen"] for layer in report["layers"]), remarks)


def options():
    report, remarks = search("--screen=1e9", "--screen-ends=1")
    reasons = {layer["pair"]: layer["screen"] for layer in report["layers"]}
    checks.check("ends", {pair for pair, reason in reasons.items() if reason} == {"0", "5"} == set(remarks)
                 and reasons["0"] == "near-an-end", (reasons, remarks))
    report, remarks = search("--screen=1e9", "--screen-ends=0")
    checks.check("no ends, no threshold", not remarks and len(report["chosen"]) == 6, remarks)
    sizes = sorted(layer["screen_delta_p99"] for layer in report["layers"])
    report, remarks = search(f"--screen={(sizes[-1] + sizes[-2]) / 2}", "--screen-ends=0")
    checks.check("a threshold", len(remarks) == 1 and "large-update" in str(remarks) and len(report["chosen"]) == 5, remarks)


def automatic():
    report, remarks = search("--blocks=1-4")
    checks.check("named pairs stay", not remarks and len(report["chosen"]) == 4, remarks)
    report, remarks = search("--blocks=1-4", "--screen=0.01")
    checks.check("unless asked", len(remarks) == 2 and len(report["chosen"]) == 2, remarks)
    report, remarks = search("--correction=output-refit")
    checks.check("corrected pairs stay", not remarks and len(report["chosen"]) == 6, remarks)
    report, remarks = search("--correction=output-refit", "--screen=0.01")
    checks.check("unless asked, and are not fitted", len(remarks) == 3
                 and all(bool(layer["recovered"]) != layer["dropped"] for layer in report["layers"]), remarks)


def refusals():
    for value in ("-1", "nan", "some", ""):
        error = run("block-drift", "model.mlir", *BUDGET, f"--screen={value}", code=1)
        checks.check(f"screen={value}", f"--screen: expected auto, off or a number of at least 0, got '{value}'" in error, error)
    error = run("block-drift", "model.mlir", "--screen=0.5", code=1)
    checks.check("without a budget", "--screen: expected a budget to choose pairs under" in error, error)


with folder():
    generate("gpt2", "--layers=6", "--batch=4", "--seq=16")
    ids = np.random.default_rng(5).integers(0, 31, (32, 16))
    write_tensors("ids.safetensors", {"input_ids": np.concatenate([ids, ids[:16], ids[:16]])})
    records()
    off()
    options()
    automatic()
    refusals()
checks.finish()
