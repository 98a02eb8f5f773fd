# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a step: as its plans say, and as the engine allocated it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import tiers
import torch
import transformers
from families import FAMILIES, to_bf16
from gradients import backpropagate, draw_adjoints, find_worst, get_exact, make_case

import parablock
from parablock.target import Target
from parablock.training.budgets import Fitting
from parablock.training.memory import MemoryReport
from parablock.training.steps import add_step, plan_step
from parablock.training.trained import TrainedModel

#: Name, element type of parameters, budget and threads.
CASES = [
    ("gpt2", "f32", "min", 3),
    ("llama", "bf16", None, 2),
    ("gptj", "f32", "30%", 1),
    *(
        pytest.param(*case, marks=pytest.mark.full)
        for case in (
            ("gpt2", "f32", None, 1),
            ("llama", "bf16", "50%", 1),
            ("t5", "f32", None, 2),
            ("bert", "bf16", "min", 3),
        )
    ),
]


def _make(name: str, kind: str) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    module, inputs = make_case(FAMILIES[name])
    return to_bf16(module) if kind == "bf16" else module, inputs


def _compile(
    module: torch.nn.Module, inputs: tuple[Any, ...], budget: int | str | None, threads: int = 1
) -> TrainedModel:
    return parablock.from_torch(module, inputs).compile(
        "cpu", training=True, memory_budget=budget, threads=threads
    )


def _step(
    module: torch.nn.Module, step: TrainedModel, inputs: tuple[Any, ...]
) -> dict[str, torch.Tensor]:
    module.zero_grad()
    results = step(*inputs)
    backpropagate(results, draw_adjoints(results))
    return {n: p.grad.clone() for n, p in module.named_parameters() if p.grad is not None}


def _assert_as_predicted(report: MemoryReport) -> None:
    for part in ("arena", "scratch", "results", "saved", "gradients", "total"):
        predicted, allocated = (
            getattr(each, part) for each in (report.predicted, report.allocated)
        )
        assert abs(allocated - predicted) <= 0.01 * report.predicted.total, part
        # Within the least memory a small model may save nothing: its inputs give all again.
        assert (allocated > 0) == (predicted > 0), part
    assert report.allocated.arena > 0 and report.allocated.gradients > 0


@pytest.mark.parametrize(("name", "kind", "budget", "threads"), CASES)
def test_what_is_allocated_was_predicted(
    name: str, kind: str, budget: str | None, threads: int
) -> None:
    module, inputs = _make(name, kind)
    step = _compile(module, inputs, budget, threads)
    assert step.memory().allocated.total == 0
    for _ in range(2):
        found = _step(module, step, inputs)
    report = step.memory()
    _assert_as_predicted(report)
    assert 0 < report.packed <= report.predicted.arena
    # Of all that is kept the bits are the same, and the memory is not less.
    other = copy.deepcopy(module)
    most = _compile(other, inputs, "100%", threads)
    for own, grad in _step(other, most, inputs).items():
        assert torch.equal(grad, found[own]), own
    assert most.memory().predicted.total >= report.predicted.total
    kept, few = (each.count()["step"]["saved_bytes"] for each in (most, step))
    assert few <= kept


def _make_stack(layers: int) -> tuple[torch.nn.Module, tuple[torch.Tensor]]:
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        n_layer=layers, n_embd=32, n_head=2, vocab_size=17, n_positions=128, use_cache=False
    )
    config._attn_implementation = "sdpa"
    module = transformers.GPT2Model(config).eval()
    return module, (torch.arange(2 * 128).reshape(2, 128) % 17,)


def test_budgets_lower_the_peak_of_a_stack() -> None:
    module, inputs = _make_stack(4)
    totals = []
    for budget in ("100%", None, "min"):
        step = _compile(module, inputs, budget)
        for _ in range(2):
            _step(module, step, inputs)
        report = step.memory()
        _assert_as_predicted(report)
        totals.append(report.allocated.total)
    assert totals[0] > totals[1] > totals[2]


def test_rows_some_at_a_time_give_the_same_bits() -> None:
    """Threads have a part in how attention's rows are divided, budgets in what else is."""
    module, inputs = _make_stack(2)
    first: dict[str, torch.Tensor] = {}
    for budget, threads in (("100%", 1), (None, 1), ("min", 1), ("min", 8)):
        step = _compile(module, inputs, budget, threads)
        found = _step(module, step, inputs)
        first = first or found
        assert found.keys() == first.keys()
        for name, gradient in found.items():
            assert torch.equal(gradient, first[name]), (name, budget, threads)
        # Of 256 rows half are there: else hidden values, their gradients, and those that come
        # in and go out would be, whatever the processor's panels of weights take.
        hidden, width = (2 * 128 * columns * 4 for columns in (4 * 32, 32))
        # Within the least budget queries, keys and values are there again as well.
        if budget == "100%":
            assert step.memory().predicted.arena < 2 * hidden + 2 * width
    module.zero_grad()
    exact = get_exact(module, inputs, draw_adjoints(module(*inputs)))
    error, name = find_worst(first, exact)
    assert error < 1e-5, name


#: Families whose layers differ in what kernels keep for the backward: norms of heads, windows,
#: norms behind branches, parallel branches, biases of positions.
BIT_CASES = [("qwen3", "bf16"), ("mistral", "f16"), ("olmo2", "autocast")]
BIT_KINDS = ("bf16", "f16", "autocast")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *BIT_CASES,
        *(
            pytest.param(name, kind, marks=pytest.mark.full)
            for place, name in enumerate(FAMILIES)
            # Each week another one of a family's kinds.
            for kind in [BIT_KINDS[(place + tiers.TURN // 7) % len(BIT_KINDS)]]
            if (name, kind) not in BIT_CASES
        ),
    ],
)
def test_budgets_keep_bits(name: str, kind: str) -> None:
    """What a kernel stores for the backward is what it would not store otherwise."""
    module, inputs = make_case(FAMILIES[name])
    if kind == "bf16":
        module = to_bf16(module)
    elif kind == "f16":
        module = module.half()
        inputs = tuple(
            x.half() if isinstance(x, torch.Tensor) and x.is_floating_point() else x
            for x in inputs
        )
    with torch.autocast("cpu", torch.bfloat16, enabled=kind == "autocast"):
        most, least = (
            _step(module, _compile(module, inputs, budget), inputs) for budget in (None, "min")
        )
    assert most.keys() == least.keys() and most
    different = [n for n, gradient in most.items() if not torch.equal(gradient, least[n])]
    assert not different


def test_budgets_do_not_decide_what_folds() -> None:
    """A norm that nothing but the gradient of what it is projected to looks at."""
    module, inputs = _make_stack(1)
    for name, parameter in module.named_parameters():
        parameter.requires_grad_("c_attn" in name)
    most, least = (
        _step(module, _compile(module, inputs, budget), inputs) for budget in ("100%", "min")
    )
    assert most.keys() == least.keys() and most
    for name, gradient in most.items():
        assert torch.equal(gradient, least[name]), name


def test_no_step_takes_more_than_its_budget() -> None:
    """Of twenty budgets, by the plans; of two of them, by what is allocated."""
    module, inputs = _make_stack(3)
    most = _compile(module, inputs, "100%").memory().predicted.total
    least = _compile(module, inputs, "min").memory().predicted.total
    assert least < 0.8 * most
    model = parablock.from_torch(module, inputs).find_unfused()
    signature = model.get_signature("main")
    step = model.clone()
    add_step(step, [info.name for info in signature.parameters])
    fitting = Fitting(step, lambda trial: plan_step(trial, signature, Target("cpu", "", 1)))
    budgets = [least + (most - least) * i // 19 for i in range(20)]
    totals = [
        plan_step(fitting.fit(str(budget)), signature, Target("cpu", "", 1)).predict().total
        for budget in budgets
    ]
    assert all(total <= budget for total, budget in zip(totals, budgets, strict=True))
    assert totals == sorted(totals)
    assert totals[0] == least
    assert totals[-1] == most
    assert len(set(totals)) > 4
    for budget, total in ((budgets[0], totals[0]), (budgets[9], totals[9])):
        own = _compile(module, inputs, budget)
        for _ in range(2):
            _step(module, own, inputs)
        assert own.memory().allocated.total == total <= budget
    words = f"at least {least} bytes, the least peak of this step, got {least - 1}"
    with pytest.raises(parablock.Error, match=words):
        fitting.fit(str(least - 1))
    with pytest.raises(parablock.Error, match="a share of at most 100%, got '101%'"):
        fitting.fit("101%")


def test_what_is_given_back() -> None:
    """Gradients and saved values are counted as long as somebody has them."""
    module, inputs = make_case(FAMILIES["llama"])
    step = _compile(module, inputs, None)
    _step(module, step, inputs)
    own = next(iter(step._step._steps.values())).memory.core

    def count() -> dict[str, int]:
        now: dict[str, int] = json.loads(own.report())["now"]
        return now

    gradients = count()["gradients_bytes"]
    assert gradients >= sum(4 * p.numel() for p in module.parameters())
    assert count()["saved_bytes"] == count()["results_bytes"] == 0
    module.zero_grad()
    assert count()["gradients_bytes"] == 0
    results = step(*inputs)
    assert count()["saved_bytes"] > 0
    del results
    assert count()["saved_bytes"] == count()["results_bytes"] == 0
    # Forward and backward have one arena, which stays.
    assert count()["arena_bytes"] == step.memory().predicted.arena


def test_the_report_says_what_it_has() -> None:
    module, inputs = make_case(FAMILIES["llama"])
    step = _compile(module, inputs, None)
    text = str(step.memory())
    for words in ("predicted", "allocated", "packed weights", "scratch", "saved", "gradients"):
        assert words in text
    assert "inputs, parameters and gradients of results are not among them" in text
    module.requires_grad_(False)
    with pytest.raises(parablock.Error, match="expected a parameter that requires grad"):
        step.memory()
    module.requires_grad_(True)
