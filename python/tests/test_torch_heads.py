# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Poolers and heads of encoders, whatever the batch and the length are."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers
from oracle import get_distance, run_exactly

import parablock

_SIZES: dict[str, Any] = {
    "num_hidden_layers": 2,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 97,
}
#: The result that each class ends in.
_HEADS = {
    "BertModel": "pooler_output",
    "BertForMaskedLM": "logits",
    "BertForSequenceClassification": "logits",
    "BertForTokenClassification": "logits",
    "BertForQuestionAnswering": "end_logits",
}


@pytest.mark.parametrize("name", _HEADS)
def test_open_sizes(name: str) -> None:
    """A pooler takes the first token of as many rows as there are."""
    torch.manual_seed(5)
    labels = 2 if name.endswith("Answering") else 5
    config = transformers.BertConfig(**_SIZES, num_labels=labels)
    module = getattr(transformers, name)(config).eval()
    dims = {
        0: torch.export.Dim("batch", min=1, max=8),
        1: torch.export.Dim("seq", min=2, max=64),
    }
    example = torch.randint(1, 97, (2, 17))
    model = parablock.from_torch(module, (example,), dynamic_shapes=(dims,))
    compiled = model.optimize().compile()
    for batch, tokens in ((3, 29), (1, 2), (8, 64)):
        ids = torch.randint(1, 97, (batch, tokens))
        result = getattr(compiled(ids), _HEADS[name])
        exact = getattr(run_exactly(module, (ids,)), _HEADS[name])
        assert result.shape == exact.shape
        assert get_distance(result, exact) < 1e-5
