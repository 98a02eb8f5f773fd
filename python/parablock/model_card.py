# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The card of a converted model: one page on what changed, what that costs and saves."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from parablock.drift import find_stream_error, is_number

#: Devices and chip of the predictions.
_DEVICES, CHIP = 8, "sm_90a"
_KINDS = {
    "ladder": "In the layers `{pairs}` attention and MLP read the stream one sum older (a ladder).",
    "shortcut": "In the pairs `{pairs}` routed experts run beside the next attention, which reads what "
    "shared experts add. `3+` is the MLP of layer 3 and the attention of layer 4.",
}
_PAIRS = (
    "In the pairs `{pairs}` attention and MLP read the same stream. `3` is the attention and the MLP "
    "of layer 3, `3+` the MLP of layer 3 and the attention of layer 4."
)


@dataclasses.dataclass(frozen=True)
class CardData:
    """The content of a model card."""

    title: str
    #: Class of transformers that reads the folder.
    reader: str
    #: As in config.json.
    section: Mapping[str, Any]
    #: block-report of the serial and of the converted model.
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    #: The same for one of two devices; none if the model cannot be split.
    split: Sequence[Mapping[str, Any]] | None
    #: block-drift's report of the conversion, if it was measured.
    drift: Mapping[str, Any] | None = None


def write_card(data: CardData) -> str:
    """Returns the card as Markdown."""
    parts = [
        f"# {data.title}",
        "This model is not the serial model that it was made of.",
        "## What changed",
        *_describe_change(data.section, data.drift),
        "## What it costs",
        *_describe_cost(data),
        "## What it saves",
        *_describe_gain(data),
        "## What it is not for",
        *_describe_limits(data.drift),
        "## How to run it",
        f"```python\nfrom transformers import {data.reader}\n\n"
        f'model = {data.reader}.from_pretrained("this folder", trust_remote_code=True)\n```',
        '`parablock.from_pretrained("this folder")` reads it as well. The section `parablock` of '
        "config.json has all fields of the conversion.",
    ]
    return "\n\n".join(parts) + "\n"


def _describe_change(section: Mapping[str, Any], drift: Mapping[str, Any] | None) -> list[str]:
    pairs = " ".join(section["chosen"])
    text = _KINDS.get(section.get("pairing", ""), _PAIRS).format(pairs=pairs)
    correction = section.get("correction", "none")
    lines = [text, f"- Correction of weights: {correction}."]
    healing = (drift or {}).get("healing")
    if healing:
        lines[-1] += f" Trained on {healing['tokens']} tokens towards the serial model."
    if added := section.get("added_parameters"):
        lines[-1] += f" It added {len(added)} biases."
    if codes := section.get("codes"):
        lines[-1] += f"\n- Weights of layers are codes of the form {codes}."
    return lines


def _describe_cost(data: CardData) -> list[str]:
    drift = data.drift
    if drift is None:
        measured = data.section.get("kl")
        kl = "not measured" if measured is None else f"{measured:.3g} nats a token"
        return [
            f"KL divergence from the serial model, measured at the conversion: {kl}. Nothing else was "
            "measured."
        ]
    rows = [["", "serial", "this model"]]
    if (error := find_stream_error(drift)) is not None:
        rows.append(["error of a token's last state, relative", "0", _show(error)])
    else:
        rows.append(["KL divergence, nats a token", "0", _show(drift.get("measured_kl"))])
        perplexity = drift.get("perplexity") or {}
        rows.append(["perplexity", _show(perplexity.get("serial")), _show(perplexity.get("parallel"))])
    if is_number(same := drift.get("top1")):
        rows.append(["same most likely token", "100 %", f"{100 * same:.3g} %"])
    if generation := drift.get("generation"):
        rows.append(
            [
                f"continuations of {generation['tokens']} tokens that stay the same",
                f"{generation['sequences']} of {generation['sequences']}",
                f"{generation['same']} of {generation['sequences']}",
            ]
        )
    for task in (drift.get("tasks") or {}).get("kinds", []):
        rows.append([f"tasks solved, {task['kind']}, of {task['tasks']}", task["serial"], task["parallel"]])
    tokens = drift.get("split", {}).get("report", {}).get("tokens")
    parts = [_table(rows)]
    if is_number(tokens):
        parts.append(f"Measured on {tokens} tokens that neither the fit nor the choice of pairs read.")
    if data.section.get("codes"):
        parts.append("These numbers are of the weights before they became codes.")
    if drawn := drift.get("drawn"):
        parts.append(f"The {' and '.join(drawn)} were drawn: a trained model has other numbers.")
    return parts


def _describe_gain(data: CardData) -> list[str]:
    rows: list[list[object]] = [["of one pass through the layers", "serial", "this model"]]
    if data.split is not None:
        for name, is_exposed in (("sums over devices", False), ("sums that nothing is computed beside", True)):
            rows.append([name, *(_count_sums(report, is_exposed) for report in data.split)])
    launches = [sum(layer["launches"] for layer in each["layers"]) for each in (data.before, data.after)]
    rows.append(["launches of kernels on one GPU", *launches])
    parts = [_table(rows)]
    if data.split is None:
        parts.append("Sums over devices were not counted: this model cannot be split over two.")
        return parts
    saved = rows[1][1] - rows[1][2]  # type: ignore[operator]
    for each in data.before["model"].get("devices") or []:
        if each.get("ranks") == _DEVICES and saved > 0:
            parts.append(
                f"Predicted for {_DEVICES} GPUs of the kind {data.before.get('product') or CHIP}: "
                f"{each['serial_ms']:.3g} ms in series, {1e-3 * each['all_reduce_us'] * saved:.3g} ms less in "
                f"this form ({_describe_sizes(data.before)}). The prediction has assumed rates of links; it was "
                "not measured."
            )
    return parts


def _describe_limits(drift: Mapping[str, Any] | None) -> list[str]:
    lines = [
        "- One CPU or one GPU at many tokens: a parallel form computes as much as the serial one. On one "
        "CPU it saves 0 to 2 % of the time.",
    ]
    if drift and find_stream_error(drift) is not None:
        lines.append(
            "- Uses whose results were not compared: the work that the model is for (similarities, labels) was not "
            "measured, and the error of the last state does not tell what becomes of it."
        )
        return ["\n".join(lines)]
    generation = (drift or {}).get("generation")
    if generation is None:
        lines.append("- Generation was not measured.")
    elif generation["same"] < generation["sequences"]:
        first = generation.get("first_difference")
        behind = f", after {first:.3g} tokens on average" if is_number(first) else ""
        lines.append(
            f"- Uses that require the serial model's words: {generation['sequences'] - generation['same']} of "
            f"{generation['sequences']} continuations differ{behind}."
        )
    tasks = (drift or {}).get("tasks")
    if tasks is None:
        lines.append(
            "- Arithmetic, copying and other exact work were not measured (`--tasks`). They break before "
            "KL divergence and perplexity show it."
        )
    else:
        lost = [task["kind"] for task in tasks["kinds"] if task["parallel"] < task["serial"]]
        if lost:
            lines.append(f"- Work like the tasks {', '.join(lost)}, of which it solves fewer.")
    return ["\n".join(lines)]


def _count_sums(report: Mapping[str, Any], is_exposed: bool) -> int:
    """Returns the sums over devices in layers, or those that nothing is computed beside.

    >>> layer = {"collectives": {"all_reduce": 2, "reduce_scatter": 0, "exposed": 1}}
    >>> _count_sums({"layers": [layer, layer]}, is_exposed=False)
    4
    """
    sums = [layer["collectives"] for layer in report["layers"]]
    return sum(each["exposed"] if is_exposed else each["all_reduce"] + each["reduce_scatter"] for each in sums)


def _describe_sizes(report: Mapping[str, Any]) -> str:
    sizes = report.get("sizes") or {}
    return ", ".join(f"{name} {size}" for name, size in sizes.items() if name != "assumed")


def _show(number: object) -> str:
    return f"{number:.4g}" if is_number(number) else "not measured"


def _table(rows: Sequence[Sequence[object]]) -> str:
    head, *body = ("| " + " | ".join(map(str, row)) + " |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])
