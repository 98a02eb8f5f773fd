# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BERT with parallel pairs of attention and MLP, which config.json lists."""

from __future__ import annotations

from typing import Any

import torch
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertForMaskedLM, BertLayer, BertModel

from .parablock_pairs import PostNormLayer, arrange_layers, list_arguments

#: Layers that stay on one device.
_LAYERS = ["BertEmbeddings", "BertLayer", "ParablockBertLayer"]


class ParablockBertConfig(BertConfig):  # type: ignore[misc]
    """The config of BERT, with a section `parablock`."""

    model_type = "parablock_bert"


class ParablockBertLayer(PostNormLayer, BertLayer):  # type: ignore[misc]
    """A layer in a pair."""

    arguments = list_arguments(BertLayer)

    def attend(self, x: torch.Tensor, options: dict[str, Any]) -> Any:
        if options.get("encoder_hidden_states") is not None:
            raise ValueError("'encoder_hidden_states' requires cross-attention, which layers in pairs do not have")
        given = {name: value for name, value in options.items() if not name.startswith("encoder_")}
        heads = self.attention.self(x, **given)[0]
        return self.attention.output.dropout(self.attention.output.dense(heads))

    def add_attention(self, stream: torch.Tensor, branch: torch.Tensor) -> Any:
        return self.attention.output.LayerNorm(branch + stream)

    def run_mlp(self, x: torch.Tensor) -> Any:
        return self.output.dropout(self.output.dense(self.intermediate(x)))

    def add_mlp(self, stream: torch.Tensor, branch: torch.Tensor) -> Any:
        return self.output.LayerNorm(branch + stream)


def _arrange(model: Any, layers: torch.nn.ModuleList) -> None:
    if model.config.add_cross_attention:
        raise ValueError("parallel pairs require layers without cross-attention, got 'add_cross_attention'")
    arrange_layers(model, layers, ParablockBertLayer)


class ParablockBertModel(BertModel):  # type: ignore[misc]
    """The layers without a head."""

    config_class = ParablockBertConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockBertConfig, add_pooling_layer: bool = True) -> None:
        super().__init__(config, add_pooling_layer=add_pooling_layer)
        _arrange(self, self.encoder.layer)


class ParablockBertForMaskedLM(BertForMaskedLM):  # type: ignore[misc]
    """The layers with the head of masked words."""

    config_class = ParablockBertConfig
    _no_split_modules = _LAYERS

    def __init__(self, config: ParablockBertConfig) -> None:
        super().__init__(config)
        _arrange(self, self.bert.encoder.layer)
