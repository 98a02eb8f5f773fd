# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens that logits choose, and their margins."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

import torch

from parablock_studies.judging.measure import FLOORS, Scale, goes_on


@dataclasses.dataclass(frozen=True)
class Difference:
    """A token that differs from float64's."""

    row: int
    position: int
    expected: int
    got: int
    #: How much larger the expected token's logit is, in float64.
    margin: float
    #: How large a margin can be that rounding takes away.
    explained: float

    @property
    def is_wrong(self) -> bool:
        return self.margin > self.explained

    def to_dict(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "wrong": self.is_wrong}


def find_logits(model: torch.nn.Module, results: Mapping[str, torch.Tensor]) -> str | None:
    """Returns the name of the logits among the results, or None.

    >>> find_logits(torch.nn.Embedding(7, 4), {"logits": torch.zeros(1, 2, 7)})
    'logits'
    >>> find_logits(torch.nn.Embedding(7, 4), {"0": torch.zeros(1, 2, 4)})
    """
    sizes = {
        inner.num_embeddings
        for inner in model.modules()
        if isinstance(inner, torch.nn.Embedding)
    }
    sizes.add(getattr(getattr(model, "config", None), "vocab_size", None) or 0)
    for name, tensor in results.items():
        if tensor.dim() == 3 and tensor.is_floating_point():
            if name == "logits" or tensor.shape[-1] in sizes:
                return name
    return None


def compare_tokens(
    found: torch.Tensor,
    exact: torch.Tensor,
    own: torch.Tensor,
    scale: Scale,
    drawn: Iterable[float],
) -> tuple[int, list[Difference]]:
    """Returns the number of compared tokens, and the differences in order.

    `drawn` is the noise of other roundings, as in `judge_tensors`.
    """
    real = _find_real(exact, scale)
    wanted, got = exact.argmax(-1), found.to(exact.device).argmax(-1)
    places = ((wanted != got) & real).nonzero().tolist()
    if not places:
        return int(real.sum()), []
    noise = find_noise(exact, own, scale)
    margins = {
        (row, at): float(exact[row, at, wanted[row, at]] - exact[row, at, got[row, at]])
        for row, at in places
    }
    left, asked = iter(drawn), 0
    largest = max(margins.values())
    while goes_on(largest, noise, asked) and (other := next(left, None)) is not None:
        noise, asked = max(noise, other), asked + 1
    differences = [
        Difference(row, at, int(wanted[row, at]), int(got[row, at]), margin, noise)
        for (row, at), margin in margins.items()
    ]
    return int(real.sum()), sorted(differences, key=lambda d: (d.position, d.row))


def find_noise(exact: torch.Tensor, own: torch.Tensor, scale: Scale) -> float:
    """Returns how far rounding may move two logits towards each other."""
    real = _find_real(exact, scale)
    error = (own.to(exact) - exact)[real].abs().nan_to_num(float("inf"))
    largest = float(exact[real].abs().max())
    return 2 * max(FLOORS * float(error.max()), scale.base * largest)


def _find_real(exact: torch.Tensor, scale: Scale) -> torch.Tensor:
    """Returns the rows that no mask hides."""
    real = torch.ones(exact.shape[:2], dtype=torch.bool, device=exact.device)
    for mask in scale.masks:
        real = real & mask if mask.shape == real.shape else real
    return real
