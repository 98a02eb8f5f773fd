# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a model ends: what runs it, on the inputs of its baseline."""

import dataclasses
from collections.abc import Callable

import tiers
from steps import Problem, run


def compare(source, files, *flags):
    text = run("block-run", *flags, *source.values, f"--baseline={files.baseline}")
    if "PASS" not in text:
        raise Problem(f"nothing is compared: {text[-300:]}")


def on_engine(*flags):
    def sink(source, files, folder):
        ranks = [f"--ranks={files.ranks}"] if files.ranks > 1 and "--engine=reference" in flags else []
        compare(source, files, files.result, *flags, *ranks)

    return sink


def in_package(source, files, folder):
    """With machine code under --full alone: the emulator runs what it is made of."""
    package = folder / "model.pbk"
    nowhere = [] if tiers.FULL else [f"--cuda-path={folder}"]
    run("block-translate", "--block-to-package", "--chip=sm_90a", *nowhere, files.result, "-o", package, writes=package)
    compare(source, files, package, "--engine=emulate")


@dataclasses.dataclass
class Sink:
    run: Callable
    chip: str
    #: Relative to the others, in time.
    cost: int
    #: Another sink compiles and runs the same code.
    is_part: bool = False


SINKS = {
    "reference": Sink(on_engine("--engine=reference"), "", 1),
    "cpu": Sink(on_engine("--engine=cpu"), "", 2),
    "sm_80": Sink(on_engine("--engine=emulate", "--chip=sm_80"), "sm_80", 8),
    "sm_90a": Sink(on_engine("--engine=emulate", "--chip=sm_90a"), "sm_90a", 8, is_part=True),
    "package": Sink(in_package, "sm_90a", 10),
}
