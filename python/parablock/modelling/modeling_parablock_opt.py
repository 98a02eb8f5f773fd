# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OPT with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers import OPTConfig
from transformers.models.opt.modeling_opt import (
    OPTForCausalLM,
    OPTModel,
    OPTDecoderLayer,
)

from .parablock_pairs import PairedLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["OPTDecoderLayer", "ParablockOPTDecoderLayer"]


class ParablockOPTConfig(OPTConfig):  # type: ignore[misc]
    """The config of OPT, with a section `parablock`."""

    model_type = "parablock_opt"


class ParablockOPTDecoderLayer(PairedLayer, OPTDecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(OPTDecoderLayer)

    def norm_attention(self, stream: torch.Tensor) -> Any:
        return self.self_attn_layer_norm(stream)

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        y = self.self_attn(hidden_states=x, **options)[0]
        return nn.functional.dropout(y, p=self.dropout, training=self.training)

    def norm_mlp(self, stream: torch.Tensor) -> Any:
        return self.final_layer_norm(stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        y = self.fc2(self.activation_fn(self.fc1(x)))
        return nn.functional.dropout(y, p=self.dropout, training=self.training)


class ParablockOPTModel(OPTModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockOPTConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockOPTConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.decoder.layers, ParablockOPTDecoderLayer)


class ParablockOPTForCausalLM(OPTForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockOPTConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockOPTConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.decoder.layers, ParablockOPTDecoderLayer)
