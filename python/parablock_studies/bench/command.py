# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times beside those of installed peers, on the same inputs in one run."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error, MissingError, ToleranceError
from parablock.output import write_output
from parablock.pretrained import from_pretrained
from parablock.progress import show_steps
from parablock.public import Model
from parablock_studies.bench.peers import PEERS, Array, Problem, Run
from parablock_studies.page.plot import draw_bars

if TYPE_CHECKING:
    from parablock._core import TensorInfo

#: Relative distance between results in f32.
_TOLERANCE = 1e-3

Result = dict[str, Any]


def run_bench(arguments: argparse.Namespace) -> None:
    """Runs the benchmark; numbers are checked before a time is printed."""
    names = _choose_peers(arguments.peers)
    # Peers are given what every one of them takes: no lengths of rows.
    model = from_pretrained(arguments.model, padding=False)
    inputs = _draw_inputs(model, arguments)
    target = arguments.target
    device = target if target.startswith("cuda") else "cpu"
    problem = Problem(Path(arguments.model), inputs, arguments.threads, device)
    compiled = model.optimize().compile(target, threads=arguments.threads)

    def run() -> Array:
        return np.asarray(next(iter(compiled(**inputs).values())))

    results: dict[str, Result] = {"parablock": {}}
    runs: dict[str, Run] = {"parablock": run}
    own = run()
    with show_steps("peers", len(names)) as step:
        for name in names:
            step(name)
            _add_peer(name, problem, own, runs, results)
    if len(runs) == 1:
        reasons = "; ".join(f"{name}: {results[name]['skipped']}" for name in names)
        raise MissingError(f"no peer to compare with ({reasons})")
    _time_all(runs, results, arguments.repeat)
    _report(arguments, results)


def _choose_peers(given: str) -> list[str]:
    names = [name for name in given.split(",") if name] or list(PEERS)
    for name in names:
        if name not in PEERS:
            raise Error(f"--peers: expected some of {', '.join(PEERS)}, got '{name}'")
    return names


def _get_sizes(arguments: argparse.Namespace) -> dict[str, int]:
    return {"batch": arguments.batch, "seq": arguments.seq, **arguments.dims}


def _draw_inputs(model: Model, arguments: argparse.Namespace) -> dict[str, Array]:
    """Returns inputs of the requested sizes, drawn from a seed."""
    config = json.loads(Path(arguments.model, "config.json").read_text())
    sizes = _get_sizes(arguments)
    known = {name for info in model.inputs for name in info.dims if name}
    for name in arguments.dims:
        if name not in known:
            raise Error(
                f"--dims: expected some of {', '.join(sorted(known))}, got '{name}'"
            )
    generator = np.random.default_rng(0)

    def draw(info: TensorInfo) -> Array:
        shape = [
            sizes.get(name, sizes["seq"]) if size < 0 else size
            for name, size in zip(info.dims, info.shape, strict=True)
        ]
        if info.type == "i64":
            return generator.integers(0, int(config.get("vocab_size", 2)), shape)
        return generator.standard_normal(shape).astype(np.float32)

    return {info.name: draw(info) for info in model.inputs}


def _add_peer(
    name: str,
    problem: Problem,
    own: Array,
    runs: dict[str, Run],
    results: dict[str, Result],
) -> None:
    """Adds a peer if its numbers are right; otherwise reports the reason."""
    if reason := PEERS[name].find_reason(problem):
        results[name] = {"skipped": reason}
        return
    try:
        with _hush():
            run = PEERS[name].make(problem)
            distance = _measure_distance(own, run())
    except Exception as problem_of_peer:
        lines = str(problem_of_peer).splitlines() or [type(problem_of_peer).__name__]
        results[name] = {"skipped": f"failed: {lines[0][:200]}"}
        return
    if distance <= _TOLERANCE:
        results[name] = {"distance": distance}
        runs[name] = run
        return
    text = f"expected results within {_TOLERANCE}, got {distance:.3g}"
    if name == next(iter(PEERS)):
        raise ToleranceError(f"parablock beside {name}: {text}")
    results[name] = {"skipped": f"wrong numbers: {text}"}


@contextlib.contextmanager
def _hush() -> Iterator[None]:
    """Hides messages of peers.

    Their compilers write to the process's own files, beside Python.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(number) for number in (1, 2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        for number in (1, 2):
            os.dup2(nowhere, number)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.close(nowhere)
        sys.stdout.flush()
        sys.stderr.flush()
        for number, own in zip((1, 2), kept, strict=True):
            os.dup2(own, number)
            os.close(own)


def _measure_distance(values: Array, expected: Array) -> float:
    if values.shape != expected.shape:
        return float("inf")
    difference = np.linalg.norm(values.astype(np.float64) - expected)
    length = np.linalg.norm(expected)
    return float(difference / length) if length > 0 else float("inf")


def _time_all(runs: dict[str, Run], results: dict[str, Result], repeat: int) -> None:
    """Times all in turns, so a busy moment of the machine affects all of them."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    with show_steps("runs", repeat) as step:
        for number in range(repeat):
            step(f"{number + 1}")
            for name, run in runs.items():
                run()
                start = time.perf_counter()
                run()
                times[name].append((time.perf_counter() - start) * 1e3)
    for name, taken in times.items():
        results[name]["min_ms"] = min(taken)
        results[name]["median_ms"] = statistics.median(taken)
    for name in times:
        results[name]["ratio"] = (
            results[name]["median_ms"] / results["parablock"]["median_ms"]
        )


def _report(arguments: argparse.Namespace, results: dict[str, Result]) -> None:
    print(f"{'':14} {'distance':>10} {'median ms':>10} {'ratio':>7}")
    for name, result in results.items():
        if "skipped" in result:
            print(f"{name:14} skipped: {result['skipped']}")
            continue
        distance = f"{result['distance']:.1e}" if "distance" in result else ""
        print(
            f"{name:14} {distance:>10} {result['median_ms']:10.3f} "
            f"{result['ratio']:7.2f}"
        )
    sizes = {**_get_sizes(arguments), "threads": arguments.threads}
    if arguments.json:
        report = {
            "schema": 2,
            "model": Path(arguments.model).resolve().name,
            "target": arguments.target,
            "sizes": sizes,
            "machine": platform.processor() or platform.machine(),
            "results": results,
        }
        write_output(arguments.json, json.dumps(report, indent=2))
    if arguments.plot:
        title = f"Milliseconds, batch {sizes['batch']}, {sizes['seq']} tokens"
        bars = [
            (name, result["median_ms"], f"{result['median_ms']:.2f} ms")
            for name, result in results.items()
            if "median_ms" in result
        ]
        write_output(arguments.plot, draw_bars(title, bars))
