# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-2 with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from typing import Any

import torch
from transformers import GPT2Config
from transformers.models.gpt2.modeling_gpt2 import (
    GPT2LMHeadModel,
    GPT2Model,
    GPT2Block,
)

from .parablock_pairs import PairedLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["GPT2Block", "ParablockGPT2Block"]


class ParablockGPT2Config(GPT2Config):  # type: ignore[misc]
    """The config of GPT-2, with a section `parablock`."""

    model_type = "parablock_gpt2"


class ParablockGPT2Block(PairedLayer, GPT2Block):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(GPT2Block)

    def norm_attention(self, stream: torch.Tensor) -> Any:
        return self.ln_1(stream)

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        if options.get("encoder_hidden_states") is not None:
            raise ValueError("layers in parallel pairs have no cross-attention")
        return self.attn(x, **options)[0]

    def norm_mlp(self, stream: torch.Tensor) -> Any:
        return self.ln_2(stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        return self.mlp(x)


class ParablockGPT2Model(GPT2Model):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockGPT2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGPT2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.h, ParablockGPT2Block)


class ParablockGPT2ForCausalLM(GPT2LMHeadModel):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockGPT2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGPT2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.transformer.h, ParablockGPT2Block)
