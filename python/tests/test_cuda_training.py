# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of training on target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

import copy
import ctypes
from typing import Any

import pytest
import torch
from families import FAMILIES
from gradients import (
    backpropagate,
    draw_adjoints,
    find_limit,
    find_worst,
    get_exact,
    make_case,
    make_trained_layer,
    take_gradients,
)
from oracle import check_near, run_exactly
from torch.nn import functional

import parablock
from parablock.training.device_steps import DeviceStep
from parablock.training.trained import TrainedModel

SMALL = ("nn-encoder-pre",)


def _train(module: torch.nn.Module, inputs: Any, **options: Any) -> TrainedModel:
    made = parablock.from_torch(module, inputs).compile("cuda", training=True, **options)
    assert isinstance(made, TrainedModel)
    return made


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in SMALL else pytest.mark.full) for n in FAMILIES]
)
def test_gradients_are_those_of_torch(fake_driver: ctypes.CDLL, name: str) -> None:
    module, inputs = make_case(FAMILIES[name])
    adjoints = draw_adjoints(module(*inputs))
    exact = get_exact(module, inputs, adjoints)
    limit = find_limit(module, inputs, adjoints, exact)
    backpropagate(_train(module, inputs)(*inputs), adjoints)
    found = take_gradients(module)
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < limit, whose


def test_an_optimizer_changes_what_a_step_reads(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    other = copy.deepcopy(module)
    step = _train(module, (x,))
    optimizers = [torch.optim.SGD(each.parameters(), 0.1) for each in (module, other)]
    losses = []
    for _ in range(3):
        losses.append([])
        for model, optimizer in zip((step, other), optimizers, strict=True):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            losses[-1].append(loss.item())
    assert losses[2][0] < 0.99 * losses[0][0]
    for own, wanted in losses:
        assert own == pytest.approx(wanted, rel=1e-5)
    for own, wanted in zip(module.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(own, wanted, rtol=1e-4, atol=1e-5)
    # No counter of PyTorch sees what is written to `data`.
    module.linear2.weight.data.mul_(2)
    check_near(step(x), run_exactly(module, (x,)))
    with torch.no_grad():
        check_near(step(x), run_exactly(module, (x,)))
    (made,) = step._step._steps.values()
    assert isinstance(made, DeviceStep)
    for half in (made.forward, made.backward):
        assert half.program.report()["launches"] > 0


def test_parameters_of_bf16(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    module, x = module.bfloat16(), x.bfloat16()
    (adjoint,) = adjoints = draw_adjoints(module(x))
    exact = get_exact(module, (x,), adjoints)
    module(x).backward(adjoint.bfloat16())
    own = take_gradients(module)
    _train(module, (x,))(x).backward(adjoint.bfloat16())
    found = take_gradients(module)
    assert found.keys() == exact.keys()
    assert all(gradient.dtype == torch.bfloat16 for gradient in found.values())
    for name, wanted in exact.items():
        check_near(found[name], wanted, own[name], torch.bfloat16)


def test_autocast(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    exact = get_exact(module, (x,), draw_adjoints(module(x)))
    with torch.autocast("cpu", torch.bfloat16):
        backpropagate(module(x), draw_adjoints(module(x)))
    own = take_gradients(module)
    result = _train(module, (x,), compute_type="bf16")(x)
    backpropagate(result, draw_adjoints(result))
    found = take_gradients(module)
    assert all(gradient.dtype == torch.float32 for gradient in found.values())
    for name, wanted in exact.items():
        check_near(found[name], wanted, own[name], torch.bfloat16)


def test_gradients_by_inputs_and_by_some_parameters(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("linear1" in name)
    own, other = (x.clone().requires_grad_() for _ in range(2))
    step = _train(module, (x,))
    assert [sorted(names) for names in step.list_released()] == [["linear1.bias", "linear1.weight"]]
    step(own).square().sum().backward()
    found = take_gradients(module)
    module(other).square().sum().backward()
    wanted = take_gradients(module)
    assert found.keys() == wanted.keys() == {"linear1.weight", "linear1.bias"}
    for name, gradient in wanted.items():
        torch.testing.assert_close(found[name], gradient, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(own.grad, other.grad, rtol=1e-4, atol=1e-4)


def test_a_change_between_the_halves(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    result = _train(module, (x,))(x)
    with torch.no_grad():
        module.linear2.weight.mul_(2)
    with pytest.raises(parablock.Error, match="'linear2.weight' was changed in place between"):
        result.sum().backward()


class _Loss(torch.nn.Linear):
    def forward(self, x: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        logits = super().forward(x).flatten(0, 1)
        return functional.cross_entropy(logits, targets.flatten(), ignore_index=-100)


class _Drop(torch.nn.Linear):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return functional.dropout(super().forward(x), 0.4, self.training), x


def test_a_loss(fake_driver: ctypes.CDLL) -> None:
    torch.manual_seed(0)
    module, x = _Loss(16, 24), torch.randn(2, 5, 16)
    targets = torch.randint(0, 24, (2, 5))
    step = _train(module, (x, targets))
    for hidden in (targets, targets.clone().index_fill_(1, torch.tensor([0, 3]), -100)):
        loss, wanted = step(x, hidden), module(x, hidden)
        torch.testing.assert_close(loss, wanted, rtol=1e-5, atol=1e-6)
        (3 * loss).backward()
        found = take_gradients(module)
        (3 * wanted).backward()
        for name, gradient in take_gradients(module).items():
            torch.testing.assert_close(found[name], gradient, rtol=1e-4, atol=1e-6)


def test_dropout_behind_a_product(fake_driver: ctypes.CDLL) -> None:
    """The numbers that are dropped are those that the CPU drops for the same seed."""
    torch.manual_seed(0)
    module, x = _Drop(16, 24).train(), torch.randn(2, 5, 16)
    model = parablock.from_torch(module, (x,))
    made = []
    for target in ("cuda", "cpu"):
        step = model.compile(target, training=True)
        torch.manual_seed(7)
        result, same = step(x)
        assert torch.equal(same, x)
        result.square().sum().backward()
        made.append((result.detach(), take_gradients(module)))
        module.eval()
        torch.testing.assert_close(step(x)[0], module(x)[0], rtol=1e-5, atol=1e-5)
        module.train()
    assert 0.2 < (made[0][0] == 0).double().mean() < 0.6
    torch.testing.assert_close(*made, rtol=1e-5, atol=1e-5)


class _Patches(torch.nn.Conv2d):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x).flatten(2).transpose(1, 2)


def test_dropout_of_attention(fake_driver: ctypes.CDLL) -> None:
    """Weights that are dropped, forward and backward, are those of the CPU."""
    torch.manual_seed(0)
    layer, x = make_trained_layer(dropout=0.3)
    model = parablock.from_torch(layer, (x,))
    made = []
    for target in ("cuda", "cpu"):
        step = model.compile(target, training=True)
        torch.manual_seed(7)
        result = step(x)
        result.square().sum().backward()
        made.append((result.detach(), take_gradients(layer)))
    torch.testing.assert_close(*made, rtol=1e-4, atol=1e-5)


def test_patches(fake_driver: ctypes.CDLL) -> None:
    torch.manual_seed(0)
    patches, x = _Patches(3, 32, 4, stride=4), torch.randn(2, 3, 8, 12, requires_grad=True)
    found = []
    for call in (_train(patches, (x,)), patches):
        x.grad = None
        call(x).square().sum().backward()
        assert x.grad is not None
        found.append({"x": x.grad.clone(), **take_gradients(patches)})
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-5)


def test_what_has_no_kernel(fake_driver: ctypes.CDLL) -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(1024, 1, 8, batch_first=True, dropout=0.0).train()
    wanted = (
        "a step on 'cuda:0': .*no GPU code for the gradient of attention with heads of 1024 "
        "columns.*; target 'cpu' runs such a step"
    )
    with pytest.raises(parablock.Error, match=wanted):
        _train(layer, (torch.randn(1, 64, 1024),))


def test_options_of_the_cpu(fake_driver: ctypes.CDLL) -> None:
    module, x = make_trained_layer()
    for options, what in (
        ({"memory_budget": "min"}, "option 'memory_budget' requires target 'cpu', got 'cuda'"),
        ({"mode": "reduce-overhead"}, "option 'mode' requires training=False"),
        ({"threads": 2}, "option 'threads' requires target 'cpu'"),
    ):
        with pytest.raises(parablock.Error, match=what):
            _train(module, (x,), **options)
    with pytest.raises(parablock.Error, match=r"memory\(\) requires target 'cpu'"):
        _train(module, (x,)).memory()
