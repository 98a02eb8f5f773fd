# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expert-families.py SCRATCH OPTION: families with routed experts, converted with an option of block-parallelize.

router=serial: experts read the layer's input and the router does not. pairing=shortcut: routed experts run beside the
next attention.
"""

import sys

import expert_families
import tiers
import tools

SMALL = "--layers=3 --width=32 --heads=4 --vocab=33 --positions=16 --seed=3".split()


def count_conversions(option, before, after):
    """Returns the number of layers that an option converts."""
    return after.count("= block.experts ") if option == "router=serial" else before.count("= block.moe ") - 1


def check(scratch, option, family):
    model, made, other = (f"{scratch}.{name}.mlir" for name in ("model", "made", "other"))
    convert = f"--block-parallelize={option}"

    def gen(*shape):
        tools.require("block-gen", f"--family={family}", *SMALL, *shape, "-o", model)

    def compare(path, *flags, code=0):
        text = tools.require("block-run", path, "--seed=7", *flags, code=code)
        assert ("FAIL" if code else "PASS logits") in text, text

    def read(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    gen("--batch=2", "--seq=5")
    tools.require("block-opt", model, convert, "-o", made)
    layers = count_conversions(option, read(model), read(made))
    assert read(made).count(option) == layers > 0, (family, layers)
    compare(made, "--engine=reference", f"--baseline={model}", code=tools.DIFFERENT)
    compare(made, "--engine=cpu", "--check-against=reference")
    tools.require("block-opt", made, "--block-optimize", "--block-prepack", "-o", other)
    compare(other, "--engine=reference", f"--baseline={made}")
    tools.require("block-opt", model, f"--block-optimize=parallel=all {option}", "-o", other)
    compare(other, "--engine=cpu", f"--baseline={made}")
    tools.require("block-opt", made, "--block-shard=ranks=2", "-o", other)
    compare(other, "--engine=reference", "--ranks=2", f"--baseline={made}")
    gen("--batch=2", "--seq=?")
    tools.require("block-opt", model, convert, "--block-add-caches", "-o", other)
    compare(other, "--engine=reference", "--steps=5")
    compare(other, "--engine=cpu", "--steps=5")


# Cohere's layers are parallel as they are.
for name in tiers.take_turn(sorted(expert_families.NAMES - {"cohere2-moe"}), 4):
    check(*sys.argv[1:], name)
    print(name, "ok")
