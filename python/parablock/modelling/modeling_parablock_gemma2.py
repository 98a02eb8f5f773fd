# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gemma 2 with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import Gemma2Config
from transformers.models.gemma2.modeling_gemma2 import (
    Gemma2ForCausalLM,
    Gemma2Model,
    Gemma2DecoderLayer,
)

from .parablock_pairs import SandwichLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["Gemma2DecoderLayer", "ParablockGemma2DecoderLayer"]


class ParablockGemma2Config(Gemma2Config):  # type: ignore[misc]
    """The config of Gemma 2, with a section `parablock`."""

    model_type = "parablock_gemma2"


class ParablockGemma2DecoderLayer(SandwichLayer, Gemma2DecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(Gemma2DecoderLayer)


class ParablockGemma2Model(Gemma2Model):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockGemma2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGemma2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockGemma2DecoderLayer)


class ParablockGemma2ForCausalLM(Gemma2ForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockGemma2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGemma2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockGemma2DecoderLayer)
