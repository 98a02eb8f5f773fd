# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Qwen3 with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import Qwen3Config
from transformers.models.qwen3.modeling_qwen3 import (
    Qwen3ForCausalLM,
    Qwen3Model,
    Qwen3DecoderLayer,
)

from .parablock_pairs import PreNormLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["Qwen3DecoderLayer", "ParablockQwen3DecoderLayer"]


class ParablockQwen3Config(Qwen3Config):  # type: ignore[misc]
    """The config of Qwen3, with a section `parablock`."""

    model_type = "parablock_qwen3"


class ParablockQwen3DecoderLayer(PreNormLayer, Qwen3DecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(Qwen3DecoderLayer)


class ParablockQwen3Model(Qwen3Model):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockQwen3Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockQwen3Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockQwen3DecoderLayer)


class ParablockQwen3ForCausalLM(Qwen3ForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockQwen3Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockQwen3Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockQwen3DecoderLayer)
