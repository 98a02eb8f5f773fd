# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases whose drift is known without measuring."""

import json
import pathlib
import re

import numpy as np

from models import Checks, drift, folder, generate, read_tensors, run, write_tensors

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"
checks = Checks()


def change(pattern, function):
    """Weights of model.safetensors whose names match, through `function`."""
    tensors = read_tensors("model.safetensors")
    hits = [name for name in tensors if re.search(pattern, name)]
    assert hits, pattern
    for name in hits:
        tensors[name] = function(tensors[name]).astype(tensors[name].dtype)
    write_tensors("model.safetensors", tensors)


def is_zero(name, report):
    for layer in report["layers"]:
        zero = layer["update_rel_l2"]["max"] == 0 and layer["kl_alone"] == 0 and layer["interaction"] == 0
        checks.check(f"{name}: pair {layer['pair']}", zero, layer)
    checks.check(f"{name}: all together",
                 report["measured_kl"] == 0 and report["top1"] == 1 and report["chosen"], report["measured_kl"])


def no_attention():
    """W_O = 0: the MLP misses nothing."""
    generate("llama", "--layers=2", "--batch=4", "--seq=9")
    change("o_proj", np.zeros_like)
    is_zero("W_O = 0", drift("--seed=1"))
    is_zero("W_O = 0, on cpu", drift("--seed=1", engine="cpu"))


def no_gain():
    """LayerScale gains of 0 on the first branch."""
    generate("layerscale", "--layers=2", "--batch=4", "--seq=9")
    change("gamma_1", np.zeros_like)
    report = drift("--seed=1")
    for layer in report["layers"]:
        checks.check(f"gain 0: pair {layer['pair']}", layer["update_rel_l2"]["max"] == 0, layer)


def report_of(text):
    """The report of the one pair of a model of this text."""
    pathlib.Path("text.mlir").write_text(text)
    run("block-drift", "text.mlir", "--seed=3", "--engine=reference", "--json=drift.json")
    return json.loads(pathlib.Path("drift.json").read_text())["layers"][0]


def along():
    """A branch that adds a multiple of x: an RMS norm does not see it, but for eps."""
    pair = report_of((INPUTS / "along.mlir").read_text())
    checks.check("update along x: size", abs(pair["delta_over_x"] - 0.5) < 1e-9, pair["delta_over_x"])
    checks.check("update along x: drift", pair["update_rel_l2"]["max"] < 1e-5, pair["update_rel_l2"])
    checks.check("update along x: not nothing", pair["update_rel_l2"]["max"] > 0, pair["update_rel_l2"])
    checks.check("update along x: norm", pair["normed_cosine"] > 1 - 1e-12, pair["normed_cosine"])


def isotropic():
    """|d|/|x|: cosine of the norms, |e|/|f| and what first order leaves of e, from independent runs."""
    table = {0.05: (.9987, .052, .04), 0.2: (.9805, .20, .17), 0.5: (.894, .47, .42), 1.0: (.706, .76, .81)}
    text = (INPUTS / "isotropic.mlir").read_text()
    for size, (cosine, error, rest) in table.items():
        pair = report_of(text.replace("FACTOR", repr(size)))
        for name, want, got, slack in (("size", size, pair["delta_over_x"], .01 * size),
                                       ("cosine", cosine, pair["normed_cosine"], .005),
                                       ("error", error, pair["update_rel_l2"]["mean"], .05 * error),
                                       ("beyond first order", rest, pair["nonlinearity"], .05 * rest + .005)):
            checks.check(f"isotropic, {size}: {name}", abs(got - want) <= slack, f"expected {want}, got {got}")


def already_parallel():
    generate("gptj", "--layers=2", "--batch=4", "--seq=9")
    report = drift("--seed=1")
    checks.check("already parallel: no pairs", report["layers"] == [] and report["chosen"] == [], report["layers"])
    checks.check("already parallel: no drift", report["measured_kl"] == 0)


with folder():
    no_attention()
    no_gain()
    along()
    isotropic()
    already_parallel()
checks.finish()
