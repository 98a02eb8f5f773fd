# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders of transformers, compiled as their code treats padding."""

from __future__ import annotations

import inspect
from typing import Any

import torch

from parablock.decoding.decoder import Decoder, DecoderChoices
from parablock.decoding.importing import import_decoder
from parablock.training.steps import Target

#: Distances of logits that are no rounding: of f32, and of 16 bits.
_LIMITS = {torch.float32: 1e-4}
_COARSE = 2e-2


def compile_decoder(
    module: Any, target: Target, form: str | None, *, at_positions: bool = False
) -> Decoder:
    """What computes logits of a decoder's new tokens; `form` are codes of weights.

    `at_positions` says that the module has positions of its own, which calls replace.
    """
    model, most = import_decoder(module, at_positions=at_positions)
    return Decoder(model, target, DecoderChoices(form, most, counts_padding(module)))


def takes_positions(module: Any) -> bool:
    return "position_ids" in inspect.signature(module.forward).parameters


@torch.no_grad()
def has_own_positions(module: Any) -> bool:
    """Whether code that is given no positions has others than those from 0 on.

    RoBERTa's counts them from the number of its padding token, but `generate` gives
    every model the same ones.
    """
    if not takes_positions(module):
        return False
    ids, positions = torch.tensor([[2, 1, 2]]), torch.arange(3)[None]
    own = module(input_ids=ids, use_cache=False).logits
    given = module(input_ids=ids, position_ids=positions, use_cache=False).logits
    return not are_near(own, given)


@torch.no_grad()
def counts_padding(module: Any) -> bool:
    """Whether code whose positions nobody can give counts padding, as BART's does."""
    if takes_positions(module):
        return False
    ids, mask = make_padded()
    padded = module(input_ids=ids, attention_mask=mask, use_cache=False).logits[:, 1:]
    plain = module(input_ids=ids[:, 1:], use_cache=False).logits
    return not are_near(padded, plain)


def make_padded() -> tuple[torch.Tensor, torch.Tensor]:
    """Tokens of a row with padding in front, and their mask."""
    return torch.tensor([[0, 2, 1]]), torch.tensor([[0, 1, 1]])


def are_near(found: torch.Tensor, expected: torch.Tensor) -> bool:
    """Whether logits differ by roundings alone."""
    limit = _LIMITS.get(expected.dtype, _COARSE)
    return float((found - expected).norm() / expected.norm()) <= limit
