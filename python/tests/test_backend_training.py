# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="parablock") with gradients."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from exact_gradients import find_loss
from families import FAMILIES
from gradients import (
    backpropagate,
    draw_adjoints,
    find_limit,
    find_worst,
    get_exact,
    limit_by_own,
    make_case,
    take_gradients,
)
from oracle import check_near, run_exactly

import parablock
from parablock.target import Target

WIDTH = 32


@pytest.fixture(autouse=True)
def _anew() -> None:
    torch.compiler.reset()


def _make_layer() -> torch.nn.Module:
    return torch.nn.TransformerEncoderLayer(
        WIDTH, 4, 48, dropout=0.0, batch_first=True, norm_first=True
    )


class _Between(torch.nn.Module):
    """Blocks, with something between them that is none."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = _make_layer(), _make_layer()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        hidden = self.first(x)
        result: torch.Tensor = self.second(hidden + torch.sort(hidden, -1).values)
        return result


def _compare(module: torch.nn.Module, x: torch.Tensor) -> dict[str, Any]:
    """Holds gradients against those in float64; returns what the counts were before."""

    def differentiate(call: Any, owner: torch.nn.Module, x: torch.Tensor) -> dict[str, Any]:
        given = x.clone().requires_grad_()
        call(given).square().sum().backward()
        return {"x": given.grad, **take_gradients(owner)}

    before = parablock.stats()
    other, wide = copy.deepcopy(module), copy.deepcopy(module).double()
    found = differentiate(torch.compile(module, backend="parablock"), module, x)
    exact = differentiate(wide, wide, x.double())
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < limit_by_own(differentiate(other, other, x), exact), whose
    return before


@pytest.mark.parametrize("is_training", [False, True])
def test_a_recognised_graph_trains_here(is_training: bool) -> None:
    before = _compare(_make_layer().train(is_training), torch.randn(2, 7, WIDTH))
    after = parablock.stats()
    assert after["differentiated"] == before["differentiated"] + 1
    assert after["eager_operations"] == before["eager_operations"]
    assert after["fallbacks"] == before["fallbacks"]


def test_the_target_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both halves are compiled for the processor that is named."""
    chips, compile_program = [], Target.compile

    def record(target: Target, *args: Any) -> Any:
        chips.append(target.chip)
        return compile_program(target, *args)

    monkeypatch.setattr(Target, "compile", record)
    module, x = _make_layer(), torch.randn(2, 7, WIDTH)
    options = {"target": "cpu:x86-64-v3"}
    result = torch.compile(module, backend="parablock", options=options)(x)
    result.square().mean().backward()
    check_near(result.detach(), run_exactly(module, (x,)), module(x).detach())
    assert len(chips) >= 2 and set(chips) == {"x86-64-v3"}


def test_blocks_of_a_graph_train_here() -> None:
    before = _compare(_Between(), torch.randn(2, 7, WIDTH))
    after = parablock.stats()
    assert after["differentiated"] == before["differentiated"] + 2
    assert after["eager_operations"] > before["eager_operations"]


@pytest.mark.parametrize(
    "name", ["gpt2", "llama", pytest.param("t5", marks=pytest.mark.full), "bert"]
)
def test_families_train_here(name: str) -> None:
    module, inputs = make_case(FAMILIES[name])
    before = parablock.stats()
    with torch.no_grad():
        adjoints = draw_adjoints(module(*inputs))
    exact = get_exact(module, inputs, adjoints)
    backpropagate(torch.compile(module, backend="parablock")(*inputs), adjoints)
    found = {n: p.grad for n, p in module.named_parameters() if p.grad is not None}
    assert found.keys() == exact.keys()
    distance, whose = find_worst(found, exact)
    assert distance < find_limit(module, inputs, adjoints, exact), whose
    after = parablock.stats()
    assert after["differentiated"] == before["differentiated"] + 1
    assert after["fallbacks"] == before["fallbacks"]


def test_weights_that_optimisers_change_are_read_again() -> None:
    module, x = _Between(), torch.randn(2, 7, WIDTH)
    own, wide = copy.deepcopy(module), copy.deepcopy(module).double()
    compiled = torch.compile(module, backend="parablock")

    def train(call: Any, owner: torch.nn.Module, x: torch.Tensor) -> torch.Tensor:
        optimiser, losses = torch.optim.AdamW(owner.parameters(), lr=1e-2), []
        for _ in range(5):
            optimiser.zero_grad()
            loss = call(x).square().mean()
            loss.backward()
            optimiser.step()
            losses.append(loss.detach())
        return torch.stack(losses)

    before = parablock.stats()
    losses = train(compiled, module, x)
    check_near(losses, train(wide, wide, x.double()), train(own, own, x))
    assert losses[-1] < 0.7 * losses[0]
    # Code is made once.
    assert parablock.stats()["differentiated"] == before["differentiated"] + 2


def test_gradients_and_none_take_turns() -> None:
    module, x = _make_layer(), torch.randn(2, 7, WIDTH)
    compiled = torch.compile(module, backend="parablock")
    with torch.no_grad():
        assert not compiled(x).requires_grad
    compiled(x).sum().backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(parameter.grad, alpha=-1e-3)
        check_near(compiled(x), run_exactly(module, (x,)), module(x))


def test_dropout_is_compiled() -> None:
    module = torch.nn.TransformerEncoderLayer(WIDTH, 4, 48, batch_first=True)
    compiled, x = torch.compile(module, backend="parablock"), torch.randn(2, 7, WIDTH)
    before, results = parablock.stats(), []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        results.append(compiled(x))
    assert torch.equal(results[0], results[1]) and not torch.equal(results[0], results[2])
    results[0].sum().backward()
    assert module.linear1.weight.grad is not None
    after = parablock.stats()
    assert after["differentiated"] == before["differentiated"] + 1
    assert after["fallbacks"] == before["fallbacks"]
    module.eval()
    check_near(compiled(x), run_exactly(module, (x,)), module(x))


def test_gradients_that_are_kept_back_stay_with_torch() -> None:
    class Stops(_Between):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.second(self.first(x).detach())
            return result

    module = Stops()
    torch.compile(module, backend="parablock")(torch.randn(2, 7, WIDTH)).sum().backward()
    assert module.second.linear1.weight.grad is not None
    assert module.first.linear1.weight.grad is None
    assert any("keeps gradients back" in r for r in parablock.stats()["fallbacks"])


def _autocast(dtype: torch.dtype = torch.bfloat16) -> torch.autocast:
    return torch.autocast("cpu", dtype)


@pytest.mark.parametrize("name", ["gpt2", "llama"])
def test_graphs_train_under_autocast(name: str) -> None:
    """To the bit as steps of from_torch, whose errors test_autocast.py holds to account."""
    module, inputs = make_case(FAMILIES[name])
    step = parablock.from_torch(module, inputs).compile("cpu", training=True)
    with _autocast():
        find_loss(step(*inputs)).backward()
    expected = take_gradients(module)
    before = parablock.stats()
    compiled = torch.compile(module, backend="parablock")
    with _autocast():
        results = compiled(*inputs)
        find_loss(results).backward()
    after = parablock.stats()
    assert results.logits.dtype == torch.bfloat16
    assert after["differentiated"] == before["differentiated"] + 1
    assert after["eager_operations"] == before["eager_operations"]
    found = take_gradients(module)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], gradient) for name, gradient in expected.items())
    # Without it the same module has a step of its own.
    find_loss(compiled(*inputs)).backward()
    wide = take_gradients(module)
    find_loss(step(*inputs)).backward()
    for name, gradient in take_gradients(module).items():
        assert torch.equal(wide[name], gradient)
        assert not torch.equal(found[name], gradient)


def test_graphs_in_parts_run_eagerly_under_autocast() -> None:
    module, x = _Between(), torch.randn(2, 7, WIDTH)
    other = copy.deepcopy(module)
    with _autocast():
        expected = other(x)
        found = torch.compile(module, backend="parablock")(x)
    assert torch.equal(found, expected)
    assert any("aten.sort" in reason for reason in parablock.stats()["fallbacks"])


def test_autocast_to_other_types_is_named() -> None:
    module, x = _make_layer(), torch.randn(2, 7, WIDTH)
    with _autocast(torch.float16):
        expected = module(x)
        found = torch.compile(module, backend="parablock")(x)
    assert torch.equal(found, expected)
    reasons = parablock.stats()["fallbacks"]
    assert "autocast: expected torch.bfloat16, got torch.float16" in reasons


class _Narrow(torch.nn.Module):
    """Turns autocast on by itself, for all of it or for one layer."""

    def __init__(self, is_whole: bool) -> None:
        super().__init__()
        self.first, self.second = _make_layer(), _make_layer()
        self.is_whole = is_whole

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        with _autocast():
            x = self.first(x)
            if self.is_whole:
                x = self.second(x)
        if not self.is_whole:
            x = self.second(x)
        return x.float()


def test_graphs_that_turn_autocast_on() -> None:
    torch.manual_seed(4)
    module, x = _Narrow(True), torch.randn(2, 7, WIDTH)
    plain = torch.nn.Sequential(module.first, module.second)
    step = parablock.from_torch(plain, (x,)).compile("cpu", training=True, compute_type="bf16")
    expected = step(x).float()
    backpropagate(expected, draw_adjoints(x))
    gradients = take_gradients(module)
    before = parablock.stats()
    found = torch.compile(module, backend="parablock")(x)
    backpropagate(found, draw_adjoints(x))
    assert parablock.stats()["differentiated"] == before["differentiated"] + 1
    assert found.dtype == torch.float32
    assert torch.equal(found, expected)
    own = take_gradients(module)
    assert all(torch.equal(own[name], gradient) for name, gradient in gradients.items())


def test_autocast_for_a_part_runs_eagerly() -> None:
    torch.manual_seed(4)
    module, x = _Narrow(False), torch.randn(2, 7, WIDTH)
    expected = module(x)
    found = torch.compile(module, backend="parablock")(x)
    assert torch.equal(found, expected)
    reasons = parablock.stats()["fallbacks"]
    assert "the graph turns autocast on or off for a part of it" in reasons
