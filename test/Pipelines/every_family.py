# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--block-optimize on every family: nothing approximate, the same bytes without threads,
and a second run changes nothing. The last two take turns but for PARABLOCK_FULL in the
environment."""

import sys

import tiers
import tools

SIZES = ("--layers=3", "--width=32", "--heads=4", "--vocab=31", "--positions=20", "--seq=9")




def check(folder, case):
    family, number = case
    model, once, other = folder / "model.mlir", folder / "once.mlir", folder / "other.mlir"
    tools.run("block-gen", f"--family={family}", *SIZES, "-o", model)
    tools.run("block-opt", model, "--block-optimize", "-o", once)
    text = once.read_text(encoding="utf-8")
    if "block.kernel" not in text or "block.approx" in text:
        raise tools.Failure("expected kernels and nothing approximate")
    for turn, (complaint, source, *flags) in enumerate(
        (
            ("differs without threads", model, "--mlir-disable-threading"),
            ("differs after a second run", once),
        )
    ):
        if not tiers.FULL and turn != number % 2:
            continue
        tools.run("block-opt", source, "--block-optimize", *flags, "-o", other)
        if other.read_text(encoding="utf-8") != text:
            raise tools.Failure(complaint)


if __name__ == "__main__":
    sys.exit(tools.check_all(((name, (name, i)) for i, name in enumerate(tools.families())), check))
