# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Padding in front of the real tokens, as tokenizers of decoders have it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from oracle import get_distance, run_exactly
from test_padding import RIGHT, TOKENS, Step, _attend, _hide, _make, _Model

import parablock

_SAID = "input 'attention_mask': expected padding behind the real tokens, since padding in front"

#: Models to which a token's place means something, or what stands before the real ones.
PLACES: dict[str, Step] = {
    name: RIGHT[name]
    for name in (
        "cleared rows, first token",
        "rows of queries, first token",
        "cleared rows, a token of weights before them",
    )
} | {
    "positions of places": lambda m, x, a: _attend(
        m, x + m.table(torch.arange(TOKENS)), _hide(a)
    ),
    "last token": lambda m, x, a: _attend(m, x, _hide(a))[:, -1],
    "the token before": lambda m, x, a: _attend(
        m, x + torch.cat([m.table.weight[:1].expand(2, 1, -1), x[:, :-1]], 1), _hide(a)
    ),
}


def _list_masks(*padding: tuple[int, int]) -> torch.Tensor:
    """Rows with so much padding in front, and behind."""
    places = torch.arange(TOKENS)
    rows = [(places >= first) & (places < TOKENS - last) for first, last in padding]
    return torch.stack(rows).long()


@pytest.mark.parametrize("name", [name for name in RIGHT if name not in PLACES])
def test_real_rows_are_those_of_torch(name: str) -> None:
    model, x, mask = _make(RIGHT[name])
    compiled = parablock.from_torch(model, (x, mask)).compile()
    for padding in (((3, 0), (0, 0)), ((TOKENS - 1, 0), (0, 4)), ((1, 2), (2, 1))):
        mask = _list_masks(*padding)
        exact, result = run_exactly(model, (x, mask)), compiled(x, mask)
        real = mask.bool() if exact.dim() == 3 else slice(None)
        assert get_distance(result[real], exact[real]) < 1e-5, padding


@pytest.mark.parametrize("name", PLACES)
def test_places_are_refused(name: str) -> None:
    model, x, mask = _make(PLACES[name])
    compiled = parablock.from_torch(model, (x, mask)).compile()
    with pytest.raises(parablock.Error, match=f"{_SAID} changes real rows of the result 'out0'"):
        compiled(x, _list_masks((2, 0), (0, 0)))
    # Padding behind stays what it was.
    mask = _list_masks((0, 2), (0, 0))
    exact, result = run_exactly(model, (x, mask)), compiled(x, mask)
    real = mask.bool() if exact.dim() == 3 else slice(None)
    if name != "last token":
        assert get_distance(result[real], exact[real]) < 1e-5


@pytest.mark.parametrize("name", [name for name in PLACES if "weights" not in name])
def test_examples_with_padding_in_front(name: str) -> None:
    """An example shows what comes: a mask that is no matter of lengths is an input."""
    model, x, _ = _make(PLACES[name])
    mask = _list_masks((2, 0), (0, 0))
    compiled = parablock.from_torch(model, (x, mask)).compile()
    for padding in (((3, 0), (0, 0)), ((TOKENS - 2, 1), (0, 4))):
        mask = _list_masks(*padding)
        exact, result = run_exactly(model, (x, mask)), compiled(x, mask)
        real = mask.bool() if exact.dim() == 3 else slice(None)
        assert get_distance(result[real], exact[real]) < 1e-5, padding


def test_weights_that_hide_places() -> None:
    """What weights of 0 make equal now is not equal after a step of training."""
    model, x, mask = _make(PLACES["positions of places"])
    with torch.no_grad():
        model.table.weight.zero_()
    compiled = parablock.from_torch(model, (x, mask)).compile()
    with pytest.raises(parablock.Error, match=_SAID):
        compiled(x, _list_masks((2, 0), (0, 0)))


@pytest.mark.parametrize("name", ["hidden", "cleared rows, running sum"])
def test_holes_are_refused(name: str) -> None:
    model, x, mask = _make(RIGHT[name])
    compiled = parablock.from_torch(model, (x, mask)).compile()
    mask[1, 2] = 0
    with pytest.raises(
        parablock.Error,
        match=r"got padding between them \(token 2 of row 1\)",
    ):
        compiled(x, mask)


def test_arrays() -> None:
    model, x, mask = _make(RIGHT["hidden"])
    compiled = parablock.from_torch(model, (x, mask)).compile()
    mask = _list_masks((3, 0), (0, 1))
    found = compiled(x.numpy(), mask.numpy())
    assert isinstance(found, np.ndarray)
    assert np.array_equal(found, compiled(x, mask).numpy())


def test_open_sizes() -> None:
    model, x, mask = _make(RIGHT["cleared rows, hidden"])
    sizes = {0: torch.export.Dim("rows"), 1: torch.export.Dim("tokens", min=2)}
    compiled = parablock.from_torch(model, (x, mask), (sizes, sizes)).compile()
    for tokens in (4, 11):
        x, mask = torch.randn(3, tokens, 16), torch.ones(3, tokens, dtype=torch.int64)
        mask[0, :3] = mask[2, :1] = 0
        exact, real = run_exactly(model, (x, mask)), mask.bool()
        assert get_distance(compiled(x, mask)[real], exact[real]) < 1e-5


def test_gradients() -> None:
    model, x, mask = _make(RIGHT["cleared rows, hidden twice"])
    step = parablock.from_torch(model, (x, mask)).compile(training=True)
    mask = _list_masks((3, 0), (1, 2))
    own, other = x.clone().requires_grad_(), x.clone().requires_grad_()
    weight = torch.randn(x.shape) * mask[..., None]
    for run, given in ((model, own), (step, other)):
        (run(given, mask) * weight).sum().backward()
        if run is model:
            wanted = [p.grad for p in model.parameters()]
            model.zero_grad(set_to_none=True)
    assert get_distance(other.grad, own.grad) < 1e-5
    for parameter, grad in zip(model.parameters(), wanted, strict=True):
        if grad is not None:
            assert get_distance(parameter.grad, grad) < 1e-5


def test_dropout() -> None:
    """What is dropped is drawn at random, and no part of what is tried."""
    model, x, mask = _make(
        lambda m, x, a: torch.nn.functional.dropout(
            _attend(m, x, _hide(a)), 0.5, m.training
        )
    )
    step = parablock.from_torch(model.train(), (x, mask)).compile(training=True)
    mask = _list_masks((3, 0), (0, 0))
    assert not torch.equal(step(x, mask), step(x, mask))
    model.eval()
    with torch.no_grad():
        exact, real = run_exactly(model, (x, mask)), mask.bool()
        assert get_distance(step(x, mask)[real], exact[real]) < 1e-5


def test_two_masks() -> None:
    def step(m: _Model, x: torch.Tensor, a: Any) -> torch.Tensor:
        return _attend(m, _attend(m, x, _hide(a[0])), _hide(a[1]))

    class Both(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = _Model(step)

        def forward(self, x: Any, attention_mask: Any, other_attention_mask: Any) -> Any:
            return self.model(x, (attention_mask, other_attention_mask))

    full, front = _list_masks((0, 0), (0, 0)), _list_masks((0, 0), (2, 0))
    x = torch.randn(2, TOKENS, 16)
    compiled = parablock.from_torch(Both().eval(), (x, full, full.clone())).compile()
    with pytest.raises(parablock.Error, match="expected padding in front in one mask"):
        compiled(x, front, front)


def _make_decoder(name: str) -> tuple[Any, dict[str, torch.Tensor]]:
    torch.manual_seed(3)
    sizes: dict[str, Any] = {"vocab_size": 97, "use_cache": False}
    gpt = {"n_layer": 1, "n_embd": 32, "n_head": 4, "n_positions": 32}
    usual = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4}
    own = {
        "GPT2LMHead": hf.GPT2Config(**sizes, **gpt),
        "LlamaForCausalLM": hf.LlamaConfig(**sizes, **usual, intermediate_size=48),
        "BloomForCausalLM": hf.BloomConfig(**sizes, hidden_size=32, n_layer=1, n_head=4),
        "OPTForCausalLM": hf.OPTConfig(
            **sizes, **usual, ffn_dim=48, word_embed_proj_dim=32, max_position_embeddings=32
        ),
        "T5Encoder": hf.T5Config(**sizes, d_model=32, d_kv=8, d_ff=48, num_layers=1, num_heads=4),
    }[name]
    module = getattr(hf, name if "For" in name else f"{name}Model")(own).eval()
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, 0.5 if parameter.dim() == 1 else 0.0, 0.2)
    ids = torch.randint(1, 97, (3, 9))
    mask = torch.ones_like(ids)
    mask[0, :4] = mask[1, :1] = ids[0, :4] = ids[1, :1] = 0
    return module, {"input_ids": ids, "attention_mask": mask}


@pytest.mark.parametrize(
    "name", ["LlamaForCausalLM", "BloomForCausalLM", "OPTForCausalLM", "T5Encoder"]
)
def test_decoders(name: str) -> None:
    """Relative positions, and those that a model counts by its mask."""
    module, given = _make_decoder(name)
    example = {**given, "attention_mask": torch.ones_like(given["attention_mask"])}
    compiled = parablock.from_torch(module, (), example_kwargs=example).optimize().compile()
    real = given["attention_mask"].bool()
    exact = run_exactly(module, (), given)[0]
    assert get_distance(compiled(**given)[0][real], exact[real]) < 2e-5


def test_positions_that_are_given() -> None:
    module, given = _make_decoder("GPT2LMHead")
    example = {**given, "attention_mask": torch.ones_like(given["attention_mask"])}
    compiled = parablock.from_torch(module, (), example_kwargs=example).compile()
    with pytest.raises(parablock.Error, match=f"{_SAID}.*or with position_ids"):
        compiled(**given)
    positions = (given["attention_mask"].cumsum(1) - 1).clamp(min=0)
    for each in (given, {**given, "position_ids": positions}):
        # With padding in the example the mask is an input; with positions it is lengths.
        compiled = parablock.from_torch(module, (), example_kwargs=each).compile()
        real = given["attention_mask"].bool()
        exact = run_exactly(module, (), each)[0]
        assert get_distance(compiled(**each)[0][real], exact[real]) < 2e-5


@pytest.mark.full
def test_encoder_decoder() -> None:
    torch.manual_seed(3)
    config = hf.T5Config(vocab_size=97, d_model=32, d_kv=8, d_ff=48, num_layers=1, num_heads=4)
    module = hf.T5ForConditionalGeneration(config).eval()
    ids = torch.randint(1, 97, (2, 7))
    mask = _list_masks((3, 0), (0, 0))
    given = {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": ids.flip(1)}
    compiled = parablock.from_torch(module, (), example_kwargs=given).compile()
    exact = run_exactly(module, (), {**given, "use_cache": False})[0]
    assert get_distance(compiled(**given)[0], exact) < 2e-5
