# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments that drawn models are called with."""

from __future__ import annotations

from typing import Any

import torch
from drawing import Case
from recipes import Draw, Sizes


def make_call(case: Case, draw: Draw, batch: int, tokens: int) -> Sizes:
    """Keyword arguments of a call."""
    generator = torch.Generator().manual_seed(draw.randrange(1 << 30))

    def ids(count: int) -> torch.Tensor:
        return torch.randint(5, case.vocabulary, (batch, count), generator=generator)

    def numbers(*shape: int) -> torch.Tensor:
        return torch.randn(batch, *shape, generator=generator).to(case.dtype)

    call = _make_stream(case, tokens, ids, numbers)
    if case.call == "tuple":
        call["return_dict"] = False
    if case.call == "states":
        call["output_hidden_states"] = True
    if case.call == "positions":
        call["position_ids"] = torch.arange(tokens).expand(batch, tokens).clone()
    if case.call == "mask":
        mask = _make_mask(draw, tokens).to(case.dtype)
        call["attention_mask"] = mask.repeat(batch, 1, 1, 1)
    if case.kind == "pair":
        call["decoder_input_ids"] = ids(max(tokens - 3, 1))
    if case.padding:
        hides = case.kind == "stack"
        cross = hides and case.module.cross
        keys = call["memory"].shape[1] if cross else tokens
        lengths = torch.randint(1, keys + 1, (batch, 1), generator=generator)
        mask = torch.arange(keys) < lengths
        call["key_padding_mask" if hides else "attention_mask"] = (
            ~mask if hides else mask.long()
        )
    return call


def _make_stream(case: Case, tokens: int, ids: Any, numbers: Any) -> Sizes:
    """What a model reads."""
    config: Any = getattr(case.module, "config", None)
    if case.kind == "pixels":
        side = config.image_size
        return {"pixel_values": numbers(config.num_channels, side, side)}
    if case.kind == "features":
        frames = 2 * config.max_source_positions
        return {"input_features": numbers(config.num_mel_bins, frames)}
    if case.kind == "stack":
        width = case.vocabulary
        return {
            "hidden": numbers(tokens, width),
            "memory": numbers(max(tokens - 2, 1), width),
        }
    if case.call == "embeddings":
        width = case.module.get_input_embeddings().weight.shape[1]  # type: ignore
        return {"inputs_embeds": numbers(tokens, width)}
    return {"input_ids": ids(tokens)}


def _make_mask(draw: Draw, tokens: int) -> torch.Tensor:
    """Causal, where chunks see the one before, as numbers [1, 1, T, T]."""
    chunk = draw.choice([2, 3, 5])
    rows, columns = torch.arange(tokens)[:, None], torch.arange(tokens)
    seen = (columns <= rows) & (rows // chunk - columns // chunk < 2)
    return torch.zeros(1, 1, tokens, tokens).masked_fill(~seen, -1e9)


def get_dimensions(case: Case, call: Sizes) -> Sizes | None:
    """Open sizes of a call's tensors, if the case has them."""
    if not case.dynamic:
        return None
    batch = torch.export.Dim("batch", min=1, max=32)
    seq = torch.export.Dim("seq", min=2, max=60)
    other = torch.export.Dim("other", min=2, max=60)
    dims: Sizes = {}
    for name, value in call.items():
        second = name in ("decoder_input_ids", "memory")
        cross = name == "key_padding_mask" and case.module.cross
        if not isinstance(value, torch.Tensor):
            dims[name] = None
        elif value.dim() == 4:
            dims[name] = {0: batch, 2: seq, 3: seq}
        else:
            dims[name] = {0: batch, 1: other if second or cross else seq}
    return dims
