# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps in bf16 with the f32 parameters of a module, and what trains with them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from exact_gradients import differentiate_by_torch, find_loss
from families import FAMILIES
from gradients import find_worst, make_case, take_gradients
from oracle import differentiate_exactly

import parablock
from parablock.training.trained import TrainedModel

EVERYDAY = ("gpt2", "gemma2", "t5")


def _train(module: Any, inputs: Any, **options: Any) -> TrainedModel:
    return parablock.from_torch(module, inputs).compile("cpu", training=True, **options)


def _autocast() -> Any:
    return torch.autocast("cpu", torch.bfloat16)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n in EVERYDAY else pytest.mark.full)
        for n in ("gpt2", "llama", "qwen3", "gemma2", "t5", "bert")
    ],
)
def test_errors_are_at_most_those_of_torch(name: str) -> None:
    """Of the worst gradient, to float64; measured 0.25 (BERT) to 0.87 (Llama)."""
    module, inputs = make_case(FAMILIES[name])
    loss, exact = differentiate_by_torch(module, inputs)
    other = copy.deepcopy(module)
    with _autocast():
        own_loss = find_loss(other(*inputs))
    own_loss.backward()
    own, _ = find_worst(take_gradients(other), exact)
    results = _train(module, inputs, compute_type="bf16")(*inputs)
    assert results.logits.dtype == torch.bfloat16
    found_loss = find_loss(results)
    found_loss.backward()
    assert found_loss.item() == pytest.approx(loss, rel=2e-2)
    found = take_gradients(module)
    assert all(gradient.dtype == torch.float32 for gradient in found.values())
    worst, whose = find_worst(found, exact)
    # What rounds to bf16 is off by more than f32 would be.
    assert 1e-3 < worst <= own, whose


def _make_convbert() -> torch.nn.Module:
    config = transformers.ConvBertConfig(
        vocab_size=97,
        hidden_size=32,
        embedding_size=32,
        num_hidden_layers=1,
        num_attention_heads=4,
        intermediate_size=64,
        conv_kernel_size=5,
    )
    return transformers.ConvBertForTokenClassification(config)


def _make_classifier() -> torch.nn.Module:
    config = transformers.GPT2Config(
        vocab_size=97, n_embd=32, n_layer=1, n_head=4, n_positions=16, pad_token_id=0
    )
    return transformers.GPT2ForSequenceClassification(config)


@pytest.mark.parametrize("make", [_make_convbert, _make_classifier])
def test_sums_and_gathers_under_autocast(make: Callable[[], torch.nn.Module]) -> None:
    """ConvBERT's projection is a sum of two products, in f32 of bf16 operands; a
    classifier takes rows of its logits, which are bf16."""
    torch.manual_seed(5)
    module = make().eval()
    ids = torch.randint(3, 97, (2, 9))
    exact = differentiate_exactly(module, (ids,), lambda r: r.logits.square().sum().backward())
    with _autocast():
        own_loss = module(ids).logits.float().square().sum()
    own_loss.backward()
    own, _ = find_worst(take_gradients(module), exact)
    results = _train(module, (ids,), compute_type="bf16")(ids)
    results.logits.float().square().sum().backward()
    worst, whose = find_worst(take_gradients(module), exact)
    assert 1e-3 < worst <= own, whose


def test_autocast_is_the_same() -> None:
    module, inputs = make_case(FAMILIES["llama"])
    wide = _train(module, inputs)
    find_loss(wide(*inputs)).backward()
    plain = take_gradients(module)
    with _autocast():
        results = wide(*inputs)
    assert results.logits.dtype == torch.bfloat16
    find_loss(results).backward()
    narrow = take_gradients(module)
    find_loss(_train(module, inputs, compute_type="bf16")(*inputs)).backward()
    for name, gradient in take_gradients(module).items():
        assert torch.equal(gradient, narrow[name])
        assert not torch.equal(gradient, plain[name])
    with torch.autocast("cpu", enabled=False):
        assert wide(*inputs).logits.dtype == torch.float32
    with torch.no_grad(), _autocast():
        assert wide(*inputs).logits.dtype == torch.bfloat16


def test_losses_of_steps_under_autocast() -> None:
    """Beside PyTorch's own autocast, by AdamW on f32 parameters."""
    module, inputs = make_case(FAMILIES["llama"])
    other = copy.deepcopy(module)
    losses = []
    for owner, call in ((module, _train(module, inputs)), (other, other)):
        optimiser = torch.optim.AdamW(owner.parameters(), lr=3e-3)
        losses.append([])
        for _ in range(12):
            with _autocast():
                loss = find_loss(call(*inputs))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses[-1].append(loss.item())
    assert losses[0][-1] < 0.7 * losses[0][0]
    assert losses[0] == pytest.approx(losses[1], rel=2e-2)


@pytest.mark.parametrize("compute_type", [None, "bf16"])
def test_grad_scaler(compute_type: str | None) -> None:
    """The scale, a power of two, goes through backward and comes off again."""
    module, inputs = make_case(FAMILIES["gpt2"])
    step = _train(module, inputs, compute_type=compute_type)
    find_loss(step(*inputs)).backward()
    plain = take_gradients(module)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    optimiser = torch.optim.SGD(module.parameters(), lr=0.01)
    scaler.scale(find_loss(step(*inputs))).backward()
    weight = module.transformer.h[0].mlp.c_fc.weight
    assert torch.equal(weight.grad, 1024 * plain["transformer.h.0.mlp.c_fc.weight"])
    scaler.unscale_(optimiser)
    for name, parameter in module.named_parameters():
        torch.testing.assert_close(parameter.grad, plain[name], rtol=1e-6, atol=1e-9)
    before = weight.detach().clone()
    scaler.step(optimiser)
    scaler.update()
    assert scaler.get_scale() == 1024
    moved = torch.add(before, plain["transformer.h.0.mlp.c_fc.weight"], alpha=-0.01)
    assert torch.allclose(weight, moved, rtol=0, atol=1e-7)
    assert not torch.allclose(weight, before, rtol=0, atol=1e-5)


def test_grad_scaler_skips_what_is_not_finite() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    step = _train(module, inputs, compute_type="bf16")
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
    optimiser = torch.optim.SGD(module.parameters(), lr=0.01)
    before = copy.deepcopy(module.state_dict())
    scaler.scale(find_loss(step(*inputs)) * 3e38).backward()
    scaler.step(optimiser)
    scaler.update()
    assert scaler.get_scale() == 512
    for name, tensor in module.state_dict().items():
        assert torch.equal(tensor, before[name])


def test_micro_batches_accumulate() -> None:
    """Halves of a batch, each with half of the loss, beside the whole in float64."""
    module, (ids,) = make_case(FAMILIES["gpt2"])
    half = (ids[:1],)
    exact = {name: torch.zeros(()) for name, _ in module.named_parameters()}
    for row in ids:
        for name, gradient in differentiate_by_torch(module, (row[None],))[1].items():
            exact[name] = exact[name] + gradient / 2
    limits = []
    for owner in (copy.deepcopy(module), module):
        call = owner if owner is not module else _train(module, half)
        for row in ids:
            (find_loss(call(row[None])) / 2).backward()
        limits.append(find_worst(take_gradients(owner), exact)[0])
    assert limits[1] <= max(1.5 * limits[0], 2e-6)


def test_changes_and_second_gradients_under_autocast() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    step = _train(module, inputs, compute_type="bf16")
    weight = module.transformer.h[0].mlp.c_fc.weight
    with pytest.raises(parablock.Error, match="create_graph=True"):
        torch.autograd.grad(find_loss(step(*inputs)), weight, create_graph=True)
    loss = find_loss(step(*inputs))
    loss.backward(retain_graph=True)
    once = take_gradients(module)
    loss.backward()
    assert all(torch.equal(grad, once[name]) for name, grad in take_gradients(module).items())
    loss = find_loss(step(*inputs))
    with torch.no_grad():
        weight.add_(1)
    with pytest.raises(
        parablock.Error, match="'transformer.h.0.mlp.c_fc.weight' was changed in place"
    ):
        loss.backward()


def test_parallel_layers_under_autocast() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    model = parablock.from_torch(module, inputs).optimize(parallel="all")
    exact = model.gradients(*inputs, loss=find_loss).gradients
    find_loss(model.compile("cpu", training=True, compute_type="bf16")(*inputs)).backward()
    assert 1e-3 < find_worst(take_gradients(module), exact)[0] < 3e-2


def test_what_is_refused(checkpoint: Path) -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    model = parablock.from_torch(module, inputs)
    with pytest.raises(parablock.Error, match="option 'compute_type' requires None or 'bf16'"):
        model.compile("cpu", training=True, compute_type="f16")
    with pytest.raises(parablock.Error, match="option .compute_type. requires training=True"):
        model.compile("cpu", compute_type="bf16")
    step = model.compile("cpu", training=True)
    with torch.autocast("cpu", torch.float16):
        with pytest.raises(parablock.Error, match="expected torch.bfloat16, got f16"):
            step(*inputs)
    alone = parablock.from_pretrained(checkpoint)
    with pytest.raises(parablock.Error, match="require a model of from_torch"):
        alone.compile("cpu", training=True, compute_type="bf16")
