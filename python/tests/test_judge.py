# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""parablock.judge: what is wrong is found where it is, and what is fine let alone."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from calls import make_call
from drawing import STACKS, draw_case
from families import FAMILIES
from judged import EVERYDAY, TYPES, check_fine, make, make_towers
from recipes import RECIPES
from silent_faults import REPORTS, Form, changed, make_tower
from torch import nn
from wider import WIDER

import parablock
from parablock_studies.judging.parts import find_parts
from parablock_studies.judging.rounding import DrawnRoundings


def _mark(is_everyday: bool) -> tuple[pytest.MarkDecorator, ...]:
    return () if is_everyday else (pytest.mark.full,)


# What is silently wrong is found ---------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=_mark(name not in ("keys", "in place"))) for name in REPORTS],
)
def test_reports_of_silent_faults(name: str) -> None:
    report = REPORTS[name]
    model, inputs, backend = report.make()
    judgement = parablock.judge(model, inputs, backend=backend)
    assert judgement.layers == [report.layer], judgement
    first = judgement.faults[0]
    assert first.startswith(f"diverges from float64 at layer {report.layer}"), first
    assert report.inside in first
    assert str(judgement).startswith("wrong: ")
    with pytest.raises(parablock.ToleranceError, match=re.escape(first)):
        judgement.check()
    # The same model is fine where nobody makes the mistake.
    check_fine(parablock.judge(model, inputs, backend=lambda *args: model(*args)))


def test_digits_that_bf16_does_not_have_are_not_missed() -> None:
    """The norm that loses digits of f32 is as good as another one for bf16."""
    model, inputs, backend = REPORTS["norm"].make()
    check_fine(parablock.judge(model.to(torch.bfloat16), inputs, backend=backend))


def test_a_fault_of_the_graph_as_a_whole() -> None:
    """Each layer alone is right: it takes two in a graph to make the mistake."""

    def backend(graph: torch.fx.GraphModule, _: Any) -> Callable[..., Any]:
        maxima = [node for node in graph.graph.nodes if "softmax" in str(node.target)]
        for node in maxima[1:2]:
            node.args = (node.args[0], -2)
        graph.recompile()
        return graph.forward

    model, inputs = make_tower(Form(), Form())
    judgement = parablock.judge(model, inputs, backend=torch.compile(model, backend=backend))
    assert judgement.layers == ["layers.1"]
    assert "only together with what is before it" in judgement.faults[0]


def test_code_between_layers() -> None:
    model, inputs = make("gemma2")
    config: Any = model.config

    def run(*args: Any) -> Any:
        with changed(config, "final_logit_softcapping", None):
            return model(*args)

    judgement = parablock.judge(model, inputs, backend=run)
    assert judgement.layers == ["behind all parts"], judgement
    assert "behind all parts, in the model's own code" in judgement.faults[0]


def test_what_is_handed_to_a_layer() -> None:
    model, inputs = make_towers()
    tower: Any = model

    def forward(ids: torch.Tensor) -> torch.Tensor:
        x = tower.embedding(ids)
        for number, layer in enumerate(tower.layers):
            x = layer(x * 1.001 if number == 1 else x)
        result: torch.Tensor = tower.head(tower.norm(x))
        return result

    judgement = parablock.judge(model, inputs, backend=forward)
    assert judgement.layers == ["layers.1"]
    assert "at what is handed to layer layers.1" in judgement.faults[0]
    assert "before layers.1" in str(judgement)


def test_another_module() -> None:
    model, inputs = make("gpt2")
    other = copy.deepcopy(model)
    check_fine(parablock.judge(model, inputs, backend=other))
    weight: Any = other.get_parameter("transformer.h.0.mlp.c_fc.weight")
    with torch.no_grad():
        weight[3] = 0
    judgement = parablock.judge(model, inputs, backend=other)
    assert judgement.layers == ["transformer.h.0"]
    assert "(mlp)" in judgement.faults[0]


def test_layers_that_are_compiled_one_by_one() -> None:
    """Their hooks are outside of what is compiled, and change nothing."""

    def backend(graph: torch.fx.GraphModule, _: Any) -> Callable[..., Any]:
        for node in graph.graph.nodes:
            if node.target is torch.tanh:
                node.target = torch.sin
        graph.recompile()
        return graph.forward

    model, inputs = make_tower(Form(), Form())
    other: Any = copy.deepcopy(model)
    other.layers[1] = torch.compile(other.layers[1], backend=backend)
    judgement = parablock.judge(model, inputs, backend=other)
    assert judgement.layers == ["layers.1"], judgement


# What is fine is let alone ---------------------------------------------------------


@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=_mark(name in EVERYDAY)) for name in FAMILIES]
)
def test_eager_models_are_fine(name: str, kind: str) -> None:
    model, inputs = make(name, kind)
    judgement = parablock.judge(model, inputs, backend=lambda *args: model(*args))
    check_fine(judgement)
    parts = judgement.to_dict()["parts"]
    assert all(part["judged"] for part in parts)
    assert any(part["kind"] == "layer" for part in parts)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param(name, kind, marks=_mark((name, kind) == ("gptj", "bf16")))
        for name in FAMILIES
        for kind in ("f32", "bf16")
    ],
)
def test_other_roundings_are_fine(name: str, kind: str) -> None:
    """Of seeds that the judge does not draw."""
    model, inputs = make(name, kind)
    for seed in range(100, 102 if name == "gptj" else 108):

        def run(*args: Any, seed: int = seed) -> Any:
            with DrawnRoundings(seed, TYPES[kind]):
                return model(*args)

        check_fine(parablock.judge(model, inputs, backend=run))


def test_f16_is_fine() -> None:
    model, inputs = make_tower(Form(), Form())
    judgement = parablock.judge(model.half(), inputs, backend=copy.deepcopy(model))
    check_fine(judgement)
    assert judgement.to_dict()["dtype"] == "f16"
    assert {output["limit"] for output in judgement.to_dict()["outputs"]} == {2e-3}


def test_rotations_in_f32_between_bf16_are_fine() -> None:
    """As pytorch/pytorch#182225 and #183122 have them: fewer roundings, other bits."""
    model, inputs = make("llama", "bf16")
    import transformers.models.llama.modeling_llama as llama

    rotate = llama.apply_rotary_pos_emb

    def rotate_in_f32(q: torch.Tensor, k: torch.Tensor, *tables: Any) -> Any:
        wide = [table.float() for table in tables[:2]]
        results = rotate(q.float(), k.float(), *wide, *tables[2:])
        return tuple(result.to(q.dtype) for result in results)

    def run(*args: Any) -> Any:
        with changed(llama, "apply_rotary_pos_emb", rotate_in_f32):
            return model(*args)

    assert not torch.equal(run(*inputs).logits, model(*inputs).logits)
    check_fine(parablock.judge(model, inputs, backend=run))


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, marks=_mark((name, seed) == ("albert", 0)))
        for name in (*RECIPES, *STACKS, *WIDER)
        for seed in range(1)
    ],
)
def test_models_that_are_drawn(name: str, seed: int) -> None:
    """With masks and padding, of any sizes: as they are, and with one weight changed."""
    case, draw = draw_case(name, seed), random.Random(seed)
    call = make_call(case, draw, 2, draw.choice([5, 7, 11, 18]))

    def run(**given: Any) -> Any:
        with DrawnRoundings(100 + seed, case.dtype):
            return case.module(**given)

    check_fine(parablock.judge(case.module, call, backend=run))
    other = copy.deepcopy(case.module)
    layers = [part.name for part in find_parts(other) if part.kind == "layer"]
    layer = draw.choice(layers)
    weights = [w for w in other.get_submodule(layer).parameters() if w.dim() > 1]
    with torch.no_grad():
        draw.choice(weights).mul_(1.02 if case.dtype == torch.float32 else 1.5)
    judgement = parablock.judge(case.module, call, backend=other)
    # A norm behind a weight takes the change away again.
    is_seen = any(output["wrong"] for output in judgement.to_dict()["outputs"])
    assert judgement.layers == [layer] or not (is_seen or judgement.layers), judgement


@pytest.mark.full
@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize(
    "name", ["llama", "gemma2", "bert", "t5", "gptj", "falcon-7b", "nn-encoder-post"]
)
def test_inductor_is_fine(name: str, kind: str) -> None:
    model, inputs = make(name, kind)
    judgement = parablock.judge(model, inputs, backend="inductor")
    check_fine(judgement)
    data = judgement.to_dict()
    assert data["graphs"] and all(part["judged"] for part in data["parts"]), judgement


def test_a_backend_by_name() -> None:
    model, inputs = make_tower(Form(), Form())
    judgement = parablock.judge(model, inputs, backend="aot_eager", generate=1)
    check_fine(judgement)
    data = judgement.to_dict()
    assert data["graphs"] == 1 and data["generation"]["first_difference"] is None
    assert "each compiled alone" in str(judgement)
    layers = [part["name"] for part in data["parts"] if part["kind"] == "layer"]
    assert layers == ["layers.0", "layers.1"]


def test_a_compiler_of_modules() -> None:
    def trace(module: nn.Module, args: Any, kwargs: Any) -> Callable[..., Any]:
        traced: Any = torch.jit
        function: Callable[..., Any] = traced.trace(module, args, example_kwarg_inputs=kwargs or None)
        return function

    model, inputs = make_towers()
    check_fine(parablock.judge(model, inputs, compiler=trace))

    def trace_wrongly(module: nn.Module, args: Any, kwargs: Any) -> Callable[..., Any]:
        for inner in module.modules():
            if isinstance(inner, nn.Embedding):
                return lambda *given: 1.01 * module(*given)
        return trace(module, args, kwargs)

    judgement = parablock.judge(model, inputs, compiler=trace_wrongly)
    assert judgement.layers == ["embedding"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=_mark(name == "nn-encoder-post")) for name in EVERYDAY]
)
def test_this_package(name: str) -> None:
    model, inputs = make(name)
    judgement = parablock.judge(model, inputs)
    check_fine(judgement)
    parts = judgement.to_dict()["parts"]
    assert all(part["judged"] for part in parts if part["kind"] == "layer"), judgement
