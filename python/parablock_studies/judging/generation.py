# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Greedy continuations, compared step by step with float64's."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import torch

from parablock.errors import Error
from parablock_studies.judging.measure import Scale
from parablock_studies.judging.subjects import Subject
from parablock_studies.judging.tokens import Difference, compare_tokens, find_logits, find_noise
from parablock_studies.judging.trial import Trial, match


def compare_continuations(trial: Trial, subject: Subject, count: int) -> dict[str, Any]:
    """Compares steps; all continue with float64's tokens."""
    grown = _Growing(trial)
    differences: list[Difference] = []
    for step in range(count):
        tokens, different = _compare_step(grown.trial, subject)
        differences += [dataclasses.replace(found, position=step) for found in different]
        grown.append(tokens)
    wrong = [d for d in differences if d.is_wrong]
    return {
        "steps": count,
        "tokens": grown.tokens,
        "first_difference": differences[0].to_dict() if differences else None,
        "first_wrong": wrong[0].to_dict() if wrong else None,
        "wrong": bool(wrong),
    }


def _compare_step(
    trial: Trial, subject: Subject
) -> tuple[torch.Tensor, list[Difference]]:
    """Returns float64's next tokens, and the differences of the backend."""
    own, exact = trial.run_own().results, trial.run_exact()
    name = find_logits(trial.model, own)
    if name is None:
        raise Error("generate: expected a model that gives logits of tokens")
    results = match(subject, trial.run_subject(subject).results, own)
    found = dict(zip(own, results, strict=True))
    last, scale = _take_last(exact[name]), Scale(trial.scale.base)
    _, differences = compare_tokens(
        _take_last(found[name]),
        last,
        _take_last(own[name]),
        scale,
        trial.draw(lambda results: find_noise(last, _take_last(results[name]), scale)),
    )
    return exact[name][:, -1].argmax(-1), differences


def _take_last(logits: torch.Tensor) -> torch.Tensor:
    return logits[:, -1:]


class _Growing:
    """A call that is one token longer in each step."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        bound = inspect.signature(trial.model.forward).bind(*trial.args, **trial.kwargs)
        given = {**bound.arguments, **bound.arguments.get("kwargs", {})}
        self._name = self._find_ids(given)
        self._mask = "decoder_attention_mask" if "decoder" in self._name else "attention_mask"
        self.tokens: list[list[int]] = [[] for _ in range(given[self._name].shape[0])]
        mask = given.get(self._mask)
        if isinstance(mask, torch.Tensor) and not bool(mask[:, -1].all()):
            raise Error(f"generate: expected padding in front, got '{self._mask}' that ends with 0")
        size = given[self._name].shape
        for name, value in given.items():
            if name in (self._name, self._mask) or not isinstance(value, torch.Tensor):
                continue
            if value.dim() > 1 and value.shape[:2] == size and "encoder" not in name:
                if "decoder" in self._name:
                    continue
                raise Error(
                    f"generate: expected ids and a mask alone for each token, got '{name}' as well"
                )

    def _find_ids(self, given: dict[str, Any]) -> str:
        for name in ("decoder_input_ids", "input_ids"):
            if isinstance(given.get(name), torch.Tensor):
                return name
        ids = [
            name
            for name, value in given.items()
            if isinstance(value, torch.Tensor) and value.dtype == torch.int64 and value.dim() == 2
        ]
        if len(ids) != 1:
            raise Error(
                "generate: expected one input of ids [batch, token], got "
                f"{', '.join(ids) or 'none'}"
            )
        return ids[0]

    def append(self, tokens: torch.Tensor) -> None:
        """Appends one real token to each row."""
        for row, token in zip(self.tokens, tokens.tolist(), strict=True):
            row.append(token)
        args, kwargs = list(self.trial.args), dict(self.trial.kwargs)
        names = list(inspect.signature(self.trial.model.forward).parameters)
        holders: list[tuple[Any, Any, str]] = [(kwargs, name, name) for name in kwargs]
        holders += [(args, at, name) for at, name in enumerate(names[: len(args)])]
        for holder, at, name in holders:
            if name == self._name:
                holder[at] = torch.cat([holder[at], tokens[:, None]], 1)
            elif name == self._mask and isinstance(holder[at], torch.Tensor):
                holder[at] = torch.cat([holder[at], torch.ones_like(holder[at][:, :1])], 1)
        self.trial = self.trial.with_arguments(tuple(args), kwargs)
