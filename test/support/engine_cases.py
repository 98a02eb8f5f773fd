# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated models on an engine, held against the exact original on the
reference engine: what the matrices of several folders share."""

import concurrent.futures
import dataclasses
import json
import os
import subprocess

import kept_code


@dataclasses.dataclass
class Case:
    generate: list  # flags of block-gen
    run: list = dataclasses.field(default_factory=list)  # flags of block-run
    parallel: bool = False
    optimize: str = "--block-optimize"  # None: as it is drawn


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


def families():
    return run("block-gen", "--list-families").stdout.split()


def steps(case, engine, stem):
    """The commands of a case; files are `stem` with endings."""
    drawn, prepared, report = (stem.with_suffix(kind) for kind in (".mlir", ".run.mlir", ".json"))
    yield ["block-gen", *case.generate, "-o", drawn]
    baseline = drawn
    if case.parallel:
        # An approximation is judged by its own meaning.
        baseline = stem.with_suffix(".parallel.mlir")
        yield ["block-opt", drawn, "--block-parallelize=blocks=all", "-o", baseline]
    if case.optimize:
        yield ["block-opt", baseline, case.optimize, "-o", prepared]
    else:
        prepared = baseline
    kept = kept_code.make_flags() if engine == "cpu" else []
    yield ["block-run", prepared, f"--engine={engine}", *kept, *case.run, "--seed=7", f"--baseline={baseline}",
           f"--json={report}"]


def check(case, engine, stem):
    """What went wrong, or an empty string."""
    for step in steps(case, engine, stem):
        done = run(*step)
        if done.returncode:
            return f"{' '.join(str(part) for part in step)}\n{done.stdout[-800:]}{done.stderr[-1200:]}"
    result = json.loads(stem.with_suffix(".json").read_text())
    if result["engine"] != engine or not result["kernels"]:
        return f"{' '.join(case.generate)}: expected kernels on engine {engine}, got {result['engine']}"
    return ""


def check_all(cases, engine, folder):
    """Runs them side by side, prints what went wrong, and returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    return try_all(check, [(case, engine, folder / str(number)) for number, case in enumerate(cases)], "models")


def try_all(check, cases, what):
    """Prints what goes wrong and how many of the cases agree; returns the exit code."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda case: check(*case), cases) if fault]
    for fault in faults:
        print(fault)
    print(f"{len(cases) - len(faults)} of {len(cases)} {what} agree")
    return 1 if faults or not cases else 0
