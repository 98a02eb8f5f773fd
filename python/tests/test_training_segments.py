# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients that come layer by layer: hooks, interruptions, threads, memory."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from families import FAMILIES
from gradients import backpropagate, draw_adjoints, make_case, take_gradients

import parablock
from parablock.compiled import CompiledFunction
from parablock.training.backward import BackwardRun
from parablock.training.trained import TrainedModel

Case = tuple[Any, TrainedModel, tuple[Any, ...]]

#: Hooks of the test at hand.
_handles: list[Any] = []


@functools.cache
def _compile(name: str = "llama") -> Case:
    """A step that tests share, and leave as it was."""
    module, inputs = make_case(FAMILIES[name])
    step = parablock.from_torch(module, inputs).compile("cpu", training=True)
    return module, step, inputs


@pytest.fixture(autouse=True)
def _leave() -> Iterator[None]:
    yield
    while _handles:
        _handles.pop().remove()


def _after(parameter: torch.Tensor, hook: Callable[[torch.Tensor], None]) -> None:
    """Calls `hook` when the parameter has its gradient."""
    _handles.append(parameter.register_post_accumulate_grad_hook(hook))


def _differentiate(case: Case) -> dict[str, torch.Tensor]:
    """Gradients of one backward, which are taken off the module."""
    module, step, inputs = case
    results = step(*inputs)
    backpropagate(results, draw_adjoints(results))
    return take_gradients(module)


def _loss(step: TrainedModel, inputs: tuple[Any, ...]) -> torch.Tensor:
    results = step(*inputs)
    (adjoint,) = draw_adjoints(results.logits)
    return (results.logits * adjoint).sum()


def _assert_same(found: dict[str, torch.Tensor], expected: dict[str, torch.Tensor]) -> None:
    assert found.keys() == expected.keys()
    for name, grad in found.items():
        assert torch.equal(grad, expected[name]), name


def _get_step(step: TrainedModel) -> Any:
    """The step of all parameters."""
    return max(step._step._steps.values(), key=lambda own: len(own.wanted))


def _watch(monkeypatch: pytest.MonkeyPatch, events: list[Any]) -> None:
    """Adds the number of each segment to `events` when the engine has run it."""
    proceed = BackwardRun.proceed

    def watched(run: BackwardRun) -> dict[str, torch.Tensor]:
        made = proceed(run)
        events.append(run.done - 1)
        return made

    monkeypatch.setattr(BackwardRun, "proceed", watched)


@pytest.mark.parametrize("name", ["llama", "gpt2", "t5"])
def test_hooks_run_between_segments(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events: list[Any] = []
    case = _compile(name)
    _, step, _ = case
    _watch(monkeypatch, events)
    for own, parameter in step._tensors.items():
        _after(parameter, lambda _, own=own: events.append(own))
    _differentiate(case)
    position = 0
    for number, released in enumerate(step.list_released()):
        assert events[position] == number
        end = position + 1 + len(released)
        assert sorted(events[position + 1 : end]) == sorted(released)
        position = end
    assert position == len(events)


@pytest.mark.parametrize(
    ("name", "label"), [("llama", "model.layers.{}."), ("gptj", "transformer.h.{}.")]
)
def test_a_segment_is_a_layer(name: str, label: str) -> None:
    _, step, _ = _compile(name)
    released = step.list_released()
    for layer in range(2):
        own = [any(n.startswith(label.format(layer)) for n in names) for names in released]
        # All of a layer's come together, the last layer's first.
        assert own.count(True) == 1
        assert own.index(True) == len(released) - 2 - layer
        names = released[own.index(True)]
        assert all(n.startswith(label.format(layer)) for n in names)
    assert len(released) == 4  # a head and an embedding beside the layers


def test_tied_parameters_come_last() -> None:
    module, step, _ = _compile("gpt2")
    assert module.lm_head.weight is module.transformer.wte.weight
    released = step.list_released()
    assert "lm_head.weight" in released[-1]
    try:
        module.requires_grad_(False)
        assert step.list_released() == []
        module.transformer.h[1].mlp.requires_grad_(True)
        assert len(step.list_released()) == 1
    finally:
        module.requires_grad_(True)


def test_the_first_layer_has_not_run_when_hooks_of_the_last_do() -> None:
    """What later segments read is spoiled by a hook: they alone are spoiled."""
    case = _compile()
    module, step, inputs = case
    usual = _differentiate(case)
    saved: list[torch.Tensor] = []

    def unpack(tensor: torch.Tensor) -> torch.Tensor:
        saved.append(tensor.clone())
        return saved[-1]

    def spoil(_: torch.Tensor) -> None:
        for tensor in saved:
            if tensor.is_floating_point():
                tensor.data.fill_(torch.nan)  # which versions do not tell

    last = module.model.layers[1].mlp.down_proj.weight
    _after(last, spoil)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        results = step(*inputs)
    backpropagate(results, draw_adjoints(results))
    spoiled = take_gradients(module)
    for name, grad in spoiled.items():
        if name.startswith(("model.layers.1.", "lm_head", "model.norm")):
            assert torch.equal(grad, usual[name]), name
    assert spoiled["model.layers.0.mlp.down_proj.weight"].isnan().all()
    assert spoiled["model.layers.0.self_attn.q_proj.weight"].isnan().all()


@pytest.mark.parametrize("name", ["llama", "gpt2", "t5"])
def test_segments_have_the_bits_of_a_whole_run(name: str) -> None:
    case = _compile(name)
    module, step, inputs = case
    found = _differentiate(case)
    own = _get_step(step)
    names = {id(tensor): name for name, tensor in step._tensors.items()}
    found = {names[id(p)]: found[n] for n, p in module.named_parameters() if n in found}
    whole = CompiledFunction(own._backward.program, own._backward.signature)
    results = step(*inputs)
    leaves = torch.utils._pytree.tree_leaves(results)
    (node,) = {leaf.grad_fn for leaf in leaves if leaf.requires_grad}
    kept = dict(zip(own.kept, node.saved_tensors, strict=True))
    adjoints = dict(zip(own._adjoints, draw_adjoints(results), strict=True))
    made = whole.run_with_parameters({**kept, **adjoints})
    _assert_same(found, {n.removeprefix("grad."): grad for n, grad in made.items()})
    launches = sum(kernel["count"] for kernel in whole.report()["kernels"])
    assert launches == sum(segment.launches for segment in own.segments)


@pytest.mark.parametrize(
    ("problem", "where"),
    [
        (KeyboardInterrupt, "lm_head"),
        (RuntimeError, "model.layers.1.mlp.up_proj"),
        (KeyboardInterrupt, "model.layers.0.mlp.up_proj"),
    ],
)
def test_a_backward_that_ends_early(problem: type[BaseException], where: str) -> None:
    case = _compile()
    module, step, inputs = case
    usual = _differentiate(case)

    def stop(_: torch.Tensor) -> None:
        raise problem("by a hook")

    loss = _loss(step, inputs)
    _after(module.get_submodule(where).weight, stop)
    with pytest.raises(problem):
        loss.backward(retain_graph=True)
    _handles.pop().remove()
    module.zero_grad()
    loss.backward()
    _assert_same(take_gradients(module), usual)
    _assert_same(_differentiate(case), usual)
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()


def test_a_part_of_the_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for ends with its own segment."""
    case = _compile()
    module, step, inputs = case
    usual = _differentiate(case)
    events: list[int] = []
    _watch(monkeypatch, events)
    wanted = {
        n: p for n, p in module.named_parameters() if n.startswith("model.layers.1.")
    }
    loss = _loss(step, inputs)
    grads = torch.autograd.grad(loss, list(wanted.values()), retain_graph=True)
    _assert_same(dict(zip(wanted, grads, strict=True)), {n: usual[n] for n in wanted})
    assert events == [0, 1]
    loss.backward(inputs=list(wanted.values()))
    _assert_same(take_gradients(module), {n: usual[n] for n in wanted})
    assert events == [0, 1] * 2


def test_a_backward_within_a_hook() -> None:
    case = _compile()
    module, step, inputs = case
    usual = _differentiate(case)
    others = (inputs[0].flip(1),)
    module.zero_grad()
    _loss(step, others).backward()
    expected = take_gradients(module)
    within: dict[str, torch.Tensor] = {}

    def differentiate(_: torch.Tensor) -> None:
        _handles.pop().remove()
        with torch.enable_grad():
            loss = _loss(step, others)
        names, parameters = zip(*module.named_parameters(), strict=True)
        within.update(zip(names, torch.autograd.grad(loss, parameters), strict=True))

    _after(module.model.layers[1].mlp.down_proj.weight, differentiate)
    _assert_same(_differentiate(case), usual)
    _assert_same(within, expected)


def test_threads_in_one_graph() -> None:
    """Two go through the same segments in turn."""
    case = _compile()
    module, step, inputs = case
    usual = _differentiate(case)
    meet = threading.Barrier(2, timeout=60)
    names, parameters = zip(*module.named_parameters(), strict=True)
    for own in ("lm_head", "model.layers.1.mlp.up_proj", "model.layers.0.mlp.up_proj"):
        weight = module.get_submodule(own).weight
        _handles.append(weight.register_hook(lambda _: (meet.wait(), None)[1]))
    loss = _loss(step, inputs)
    found: list[dict[str, torch.Tensor]] = []

    def work() -> None:
        grads = torch.autograd.grad(loss, parameters, retain_graph=True)
        found.append(dict(zip(names, grads, strict=True)))

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 2
    for grads in found:
        _assert_same(grads, usual)


@pytest.mark.parametrize("name", ["llama", "gpt2"])
def test_an_optimizer_within_backward(name: str) -> None:
    """A hook that moves a parameter at once moves it as a step behind backward does."""
    case = _compile(name)
    module = case[0]
    grads = _differentiate(case)
    before = {n: p.detach().clone() for n, p in module.named_parameters()}

    def move(parameter: torch.Tensor) -> None:
        with torch.no_grad():
            parameter.add_(parameter.grad, alpha=-0.1)
        parameter.grad = None

    for parameter in module.parameters():
        _after(parameter, move)
    assert not _differentiate(case)
    with torch.no_grad():
        for own, parameter in module.named_parameters():
            assert torch.equal(parameter, before[own].add(grads[own], alpha=-0.1)), own
            parameter.copy_(before[own])


@pytest.mark.parametrize("changed", ["model.layers.0.input_layernorm.weight", "hidden"])
def test_changes_in_hooks_are_refused(changed: str) -> None:
    """Of what a later segment reads; nothing is computed of other numbers."""
    module, step, inputs = _compile()
    own = _get_step(step)
    weight = dict(module.named_parameters()).get(changed)
    before = None if weight is None else weight.detach().clone()
    named = changed if weight is not None else _find_saved(own, "model.layers.0")

    def change(_: torch.Tensor) -> None:
        with torch.no_grad():
            (saved[named] if weight is None else weight).add_(1)

    saved: dict[str, torch.Tensor] = {}
    results = step(*inputs)
    saved.update(zip(own.kept, results.logits.grad_fn.saved_tensors, strict=True))
    _after(module.model.layers[1].mlp.down_proj.weight, change)
    with pytest.raises(parablock.Error, match=f"'{named}' was changed in place during"):
        backpropagate(results, draw_adjoints(results))
    module.zero_grad()
    with torch.no_grad():
        if weight is not None:
            weight.copy_(before)


def _find_saved(step: Any, label: str) -> str:
    """A value of forward that the last segment but one reads."""
    left = step.segments[-2].left
    return next(n for n in left if n.startswith(label) and not n.endswith("weight"))


def test_gradients_are_handed_over() -> None:
    """Nothing else holds a gradient, which autograd would copy for that."""
    module, step, inputs = _compile()
    given: dict[str, int] = {}
    for name, parameter in module.named_parameters():
        _handles.append(
            parameter.register_hook(lambda grad, n=name: given.update({n: grad.data_ptr()}))
        )
    _loss(step, inputs).backward()
    assert given == {n: p.grad.data_ptr() for n, p in module.named_parameters()}
    module.zero_grad()


def test_gradients_by_inputs_come_with_the_first_layer() -> None:
    module, inputs = make_case(FAMILIES["llama"])
    embedded = module.model.embed_tokens(inputs[0]).detach()

    class OfEmbeddings(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = module

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            logits: torch.Tensor = self.inner(inputs_embeds=x).logits
            return logits

    owner = OfEmbeddings().eval()
    step = parablock.from_torch(owner, (embedded,)).compile("cpu", training=True)
    own = embedded.clone().requires_grad_()
    step(own).square().sum().backward()
    tensors = step._tensors
    its = embedded.double().requires_grad_()
    owner.double()(its).square().sum().backward()
    assert float((own.grad - its.grad).norm()) < 2e-5 * float(its.grad.norm())
    (name,) = (info.name for info in step._step.signature.inputs)
    last = step._step.list_released({**tensors, name: own})[-1]
    assert name in last and len(last) == 10
    assert all(n.startswith("inner.model.layers.0.") for n in last if n != name)
