# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tokenizer's dictionary as it is: calls, results, drift, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from families import randomise
from oracle import get_distance

import parablock

_LENGTHS = [12, 7, 1]


@pytest.fixture(scope="module")
def module() -> torch.nn.Module:
    config = transformers.BertConfig(
        num_hidden_layers=2,
        hidden_size=64,
        num_attention_heads=4,
        intermediate_size=128,
        vocab_size=97,
    )
    made = transformers.BertModel(config).eval()
    randomise(made)
    return made


@pytest.fixture(scope="module")
def tokens() -> transformers.BatchEncoding:
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(5, 97, (3, 12), generator=generator)
    mask = (torch.arange(12) < torch.tensor(_LENGTHS)[:, None]).long()
    types = (torch.arange(12) >= 5).long().expand(3, 12).clone()
    names = ("input_ids", "token_type_ids", "attention_mask")
    return transformers.BatchEncoding(dict(zip(names, (ids, types, mask), strict=True)))


@pytest.fixture(scope="module")
def encoder(module: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    module.save_pretrained(folder)
    return folder


@torch.no_grad()
def test_checkpoint_takes_it(module: Any, encoder: Path, tokens: Any) -> None:
    compiled = parablock.from_pretrained(encoder).optimize().compile()
    real = tokens["attention_mask"].bool()
    exact = module(**tokens).last_hidden_state.double()
    arrays = {name: tensor.numpy() for name, tensor in tokens.items()}
    lists = {name: tensor.tolist() for name, tensor in tokens.items()}
    for results in (
        compiled(**tokens),
        compiled(tokens),
        compiled(**arrays),
        compiled(**lists),
        compiled(tokens["input_ids"], tokens["token_type_ids"], torch.tensor(_LENGTHS)),
    ):
        hidden = torch.as_tensor(results.last_hidden_state)
        assert get_distance(hidden[real], exact[real]) < 1e-5
        assert results[0] is results["last_hidden_state"] is results.last_hidden_state
    # What is not given means no padding, and type 0.
    own = compiled(input_ids=tokens["input_ids"])
    expected = module(tokens["input_ids"]).last_hidden_state.double()
    assert get_distance(own[0], expected) < 1e-5
    with pytest.raises(AttributeError, match="no result 'logits', there are last_hid"):
        _ = own.logits


def test_padding_that_is_not_taken(encoder: Path, tokens: Any) -> None:
    compiled = parablock.from_pretrained(encoder, padding=False).compile()
    ids, mask = tokens["input_ids"], tokens["attention_mask"]
    full = compiled(input_ids=ids, attention_mask=torch.ones_like(mask))
    assert torch.equal(full[0], compiled(ids)[0])
    with pytest.raises(parablock.Error, match="'attention_mask': expected no padding"):
        compiled(input_ids=ids, attention_mask=mask)
    with pytest.raises(parablock.Error, match="'token_type_ids': expected zeros"):
        compiled(input_ids=ids, token_type_ids=torch.ones_like(ids))
    padded = parablock.from_pretrained(encoder).compile()
    with pytest.raises(parablock.Error, match="'attention_mask': .* behind the real"):
        padded(input_ids=ids, attention_mask=mask.flip(1))
    with pytest.raises(parablock.Error, match="got the input 'input_ids' twice"):
        padded(ids, input_ids=ids)


@torch.no_grad()
def test_module_takes_it(module: Any, tokens: Any) -> None:
    compiled = parablock.from_torch(module, (), example_kwargs=dict(tokens)).compile()
    expected = module(**tokens).pooler_output.double()
    for results in (compiled(**tokens), compiled(tokens), compiled(*tokens.values())):
        assert get_distance(results.pooler_output, expected) < 1e-5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"attention_mask": None}, "'attention_mask': expected a mask .*, got none"),
        ({"position_ids": 1}, "expected the inputs 'input_ids', .* got 'position_ids'"),
        ({"input_ids": []}, "'input_ids': expected one value, got list"),
        ({"input_ids": torch.zeros(3, 12)}, "'input_ids': expected i64, got f32"),
        ({"input_ids": torch.zeros(3, 5).long()}, r"\[3, 12\], got \[3, 5\]; .* dynamic_shapes"),
    ],
)
def test_arguments_are_named(
    module: Any, tokens: Any, changes: dict[str, Any], message: str
) -> None:
    compiled = parablock.from_torch(module, (), example_kwargs=dict(tokens)).compile()
    with pytest.raises(parablock.Error, match=message) as caught:
        compiled(**{**tokens, **changes})
    assert "TreeSpec" not in str(caught.value)


def test_arguments_that_are_missing(module: Any, tokens: Any) -> None:
    ids = tokens["input_ids"]
    compiled = parablock.from_torch(module, (ids,)).compile()
    assert torch.equal(compiled(input_ids=ids)[0], compiled(ids)[0])
    with pytest.raises(parablock.Error, match="got no 'input_ids'"):
        compiled()
    with pytest.raises(parablock.Error, match=r"at most 1 inputs \('input_ids'\), got 2"):
        compiled(ids, ids)
    with pytest.raises(parablock.Error, match="got the input 'input_ids' twice"):
        compiled(ids, input_ids=ids)


def test_hints(module: Any, encoder: Path, tokens: Any) -> None:
    with pytest.raises(parablock.Error, match=r"requires a tuple .* \(x,\)"):
        parablock.from_torch(module, tokens["input_ids"])
    with pytest.raises(parablock.Error, match="snapshot_download"):
        parablock.from_pretrained("bert-base-uncased")
    names = list(map(repr, parablock.from_pretrained(encoder).inputs))
    assert names[0] == "input_ids: i64 [batch, seq]" and len(names) == 3
    single = parablock.from_torch(module, (tokens["input_ids"],))
    with pytest.raises(parablock.Error, match="^budget: the model has no logits"):
        single.drift(tokens["input_ids"], budget=0.1)


def test_drift(module: Any, encoder: Path, tokens: Any) -> None:
    """Poolers are left out, masks are lengths, rows are of any number."""
    model = parablock.from_torch(module, (), example_kwargs=dict(tokens))
    more = {name: tensor.repeat(3, 1) for name, tensor in tokens.items()}
    measured = model.drift(more).to_dict()
    assert measured["engines"]["model"] == "cpu" and measured["floor"]
    read = parablock.from_pretrained(encoder).drift(more).to_dict()
    assert read["floor"].keys() == measured["floor"].keys()
    with pytest.raises(parablock.Error, match="'input_ids', .*, got 'ids'"):
        model.drift({"ids": tokens["input_ids"]})


def test_errors_name_no_temporary_file(encoder: Path, tokens: Any) -> None:
    model = parablock.from_pretrained(encoder)
    ids = tokens["input_ids"].numpy()
    with pytest.raises(parablock.Error) as caught:
        model.drift({"input_ids": np.full_like(ids, 97)})
    assert "input_ids" in str(caught.value) and "parablock-" not in str(caught.value)
    with pytest.raises(parablock.Error, match="^the data: .*input_ids") as caught:
        model.drift({"input_ids": ids.astype(np.float32)})
    assert "parablock-" not in str(caught.value)
