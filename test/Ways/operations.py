# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is done to a raised model. Each makes a file to run, and names the one whose numbers it must have."""

import dataclasses
import json
import pathlib

from steps import Problem, run


@dataclasses.dataclass
class Files:
    result: pathlib.Path
    baseline: pathlib.Path
    ranks: int = 1


def optimize(chip):
    return f"--block-optimize=chip={chip}" if chip else "--block-optimize"


def opt(before, after, *flags):
    run("block-opt", before, *flags, "-o", after, writes=after)
    return after


def exact(*flags):
    """Passes that keep the numbers of the original."""

    def operation(source, folder, chip):
        words = [optimize(chip) if flag == "optimize" else flag for flag in flags]
        return Files(opt(source.raised, folder / "result.mlir", *words), source.path)

    return operation


def converted(*flags):
    """Passes that make another function, which what follows has to keep."""

    def operation(source, folder, chip):
        other = opt(source.raised, folder / "other.mlir", *flags)
        return Files(opt(other, folder / "result.mlir", optimize(chip)), other)

    return operation


def shard(source, folder, chip):
    result = opt(source.raised, folder / "result.mlir", optimize(chip), "--block-shard=ranks=2")
    return Files(result, source.path, ranks=2)


def report(source, folder, chip):
    path = folder / "report.json"
    result = opt(source.raised, folder / "result.mlir", optimize(chip), f"--block-report=format=json file={path}")
    counts = json.loads(path.read_text())
    if not counts["layers"] or any(layer["launches"] < 1 for layer in counts["layers"]):
        raise Problem(f"{path}: no launches are counted")
    return Files(result, source.path)


def drift(source, folder, chip):
    parallel, path = folder / "parallel.mlir", folder / "drift.json"
    run("block-drift", source.raised, *source.values, f"--json={path}", f"--ir-out={parallel}", writes=parallel)
    if not json.loads(path.read_text())["floor"]:
        raise Problem(f"{path}: no floor is measured")
    return Files(opt(parallel, folder / "result.mlir", optimize(chip)), parallel)


def make_object(source, folder, chip):
    files = exact("optimize")(source, folder, chip)
    code, header = folder / "model.o", folder / "model.h"
    run("block-translate", "--block-to-object", files.result, "-o", code, f"--header={header}", writes=code)
    if code.read_bytes()[:4] != b"\x7fELF" or "main" not in header.read_text():
        raise Problem("no object file with a header")
    return files


def bytecode(source, folder, chip):
    packed = opt(source.raised, folder / "packed.mlirbc", "--emit-bytecode")
    result = opt(packed, folder / "result.mlir", optimize(chip))
    direct = opt(source.raised, folder / "direct.mlir", optimize(chip))
    if result.read_text() != direct.read_text():
        raise Problem("bytecode and text give different results")
    return Files(result, source.path)


def reduce(source, folder, chip):
    """The smallest model with an attention is one that all tools take; with open sizes, if it still has to run."""
    word = next(each for each in ("block.attention", "block.sdpa", "block.layer") if each in source.raised.read_text())
    test, small = folder / "test.sh", folder / "small.mlir"
    runs = f' && block-run "$1" --engine=reference {" ".join(source.values)} 2>&1' if source.sizes else ""
    test.write_text(f'#!/bin/sh\ngrep -q -F "{word}" "$1"{runs}\n')
    test.chmod(0o755)
    run("block-reduce", source.raised, f"--test={test}", "-o", small, writes=small)
    text = small.read_text()
    if word not in text or len(text) >= len(source.raised.read_text()):
        raise Problem("nothing is reduced")
    return Files(opt(small, folder / "result.mlir", optimize(chip)), small)


OPERATIONS = {
    "optimize": exact("optimize"),
    "parallel": converted("--block-parallelize"),
    "shifted": converted("--block-parallelize=pairing=shifted"),
    "shift": exact("--block-shift", "optimize"),
    "shard": shard,
    "prepack": exact("optimize", "--block-prepack"),
    "verify-rewrites": exact("--verify-rewrites", "--block-shift", "optimize"),
    "simplify": converted("--block-simplify"),
    "serialize": converted("--block-parallelize", "--block-serialize"),
    "linalg": exact("--block-expand", "--convert-block-to-linalg"),
    "tosa": exact("--block-expand", "--convert-block-to-tosa"),
    "report": report,
    "drift": drift,
    "object": make_object,
    "bytecode": bytecode,
    "reduce": reduce,
}
