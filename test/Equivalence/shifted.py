# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Serial families: block-shift keeps the numbers; parallel pairs do not, but what
block-optimize makes of them does, with three launches a pair for the plain ones."""

import json
import sys

import tools

FAMILIES = (
    "gpt2 nanogpt andrea opt encoder-pre-ln t5-encoder vit llama mistral qwen2 qwen3 phi3 gemma "
    "gemma2 olmo2 granite layerscale peri-ln bloom mpt falcon-rw stablelm nanogpt-modern"
).split()
SIZES = "--layers=4 --width=32 --heads=4 --vocab=31 --positions=20 --batch=2".split()
THREE_LAUNCHES = {"gpt2", "llama", "qwen3", "granite", "opt"}
# Types and lengths take turns.
VARIANTS = (
    ("--dtype=f32", "--seq=9"),
    ("--dtype=bf16", "--seq=9", "--padding"),
    ("--dtype=f32", "--seq=?"),
)


def check(folder, case):
    family, flags = case
    sizes = ["--dims=seq=9"] if "--seq=?" in flags else []
    model, shifted = folder / "model.mlir", folder / "shifted.mlir"
    parallel, fused = folder / "parallel.mlir", folder / "fused.mlir"
    tools.run("block-gen", f"--family={family}", *SIZES, *flags, "-o", model)

    tools.run("block-opt", model, "--block-shift", "-o", shifted)
    if shifted.read_text(encoding="utf-8").count('+" at ') != 3:
        raise tools.Failure("expected three shifted layers")
    code, line = tools.compare(shifted, model, *sizes)
    if code:
        raise tools.Failure(f"block-shift: {line}")

    tools.run("block-opt", model, "--block-parallelize=pairing=shifted", "-o", parallel)
    if parallel.read_text(encoding="utf-8").count("approx = #block.approx") != 3:
        raise tools.Failure("expected three stamps")
    code, _ = tools.compare(parallel, model, *sizes)
    if code != tools.DIFFERENT:
        raise tools.Failure("expected the parallel model to differ from the serial one")

    explained = folder / "explained.json"
    tools.run(
        "block-opt",
        parallel,
        "--block-optimize=chip=sm_90a",
        f"--block-explain=format=json file={explained}",
        "-o",
        fused,
    )
    code, line = tools.compare(fused, parallel, *sizes)
    if code:
        raise tools.Failure(f"block-optimize: {line}")
    layers = json.loads(explained.read_text(encoding="utf-8"))["layers"]
    after = [layer["launches"]["after"] for layer in layers if layer["exactness"] == "approximate"]
    if len(after) != 3 or (family in THREE_LAUNCHES and after != [3, 3, 3]):
        raise tools.Failure(f"expected three launches in each of three pairs, got {after}")


if __name__ == "__main__":
    cases = [
        (f"{family} {' '.join(flags)}", (family, flags))
        for number, family in enumerate(FAMILIES)
        for flags in [VARIANTS[number % len(VARIANTS)]]
    ]
    sys.exit(tools.check_all(cases, check))
