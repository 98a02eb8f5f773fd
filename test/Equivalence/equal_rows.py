# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of families with LayerNorm, of rows whose elements are all equal or nearly so, on an engine.

Such a row has no variance, and a norm gives its bias: what rounding leaves of the
distances to the mean is scaled up by 1 / sqrt(eps). Results are held against the exact
original by block-run, and so are gradients with --step. A family runs in one type a day, in all of them in a full run.
"""

import argparse
import pathlib
import sys

import numpy
import safetensors_io
import tiers
import tools

#: A family's form of norms: serial, parallel, behind a residual, without biases, before an embedding's rows are read.
FAMILIES = ("gpt2", "gptj", "gpt-neox", "bert", "command-r", "mpt", "vit")
WIDTH, TOKENS = 96, 5
#: Constants of rows, and what is added to one element: nothing, or a few units of the last place.
ROWS = [(1.0, 0), (0.3, 0), (17.7, 0), (-3.1, 0), (0.0, 0), (1e-3, 0)]


def make_rows(dtype: str) -> numpy.ndarray:
    """[rows, tokens, width], of which the last row is drawn."""
    rows = numpy.empty((len(ROWS) + 1, TOKENS, WIDTH), numpy.float32)
    for row, (number, units) in zip(rows, ROWS):
        row[:] = number
        if dtype == "f32":
            row[:, 7] += units * numpy.spacing(numpy.float32(number))
    rows[-1] = numpy.random.default_rng(1).normal(0.2, 1, (TOKENS, WIDTH))
    return rows


def run(command: list) -> str:
    done = tools.call(*command)
    if done.returncode:
        return f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    return ""


def check(family: str, dtype: str, options: argparse.Namespace) -> str:
    stem = options.folder / f"{family}-{dtype}"
    model, prepared, rows = (stem.with_suffix(f".{kind}") for kind in ("mlir", "run.mlir", "safetensors"))
    sizes = f"--layers=1 --scope=block --width={WIDTH} --heads=4 --batch={len(ROWS) + 1} --seq={TOKENS} --dtype={dtype}".split()
    if problem := run(["block-gen", f"--family={family}", *sizes, "-o", model]):
        return problem
    safetensors_io.write(rows, {"hidden_states": make_rows(dtype)})
    judged, function = model, []
    if options.step:
        judged, function = stem.with_suffix(".step.mlir"), ["--function=main_step"]
        if problem := run(["block-opt", model, "--block-differentiate=wrt=all loss=sum", "-o", judged]):
            return problem
    fold = "--block-optimize" + (f"=chip={options.chip}" if options.chip else "")
    if problem := run(["block-opt", judged, *([] if options.unfolded else [fold]), "-o", prepared]):
        return problem
    engine = [f"--engine={options.engine}"] + ([f"--chip={options.chip}"] if options.engine == "emulate" else [])
    return run(["block-run", prepared, *engine, *function, "--seed=3", f"--inputs={rows}", f"--baseline={judged}"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--engine", default="cpu")
    parser.add_argument("--chip", default="")
    parser.add_argument("--types", default="f32,bf16")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--unfolded", action="store_true")
    parser.add_argument("--step", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for number, family in enumerate(options.families.split(",")):
        types = options.types.split(",")
        for dtype in tiers.take_turn(types, len(types), number):
            problem = check(family, dtype, options)
            print(f"{family} {dtype}: {problem or 'ok'}", flush=True)
            wrong += bool(problem)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
