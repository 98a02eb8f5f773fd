#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""step-launches.py SCRATCH: a report counts the launches of a step that a GPU gets, in total and for each layer.

Of these, products and attentions are at most 9 in a parallel layer and 15 in a serial one. The others have other names:
rows (norms, rotations), sums of columns (biases, gains), elements (parts of merged gradients, folded gains).
"""

import json
import re
import sys

import gradient_forms
import tiers
import tools

scratch = sys.argv[1]
model, kernels, launches, report = (f"{scratch}.{name}" for name in ("m.mlir", "k.mlir", "t.mlir", "r.json"))
# Products and attentions of a layer, where they are known beforehand.
FAMILIES = {"gptj": 9, "nanogpt-palm": 9, "llama": 15, "gpt2": 15, "bert": 15, "t5-encoder": None, "vit": None,
            "shaped": None, "mixtral": None, "gpt-oss": None, "deepseek-v3": None}
# Gradients of attention that no model of these has.
FORMS = {
    "alpha": gradient_forms.Form("causal = true", ("alpha", "beta", "gamma"), same_length=True),
    "sinks": gradient_forms.Form("causal = true", ("sinks",), same_length=True),
    "score_bias": gradient_forms.Form("", ("score_bias",)),
    "cu_seqlens": gradient_forms.Form("causal = true", ("cu_seqlens",), same_length=True),
    "shaw": gradient_forms.Form("", ("shaw_key", "shaw_value")),
    "past": gradient_forms.Form("causal = true", gradient_forms.PAST),
    "past f32": gradient_forms.Form("causal = true", gradient_forms.PAST),
    "beta f32": gradient_forms.Form("causal = true", ("beta",)),
}
CASES = [(family, chip) for family in (*FAMILIES, *FORMS) for chip in ("sm_90a", "sm_80")]
LAUNCH = re.compile(r"tile\.launch @kernels::@(\w+)")
PRODUCT = re.compile(r"(?:linear|linear_sum|sdpa|weight_grad)_\d+|sdpa_grad_\d+_(?:queries|keys|values)")


def read_layers(step):
    """Yields names and indices of the layers of a step, and the launches in each."""
    for found in re.finditer(r'= block\.layer "([^"]+)" at (\d+)', step):
        body = step[found.start():]
        yield (found[1], int(found[2])), LAUNCH.findall(body[:body.index("\n    }\n")])


def count(source, chip):
    """Launches of a function, as a report counts them and as they are."""
    tools.require("block-opt", source, f"--block-optimize=chip={chip}", f"--block-report=format=json file={report}",
                  "-o", kernels)
    tools.require("block-opt", kernels, f"--block-to-gpu=chip={chip}", "-o", launches)
    with open(report, encoding="utf-8") as file:
        counted = json.load(file)["model"]["launches"]
    with open(launches, encoding="utf-8") as file:
        text = file.read()
    return counted, len(LAUNCH.findall(text[text.index("func.func @main("):]))


def check_form(name, chip):
    with open(model, "w", encoding="utf-8") as file:
        file.write(gradient_forms.write(FORMS[name], gradient_forms.Shape(batch=1), "f32" if "f32" in name else "bf16"))
    counted, launched = count(model, chip)
    assert counted == launched > 1, (name, chip, counted, launched)
    print(name, chip, counted, "ok")


def check(family, chip):
    tools.require("block-gen", f"--family={family}", "--layers=2", "--width=64", "--heads=4", "--vocab=61", "--positions=32",
                  "--seq=17", "--batch=2", "--dtype=bf16", "-o", model)
    tools.require("block-opt", model, "--block-differentiate=wrt=params loss=sum", f"--block-optimize=chip={chip}",
                  f"--block-report=format=json file={report}", "-o", kernels)
    tools.require("block-opt", kernels, f"--block-to-gpu=chip={chip}", "-o", launches)
    with open(report, encoding="utf-8") as file:
        counted = json.load(file)["step"]
    with open(launches, encoding="utf-8") as file:
        text = file.read()
    start = text.index("func.func @main_step(")
    step = text[start:text.index("\n  }\n", start)]
    assert counted["launches"] == len(LAUNCH.findall(step)), (counted["launches"], len(LAUNCH.findall(step)))
    own = {}
    for layer, names in read_layers(step):
        own.setdefault(layer, []).extend(names)
    assert {(each["name"], each["index"]): each["launches"] for each in counted["layers"]} == {
        layer: len(names) for layer, names in own.items()}
    for names in own.values():
        products = [name for name in names if PRODUCT.fullmatch(name)]
        assert FAMILIES[family] is None or len(products) <= FAMILIES[family], products
    print(family, chip, counted["launches"], "ok")


for case in tiers.take_turn(CASES, 11):
    (check_form if case[0] in FORMS else check)(*case)
