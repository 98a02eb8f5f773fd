# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rewrite of each family against the original: block-run --baseline judges.

Element types, lengths, padding and rewrites meet pairwise over the families, and each
family meets every pipeline and two of the passes; with PARABLOCK_FULL in the environment
each family and rewrite meets each length in each type, with padding or without in turn.
"""

import functools
import itertools
import pathlib
import re
import sys
import tempfile

import tiers
import tools

GROUPS = {
    "gpt": "gpt2 nanogpt andrea opt bloom mpt falcon-rw nanogpt-modern",
    "llama": "llama mistral qwen2 qwen3 phi3 gemma gemma2 olmo2 granite stablelm",
    "parallel": "gptj mesh-v2 codegen gpt-neox palm falcon-7b falcon-40b phi command-r "
    "stablelm-parallel vit-22b nanogpt-palm",
    "encoders": "bert roberta encoder-pre-ln encoder-post-ln t5-encoder vit "
    "transformer-decoder bart-decoder t5-decoder",
    "norms": "deepnorm layerscale peri-ln sas sas-p v-skipinit shaped no-norm",
}

DTYPES = ("f32", "bf16", "f16")
LENGTHS = ("1", "17", "65", "?")
# Rows of 136 columns are two tiles of a GPU, the second of them short.
PIPELINES = (
    (("--block-optimize",), 32),
    (("--block-optimize=chip=sm_80",), 32),
    (("--block-optimize=chip=sm_90a",), 136),
)
PASSES = (
    "--block-share-norm-stats",
    "--block-fold-norm",
    "--block-fold-scales",
    "--block-fold-scales=score-scale=true",
    "--block-fuse-input-projections",
    "--block-fuse-output-projections",
    "--block-form-kernels",
)


def generate(path, family, width, *flags):
    sizes = (f"--width={width}", "--layers=2", "--heads=4", "--vocab=61", "--positions=80")
    tools.run("block-gen", f"--family={family}", *sizes, *flags, "-o", path)


def applying_passes(folder, family, passes):
    """Those of the passes that alone change the family's steps."""
    generate(folder / "a.mlir", family, 32, "--seq=3")
    tools.run("block-opt", folder / "a.mlir", "--block-expand", "-o", folder / "e.mlir")
    for flag in passes:
        tools.run("block-opt", folder / "e.mlir", flag, "-o", folder / "p.mlir")
        log_free = [
            re.sub(r"\sattributes \{log = .*?\} \{", " {", " ".join((folder / name).read_text().split()))
            for name in ("e.mlir", "p.mlir")
        ]
        if log_free[0] != log_free[1]:
            yield (("--block-expand", flag), 32)


def turn(values, number):
    return values[number % len(values)]


def combinations(rewrites, number):
    """(dtype, length, padding, (flags, width)) for the family of that number: each rewrite
    once, in a full run with each length in each type. Over all families, any two values of
    any two of the four meet; in a full run of each family."""
    if tiers.FULL:
        return [
            (dtype, length, bool((number + block + index) % 2), rewrite)
            for block, (dtype, length) in enumerate(itertools.product(DTYPES, LENGTHS))
            for index, rewrite in enumerate(rewrites)
        ]
    return [
        (
            turn(DTYPES, number + number // 3 + index),
            turn(LENGTHS, number + number // 4 + index),
            turn((False, True), number + number // 3 + index // 2),
            rewrite,
        )
        for index, rewrite in enumerate(rewrites)
    ]


def check(folder, case, judged_again):
    """Compares a case's rewritten model with its original; one that further draws judge is added to the list."""
    family, (dtype, length, padding, (flags, width)) = case
    original, rewritten = folder / "original.mlir", folder / "rewritten.mlir"
    dynamic = length == "?"
    generate(
        original,
        family,
        width,
        f"--dtype={dtype}",
        f"--seq={length}",
        "--batch=?" if dynamic else "--batch=2",
        *(["--padding"] if padding else []),
    )
    tools.run("block-opt", original, *flags, "-o", rewritten)
    dims = ["--dims=batch=2,seq=9"] if dynamic else []
    code, said = tools.compare(rewritten, original, *dims)
    # The floor of 16-bit types is the error of one draw, which by chance may be small: then all of others must pass.
    # The tests have at most one such case a group, or the limit itself is wrong.
    if code and dtype != "f32":
        judged_again.append(case)
        code = any(tools.compare(rewritten, original, *dims, seed=seed)[0] for seed in range(8, 13))
    if code:
        raise tools.Failure(said)


def cases(names):
    everyone = " ".join(GROUPS.values()).split()
    for family in names:
        number = everyone.index(family)
        own = PASSES if tiers.FULL else [turn(PASSES, 2 * number), turn(PASSES, 2 * number + 1)]
        with tempfile.TemporaryDirectory() as folder:
            singles = list(applying_passes(pathlib.Path(folder), family, own))
        for dtype, length, padding, rewrite in combinations([*PIPELINES, *singles], number):
            text = f"{family} {dtype} {length} {' '.join(rewrite[0])}"
            yield f"{text}{' padded' if padding else ''}", (
                family,
                (dtype, length, padding, rewrite),
            )


def main():
    grouped = sorted(" ".join(GROUPS.values()).split())
    if grouped != sorted(tools.families()):
        print("the groups do not hold each family once")
        return 1
    judged_again = []
    code = tools.check_all(cases(GROUPS[sys.argv[1]].split()), functools.partial(check, judged_again=judged_again))
    print(f"{len(judged_again)} judged again")
    return code


if __name__ == "__main__":
    sys.exit(main())
