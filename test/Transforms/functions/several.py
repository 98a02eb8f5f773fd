#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs passes for one model on a module of two: several.py MODELS, which it writes.

Each is refused without a name, and with one leaves the other function as it is.
"""

import pathlib
import re
import subprocess
import sys

SIZES = "--layers=1 --width=16 --heads=2 --vocab=64 --batch=1 --seq=4"
#: Passes with the option `function`, each with what it is run with, and what it leaves.
PASSES = {
    "block-quantize": ("form=int8", "block.unpack_weight"),
    "block-prepack": ("", "@prepack"),
    "block-shard": ("ranks=2", "shard.grid"),
    "block-simplify": ("form=sas", "block.approx"),
    "block-add-caches": ("", "past_key.0"),
    "block-add-dropout": ("", "dropout_seed"),
    "block-parallelize": ("blocks=all", "block.approx"),
    "block-differentiate": ("loss=sum", "@two_step"),
    "block-report": ("", ""),
    "block-explain": ("", ""),
}
#: These work on all functions where none is named.
ALL = {"block-parallelize"}
#: These change nothing.
REPORTS = {"block-report", "block-explain"}
#: This one expands all functions: they share the grid of ranks.
AROUND = {"block-shard"}


def opt(path, *flags):
    return subprocess.run(["block-opt", path, *flags], capture_output=True, text=True)


def write_models(path):
    """Two models, of norm, attention and MLP that prepack has work for."""
    bodies = []
    for name in ("one", "two"):
        made = subprocess.run(f"block-gen --family=gpt2 {SIZES}", shell=True, capture_output=True, text=True)
        bodies.append(made.stdout.replace("@main(", f"@{name}("))
    texts = [re.search(r"^module \{\n(.*)^\}", body, re.S | re.M) or body for body in bodies]
    path.write_text("\n".join(text if isinstance(text, str) else text.group(1) for text in texts))


def find_function(text, name):
    """The text of a function, by its name, without the numbers of values."""
    return re.search(rf"^( *)func\.func @{name}\(.*?^\1\}}", text, re.S | re.M).group(0)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    write_models(path)
    before = opt(path).stdout
    for name, (options, mark) in PASSES.items():
        without = opt(path, f"--{name}={options}")
        refused = without.returncode != 0 and "got one, two: choose one by 'function='" in without.stderr
        assert refused != (name in ALL), f"{name}: {without.stderr}"
        absent = opt(path, f"--{name}={options} function=three")
        assert absent.returncode and "expected a function 'three', got one, two" in absent.stderr, absent.stderr
        named = opt(path, f"--{name}={options} function=two")
        assert named.returncode == 0, f"{name}: {named.stderr}"
        assert mark in named.stdout, f"{name}: expected {mark}"
        assert name in REPORTS or named.stdout != before, name
        same = find_function(named.stdout, "one") == find_function(before, "one")
        assert same or name in AROUND, name
        print(f"{name} chooses")
    # Steps are found by the name of their model.
    both = opt(path, "--block-differentiate=loss=sum function=one", "--block-differentiate=loss=sum function=two",
               "--block-split-step=function=two", "--block-checkpoint=function=one")
    assert both.returncode == 0 and "@two_forward" in both.stdout and "@one_forward" not in both.stdout, both.stderr
    for later in ("block-split-step", "block-checkpoint"):
        refused = opt(path, "--block-differentiate=loss=sum function=one", f"--{later}")
        assert refused.returncode and "choose one by 'function='" in refused.stderr, refused.stderr
    print("passes choose by name")
