#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds reports of block-drift on the trained model against what is known of it.

    trained.py loss MODEL REPORT           the loss is PyTorch's, and below a trigram model's
    trained.py share MOST PLAIN REFITTED   refitted KL is at most that share of plain KL
    trained.py cheap REFITTED              half of the pairs cost at most 0.03 alone
    trained.py half BUDGETED               half of what can be paired costs at most 0.03 together
    trained.py predicted REPORT [KEY]      the KL of the report split is within 1.3 times its prediction
    trained.py tasks MODEL PLAIN REFITTED  the serial model solves what PyTorch finds, plain pairs less, refitted all
    trained.py falsify MODEL FOLDER        a folder like MODEL, with a wrong loss in it

With --fails=WHAT in front, the check must fail for that reason: a control.
"""

import json
import math
import pathlib
import shutil
import sys

CHEAP = 0.03


def load(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def loss(model, report):
    folder, report = pathlib.Path(model), load(report)
    found = math.log(report["perplexity"]["serial"])
    want = load(folder / "evaluation.json")["small"]["loss"]["report"]
    trigram = load(folder / "training.json")["held_out"]["report"]["trigram"]
    print(f"loss {found:.6f}, PyTorch {want:.6f}, trigram {trigram:.4f}")
    return {"loss": abs(found - want) < 1e-6 * want, "trigram": found < 0.9 * trigram}


def share(most, plain, refitted):
    plain, refitted = load(plain), load(refitted)
    found = refitted["measured_kl"] / plain["measured_kl"]
    pairs = len(plain["chosen"]), len(refitted["chosen"])
    print(f"KL {plain['measured_kl']:.4f} plain, {refitted['measured_kl']:.4f} refitted: "
          f"{found:.3f} of it, at most {most} allowed; pairs {pairs}")
    same_data = plain["data_hash"] == refitted["data_hash"]
    return {"kl": 0 < found <= float(most), "pairs": pairs == (8, 7), "data": same_data}


def cheap(refitted):
    """Pairs that were not refitted are not cheap."""
    layers = load(refitted)["layers"]
    found = [layer["recovered"].get("refit", {}).get("kl_alone") for layer in layers]
    few = [kl for kl in found if kl is not None and kl <= CHEAP]
    print(f"{len(few)} of {len(layers)} pairs at a KL of at most {CHEAP} alone")
    return {"cheap": 2 * len(few) >= len(layers)}


def half(budgeted):
    report = load(budgeted)
    print(f"{len(report['chosen'])} pairs at a KL of {report['measured_kl']:.4f} together")
    return {"chosen": len(report["chosen"]) >= 4, "kl": report["measured_kl"] <= CHEAP}


def predicted(report, key="predicted_kl"):
    report = load(report)
    found = report["measured_kl"] / report[key]
    print(f"KL {report['measured_kl']:.4f}, {found:.3f} of {key}")
    return {"prediction": 1 / 1.3 <= found <= 1.3}


def tasks(model, plain, refitted):
    known, (plain, refitted) = load(pathlib.Path(model) / "training.json"), map(load, (plain, refitted))
    solved = {kind: each["solved"] == each["tasks"] for kind, each in known["tasks"].items()}
    kinds = {each["kind"]: each for each in plain["tasks"]["kinds"]}
    print(f"tasks: plain {kinds}, refitted {refitted['tasks']}")
    perplexity = plain["perplexity"]["serial"] / known["perplexity"]
    return {"kinds": kinds.keys() == solved.keys(), "all": all(solved.values()),
            "serial": all(each["serial"] == each["tasks"] == 100 for each in kinds.values()),
            "perplexity": abs(perplexity - 1) < 1e-4, "plain": plain["tasks"]["share"] < 0.5,
            "refit": refitted["tasks"]["share"] >= 0.98}


def falsify(model, folder):
    shutil.copytree(model, folder, dirs_exist_ok=True)
    path = pathlib.Path(folder) / "evaluation.json"
    known = load(path)
    known["small"]["loss"]["report"] *= 1.001
    path.write_text(json.dumps(known), encoding="utf-8")
    return {}


def main(words):
    fails = words.pop(0).partition("=")[2] if words[0].startswith("--fails=") else ""
    check = {"loss": loss, "share": share, "cheap": cheap, "half": half, "predicted": predicted, "tasks": tasks, "falsify": falsify}[words[0]]
    faults = [name for name, holds in check(*words[1:]).items() if not holds]
    print(f"wrong: {', '.join(faults) or 'nothing'}")
    return fails not in faults if fails else bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
