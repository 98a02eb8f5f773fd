# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs under a budget: as many as fit, none that share a sublayer, predicted and confirmed."""

import itertools
import pathlib
import re
import subprocess

import numpy as np

from models import Checks, drift, folder, generate, read_tensors, run, write_tensors

DATA = ["--seed=11", "--dims=batch=48"]
checks = Checks()


def positions(name):
    """The two sublayers of a pair on the chain A0 F0 A1 F1 ..."""
    first = 2 * int(name.rstrip("+")) + name.endswith("+")
    return {first, first + 1}


def overlaps(names):
    return any(positions(a) & positions(b) for a, b in itertools.combinations(names, 2))


def search():
    free = drift(*DATA, "--pairing=best")
    kls = {layer["pair"]: layer["kl_alone"] for layer in free["layers"]}
    checks.check("best looks at every pair", sorted(kls) == sorted(["0", "0+", "1", "1+", "2", "2+", "3"]), kls)
    # One pair fewer than all, the cheapest such choice that fits together.
    fitting = [c for c in itertools.combinations(kls, 3) if not overlaps(c)]
    cheapest = min(fitting, key=lambda names: sum(kls[name] for name in names))
    checks.check("best without a budget", sorted(free["chosen"]) == sorted(cheapest), (free["chosen"], cheapest))
    counts = []
    for budget in (0, 0.5 * min(kls.values()), 1.2 * min(kls.values()), 2.5 * min(kls.values()), 1e9):
        report = drift(*DATA, "--pairing=best", "--screen=off", f"--budget-kl={budget}")
        name, chosen = f"budget {budget:.4g}", report["chosen"]
        counts.append(len(chosen))
        checks.check(f"{name}: a matching", not overlaps(chosen), chosen)
        predicted = sum(kls[pair] for pair in chosen)
        checks.check(f"{name}: sum of pairs alone", abs(report["predicted_kl_independent"] - predicted) <= 1e-9 * (1 + predicted),
                     report["predicted_kl_independent"])
        checks.check(f"{name}: searched within it", report["selected_kl"] <= budget and report["predicted_kl"] <= budget,
                     (report["selected_kl"], report["predicted_kl"]))
        checks.check(f"{name}: says whether it was confirmed",
                     report["within_budget"] == (report["measured_kl"] <= budget), report["measured_kl"])
        over = [trial for trial in report["trials"] if trial["pairs"] == len(chosen) + 1]
        checks.check(f"{name}: one more is too many", len(chosen) == 4 or over and
                     max(over[0]["measured_kl"], over[0]["predicted_kl"] or 0) > budget, report["trials"])
    checks.check("a larger budget, more pairs", counts == sorted(counts) and counts[0] == 0 and counts[-1] == 4
                 and len(set(counts)) > 2, counts)


def from_top():
    """The last layers first: sets are nested, and no pair before them is taken."""
    names = ["0", "0+", "1", "1+", "2", "2+", "3"]
    kls = {layer["pair"]: layer["kl_alone"] for layer in drift(*DATA, "--pairing=best")["layers"]}
    seen = set()
    for budget in (1.1 * kls["3"], 3 * kls["3"], 1e9):
        flags = [*DATA, "--pairing=best", "--screen=off", f"--budget-kl={budget}"]
        report = drift(*flags, "--budget-order=top")
        chosen = report["chosen"]
        seen.add(len(chosen))
        # Of the shortest end of the chain that has room for so many pairs, the cheapest.
        wanted = []
        for start in range(len(names), -1, -1):
            fitting = [c for c in itertools.combinations(names[start:], len(chosen)) if not overlaps(c)]
            if fitting:
                wanted = min(fitting, key=lambda pairs: sum(kls[name] for name in pairs))
                break
        checks.check(f"top {budget:.4g}: the last pairs", sorted(chosen) == sorted(wanted), (chosen, wanted))
        checks.check(f"top {budget:.4g}: within", report["selected_kl"] <= budget and report["budget_order"] == "top",
                     report["selected_kl"])
    checks.check("top: more pairs for more", len(seen) > 1 and max(seen) == 4, seen)
    error = run("block-drift", "model.mlir", "--weights=model.safetensors", *DATA, "--budget-order=top", code=1)
    checks.check("top without a budget", "--budget-order: expected a budget that limits" in error, error)


def prediction():
    """Where branches are small, the sum of single pairs predicts the set."""
    generate("llama", "--layers=3", "--batch=4", "--seq=24", name="small")
    tensors = read_tensors("small.safetensors")
    for name, values in tensors.items():
        if re.search("o_proj|down_proj", name):
            tensors[name] = (values * 0.02).astype(np.float32)
    write_tensors("small.safetensors", tensors)
    report = drift(*DATA, name="small")
    low, high = report["predicted_kl_independent"] / 3, report["predicted_kl_aligned"]
    checks.check("small drift: predicted about right", low <= report["measured_kl"] <= high,
                 (low, report["measured_kl"], high))


def expected_misses():
    """A choice within the budget on the select split is dropped where other data is expected to cost more."""
    for seed in range(11, 40):
        data = [f"--seed={seed}", "--dims=batch=48"]
        free = drift(*data)
        if free["predicted_kl"] > 1.02 * free["selected_kl"]:
            break
    between = (free["selected_kl"] + free["predicted_kl"]) / 2
    report = drift(*data, "--screen=off", f"--budget-kl={between!r}")
    whole = [trial for trial in report["trials"] if trial["pairs"] == len(free["chosen"])]
    checks.check("expected to miss the budget", len(report["chosen"]) < len(free["chosen"]) and whole
                 and whole[0]["measured_kl"] < between < whole[0]["predicted_kl"] and not whole[0]["fits"], report["trials"])


def tell(budget, *flags, code=0):
    """What a run says, on both channels, and that it still writes its report."""
    path = pathlib.Path("told.json")
    path.unlink(missing_ok=True)
    done = subprocess.run(["block-drift", "model.mlir", "--weights=model.safetensors", *flags, "--screen=off",
                           f"--budget-kl={budget!r}", f"--json={path}"], capture_output=True, text=True)
    checks.check(f"budget {budget:.4g} {flags}: exit code {code}", done.returncode == code, (done.returncode, done.stderr))
    checks.check("the report is written all the same", path.exists())
    return done.stdout + done.stderr


def words():
    """The text holds both splits against the budget, and a flag makes an exit code of it."""
    for seed in range(11, 40):
        data = [f"--seed={seed}", "--dims=batch=48"]
        report = drift(*data, "--budget-kl=1e9", "--screen=off")
        select, kl = report["selected_kl"], report["measured_kl"]
        if kl > 1.02 * select and report["predicted_kl"] < (select + kl) / 2:
            break
    between = (select + kl) / 2
    said = tell(between, *data)
    checks.check("a budget that the report split misses",
                 f"budget {between:.4g}: select {select:.4g}, report {kl:.4g}: above the budget" in said, said)
    said = tell(between, *data, "--require-budget", code=3)
    checks.check("the same as an error", "error: --require-budget: budget" in said and "above the budget" in said, said)
    said = tell(2 * kl, *data, "--require-budget")
    checks.check("a budget that is kept", f"report {kl:.4g}: within the budget" in said, said)
    least = min(report["layers"], key=lambda layer: layer["kl_alone"])
    text = f"no pair fits; the cheapest, {least['pair']}, costs {least['kl_alone']:.4g} alone"
    for flags, code in (([], 0), (["--require-budget"], 3)):
        said = tell(0.01 * least["kl_alone"], *data, *flags, code=code)
        checks.check("a budget that fits nothing", text in said, said)
    done = subprocess.run(["block-drift", "model.mlir", *data], capture_output=True, text=True, check=True)
    checks.check("drawn weights", "drawn: weights and data; a trained model" in done.stdout, done.stdout)
    checks.check("drawn data", "drawn: data; a trained model" in tell(between, *data))


with folder():
    generate("llama", "--layers=4", "--batch=4", "--seq=24")
    search()
    words()
    expected_misses()
    prediction()
    from_top()
checks.finish()
