# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shortcut-families.py SCRATCH: families whose routed experts run beside the next attention."""

import sys

import expert_families
import tiers
import tools

SMALL = "--layers=3 --width=32 --heads=4 --vocab=33 --positions=16 --seed=3".split()
CONVERT = "--block-parallelize=pairing=shortcut"


def check(scratch, family):
    model, made, other = (f"{scratch}.{name}.mlir" for name in ("model", "shortcut", "other"))

    def gen(*shape):
        tools.require("block-gen", f"--family={family}", *SMALL, *shape, "-o", model)

    def compare(path, *flags, code=0):
        text = tools.require("block-run", path, "--seed=7", *flags, code=code)
        assert ("FAIL" if code else "PASS logits") in text, text

    gen("--batch=2", "--seq=5")
    tools.require("block-opt", model, CONVERT, "-o", made)
    with open(made, encoding="utf-8") as file:
        text = file.read()
    with open(model, encoding="utf-8") as file:
        mixtures = file.read().count("= block.moe ")
    assert text.count("pairing=shortcut") == mixtures - 1 > 0, (family, mixtures)
    compare(made, "--engine=reference", f"--baseline={model}", code=tools.DIFFERENT)
    compare(made, "--engine=cpu", "--check-against=reference")
    tools.require("block-opt", made, "--block-optimize", "--block-prepack", "-o", other)
    compare(other, "--engine=reference", f"--baseline={made}")
    tools.require("block-opt", model, "--block-optimize=parallel=all pairing=shortcut", "-o", other)
    compare(other, "--engine=cpu", f"--baseline={made}")
    tools.require("block-opt", made, "--block-shard=ranks=2", "-o", other)
    compare(other, "--engine=reference", "--ranks=2", f"--baseline={made}")
    gen("--batch=2", "--seq=?")
    tools.require("block-opt", model, CONVERT, "--block-add-caches", "-o", other)
    compare(other, "--engine=reference", "--steps=5")
    compare(other, "--engine=cpu", "--steps=5")


# Cohere's layers are parallel as they are.
for name in tiers.take_turn(sorted(expert_families.NAMES - {"cohere2-moe"}), 4):
    check(sys.argv[1], name)
    print(name, "ok")
