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


def test_last_token_that_is_no_padding() -> None:
    """A head that looks up one row, at a place that data decide, hides no block."""
    torch.manual_seed(5)
    config = transformers.GPT2Config(
        n_layer=2, n_embd=32, n_head=4, vocab_size=61, n_positions=32, pad_token_id=0
    )
    module = transformers.GPT2ForSequenceClassification(config).eval()
    ids = torch.randint(1, 61, (3, 9))
    ids[0, 6:] = 0
    model = parablock.from_torch(module, (ids,))
    found = model.explain().to_dict()["recognised"]
    assert (found["attention"], found["mlp"]) == (2, 2)
    exact = run_exactly(module, (ids,)).logits
    for engine, chip in (("cpu", "cpu"), ("emulate:sm_90a", "sm_90a")):
        result = model.optimize(chip=chip).compile(engine)(ids).logits
        assert get_distance(result, exact) < 1e-5
