# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Positions that a decoder counts itself, as rows of its table."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

Array = np.ndarray[Any, Any]

#: Rows [batch, tokens] of the table for tokens `ids`, where so many are held, and so
#: many of each row are padding in front.
FindRows = Callable[[Array, int, Array], Array]


@dataclasses.dataclass(frozen=True)
class PositionTable:
    """The module of a decoder's positions, and the rows of its table."""

    part: Any
    find_rows: FindRows
    #: Parameter that replaces a table which is no parameter of the part.
    constant: torch.nn.Parameter | None = None

    @contextmanager
    def takes(
        self, rows: torch.Tensor, constant: torch.nn.Parameter | None
    ) -> Iterator[None]:
        """Makes the module return those rows of its table.

        `constant` replaces its table, if given.
        """

        def look_up(*_: Any, **__: Any) -> torch.Tensor:
            weight = self.part.weight if constant is None else constant
            return torch.nn.functional.embedding(rows, weight)

        self.part.forward = look_up
        try:
            yield
        finally:
            del self.part.forward


def find_position_table(decoder: torch.nn.Module) -> PositionTable | None:
    """Returns the only table of positions of a decoder, or None.

    Its rows are learned, or sines that no checkpoint has.
    """
    found = [
        made
        for name, part in decoder.named_modules()
        if "position" in name.rpartition(".")[2] and (made := _read_table(part)) is not None
    ]
    return found[0] if len(found) == 1 else None


def _read_table(part: Any) -> PositionTable | None:
    weight = getattr(part, "weight", getattr(part, "weights", None))
    if not isinstance(weight, torch.Tensor) or weight.dim() != 2:
        return None
    constant = None
    if not isinstance(weight, torch.nn.Parameter):
        constant = torch.nn.Parameter(weight.detach(), requires_grad=False)
    return PositionTable(part, _choose_rows(part), constant)


def _choose_rows(part: Any) -> FindRows:
    """Returns how a decoder counts positions: all tokens, or real ones."""
    padding = getattr(part, "padding_idx", None)
    count_real = getattr(part, "create_position_ids_from_input_ids", None)
    make = getattr(part, "make_positions", None)
    if count_real is not None:
        return lambda ids, held, _: count_real(torch.from_numpy(ids), padding, held).numpy()
    if make is not None:
        return lambda ids, held, _: make(torch.from_numpy(ids), padding).numpy() + held
    offset = getattr(part, "offset", 0)
    return lambda ids, held, starts: offset + _count_tokens(ids.shape[1], held, starts)


def _count_tokens(tokens: int, held: int, starts: Array) -> Array:
    """Returns the numbers of a call's tokens among the real ones of their row.

    >>> _count_tokens(3, 1, np.array([0, 2]))
    array([[1, 2, 3],
           [0, 0, 1]])
    """
    numbers: Array = held + np.arange(tokens) - starts[:, None]
    return numbers.clip(0)
