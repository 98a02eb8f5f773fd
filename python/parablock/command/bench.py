# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times beside those of installed peers, on the same inputs in one run."""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from parablock.command.actions import write_output
from parablock.errors import MissingError, ToleranceError
from parablock.pretrained import from_pretrained

#: Relative distance of results that a peer may have, in f32.
_TOLERANCE = 1e-3

Run = Callable[[], np.ndarray[Any, Any]]


def run_bench(arguments: argparse.Namespace) -> None:
    """Numbers are checked before a time is printed."""
    model = from_pretrained(arguments.model)
    signature = json.loads(Path(arguments.model, "config.json").read_text())
    vocabulary = int(signature.get("vocab_size", 2))
    generator = np.random.default_rng(0)
    ids = generator.integers(0, vocabulary, (arguments.batch, arguments.seq))
    compiled = model.optimize().compile("cpu", threads=arguments.threads)
    runs: dict[str, Run] = {"parablock": lambda: next(iter(compiled(ids).values()))}
    runs.update(_find_peers(arguments.model, ids, arguments.threads))
    expected = runs["parablock"]()
    results: dict[str, dict[str, float]] = {}
    for name, run in runs.items():
        distance = _measure_distance(run(), expected)
        if not distance <= _TOLERANCE:
            raise ToleranceError(
                f"{name}: expected results within {_TOLERANCE}, got {distance:.3g}"
            )
        results[name] = {"distance": distance, **_time(run, arguments.repeat)}
    own = results["parablock"]["median_ms"]
    for name, result in results.items():
        result["ratio"] = result["median_ms"] / own
        print(f"{name:16} {result['median_ms']:10.3f} ms {result['ratio']:7.2f} x")
    if arguments.json:
        text = json.dumps({"schema": 1, "results": results}, indent=2)
        write_output(arguments.json, text)
    if arguments.plot:
        write_output(arguments.plot, _draw(results))


def _find_peers(folder: str, ids: np.ndarray[Any, Any], threads: int) -> dict[str, Run]:
    try:
        import torch
        import transformers
    except ImportError as problem:
        raise MissingError(f"no peer is installed: {problem}") from problem
    if threads:
        torch.set_num_threads(threads)
    auto: Any = transformers.AutoModelForCausalLM
    module = auto.from_pretrained(folder, dtype=torch.float32).eval()
    tensor = torch.from_numpy(ids)

    def run(callee: Any) -> np.ndarray[Any, Any]:
        with torch.inference_mode():
            logits: np.ndarray[Any, Any] = callee(tensor, use_cache=False)[0].numpy()
        return logits

    fast = torch.compile(module)
    return {
        "torch eager": lambda: run(module),
        "torch.compile": lambda: run(fast),
    }


def _measure_distance(
    values: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]
) -> float:
    difference = np.linalg.norm(values.astype(np.float64) - expected)
    return float(difference / np.linalg.norm(expected))


def _time(run: Run, repeat: int) -> dict[str, float]:
    times = []
    for _ in range(max(repeat, 1)):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return {"min_ms": min(times), "median_ms": statistics.median(times)}


def _draw(results: dict[str, dict[str, float]]) -> str:
    """Bars of the times, as SVG."""
    slowest = max(result["median_ms"] for result in results.values())
    rows = []
    for number, (name, result) in enumerate(results.items()):
        y = 10 + 30 * number
        width = 400 * result["median_ms"] / slowest
        rows.append(
            f'<text x="120" y="{y + 15}" text-anchor="end">{name}</text>'
            f'<rect x="130" y="{y}" width="{width:.1f}" height="20" fill="#4477aa"/>'
            f'<text x="{135 + width:.1f}" y="{y + 15}">'
            f"{result['median_ms']:.2f} ms</text>"
        )
    height = 20 + 30 * len(results)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" '
        f'font-family="sans-serif" font-size="13">{"".join(rows)}</svg>\n'
    )
