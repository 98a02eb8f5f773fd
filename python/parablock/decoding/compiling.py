# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilation of transformers' decoders, according to their treatment of padding."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import torch

from parablock.decoding.conventions import pass_cache, read_cache
from parablock.decoding.decoder import Decoder, DecoderChoices
from parablock.decoding.importing import are_near, import_decoder
from parablock.decoding.pages import Paging
from parablock.decoding.positions import PositionTable, find_position_table
from parablock.decoding.refusals import UnknownPart
from parablock.errors import Error
from parablock.target import Target

if TYPE_CHECKING:
    from parablock.model import ModelValue

Made = TypeVar("Made")


def compile_decoder(
    module: Any,
    target: Target,
    form: str | None,
    *,
    at_positions: bool = False,
    paging: Paging | None = None,
) -> Decoder:
    """Compiles a decoder's logits of new tokens; `form` is a form of codes.

    `at_positions` says that the module has positions of its own, which calls replace.
    """
    choices = DecoderChoices(form, counts_padding=counts_padding(module), paging=paging)

    def make(table: PositionTable | None) -> Decoder:
        model, most = import_decoder(module, at_positions=at_positions, table=table)
        # The loop over tokens has no positions of a table.
        chosen = dataclasses.replace(choices, chooses_tokens=table is None)
        return make_decoder(model, target, chosen, most, table)

    return try_positions(module, make)


def make_decoder(
    model: ModelValue,
    target: Target,
    choices: DecoderChoices,
    most: int | None,
    table: PositionTable | None,
) -> Decoder:
    """Returns a decoder for at most that many tokens, whose positions are rows of a table."""
    find_rows = table.find_rows if table else None
    return Decoder(
        model,
        target,
        dataclasses.replace(choices, most_positions=most, find_rows=find_rows),
    )


def try_positions(decoder: Any, make: Callable[[PositionTable | None], Made]) -> Made:
    """Compiles a decoder as it is, or else with positions as an input."""
    try:
        return make(None)
    except Error as problem:
        table = find_position_table(decoder)
        if table is None or not _may_be_positions(problem, table):
            raise
        try:
            return make(table)
        except Error:
            raise problem from None


def _may_be_positions(problem: Error, table: PositionTable) -> bool:
    """Returns whether positions may be the reason why a decoder is rejected."""
    if not isinstance(problem, UnknownPart):
        return True
    return any(inner is table.part for inner in problem.part.modules())


def takes_positions(module: Any) -> bool:
    return "position_ids" in inspect.signature(module.forward).parameters


@torch.no_grad()
def has_own_positions(module: Any) -> bool:
    """Returns whether code without given positions counts from another number than 0.

    RoBERTa's counts them from the number of its padding token, but `generate` gives
    every model the same ones.
    """
    if not takes_positions(module):
        return False
    ids = torch.tensor([[2, 1, 2]], device=module.device)
    positions = torch.arange(3, device=module.device)[None]
    own = module(input_ids=ids, use_cache=False).logits
    given = module(input_ids=ids, position_ids=positions, use_cache=False).logits
    return not are_near(own, given)


@torch.no_grad()
def counts_padding(module: Any) -> bool:
    """Returns whether code that takes no positions counts padding, as BART's does."""
    if takes_positions(module):
        return False
    ids, mask = make_padded(module.device)
    padded = module(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, 1:]
    plain = module(input_ids=ids[:, 1:], use_cache=False).logits
    return not are_near(padded, plain)


def make_padded(device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns tokens of a row with padding in front, and their mask."""
    return torch.tensor([[0, 2, 1]], device=device), torch.tensor([[0, 1, 1]], device=device)


def run_padded(module: Any) -> torch.Tensor:
    """Returns logits of the two tokens behind padding, which `generate` passes in two calls.

    Some code makes something else of masks where it has keys of a call before.
    """
    ids, mask = make_padded(module.device)
    positions = torch.tensor([[0, 0, 1]], device=module.device)
    return _run_in_two_calls(module, ids, mask, positions)


def run_alone(module: Any) -> torch.Tensor:
    """Returns logits of the same two tokens, in the same calls, of a row without padding."""
    ids, mask = make_padded(module.device)
    positions = torch.tensor([[0, 1]], device=module.device)
    return _run_in_two_calls(module, ids[:, 1:], mask[:, 1:], positions)


def _run_in_two_calls(
    module: Any, ids: torch.Tensor, mask: torch.Tensor, positions: torch.Tensor
) -> torch.Tensor:
    places = {"position_ids": positions} if takes_positions(module) else {}
    begin = {name: each[:, :-1] for name, each in places.items()}
    end = {name: each[:, -1:] for name, each in places.items()}
    first = module(
        input_ids=ids[:, :-1], attention_mask=mask[:, :-1], use_cache=True, **begin
    )
    past = read_cache(first)
    if past is None:
        whole = module(input_ids=ids, attention_mask=mask, use_cache=False, **places)
        logits: torch.Tensor = whole.logits[:, -2:]
        return logits
    second = module(
        input_ids=ids[:, -1:], attention_mask=mask, use_cache=True, **pass_cache(past), **end
    )
    return torch.cat([first.logits[:, -1:], second.logits], 1)
