# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistral with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import MistralConfig
from transformers.models.mistral.modeling_mistral import (
    MistralForCausalLM,
    MistralModel,
    MistralDecoderLayer,
)

from .parablock_pairs import PreNormLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["MistralDecoderLayer", "ParablockMistralDecoderLayer"]


class ParablockMistralConfig(MistralConfig):  # type: ignore[misc]
    """The config of Mistral, with a section `parablock`."""

    model_type = "parablock_mistral"


class ParablockMistralDecoderLayer(PreNormLayer, MistralDecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(MistralDecoderLayer)


class ParablockMistralModel(MistralModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockMistralConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockMistralConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockMistralDecoderLayer)


class ParablockMistralForCausalLM(MistralForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockMistralConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockMistralConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockMistralDecoderLayer)
