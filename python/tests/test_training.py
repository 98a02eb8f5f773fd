# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose results belong to PyTorch's autograd."""

from __future__ import annotations

import copy
import functools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers
from families import FAMILIES, make_inputs
from gradients import (
    backpropagate,
    draw_adjoints,
    find_limit,
    find_worst,
    get_exact,
    list_floats,
    make_case,
)

import parablock
from parablock.training.trained import TrainedModel

TARGET = "cpu"
EVERYDAY = ("gpt2", "gemma2", "t5", "nn-decoder-pre")


@functools.cache
def _import(name: str) -> tuple[Any, Any, parablock.Model, dict[str, torch.Tensor]]:
    module, inputs = make_case(FAMILIES[name])
    state = copy.deepcopy(module.state_dict())
    return module, inputs, parablock.from_torch(module, inputs), state


def _compile(name: str = "nn-encoder-pre", **options: Any) -> tuple[Any, TrainedModel, Any]:
    """A module that tests share, as it was made, and a step of each one's own."""
    module, inputs, model, state = _import(name)
    module.load_state_dict(state)
    module.zero_grad()
    module.requires_grad_(True)
    return module, model.compile(TARGET, training=True, **options), inputs


def _train(module: Any, inputs: Any, **options: Any) -> TrainedModel:
    model = parablock.from_torch(module, inputs)
    return model.compile(TARGET, training=True, **options)


def _collect(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {n: p.grad for n, p in module.named_parameters() if p.grad is not None}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=() if n in EVERYDAY else pytest.mark.full)
        for n in FAMILIES
    ],
)
def test_gradients_are_those_of_torch(name: str) -> None:
    module, inputs = make_case(FAMILIES[name])
    with torch.no_grad():
        expected = module(*inputs)
    adjoints = draw_adjoints(expected)
    exact = get_exact(module, inputs, adjoints)
    results = _train(module, inputs)(*inputs)
    assert isinstance(results, type(expected))
    backpropagate(results, adjoints)
    found = _collect(module)
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < find_limit(module, inputs, adjoints, exact), whose


def test_gradients_by_inputs() -> None:
    module, step, (x,) = _compile()
    own = x.clone().requires_grad_()
    other = x.clone().requires_grad_()
    step(own).square().sum().backward()
    module(other).square().sum().backward()
    torch.testing.assert_close(own.grad, other.grad, rtol=1e-4, atol=1e-4)


def test_gradients_accumulate() -> None:
    module, step, (x,) = _compile()
    step(x).sum().backward()
    once = {name: grad.clone() for name, grad in _collect(module).items()}
    step(x).sum().backward()
    for name, grad in _collect(module).items():
        assert torch.equal(grad, once[name] + once[name])


def test_what_wants_no_gradient_costs_none() -> None:
    module, step, (x,) = _compile()
    step(x).sum().backward()
    everything = _collect(module)
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("linear1" in name)
        parameter.grad = None
    step(x).sum().backward()
    some = _collect(module)
    assert some.keys() == {"layer.linear1.weight", "layer.linear1.bias"}
    for name, grad in some.items():
        torch.testing.assert_close(grad, everything[name], rtol=1e-5, atol=1e-5)
    made = step._step._steps
    assert [len(wanted) for wanted in made] == [12, 2]
    for parameter in module.parameters():
        parameter.requires_grad_(False)
    assert not step(x).requires_grad


def _count_weight_gradients(step: TrainedModel) -> int:
    """Kernels of the latest backward that sum a weight's gradient."""
    (*_, made) = step._step._steps.values()
    kernels = made._backward.report()["kernels"]
    return sum(k["count"] for k in kernels if "weight_grad" in k["name"])


def test_frozen_weights_have_no_products() -> None:
    module, step, (x,) = _compile()
    step(x).sum().backward()
    everything = _count_weight_gradients(step)
    for parameter in module.parameters():
        parameter.requires_grad_(parameter.dim() == 1)
    step(x).sum().backward()
    assert everything > 0 == _count_weight_gradients(step)


def test_tied_parameters_get_one_gradient() -> None:
    module, step, (ids,) = _compile("gpt2")
    assert module.lm_head.weight is module.transformer.wte.weight
    step(ids).logits.sum().backward()
    grad = module.transformer.wte.weight.grad
    module.zero_grad()
    module(ids).logits.sum().backward()
    torch.testing.assert_close(grad, module.transformer.wte.weight.grad, rtol=1e-4, atol=1e-4)


def test_two_parameters_of_one_memory_are_refused() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    module.lm_head.weight = torch.nn.Parameter(module.transformer.wte.weight.detach())
    with pytest.raises(parablock.Error, match="second parameter over the memory"):
        _train(module, inputs)


def test_no_grad_runs_forward_alone() -> None:
    _, step, (x,) = _compile()
    with torch.no_grad():
        alone = step(x)
    assert not alone.requires_grad
    torch.testing.assert_close(alone, step(x).detach(), rtol=1e-5, atol=1e-5)


def test_parameters_are_read_at_each_call() -> None:
    module, step, (x,) = _compile()
    step(x)
    # As some optimisers write them, which no version tells of.
    module.layer.linear1.weight.data.mul_(2)
    module.layer.norm1.weight.data = torch.full_like(module.layer.norm1.weight, 0.5)
    torch.testing.assert_close(step(x), module(x), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("changed", ["layer.linear1.weight", "hidden"])
def test_changes_between_forward_and_backward(changed: str) -> None:
    module, step, (x,) = _compile()
    hidden = x.clone().requires_grad_()
    moved = hidden * 1.0
    loss = step(moved).sum()
    parameters = dict(module.named_parameters())
    with torch.no_grad():
        (moved if changed == "hidden" else parameters[changed]).add_(1)
    with pytest.raises(parablock.Error, match=f"'{changed}' was changed in place"):
        loss.backward()


def test_second_backward() -> None:
    module, step, (x,) = _compile()
    loss = step(x).sum()
    loss.backward(retain_graph=True)
    once = {name: grad.clone() for name, grad in _collect(module).items()}
    loss.backward()
    for name, grad in _collect(module).items():
        assert torch.equal(grad, once[name] + once[name])
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()


def test_gradients_of_gradients_are_refused() -> None:
    module, step, (x,) = _compile()
    with pytest.raises(parablock.Error, match="create_graph=True"):
        torch.autograd.grad(step(x).sum(), module.layer.linear1.weight, create_graph=True)


def test_hooks_see_gradients() -> None:
    module, step, (x,) = _compile()
    seen: list[torch.Tensor] = []
    bias = module.layer.linear2.bias
    hooks = [
        bias.register_hook(lambda grad: grad * 2),
        bias.register_post_accumulate_grad_hook(lambda parameter: seen.append(parameter.grad)),
    ]
    step(x).sum().backward()
    for hook in hooks:
        hook.remove()
    torch.testing.assert_close(seen[0], torch.full((48,), 2.0 * 22))


def test_saved_values_may_be_offloaded() -> None:
    module, step, (x,) = _compile()
    packed: list[torch.Size] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        packed.append(tensor.shape)
        return tensor.clone()

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = step(x).sum()
    loss.backward()
    offloaded = _collect(module)
    assert (2, 11, 72) in packed
    module.zero_grad()
    step(x).sum().backward()
    for name, grad in _collect(module).items():
        assert torch.equal(grad, offloaded[name])


def _differentiate(name: str, **options: Any) -> dict[str, torch.Tensor]:
    module, step, inputs = _compile(name, **options)
    results = step(*inputs)
    backpropagate(results, draw_adjoints(results))
    return _collect(module)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_budgets_and_threads_keep_the_bits(name: str) -> None:
    usual = _differentiate(name, threads=1)
    for options in (
        {"memory_budget": "min"},
        {"memory_budget": "100%"},
        {"memory_budget": "40%"},
        {"memory_budget": 1 << 40},
        {"threads": 2},
    ):
        other = _differentiate(name, **options)
        assert all(torch.equal(other[param], grad) for param, grad in usual.items())


def test_a_budget_saves_less() -> None:
    counts = []
    for budget in ("100%", "min"):
        module, _ = make_case(FAMILIES["gpt2"])
        inputs = make_inputs(FAMILIES["gpt2"], batch=8, tokens=60)
        step, (ids,) = _train(module, inputs, memory_budget=budget), inputs
        saved: list[int] = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: saved.append(t.nbytes), lambda _: None
        ):
            step(ids)
        counts.append(sum(saved))
    assert counts[1] < 0.8 * counts[0]


def test_budgets_of_layers_of_one_name() -> None:
    """Stages of Swin are layers of one name, with different things to keep."""
    config = transformers.SwinConfig(
        image_size=16, patch_size=2, embed_dim=16, depths=[2], num_heads=[2], window_size=4
    )
    torch.manual_seed(2)
    module = transformers.SwinModel(config).eval()
    pixels = torch.randn(2, 3, 16, 16)
    usual, least = (
        _sum_gradients(_train(module, (pixels,), memory_budget=budget), module, pixels)
        for budget in (None, "min")
    )
    assert usual.keys() == least.keys()
    assert all(torch.equal(least[name], grad) for name, grad in usual.items())


def _sum_gradients(
    step: Any, module: torch.nn.Module, *inputs: torch.Tensor
) -> dict[str, torch.Tensor]:
    module.zero_grad()
    step(*inputs).last_hidden_state.square().sum().backward()
    return _collect(module)


@pytest.mark.parametrize("budget", ["half", -1, "2 GiB", True, 0.5])
def test_budgets_that_are_none(budget: Any) -> None:
    module, inputs = make_case(FAMILIES["nn-encoder-pre"])
    with pytest.raises(parablock.Error, match="option 'memory_budget' requires None, bytes"):
        _train(module, inputs, memory_budget=budget)


def test_a_budget_below_the_least() -> None:
    module, inputs = make_case(FAMILIES["nn-encoder-pre"])
    with pytest.raises(parablock.Error, match="budget"):
        _train(module, inputs, memory_budget=64)


def test_rows_of_feed_forwards() -> None:
    """Sums of parts differ in their last bits alone, and a step saves less."""
    module, _ = make_case(FAMILIES["gpt2"])
    inputs = make_inputs(FAMILIES["gpt2"], batch=2, tokens=16)
    found = []
    for chunk_rows in (None, 8):
        step = _train(module, inputs, chunk_rows=chunk_rows)
        results = step(*inputs)
        backpropagate(results, draw_adjoints(results))
        found.append((_collect(module), step.memory().predicted.saved))
        module.zero_grad()
    (whole, kept), (parts, few) = found
    assert few < kept
    assert any(not torch.equal(parts[name], gradient) for name, gradient in whole.items())
    for name, gradient in whole.items():
        torch.testing.assert_close(parts[name], gradient, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("rows", [0, -1, True, 1.5, "8"])
def test_numbers_of_rows_that_are_none(rows: Any) -> None:
    module, inputs = make_case(FAMILIES["nn-encoder-pre"])
    with pytest.raises(parablock.Error, match="option 'chunk_rows' requires None or a positive"):
        _train(module, inputs, chunk_rows=rows)


def test_options_that_do_not_go_together() -> None:
    model = parablock.from_torch(*make_case(FAMILIES["nn-encoder-pre"]))
    for option in ({"memory_budget": "min"}, {"chunk_rows": 8}, {"reversible": True}):
        with pytest.raises(parablock.Error, match="requires training=True"):
            model.compile("cpu", **option)
    with pytest.raises(parablock.Error, match="weights of codes have no gradients"):
        model.optimize(weights="int8").compile(TARGET, training=True)


def test_open_sizes() -> None:
    """Programs of steps have fixed sizes; the error names the size and a way out."""
    shapes = ({0: torch.export.Dim("rows", min=2, max=8)},)
    model = parablock.from_torch(
        torch.nn.Linear(16, 16), (torch.randn(3, 5, 16),), dynamic_shapes=shapes
    )
    reason = r"requires fixed sizes, got input 'input' with the open size '\w+': import"
    with pytest.raises(parablock.Error, match=reason):
        model.compile(TARGET, training=True)


def test_training_mode_without_dropout() -> None:
    family = FAMILIES["nn-encoder-pre"]
    module, inputs = family.make(), make_inputs(family)
    for inner in module.modules():
        if isinstance(inner, torch.nn.Dropout):
            inner.p = 0.0
    module.layer.self_attn.dropout = 0.0
    module.train()
    results = _train(module, inputs)(*inputs)
    torch.testing.assert_close(results, module(*inputs), rtol=1e-4, atol=1e-4)


def test_dropout_is_named() -> None:
    """A module that was imported where nothing is dropped."""
    module, inputs = make_case(FAMILIES["gpt2"])
    step = _train(module, inputs)
    module.train()
    wanted = r"'transformer.drop' has p = 0.1 \(config: .*embd_pdrop=0.1.*import it in training"
    with pytest.raises(parablock.Error, match=wanted):
        step(*inputs)


def test_dropout_of_attention_is_named() -> None:
    module, inputs = make_case(FAMILIES["llama"])
    step = _train(module, inputs)
    module.train()
    module.model.layers[1].self_attn.attention_dropout = 0.2
    with pytest.raises(
        parablock.Error, match="'model.layers.1.self_attn' has attention_dropout = 0.2"
    ):
        step(*inputs)


def test_backwards_of_their_own_that_are_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Known by name, and held against differences each time that one is met anew."""
    modeling = pytest.importorskip("transformers.models.bloom.modeling_bloom")
    module, inputs = make_case(FAMILIES["bloom"])
    results = _train(module, inputs)(*inputs)
    assert all(r.requires_grad for r in list_floats(results))

    right = modeling.GeLUFunction

    class GeLUFunction(right):  # type: ignore[misc, valid-type]
        @staticmethod
        def backward(ctx: Any, grad: torch.Tensor) -> Any:
            return 1.001 * right.backward(ctx, grad)

    GeLUFunction.__module__, GeLUFunction.__qualname__ = modeling.__name__, "GeLUFunction"
    monkeypatch.setattr(modeling, "GeLUFunction", GeLUFunction)
    with pytest.raises(parablock.Error, match="a backward of its own, 'GeLUFunctionBackward'"):
        _train(module, inputs)(*inputs)


class _Stops(torch.nn.Module):
    """A layer with something around it that graphs do not show."""

    def __init__(self, stop: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()
        self.layer = FAMILIES["nn-encoder-pre"].make()
        self.stop = stop

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(self.stop(self.layer(x)))
        return result


def _without_grad(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return x.clone()


class _Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad.sign()


@pytest.mark.parametrize(
    ("stop", "message"),
    [
        (lambda x: x.detach(), "keeps gradients back by 'detach'"),
        (_without_grad, "keeps gradients back by 'clone'"),
        (lambda x: _Straight.apply(x), "a backward of its own, '_StraightBackward'"),
    ],
)
def test_gradients_that_are_kept_back_are_refused(stop: Any, message: str) -> None:
    module, (x,) = _Stops(stop).eval(), make_inputs(FAMILIES["nn-encoder-pre"])
    step = _train(module, (x,))
    with torch.no_grad():
        step(x)
    for _ in range(2):
        with pytest.raises(parablock.Error, match=message):
            step(x)


def test_copies_are_refused() -> None:
    _, step, _ = _compile()
    ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, pickle.dumps]
    for way in ways:
        with pytest.raises(TypeError, match="copy the module, and import that"):
            way(step)


def test_parallel_layers_train() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    model = parablock.from_torch(module, inputs).optimize(parallel="all")
    step = model.compile(TARGET, training=True)
    results = step(*inputs)
    expected = model.compile("reference")(*inputs)
    torch.testing.assert_close(results.logits, expected.logits, rtol=1e-4, atol=1e-4)
    serial = list_floats(module(*inputs))[0]
    assert not torch.allclose(results.logits, serial, rtol=1e-2, atol=1e-2)
    # A direction that moves one weight moves the loss by its gradient.
    results.logits.sum().backward()
    weight = module.transformer.h[0].mlp.c_fc.weight
    direction = torch.sign(weight.grad)
    with torch.no_grad():
        weight.add_(direction, alpha=1e-3)
        above = step(*inputs).logits.double().sum()
        weight.sub_(direction, alpha=2e-3)
        below = step(*inputs).logits.double().sum()
    slope = float(above - below) / 2e-3
    assert slope == pytest.approx(float((weight.grad * direction).sum()), rel=2e-2)


@pytest.mark.parametrize("name", ["AdamW", "SGD", "Muon"])
def test_optimisers_of_torch(name: str) -> None:
    """Losses of a few steps beside those of PyTorch."""
    module, step, (ids,) = _compile("llama")
    other = copy.deepcopy(module)
    losses = [_fit(step, module, ids, name), _fit(other, other, ids, name)]
    assert losses[0][-1] < 0.7 * losses[0][0]
    # Muon computes its steps in bf16, which makes small differences large.
    limit = 2e-2 if name == "Muon" else 1e-4
    assert losses[0] == pytest.approx(losses[1], rel=limit)


def _fit(call: Any, module: torch.nn.Module, ids: torch.Tensor, name: str) -> list[float]:
    matrices = [p for p in module.parameters() if p.dim() == 2]
    options = {"AdamW": {"lr": 3e-3}, "SGD": {"lr": 0.05}, "Muon": {"lr": 0.02}}[name]
    wanted = matrices if name == "Muon" else list(module.parameters())
    optimiser = getattr(torch.optim, name)(wanted, **options)
    losses = []
    for _ in range(20):
        logits = call(ids).logits
        loss = torch.nn.functional.cross_entropy(
            logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten()
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses
