# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gemma 3 with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import Gemma3TextConfig
from transformers.models.gemma3.modeling_gemma3 import (
    Gemma3ForCausalLM,
    Gemma3TextModel,
    Gemma3DecoderLayer,
)

from .parablock_pairs import SandwichLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["Gemma3DecoderLayer", "ParablockGemma3DecoderLayer"]


class ParablockGemma3Config(Gemma3TextConfig):  # type: ignore[misc]
    """The config of Gemma 3, with a section `parablock`."""

    model_type = "parablock_gemma3_text"


class ParablockGemma3DecoderLayer(SandwichLayer, Gemma3DecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(Gemma3DecoderLayer)


class ParablockGemma3TextModel(Gemma3TextModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockGemma3Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGemma3Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockGemma3DecoderLayer)


class ParablockGemma3ForCausalLM(Gemma3ForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockGemma3Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGemma3Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockGemma3DecoderLayer)
