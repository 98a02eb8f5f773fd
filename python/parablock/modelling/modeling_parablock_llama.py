# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Llama with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import (
    LlamaForCausalLM,
    LlamaModel,
    LlamaDecoderLayer,
)

from .parablock_pairs import PreNormLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["LlamaDecoderLayer", "ParablockLlamaDecoderLayer"]


class ParablockLlamaConfig(LlamaConfig):  # type: ignore[misc]
    """The config of Llama, with a section `parablock`."""

    model_type = "parablock_llama"


class ParablockLlamaDecoderLayer(PreNormLayer, LlamaDecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(LlamaDecoderLayer)


class ParablockLlamaModel(LlamaModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockLlamaConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockLlamaConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockLlamaDecoderLayer)


class ParablockLlamaForCausalLM(LlamaForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockLlamaConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockLlamaConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockLlamaDecoderLayer)
