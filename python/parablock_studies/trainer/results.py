# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results of an experiment: numbers of runs, and differences over seeds."""

from __future__ import annotations

import dataclasses
import math
import platform
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from parablock_studies.trainer import paired
from parablock_studies.trainer.run import Run
from parablock_studies.trainer.settings import FORMS, Settings
from parablock_studies.trainer.text import Text

SCHEMA = 1
#: Points of a curve, each a mean over the steps between.
_POINTS = 60

Results = dict[str, Any]


def collect(
    records: Sequence[Results],
    settings: Settings,
    text: Text,
    memory: Mapping[str, Mapping[str, int | None]],
) -> Results:
    """Returns everything as JSON; `memory` is by label and engine."""
    common = dataclasses.asdict(settings)
    for name in ("form", "engine", "seed", "parallel_layers"):
        del common[name]
    return {
        "schema": SCHEMA,
        "processor": find_processor(),
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "corpus": text.describe(),
        "settings": common,
        "runs": list(records),
        "memory": {key: dict(found) for key, found in memory.items()},
        "comparisons": compare_all(records),
    }


def find_processor() -> str:
    """Returns the system's name of the processor."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1] if found else platform.machine()


def describe(run: Run) -> Results:
    """Returns a run's line of the results."""
    history, settings = run.history, run.settings
    last = max(history.held_out, default=None)
    return {
        "label": settings.label,
        "form": settings.form,
        "engine": settings.engine,
        "seed": settings.seed,
        "parameters": run.parameters,
        "steps": history.step,
        "held_out_loss": None if last is None else history.held_out[last],
        "held_out": {str(step): loss for step, loss in history.held_out.items()},
        "seconds": round(sum(history.wall_ms) / 1e3, 3),
        "median_ms": _get_median(history.wall_ms),
        "median_cpu_ms": _get_median(history.cpu_ms),
        "curve": _thin(history.losses, history.wall_ms),
    }


def _get_median(times: Sequence[float]) -> float | None:
    return round(statistics.median(times), 3) if times else None


def _thin(losses: Sequence[float], times: Sequence[float]) -> list[list[float]]:
    """Steps, seconds until then, and mean losses of the steps between.

    >>> _thin([4.0, 2.0], [500.0, 250.0])
    [[1, 0.5, 4.0], [2, 0.75, 2.0]]
    """
    size = max(1, math.ceil(len(losses) / _POINTS))
    points = []
    for start in range(0, len(losses), size):
        part = losses[start : start + size]
        end = start + len(part)
        points.append([end, round(sum(times[:end]) / 1e3, 3), round(statistics.mean(part), 5)])
    return points


def group(records: Sequence[Results]) -> dict[tuple[str, str], list[Results]]:
    """Runs of a label and an engine, in the order of their seeds."""
    groups: dict[tuple[str, str], list[Results]] = {}
    for record in sorted(records, key=lambda record: int(record["seed"])):
        groups.setdefault((record["label"], record["engine"]), []).append(record)
    keys = dict.fromkeys((record["label"], record["engine"]) for record in records)
    return {key: groups[key] for key in keys}


def compare_all(records: Sequence[Results]) -> list[Results]:
    """Differences of held-out losses, and ratios of times, pair by pair of seeds."""
    groups = group(records)
    found = []
    for (label, engine), runs in groups.items():
        twin = FORMS[runs[0]["form"]]
        if twin and (twin, engine) in groups:
            found += _compare((label, engine), (twin, engine), groups)
        if label != runs[0]["form"] and (runs[0]["form"], engine) in groups:
            found += _compare((label, engine), (runs[0]["form"], engine), groups)
        if engine != "parablock" and (label, "parablock") in groups:
            found += _compare((label, "parablock"), (label, engine), groups)
    known = [each for each in found if each["p"] is not None]
    for each, is_significant in zip(
        known, paired.find_significant([each["p"] for each in known]), strict=True
    ):
        each["significant"] = is_significant
    return found


def _compare(
    key: tuple[str, str], other: tuple[str, str], groups: Mapping[tuple[str, str], list[Results]]
) -> list[Results]:
    by_seed = {run["seed"]: run for run in groups[other]}
    pairs = [(run, by_seed[run["seed"]]) for run in groups[key] if run["seed"] in by_seed]
    measures: list[tuple[str, str, Callable[[float], float], Callable[[float], float]]] = [
        ("loss", "held_out_loss", float, float),
        # Of logarithms, so that it is a ratio.
        ("time", "median_ms", math.log, math.exp),
    ]
    found = []
    for quantity, name, take, give in measures:
        known = [(a[name], b[name]) for a, b in pairs if a[name] and b[name]]
        values, others = ([take(pair[side]) for pair in known] for side in (0, 1))
        if not known:
            continue
        mean = statistics.mean(a - b for a, b in zip(values, others, strict=True))
        # Two engines train the same, up to rounding: that is no effect to test.
        is_rounding = quantity == "loss" and key[0] == other[0]
        difference = None if is_rounding else paired.compare(values, others)
        found.append(
            {
                "quantity": "engine" if is_rounding else quantity,
                "of": list(key),
                "with": list(other),
                "seeds": len(known),
                "mean": give(mean),
                "low": give(difference.low) if difference else None,
                "high": give(difference.high) if difference else None,
                "p": difference.p if difference else None,
                "significant": None,
            }
        )
    return found
