# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as tables of Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import Any

from parablock_studies.trainer.paired import LEVEL
from parablock_studies.trainer.results import Results, group

_MIB = 1 << 20
_QUANTITIES = {
    "loss": "held-out loss, difference",
    "engine": "held-out loss, difference",
    "time": "time of a step, ratio",
}


def write_tables(results: Results) -> str:
    """Returns the tables of runs and of differences."""
    return "\n\n".join(
        [describe_settings(results), write_runs(results), write_comparisons(results), LIMITS]
    )


LIMITS = (
    "Losses and times are those of this size, text and processor. Nothing here speaks of other "
    "ones, such as 124 million parameters on eight GPUs."
)


def describe_settings(results: Results) -> str:
    settings, corpus = results["settings"], results["corpus"]
    return (
        f"{settings['layers']} x {settings['width']}, {settings['heads']} heads, {settings['batch']} "
        f"rows of {settings['tokens']} bytes a step, {settings['steps']} steps of AdamW (rate "
        f"{settings['learning_rate']:g}), {settings['threads']} thread"
        f"{'s' if settings['threads'] != 1 else ''}, f32, {results['processor']}"
        f"{'' if settings['device'] == 'cpu' else ', steps on ' + settings['device']}; {corpus['text']}, "
        f"{corpus['train_bytes']} bytes, {corpus['held_out_bytes']} held out"
    )


#: Columns of a step's memory.
MEMORY = ("predicted", "allocated", "measured", "process", "device")


def write_runs(results: Results) -> str:
    """Means over seeds, with standard deviations of losses."""
    rows = []
    for (label, engine), runs in group(results["runs"]).items():
        losses = [run["held_out_loss"] for run in runs if run["held_out_loss"] is not None]
        memory = results["memory"].get(f"{label} {engine}", {})
        rows.append(
            [
                f"`{label}`",
                engine,
                f"{runs[0]['parameters']}",
                str(len(runs)),
                _spread(losses),
                _average([run["seconds"] for run in runs], 1),
                _average([run["median_ms"] for run in runs if run["median_ms"]], 1),
                _average([run["median_cpu_ms"] for run in runs if run["median_cpu_ms"]], 1),
                *(_in_mib(memory.get(key)) for key in MEMORY),
            ]
        )
    head = ["form", "engine", "parameters", "seeds", "held-out loss", "seconds", "ms a step"]
    head += ["of these on the processor", "memory of a step predicted, MiB", "allocated"]
    head += ["measured", "of the process", "of the GPU"]
    return draw_table(head, rows)


def write_comparisons(results: Results) -> str:
    """Returns the table of differences and their significance."""
    percent = f"{100 * LEVEL:.0f} %"
    rows = []
    for each in results["comparisons"]:
        digits = 3 if each["quantity"] == "time" else 5
        low, high = each["low"], each["high"]
        rows.append(
            [
                _QUANTITIES[each["quantity"]],
                _name(each["of"]),
                _name(each["with"]),
                str(each["seeds"]),
                f"{each['mean']:.{digits}f}",
                "-" if low is None else f"{low:.{digits}f} to {high:.{digits}f}",
                "-" if each["p"] is None else f"{each['p']:.3g}",
                _judge(each),
            ]
        )
    if not rows:
        return "No two of these runs are compared: forms beside their twin, or engines, are."
    head = ["", "of", "against", "seeds", "mean", f"{percent} interval", "p", "significant"]
    note = (
        "Intervals are Student's t over pairs of runs of one seed, which read the same rows; "
        f"significant is what Holm's procedure keeps at {100 * (1 - LEVEL):.0f} % over this table, "
        "and alone what it would keep without the table's other comparisons."
    )
    return f"{draw_table(head, rows)}\n\n{note}"


def draw_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """
    >>> print(draw_table(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


def _judge(each: Results) -> str:
    if each["quantity"] == "engine":
        return "rounding"
    if each["p"] is None:
        return "one seed gives no interval"
    if each["significant"]:
        return "yes"
    # A difference of 0, or a ratio of 1.
    nothing = 1 if each["quantity"] == "time" else 0
    return "no" if each["low"] <= nothing <= each["high"] else "alone"


def _name(key: Sequence[str]) -> str:
    return f"`{key[0]}`, {key[1]}"


def _average(values: Sequence[float], digits: int) -> str:
    return f"{statistics.mean(values):.{digits}f}" if values else "-"


def _spread(values: Sequence[float]) -> str:
    """Returns a mean and the spread of single values."""
    if len(values) < 2:
        return _average(values, 4)
    return f"{statistics.mean(values):.4f} ± {statistics.stdev(values):.4f}"


def _in_mib(size: Any) -> str:
    return "-" if size is None else f"{size / _MIB:.0f}"
