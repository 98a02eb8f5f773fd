#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants faults in steps and looks for them with --baseline, where rounding may hide them.

    plant_rounded_faults.py UNBROKEN FOLDER models|scales|zeros
"""

import json
import sys

import plant_model_faults as models
from step_results import Results

# A fault that changes a gradient by more than this has to be found: what rounding does to a step of one
# layer, and some.
VISIBLE = {"bf16": 0.03, "f16": 0.01}
SIZES = "--layers=2 --width=32 --heads=4 --vocab=37 --positions=24 --batch=2 --seq=7".split()
folder, what = sys.argv[1:]
ORIGINAL, FAULTY, REPORT = (f"{folder}.{name}" for name in ("original.mlir", "faulty.mlir", "json"))


def make_step(family, dtype, sizes):
    model = models.run("block-gen", *f"--family={family}".split(), *sizes, f"--dtype={dtype}").stdout
    loss = "" if "--loss" in family else " loss=sum"
    step = models.run("block-opt", "--unbroken-lines", f"--block-differentiate=wrt=params{loss}", text=model)
    assert step.returncode == 0, step.stderr
    text = step.stdout
    with open(ORIGINAL, "w", encoding="utf-8") as file:
        file.write(text)
    assert compare(text) == set(), f"{family}: a right step did not pass"
    return text


def judge(text, *flags):
    """The verdict on each result."""
    with open(FAULTY, "w", encoding="utf-8") as file:
        file.write(text)
    done = models.run("block-run", FAULTY, "--engine=reference", "--function=main_step", "--seed=1",
                      f"--baseline={ORIGINAL}", f"--json={REPORT}", *flags)
    assert done.returncode in (0, 3), done.stderr
    with open(REPORT, encoding="utf-8") as file:
        outputs = json.load(file)["outputs"]
    assert (done.returncode == 0) == all(output["pass"] for output in outputs)
    return outputs


def compare(text):
    """The results that are out of tolerance."""
    return {output["name"].removeprefix("grad.") for output in judge(text) if not output["pass"]}


def measure(text):
    """The largest change of a result in exact arithmetic."""
    return max(output["rel_l2"] for output in judge(text, "--exact-arithmetic"))


def plant_in_models():
    """Faults in the ops of backward passes."""
    for dtype, visible in VISIBLE.items():
        found, hidden = 0, []
        for family, faults in models.FAULTS.items():
            text = make_step(family, dtype, models.SIZES)
            begin = text.index("cross_entropy_grad" if "--loss" in family else " backward")
            for name, pattern, replacement in faults:
                changed = models.plant(text, begin, pattern.replace("xf32", "x" + dtype), replacement)
                assert changed, f"{family}: there is no place for {name}"
                if compare(changed):
                    found += 1
                    continue
                change = measure(changed)
                assert change < visible, f"{family} in {dtype}: {name}: {change} was not found"
                hidden.append(name)
        print(f"{dtype}: found {found}, too small for it: {', '.join(sorted(hidden))}")


def plant_scales():
    """Every gradient times a factor, and how many of them are found."""
    counts = {}
    for family in ("gpt2", "llama", "bert", "gptj"):
        for dtype, errors in {"f32": (2e-5,), "bf16": (0.05, 0.2), "f16": (0.005, 0.02)}.items():
            step = Results(make_step(family, dtype, SIZES))
            for error in errors:
                gradients = step.names[1:]
                changed = step.replace({name: step.combine(name, name, error) for name in gradients})
                found = len(compare(changed) & set(gradients))
                of = counts.setdefault((dtype, error), [0, 0])
                of[0] += found
                of[1] += len(gradients)
    for (dtype, error), (found, of) in counts.items():
        print(f"{dtype}: {100 * error:g} %: found {100 * found // of} % of {of}")


def plant_in_zeros():
    """A key's bias has no gradient. Whoever returns a part of another for it is told."""
    parts = {"f32": 1e-4, "bf16": 0.1, "f16": 0.02}
    for family, key, query in (
        ("opt", "self_attn.k_proj.bias", "self_attn.q_proj.bias"),
        ("bert", "self.key.bias", "self.query.bias"),
    ):
        for dtype, part in parts.items():
            step = Results(make_step(family, dtype, SIZES))
            for name in [name for name in step.names if name.endswith(key)]:
                other = name.replace(key, query)
                value = step.values[step.names.index(other)]
                changed = step.replace({name: (value, [])})
                assert compare(changed) == {name}, f"{name} in {dtype}: that of the query"
                changed = step.replace({name: step.combine(name, other, part)})
                assert compare(changed) == {name}, f"{name} in {dtype}: {part} of that of the query"
            print(f"{family} {dtype}: found")


{"models": plant_in_models, "scales": plant_scales, "zeros": plant_in_zeros}[what]()
