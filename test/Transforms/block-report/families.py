# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of every family agrees with itself.

At levels 1 and 2 it is the same, every parameter has its place, and the form is
what the family is known by.
"""

import json
import os
import sys

from tools import require as run

SMALL = "--layers=2 --width=64 --heads=4 --vocab=97 --positions=96 --batch=2 --seq=17".split()
FORMS = {
    "post-norm": "bert roberta encoder-post-ln deepnorm",
    "three-sublayer-post-norm": "transformer-decoder bart-decoder",
    "three-sublayer": "t5-decoder",
    "peri-norm": "gemma2 peri-ln",
    "post-norm-in-branch": "olmo2",
    "parallel": "gptj mesh-v2 codegen gpt-neox palm falcon-7b falcon-40b phi command-r"
    " stablelm-parallel cohere2-moe vit-22b sas-p no-norm nanogpt-palm",
}
FORM_OF = {family: form for form, families in FORMS.items() for family in families.split()}


def report(model, *options):
    return json.loads(
        run("block-opt", model, *options, "--block-report=format=json file=-", "-o", os.devnull)
    )


def check(family, model):
    run("block-gen", f"--family={family}", *SMALL, "-o", model)
    drawn, steps = report(model), report(model, "--block-expand")
    if (drawn.pop("level"), steps.pop("level")) != (1, 2):
        yield "expected levels 1 and 2"
    if drawn != steps:
        yield "the reports of levels 1 and 2 differ"
    params = drawn["model"]["params"]
    parts = [params[part] for part in ("embedding", "attention", "mlp", "norm", "head")]
    if params["other"] or sum(parts) != params["total"]:
        yield f"parameters without a place: {params}"
    forms = {layer["form"] for layer in drawn["layers"]}
    if forms != {FORM_OF.get(family, "serial")}:
        yield f"expected {FORM_OF.get(family, 'serial')}, got {forms}"
    for layer in drawn["layers"]:
        if not 0 < layer["params"] < params["total"]:
            yield f"layer {layer['index']} has {layer['params']} parameters"


def main():
    families = run("block-gen", "--list-families").split()
    unknown = set(FORM_OF) - set(families)
    problems = [f"{family}: no such family" for family in sorted(unknown)]
    for family in families:
        problems += [f"{family}: {problem}" for problem in check(family, sys.argv[1])]
    print("\n".join(problems) or f"{len(families)} families agree")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
