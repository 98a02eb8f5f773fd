# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks of padding, which become lengths of rows.

A mask is imported as if all tokens were real. That it hides the keys behind a
row's length, and changes nothing else in real rows, is verified: for several
lengths, what PyTorch computes from the mask is compared with what it computes
from the full one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind

from parablock.calling import measure_lengths
from parablock.errors import Error
from parablock.frontend.dtypes import KEYWORDS
from parablock.frontend.imported import Choices
from parablock.frontend.importer import collect_constants

#: Scores at most this low have no weight.
_ABSORBED = -1000.0


@dataclasses.dataclass(frozen=True)
class PaddingMask:
    """An input [batch, tokens] that says which tokens are real."""

    name: str
    position: int
    shape: tuple[Any, ...]
    dtype: torch.dtype
    #: nn.Transformer's masks are true where there is nothing.
    hides: bool

    def make_full(self, sizes: Mapping[str, int]) -> torch.Tensor:
        """The mask of rows without padding."""
        return self.make(sizes, None)

    def make(self, sizes: Mapping[str, int], length: int | None) -> torch.Tensor:
        """The mask of rows that all have a length."""
        shape = [_get_size(size, sizes) for size in self.shape]
        real = torch.ones(shape, dtype=torch.bool)
        if length is not None:
            real[:, length:] = False
        return (~real if self.hides else real).to(self.dtype)

    def measure(self, mask: Any) -> Any:
        """Lengths of a mask's rows."""
        return measure_lengths(self.name, mask, hides=self.hides)


def _get_size(size: Any, sizes: Mapping[str, int]) -> int:
    if isinstance(size, int):
        return size
    expression = size.node.expr
    return int(expression.subs({s: sizes[str(s)] for s in expression.free_symbols}))


def find_masks(program: ExportedProgram) -> list[PaddingMask]:
    """Inputs that are masks of padding, by their names and shapes."""
    masks: list[PaddingMask] = []
    position = 0
    nodes = [node for node in program.graph.nodes if node.op == "placeholder"]
    specs = program.graph_signature.input_specs
    for node, spec in zip(nodes, specs, strict=True):
        if spec.kind != InputKind.USER_INPUT:
            continue
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
        position += 1
    return masks


def find_attentions(
    program: ExportedProgram,
    mask: PaddingMask,
    masks: Sequence[PaddingMask],
    sizes: Mapping[str, int],
) -> list[int]:
    """Attentions, by their number, whose keys a mask hides.

    What else the mask changes is an error, unless it concerns padding alone.
    """
    full = {other.name: other.make_full(sizes) for other in masks}
    before = collect_constants(program, Choices(sizes, full))
    tokens = full[mask.name].shape[1]
    hidden: set[int] = set()
    changed: dict[int, str] = {}
    for length in {1, 2, tokens // 2, tokens - 1} & set(range(1, tokens)):
        padded = {**full, mask.name: mask.make(sizes, length)}
        after = collect_constants(program, Choices(sizes, padded))
        for own, other in zip(before, after, strict=True):
            if torch.equal(own.tensor, other.tensor):
                continue
            if _hides(own.tensor, other.tensor, length, tokens):
                hidden.add(own.attention)
            elif _is_about_keys(own.tensor, other.tensor, length, tokens):
                changed[own.attention] = own.path
            elif not _is_about_padding(own.tensor, other.tensor, length, tokens):
                raise _make_error(own.path, mask)
    for attention, path in changed.items():
        if attention not in hidden:
            raise _make_error(path, mask)
    return sorted(hidden)


def _make_error(path: str, mask: PaddingMask) -> Error:
    return Error(
        f"{path}: the mask '{mask.name}' does more than hide keys behind a row's length"
    )


def _is_about_padding(
    full: torch.Tensor, padded: torch.Tensor, length: int, tokens: int
) -> bool:
    """Whether entries of real tokens, one for each token, are the same."""
    if full.dim() < 2 or full.shape != padded.shape or full.shape[1] != tokens:
        return False
    return torch.equal(full[:, :length], padded[:, :length])


def _get_rows(scores: torch.Tensor, length: int, tokens: int) -> slice:
    """Rows of real queries."""
    has_queries = scores.dim() > 2 and scores.shape[-2] == tokens
    return slice(0, length) if has_queries else slice(None)


def _is_about_keys(
    full: torch.Tensor, padded: torch.Tensor, length: int, tokens: int
) -> bool:
    """Whether scores of real keys are the same."""
    if full.dim() < 2 or full.shape != padded.shape or full.shape[-1] != tokens:
        return False
    if full.dim() == 2 and not _is_mask(full):
        return False
    rows = _get_rows(full, length, tokens)
    return torch.equal(full[..., rows, :length], padded[..., rows, :length])


def _is_mask(scores: torch.Tensor) -> bool:
    return scores.dtype == torch.bool or scores.is_floating_point()


def _hides(full: torch.Tensor, padded: torch.Tensor, length: int, tokens: int) -> bool:
    """Whether a mask of scores differs by keys that are hidden."""
    if not _is_about_keys(full, padded, length, tokens):
        return False
    rows = _get_rows(full, length, tokens)
    kept = full[..., rows, :][..., :1, :1]
    return bool(_is_hidden(padded[..., rows, length:], kept).all())


def _is_hidden(scores: torch.Tensor, kept: torch.Tensor) -> torch.Tensor:
    return scores != kept if scores.dtype == torch.bool else scores <= _ABSORBED
