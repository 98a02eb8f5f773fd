# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Qwen2 with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from transformers import Qwen2Config
from transformers.models.qwen2.modeling_qwen2 import (
    Qwen2ForCausalLM,
    Qwen2Model,
    Qwen2DecoderLayer,
)

from .parablock_pairs import PreNormLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["Qwen2DecoderLayer", "ParablockQwen2DecoderLayer"]


class ParablockQwen2Config(Qwen2Config):  # type: ignore[misc]
    """The config of Qwen2, with a section `parablock`."""

    model_type = "parablock_qwen2"


class ParablockQwen2DecoderLayer(PreNormLayer, Qwen2DecoderLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(Qwen2DecoderLayer)


class ParablockQwen2Model(Qwen2Model):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockQwen2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockQwen2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockQwen2DecoderLayer)


class ParablockQwen2ForCausalLM(Qwen2ForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockQwen2Config
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockQwen2Config) -> None:
        super().__init__(config)
        arrange_layers(self, self.model.layers, ParablockQwen2DecoderLayer)
