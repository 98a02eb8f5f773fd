# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measurements and choices of block-drift, with corrected weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from parablock.arguments import make_error
from parablock.errors import Error
from parablock.origin import FiledWeights
from parablock.output import replace_file
from parablock.tensors import is_torch, to_stored
from parablock.weights import Checkpoint, load_json, write_safetensors

if TYPE_CHECKING:
    from parablock._core import TensorInfo
    from parablock.calling import Calling


def write_data(path: Path, calling: Calling, data: Any) -> None:
    """Writes inputs, as the calling convention makes them of arguments."""
    if isinstance(data, Mapping):
        named = calling.bind_data((), data)
    else:
        is_many = isinstance(data, tuple | list)
        named = calling.bind_data(data if is_many else (data,), {})
    write_safetensors(path, ((name, *_read(name, array)) for name, array in named.items()))


def _read(name: str, array: Any) -> tuple[Any, str]:
    """Returns the numbers of an input."""
    try:
        if is_torch(array) or np.asarray(array).dtype.kind in "biuf":
            return to_stored(array)
        if np.asarray(array).dtype.name == "bfloat16":
            return to_stored(array)
    except (RuntimeError, TypeError, ValueError):
        pass
    raise make_error("data", f"numbers for the input '{name}'", array)


class Choice:
    """Pairs to run in parallel, and the weights that they require.

    >>> Choice({"chosen": ["3", "4+"]}).is_corrected
    False
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        corrected: Checkpoint | None = None,
    ) -> None:
        self._data = dict(data)
        #: All weights, those that a correction changed or added among them.
        self._corrected = corrected

    @property
    def pairs(self) -> list[str]:
        """The pairs by name."""
        return list(self._data.get("chosen", []))

    @property
    def correction(self) -> str:
        """The correction that the weights had."""
        return str(self._data.get("correction", "none"))

    @property
    def is_corrected(self) -> bool:
        """Whether it requires other weights than the model's own."""
        return self.correction != "none"

    @staticmethod
    def read(path: Path, corrected: Path | None = None) -> Choice:
        """Reads a choice file and the corrected weights that it names."""
        try:
            data = load_json(path.read_text())
        except (OSError, ValueError) as problem:
            raise Error(f"cannot read the choice '{path}': {problem}") from problem
        if not isinstance(data, dict):
            raise Error(f"'{path}': expected a choice, an object of JSON")
        choice = Choice(data)
        if not choice.is_corrected:
            return choice
        if corrected is None:
            name = data.get("weights_file")
            if not isinstance(name, str) or not name:
                raise Error(
                    f"'{path}': the choice is for weights with correction="
                    f"'{choice.correction}' and does not say where they are: expected "
                    "'weights_file', which drift writes beside the choice"
                )
            if Path(name).is_absolute() or ".." in Path(name).parts:
                raise Error(
                    f"'{path}': expected 'weights_file' in the folder of the choice, "
                    f"got '{name}'"
                )
            corrected = path.parent / name
        return Choice(data, Checkpoint(corrected.parent, [corrected]))

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields of the choice file."""
        return dict(self._data)

    def write(self, path: Path) -> Path:
        """Writes the choice for a pass, without weights."""
        with replace_file(path) as file:
            file.write(json.dumps(self._data).encode())
        return path

    def correct(
        self, weights: Callable[[TensorInfo], Any]
    ) -> Callable[[TensorInfo], Any]:
        """Returns the weights of the choice; `weights` if it is not corrected."""
        corrected = self._corrected
        if corrected is None:
            return weights
        file = str(corrected.files[0])
        list_names = getattr(weights, "list_names", lambda name: [name])

        def find(info: TensorInfo) -> Any:
            # A tied weight may have another of its names there.
            names = [info.name, *list_names(info.name)]
            name = next((name for name in names if name in corrected), info.name)
            return corrected.find(name).fit(file, info)

        return FiledWeights(f"'{file}'", corrected.metadata, find)


class Drift:
    """Effect of parallel sublayers on a model's results.

    >>> choice = Choice({"chosen": ["3", "4+"]})
    >>> Drift({"chosen": ["3", "4+"], "measured_kl": 0.00123}, choice)
    chosen: 3,4+
    measured_kl: 0.00123
    """

    def __init__(self, data: Mapping[str, Any], choice: Choice) -> None:
        self._data = dict(data)
        self.choice = choice

    def to_dict(self) -> dict[str, Any]:
        """Returns block-drift's JSON."""
        return dict(self._data)

    @property
    def chosen(self) -> list[str]:
        """The pairs that the budget allows, by name.

        What a correction fitted is not in names: `optimize(parallel=drift)`.
        """
        return list(self._data.get("chosen", []))

    def __str__(self) -> str:
        lines = [f"chosen: {','.join(self.chosen) or 'none'}"]
        for key in ("predicted_kl", "measured_kl"):
            if isinstance(self._data.get(key), int | float):
                lines.append(f"{key}: {self._data[key]:.3g}")
        lines += describe_outcome(self._data)
        for layer in self._data.get("layers", []):
            update = (layer.get("update_rel_l2") or {}).get("mean")
            text = f"{update:.3g}" if isinstance(update, int | float) else "?"
            lines.append(f"  {layer.get('pair', layer.get('index'))}: {text}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def is_number(value: object) -> TypeGuard[float]:
    """Returns whether a report has a number there."""
    return isinstance(value, int | float)


def describe_outcome(drift: Mapping[str, Any]) -> list[str]:
    """Returns sentences on the whole choice: budget, perplexity, most likely tokens.

    >>> describe_outcome({"budget_kl": 0.03, "chosen": ["1"], "selected_kl": 0.0298,
    ...                   "measured_kl": 0.0352, "within_budget": False, "top1": 0.9})
    ['Budget 0.03: select 0.0298, report 0.0352: above the budget.', 'Same most likely token: 90%.']
    """
    parts = []
    budget, chosen = drift.get("budget_kl"), drift.get("chosen", [])
    select, report = drift.get("selected_kl"), drift.get("measured_kl")
    if is_number(budget) and not chosen:
        parts.append(f"Budget {budget:.3g}: no pair fits.")
    elif is_number(budget) and is_number(select) and is_number(report):
        verdict = "within" if drift.get("within_budget") else "above"
        parts.append(
            f"Budget {budget:.3g}: select {select:.3g}, report {report:.3g}: "
            f"{verdict} the budget."
        )
    if (error := find_stream_error(drift)) is not None:
        parts.append(f"Error of the last stream, relative: {error:.3g}.")
    parts += _describe_healing(drift)
    for name, kept, is_most in (
        ("generation", drift.get("generation"), False),
        ("perplexity", drift.get("perplexity_ratio"), True),
        ("tasks", drift.get("tasks"), False),
    ):
        parts += _describe_limit(drift, name, kept, is_most)
    perplexity = drift.get("perplexity", {})
    serial, parallel = perplexity.get("serial"), perplexity.get("parallel")
    if is_number(serial) and is_number(parallel):
        parts.append(f"Perplexity: serial {serial:.4g}, parallel {parallel:.4g}.")
    if is_number(same := drift.get("top1")):
        parts.append(f"Same most likely token: {100 * same:.3g}%.")
    parts += describe_generation(drift)
    parts += describe_tasks(drift)
    if drawn := drift.get("drawn"):
        parts.append(f"The {' and '.join(drawn)} are drawn: a trained model has other numbers.")
    return parts


def find_stream_error(drift: Mapping[str, Any]) -> float | None:
    """Returns the mean error of the last stream for a model without logits, and so without KL.

    >>> find_stream_error({"measured_kl": None, "stream_rel_l2": {"mean": 0.25}})
    0.25
    >>> find_stream_error({"measured_kl": 0.1, "stream_rel_l2": {"mean": 0.25}})
    """
    if is_number(drift.get("measured_kl")):
        return None
    error = (drift.get("stream_rel_l2") or {}).get("mean")
    return error if is_number(error) else None


def has_post_norms(drift: Mapping[str, Any]) -> bool:
    """Returns whether norms stand behind the sums of chosen pairs, so that no sum merges.

    >>> has_post_norms({"chosen": ["1"], "layers": [{"pair": "0"}, {"pair": "1", "post_norms": True}]})
    True
    """
    chosen = drift.get("chosen", [])
    return any(layer.get("post_norms") for layer in drift.get("layers", []) if layer.get("pair") in chosen)


def _describe_healing(drift: Mapping[str, Any]) -> list[str]:
    """Returns a sentence on training, if there was any."""
    healing = drift.get("healing")
    if not isinstance(healing, Mapping):
        return []
    name, key = "KL", "kl"
    if healing[key]["healed"] is None:
        name, key = "error of the last stream", "stream_rel_l2"
    before, after = healing[key]["start"], healing[key]["healed"]
    return [f"Healed with {healing['tokens']} tokens: {name} {before:.3g} before, {after:.3g} after."]


def _describe_limit(
    drift: Mapping[str, Any], name: str, kept: Any, is_most: bool
) -> list[str]:
    """Returns a sentence on a budget of generation, perplexity or tasks."""
    budget = drift.get(f"budget_{name}")
    if not is_number(budget):
        return []
    if not drift.get("chosen"):
        return [f"Budget of {name} {budget:.3g}: no pair fits."]
    ratio = "_ratio" if is_most else ""
    select = drift.get(f"selected_{name}{ratio}")
    report = kept.get("share") if isinstance(kept, Mapping) else kept
    if not is_number(select) or not is_number(report):
        return []
    verdict = "above" if is_most else "below"
    if report <= budget if is_most else report >= budget:
        verdict = "within"
    return [
        f"Budget of {name} {budget:.4g}: select {select:.4g}, report {report:.4g}: "
        f"{verdict} the budget."
    ]


def describe_generation(drift: Mapping[str, Any]) -> list[str]:
    """Returns a sentence on greedy continuations, if a report has any.

    >>> describe_generation({"generation": {"sequences": 16, "tokens": 64, "share": 0.75,
    ...                                     "earliest_difference": 9}})
    ['Greedy continuations of 64 tokens: 75% of 16 stay the same, the first differs after 9.']
    """
    generation = drift.get("generation")
    if not isinstance(generation, Mapping):
        return []
    text = (
        f"Greedy continuations of {generation['tokens']} tokens: "
        f"{100 * generation['share']:.3g}% of {generation['sequences']} stay the same"
    )
    if is_number(first := generation.get("earliest_difference")):
        text += f", the first differs after {first}"
    return [f"{text}."]


def describe_tasks(drift: Mapping[str, Any]) -> list[str]:
    """Returns a sentence on solved tasks, if a report has any.

    >>> describe_tasks({"tasks": {"kinds": [
    ...     {"kind": "sums", "tasks": 100, "serial": 98, "parallel": 61}]}})
    ['Tasks solved, serial and parallel: sums 98 and 61 of 100.']
    """
    tasks = drift.get("tasks")
    if not isinstance(tasks, Mapping):
        return []
    parts = (
        f"{each['kind']} {each['serial']} and {each['parallel']} of {each['tasks']}"
        for each in tasks["kinds"]
    )
    return [f"Tasks solved, serial and parallel: {', '.join(parts)}."]
