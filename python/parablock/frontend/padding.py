# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of padding, which become lengths of rows.

A mask is imported as if all tokens were real. That it hides the keys behind a
row's length, and changes nothing else in real rows, is verified on the way
(padding_flow): what PyTorch computes from the mask, it computes for rows of
several lengths as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from parablock.calling import measure_lengths
from parablock.dtypes import KEYWORDS
from parablock.errors import Error
from parablock.frontend.placeholders import list_inputs
from parablock.frontend.size_symbols import evaluate

#: Scores at most this low have no weight.
ABSORBED = -1000.0


@dataclasses.dataclass(frozen=True, eq=False)
class PaddingMask:
    """An input [batch, tokens] that says which tokens are real."""

    name: str
    position: int
    shape: tuple[Any, ...]
    dtype: torch.dtype
    #: nn.Transformer's masks are true where there is nothing.
    hides: bool

    def make(
        self, sizes: Mapping[str, int], length: int | None = None
    ) -> torch.Tensor:
        """The mask of rows that all have a length, or no padding."""
        shape = [evaluate(size, sizes) for size in self.shape]
        real = torch.ones(shape, dtype=torch.bool)
        if length is not None:
            real[:, length:] = False
        return (~real if self.hides else real).to(self.dtype)

    def find_rows(self, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the first real token of each row, and how many there are from there on."""
        if mask.dim() != 2:
            got = list(mask.shape)
            raise Error(f"input '{self.name}': expected a mask [batch, tokens], got {got}")
        real = mask == 0 if self.hides else mask != 0
        lengths = real.sum(1)
        # The first of several equal ones, and 0 where all is padding.
        starts = real.to(torch.uint8).argmax(1)
        places = torch.arange(real.shape[1])
        run = (places >= starts[:, None]) & (places < (starts + lengths)[:, None])
        if not bool((real == run).all()):
            row = int((real != run).any(1).nonzero()[0])
            hole = int((run & ~real)[row].nonzero()[0])
            raise Error(
                f"input '{self.name}': expected padding in front of the real tokens of a row "
                f"or behind them, got padding between them (token {hole} of row {row})"
            )
        return starts, lengths

    def measure(self, mask: Any) -> Any:
        """Lengths of a mask's rows."""
        return measure_lengths(self.name, mask, hides=self.hides)


def find_masks(program: ExportedProgram) -> list[PaddingMask]:
    """Inputs that are masks of padding, by their names and shapes."""
    masks: list[PaddingMask] = []
    for position, node in enumerate(list_inputs(program)):
        name, example = str(node.target), node.meta.get("val")
        is_mask = name.endswith(("attention_mask", "key_padding_mask"))
        if is_mask and isinstance(example, torch.Tensor) and example.dim() == 2:
            hides = name.endswith("key_padding_mask")
            if example.dtype.is_floating_point:
                raise Error(
                    f"input '{name}': expected integers or booleans, got "
                    f"{KEYWORDS.get(example.dtype, example.dtype)}"
                )
            masks.append(
                PaddingMask(name, position, tuple(example.shape), example.dtype, hides)
            )
    return masks


def is_used(program: ExportedProgram, mask: PaddingMask) -> bool:
    """Returns whether a program computes something of a mask."""
    nodes = program.graph.find_nodes(op="placeholder")
    return any(node.users for node in nodes if str(node.target) == mask.name)


def list_unread(
    program: ExportedProgram, masks: Iterable[PaddingMask], read: Container[PaddingMask]
) -> list[PaddingMask]:
    """Returns masks that a program computes something of and that are not lengths."""
    return [mask for mask in masks if mask not in read and is_used(program, mask)]


@dataclasses.dataclass(frozen=True)
class Lane:
    """Rows that are all of one length by one mask, and full by all others."""

    mask: PaddingMask
    length: int
    #: How many tokens the mask tells about.
    tokens: int


def choose_lanes(
    masks: Sequence[PaddingMask], sizes: Mapping[str, int]
) -> list[Lane]:
    """A few lengths for each mask, the least and the largest among them."""
    lanes = []
    for mask in masks:
        tokens = evaluate(mask.shape[1], sizes)
        lengths = {1, 2, tokens // 2, tokens - 1} & set(range(1, tokens))
        lanes += [Lane(mask, length, tokens) for length in sorted(lengths)]
    return lanes


def are_equal(value: Any, other: Any) -> bool:
    if isinstance(value, torch.Tensor) and isinstance(other, torch.Tensor):
        return torch.equal(value, other)
    return type(value) is type(other) and bool(value == other)


def _is_mask(scores: torch.Tensor) -> bool:
    return scores.dtype == torch.bool or scores.is_floating_point()


def _has_queries(scores: torch.Tensor, lane: Lane) -> bool:
    return scores.dim() > 2 and scores.shape[-2] == lane.tokens


def _get_rows(scores: torch.Tensor, lane: Lane) -> slice:
    """Rows of real queries."""
    return slice(0, lane.length) if _has_queries(scores, lane) else slice(None)


def keeps_keys(full: torch.Tensor, padded: torch.Tensor, lane: Lane) -> bool:
    """Whether scores of real keys are the same."""
    if full.dim() < 2 or full.shape[-1] != lane.tokens:
        return False
    if full.dim() == 2 and not _is_mask(full):
        return False
    rows, length = _get_rows(full, lane), lane.length
    return torch.equal(full[..., rows, :length], padded[..., rows, :length])


def is_alike_in_rows(full: torch.Tensor, padded: torch.Tensor, lane: Lane) -> bool:
    """Whether rows of padding see the keys that they see by lengths."""
    if not _has_queries(full, lane):
        return True
    length = lane.length
    same = torch.equal(full[..., length:, :length], padded[..., length:, :length])
    hidden = padded[..., length:, length:]
    return same and bool(_is_hidden(full[..., :1, :1], hidden).all())


def _is_hidden(kept: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return scores != kept if scores.dtype == torch.bool else scores <= ABSORBED


def hides_keys(full: torch.Tensor, padded: torch.Tensor, lane: Lane) -> bool:
    """Whether a mask of scores, the same for real keys, hides all others."""
    rows = _get_rows(full, lane)
    kept = full[..., rows, :][..., :1, :1]
    return bool(_is_hidden(kept, padded[..., rows, lane.length :]).all())
