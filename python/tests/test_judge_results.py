# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""parablock.judge: tokens, results, options, and what it refuses."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from families import FAMILIES
from judged import bend, check_fine, make, make_towers
from silent_faults import Form, Tower, make_tower
from torch import nn

import parablock

# Tokens -----------------------------------------------------------------------------


def test_near_ties_are_no_faults() -> None:
    model, inputs = make_tower(Form(), Form())
    head: Any = model.get_submodule("head")
    with torch.no_grad():
        # Two tokens ahead of all others, and so close that f32 cannot tell them apart.
        head.bias[5] = 40.0
        head.bias[7], head.weight[7] = head.bias[5], head.weight[5]
    hint = torch.zeros(29).index_fill(0, torch.tensor(7), 4e-6)
    run = bend(model, lambda logits: logits + hint)
    judgement = parablock.judge(model, inputs, backend=run, generate=2)
    check_fine(judgement)
    data = judgement.to_dict()
    assert data["tokens"]["different"] == 8 and not data["tokens"]["first_wrong"]
    assert data["tokens"]["first_difference"]["got"] == 7
    assert data["generation"]["first_difference"]["position"] == 0
    assert "near tie" in str(judgement)


def test_the_step_where_a_continuation_goes_wrong() -> None:
    """Code that was made for so many tokens, and forgets the others."""
    model, inputs = make_towers()
    swap = torch.arange(29).roll(1)

    def change(logits: torch.Tensor) -> torch.Tensor:
        return logits if logits.shape[1] < 7 else logits[..., swap]

    run = bend(model, change)
    check_fine(parablock.judge(model, inputs, backend=run))
    judgement = parablock.judge(model, inputs, backend=run, generate=6)
    made = judgement.to_dict()["generation"]
    assert made["first_wrong"]["position"] == 3 and made["wrong"]
    assert judgement.faults == [fault for fault in judgement.faults if "generation" in fault]
    # What float64 goes on with, all the same.
    ids = inputs[0].clone()
    exact = copy.deepcopy(model).double()
    for _ in range(6):
        ids = torch.cat([ids, exact(ids)[:, -1:].argmax(-1)], 1)
    assert made["tokens"] == ids[:, 4:].tolist()


def test_continuations_of_padded_rows() -> None:
    model, _ = make("llama")
    ids = torch.randint(5, 97, (2, 7), generator=torch.Generator().manual_seed(0))
    mask = torch.ones_like(ids)
    mask[0, :3] = 0
    inputs = {"input_ids": ids, "attention_mask": mask}

    def run(**given: Any) -> torch.Tensor:
        logits: torch.Tensor = model(**given).logits.clone()
        # Nobody looks at rows of padding.
        logits[~given["attention_mask"].bool()] = 1e6
        return logits

    judgement = parablock.judge(model, inputs, backend=run, generate=3)
    check_fine(judgement)
    assert judgement.to_dict()["tokens"]["compared"] == 11
    with pytest.raises(parablock.Error, match="expected padding in front, got 'attention_mask'"):
        inputs = {"input_ids": ids, "attention_mask": mask.flip(-1)}
        parablock.judge(model, inputs, backend=run, generate=3)


# Results ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda y: y.double(), "result: expected float32 .2, 4, 29., got float64"),
        (lambda y: y[:, :2], "got float32 .2, 2, 29."),
        (torch.zeros_like, "the error is 1.0e[+]00"),
        (lambda y: y.flip(0), "the error is"),
        (lambda y: y / 0, "232 Inf in it"),
    ],
    ids=["type", "shape", "zero", "swapped", "infinite"],
)
def test_results_that_are_none(
    change: Callable[[torch.Tensor], torch.Tensor], fault: str
) -> None:
    model, inputs = make_towers()
    judgement = parablock.judge(model, inputs, backend=bend(model, change))
    assert re.search(fault, "; ".join(judgement.faults)), judgement
    json.dumps(judgement.to_dict())


def test_one_row_that_is_wrong_among_many() -> None:
    """By less than all rows together show in bf16."""
    model, _ = make_tower(Form())
    model.to(torch.bfloat16)
    ids = torch.randint(0, 29, (4, 80), generator=torch.Generator().manual_seed(0))

    def change(logits: torch.Tensor) -> torch.Tensor:
        logits[3, 77] *= 1.2
        return logits

    judgement = parablock.judge(model, (ids,), backend=bend(model, change))
    (output,) = judgement.to_dict()["outputs"]
    assert output["measure"] == "row" and output["place"] == [3, 77]
    assert "row [3, 77]" in str(judgement)


def test_backends_that_change_things() -> None:
    model, inputs = make_towers()

    def write(ids: torch.Tensor) -> Any:
        result = model(ids)
        ids += 1
        return result

    judgement = parablock.judge(model, inputs, backend=write)
    assert judgement.faults == ["the backend writes to its inputs: 0"]

    weight: Any = model.get_parameter("norm.weight")

    def spoil(ids: torch.Tensor) -> Any:
        with torch.no_grad():
            weight.add_(1e-6)
        return model(ids)

    judgement = parablock.judge(model, inputs, backend=spoil)
    assert judgement.faults == ["the backend changes weights: norm.weight"]

    results = [model(*inputs) for model in (model, make_tower(Form())[0])]
    judgement = parablock.judge(model, inputs, backend=lambda _: results.pop(0))
    assert "a second call with the same inputs gives other results" in judgement.faults


def test_results_alone() -> None:
    """Of a function that runs no module of the model, and gives arrays."""
    model, inputs = make_towers()
    hidden = copy.deepcopy(model)
    run = bend(hidden, lambda logits: logits.detach())
    judgement = parablock.judge(model, inputs, backend=lambda *args: run(*args).numpy())
    check_fine(judgement)
    assert "parts: unknown, the backend gives only results" in str(judgement)
    assert judgement.to_dict()["parts"] == []


def test_hooks_that_hide_the_fault() -> None:
    model, inputs = make_towers()

    def run(*args: Any) -> Any:
        result = model(*args)
        return result if model.get_submodule("norm")._forward_hooks else 1.1 * result

    judgement = parablock.judge(model, inputs, backend=run)
    assert not judgement.is_fine
    assert "unknown, the backend gives other results with hooks" in str(judgement)


def test_tolerance() -> None:
    model, inputs = make_towers()
    run = bend(model, lambda logits: logits * 1.001)
    assert not parablock.judge(model, inputs, backend=run).is_fine
    check_fine(parablock.judge(model, inputs, backend=run, tolerance=2e-3))


def test_a_backend_that_compiles_nothing() -> None:
    class Prints(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.tower, _ = make_tower(Form())

        @torch._dynamo.disable  # type: ignore[untyped-decorator]
        def forward(self, ids: torch.Tensor) -> Any:
            return self.tower(ids)

    _, inputs = make_towers()
    judgement = parablock.judge(Prints().eval(), inputs, backend="eager")
    assert "graphs: none, PyTorch ran the model as it is" in str(judgement)


# Refusals ---------------------------------------------------------------------------


class _Random(Tower):
    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return super().forward(ids) + torch.rand(29)


def _train(model: nn.Module) -> nn.Module:
    return FAMILIES["gpt2"].make().train()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": 3}, "model: expected a module of PyTorch, got int"),
        ({"model": _train}, "dropout in training mode"),
        ({"model": torch.compile}, "expected the module itself, got what torch.compile made"),
        ({"model": lambda m: m.double()}, "expected weights of f32, f16 or bf16, got float64"),
        ({"model": lambda m: _Random(Form())}, "random numbers, or something that a call"),
        ({"inputs": torch.zeros(1)}, r"expected a tuple .*, got Tensor: one argument is \(x,\)"),
        ({"inputs": "x"}, "expected a tuple .*, got str"),
        ({"inputs": ()}, "model failed: TypeError"),
        ({"backend": "nobody"}, "expected one of torch.compile's .*inductor.*, got 'nobody'"),
        ({"backend": 3}, "backend: expected a function .*, got int"),
        ({"backend": lambda _: 1 / 0}, "backend: the function without a name failed: Zero"),
        ({"backend": lambda _: "text"}, "expected tensors as results, got str"),
        ({"backend": lambda x: (x, x)}, r"expected 1 tensors as the model gives \(result\)"),
        ({"compiler": torch.compile}, "expected backend= or compiler=, got both"),
        ({"backend": None, "compiler": 3}, "compiler: expected a function of a module"),
        ({"backend": None, "compiler": lambda *_: 3}, "expected to be given a function by"),
        ({"generate": -1}, "generate: expected a number of tokens, got -1"),
        ({"generate": True}, "generate: expected a number of tokens, got True"),
        ({"tolerance": 2}, "tolerance: expected a number between 0 and 1, got 2"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    model, inputs = make_tower(Form())
    given = {"model": model, "inputs": inputs, "backend": lambda *args: model(*args), **options}
    make = given["model"]
    if callable(make) and not isinstance(make, nn.Module):
        given["model"] = make(model)
    with pytest.raises(parablock.Error, match=message):
        parablock.judge(given.pop("model"), given.pop("inputs"), **given)


def test_models_compiled_in_place_are_refused() -> None:
    model, inputs = make_tower(Form())
    layer: Any = model.get_submodule("layers.0")
    layer.compile()
    with pytest.raises(parablock.Error, match="got 'layers.0' compiled in place"):
        parablock.judge(model, inputs, backend="eager")


def test_caches_are_refused() -> None:
    model, inputs = make("llama")
    model.config.use_cache = True  # type: ignore[union-attr]
    cache = model(*inputs).past_key_values
    given = {"input_ids": inputs[0], "past_key_values": cache}
    with pytest.raises(parablock.Error, match="expected whole sequences, got a DynamicCache"):
        parablock.judge(model, given, backend="eager")


def test_generation_of_what_has_no_tokens_is_refused() -> None:
    model, inputs = make("vit")
    with pytest.raises(parablock.Error, match="expected one input of ids .*, got none"):
        parablock.judge(model, inputs, backend=lambda *args: model(*args), generate=1)
    model, inputs = make("t5-encoder")
    with pytest.raises(parablock.Error, match="expected a model that gives logits"):
        parablock.judge(model, inputs, backend=lambda *args: model(*args), generate=1)


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    load = builtins.__import__

    def refuse(name: str, *rest: Any, **options: Any) -> Any:
        if name.startswith("parablock_studies.judging.judge"):
            raise ModuleNotFoundError("no torch", name="torch")
        return load(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(parablock.MissingError, match="judge requires PyTorch"):
        parablock.judge(None, ())  # type: ignore[arg-type]


def test_inputs_by_name() -> None:
    """Numbers and None go through as they are."""
    model, (ids,) = make("gpt2")
    given = {"input_ids": ids, "attention_mask": None, "logits_to_keep": 3}
    judgement = parablock.judge(model, given, backend=lambda **k: model(**k))
    check_fine(judgement)
    assert judgement.to_dict()["outputs"][0]["shape"] == [2, 3, 97]
    assert np.isfinite(judgement.to_dict()["outputs"][0]["error"])
