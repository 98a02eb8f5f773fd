# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPT-NeoX with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from typing import Any

import torch
from transformers import GPTNeoXConfig, conversion_mapping
from transformers.models.gpt_neox.modeling_gpt_neox import (
    GPTNeoXForCausalLM,
    GPTNeoXModel,
    GPTNeoXLayer,
)

from .parablock_pairs import PairedLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["GPTNeoXLayer", "ParablockGPTNeoXLayer"]


class ParablockGPTNeoXConfig(GPTNeoXConfig):  # type: ignore[misc]
    """The config of GPT-NeoX, with a section `parablock`."""

    model_type = "parablock_gpt_neox"


class ParablockGPTNeoXLayer(PairedLayer, GPTNeoXLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(GPTNeoXLayer)

    def norm_attention(self, stream: torch.Tensor) -> Any:
        return self.input_layernorm(stream)

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        return self.post_attention_dropout(self.attention(hidden_states=x, **options)[0])

    def norm_mlp(self, stream: torch.Tensor) -> Any:
        return self.post_attention_layernorm(stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        return self.post_mlp_dropout(self.mlp(x))


class ParablockGPTNeoXModel(GPTNeoXModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockGPTNeoXConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGPTNeoXConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.layers, ParablockGPTNeoXLayer)


class ParablockGPTNeoXForCausalLM(GPTNeoXForCausalLM):  # type: ignore[misc]
    """The layers with the head of a language model."""

    config_class = ParablockGPTNeoXConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockGPTNeoXConfig) -> None:
        super().__init__(config)
        arrange_layers(self, self.gpt_neox.layers, ParablockGPTNeoXLayer)


# Checkpoints have another name for the head than newer versions of transformers, which
# read them by a table of class names.
conversion_mapping.register_checkpoint_conversion_mapping(
    "ParablockGPTNeoXForCausalLM",
    conversion_mapping.get_checkpoint_conversion_mapping("GPTNeoXForCausalLM") or [],
    overwrite=True,
)
