# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Model.gradients`: the reference's, beside PyTorch's in float64."""

from __future__ import annotations

import copy
import functools
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from build_tree import BIN
from exact_gradients import (
    LIMIT,
    MODELS,
    differentiate_by_torch,
    find_errors,
    find_loss,
    find_worst,
    make_model,
)
from families import FAMILIES, make_inputs, to_bf16
from gradients import backpropagate, draw_adjoints, get_exact, make_case
from oracle import differentiate_exactly, run_exactly

import parablock


@functools.cache
def _import(name: str) -> tuple[parablock.Model, tuple[Any, ...]]:
    """A model that tests share, for which gradients change nothing, and its inputs."""
    module, inputs = make_case(FAMILIES[name])
    return parablock.from_torch(module, inputs), inputs


@pytest.mark.parametrize("name", MODELS)
def test_gradients_have_the_digits_of_float64(name: str) -> None:
    module, inputs = make_model(name)
    loss, exact = differentiate_by_torch(module, inputs)
    assert all(float(gradient.abs().max()) > 0 for gradient in exact.values())
    found = parablock.from_torch(module, inputs).gradients(*inputs, loss=find_loss)
    assert found.loss == pytest.approx(loss, rel=1e-13)
    assert found.gradients.keys() == exact.keys()
    assert all(gradient.dtype == torch.float64 for gradient in found.gradients.values())
    worst, whose = find_worst(found.gradients, exact)
    assert worst < LIMIT, whose
    assert all(parameter.grad is None for parameter in module.parameters())


@pytest.mark.full
@pytest.mark.parametrize("name", [n for n in FAMILIES if n != "bloom"])
def test_gradients_of_every_family(name: str) -> None:
    """The backward of BLOOM's activation has constants of ten digits: 6e-10 off."""
    module, inputs = make_case(FAMILIES[name])
    with torch.no_grad():
        adjoints = draw_adjoints(module(*inputs))
    exact = get_exact(module, inputs, adjoints)
    model = parablock.from_torch(module, inputs)
    worst, whose = find_worst(model.gradients(*inputs, cotangents=adjoints)[1], exact)
    assert worst < LIMIT, whose


@pytest.mark.parametrize("name", ["GPT-2", "BERT"])
def test_a_small_change_of_one_gradient_is_found(name: str) -> None:
    """The limit of the tests above would see it in any tensor, also one that is 0."""
    _, exact = differentiate_by_torch(*make_model(name))
    assert find_worst(exact, exact)[0] == 0
    largest = max(float(gradient.abs().max()) for gradient in exact.values())
    for whose, gradient in exact.items():
        changed = gradient.clone()
        place = changed.abs().argmax()
        changed.view(-1)[place] *= 1 + 1e-9
        if float(gradient.abs().max()) < 1e-9 * largest:
            changed.view(-1)[place] += 1e-9 * largest
        errors = find_errors({**exact, whose: changed}, exact)
        assert errors.pop(whose) > 10 * LIMIT
        assert set(errors.values()) == {0.0}
    assert find_worst({**exact, whose: exact[whose] * float("nan")}, exact)[1] == whose
    missing = {n: g for n, g in exact.items() if n != whose}
    assert find_worst(missing, exact) == (float("inf"), whose)


def test_a_small_change_of_the_model_is_found() -> None:
    """A scale that f32 cannot tell from the right one, and a weight."""
    module, inputs = make_model("Llama")
    model = parablock.from_torch(module, inputs)
    found = model.gradients(*inputs, loss=find_loss).gradients
    attention = module.model.layers[1].self_attn
    scale = attention.scaling
    attention.scaling *= 1 + 1e-9
    assert np.float32(scale) == np.float32(attention.scaling)
    assert find_worst(found, differentiate_by_torch(module, inputs)[1])[0] > 2 * LIMIT
    attention.scaling = scale
    assert find_worst(found, differentiate_by_torch(module, inputs)[1])[0] < LIMIT
    wide = copy.deepcopy(module).double()
    with torch.no_grad():
        wide.model.layers[0].mlp.up_proj.weight *= 1 + 1e-9
    changed = differentiate_exactly(wide, inputs, lambda r: find_loss(r).backward())
    assert find_worst(found, changed)[0] > 10 * LIMIT


def test_what_f32_would_round() -> None:
    """The model's own IR has numbers of f32, and stays as it is."""
    module, inputs = make_model("Llama")
    model = parablock.from_torch(module, inputs)
    text = str(model)
    _, exact = differentiate_by_torch(module, inputs)
    assert find_worst(model.gradients(*inputs, loss=find_loss)[1], exact)[0] < LIMIT
    assert str(model) == text
    model._exact = model._original
    assert find_worst(model.gradients(*inputs, loss=find_loss)[1], exact)[0] > 1e-9


def test_results_are_exact_too() -> None:
    """By the loss of one logit."""
    module, inputs = make_model("T5")
    exact = run_exactly(module, inputs).logits
    model = parablock.from_torch(module, inputs)
    loss, gradients = model.gradients(
        *inputs, loss=lambda r: r.logits[1, 2, 3], wrt="lm_head.weight"
    )
    assert loss == pytest.approx(float(exact[1, 2, 3]), rel=1e-12)
    assert gradients.keys() == {"lm_head.weight"}


def test_inputs_and_cotangents() -> None:
    """By inputs and parameters, in any of the ways of saying so."""
    module, inputs = make_case(FAMILIES["nn-decoder-pre"])
    (adjoint,) = adjoints = draw_adjoints(module(*inputs))
    wide = [x.double().requires_grad_() for x in inputs]
    exact = differentiate_exactly(module, wide, lambda r: backpropagate(r, adjoints))
    exact.update({"hidden": wide[0].grad, "memory": wide[1].grad})
    model = parablock.from_torch(module, inputs)
    for cotangents in (adjoint, [adjoint.double()], {"out0": adjoint.numpy()}):
        loss, found = model.gradients(*inputs, cotangents=cotangents, wrt="all")
        assert found.keys() == exact.keys()
        assert find_worst(found, exact)[0] < LIMIT
    expected = (run_exactly(module, inputs) * adjoint).sum()
    assert loss == pytest.approx(float(expected), rel=1e-12)
    names = ["memory", "layer.linear1.bias"]
    some = model.gradients(*inputs, cotangents=adjoint, wrt=names).gradients
    assert list(some) == names
    assert all(torch.equal(some[name], found[name]) for name in names)


def test_names_of_tied_weights() -> None:
    model, inputs = _import("gpt2")
    names = ["lm_head.weight", "transformer.wte.weight"]
    by_name = model.gradients(*inputs, loss=find_loss, wrt=names).gradients
    assert list(by_name) == names
    assert torch.equal(by_name[names[0]], by_name[names[1]])
    everything = model.gradients(*inputs, loss=find_loss).gradients
    assert "transformer.wte.weight" in everything
    assert "lm_head.weight" not in everything


def test_weights_are_read_at_each_call() -> None:
    module, inputs = make_case(FAMILIES["gpt2"])
    model = parablock.from_torch(module, inputs)
    model.gradients(*inputs, loss=find_loss)
    with torch.no_grad():
        module.transformer.h[0].mlp.c_fc.weight *= 1.5
    _, exact = differentiate_by_torch(module, inputs)
    assert find_worst(model.gradients(*inputs, loss=find_loss)[1], exact)[0] < LIMIT


def test_weights_of_16_bits() -> None:
    """Nothing is rounded to them."""
    module, inputs = make_case(FAMILIES["qwen3"])
    module = to_bf16(module)
    _, exact = differentiate_by_torch(module, inputs)
    model = parablock.from_torch(module, inputs)
    assert find_worst(model.gradients(*inputs, loss=find_loss)[1], exact)[0] < LIMIT


def test_parallel_layers() -> None:
    """Of what the model was made into, by differences of its own exact loss."""
    module, inputs = make_case(FAMILIES["gpt2"])
    model = parablock.from_torch(module, inputs).optimize(parallel="all")
    found = model.gradients(*inputs, loss=find_loss).gradients
    serial = differentiate_by_torch(module, inputs)[1]
    assert find_worst(found, serial)[0] > 1e-2
    weight = module.transformer.h[0].mlp.c_fc.weight
    direction = torch.sign(found["transformer.h.0.mlp.c_fc.weight"]).float() / 1024
    losses = []
    for sign in (1, -2):
        with torch.no_grad():
            weight.add_(direction, alpha=sign)
        bias = "transformer.ln_f.bias"
        losses.append(model.gradients(*inputs, loss=find_loss, wrt=bias).loss)
    slope = (losses[0] - losses[1]) / 2
    expected = (found["transformer.h.0.mlp.c_fc.weight"] * direction).sum()
    assert slope == pytest.approx(float(expected), rel=2e-2)


def test_open_sizes_are_refused(checkpoint: Path) -> None:
    model = parablock.from_pretrained(checkpoint)
    with pytest.raises(parablock.Error, match=r"known sizes, got 'logits' \[\?, \?, 97\]"):
        model.gradients(np.zeros((2, 5), np.int64), loss=find_loss)


@pytest.fixture(scope="module")
def with_loss(tmp_path_factory: pytest.TempPathFactory) -> parablock.Model:
    """A model of a file whose result is its loss."""
    path = tmp_path_factory.mktemp("loss") / "m.mlir"
    sizes = "--layers=1 --width=32 --heads=2 --vocab=31 --positions=16 --batch=2 --seq=7"
    command = [BIN / "block-gen", "--family=gpt2", *sizes.split(), "--loss=cross-entropy"]
    subprocess.run([*command, "-o", str(path)], check=True)
    model = parablock.from_mlir(path)
    generator = np.random.default_rng(3)
    arrays = {
        info.name: generator.standard_normal(info.shape, np.float32)
        for info in model._module.get_signature("main").parameters
    }
    return parablock.Model(model._module, lambda info: arrays[info.name])


def test_a_result_that_is_the_loss(with_loss: parablock.Model) -> None:
    ids = np.arange(14).reshape(2, 7) * 5 % 31
    targets = np.roll(ids, -1, 1)
    loss, found = with_loss.gradients(ids, targets)
    again, other = with_loss.gradients(ids, targets, loss="loss")
    assert loss == again > 0
    assert all(isinstance(gradient, np.ndarray) for gradient in found.values())
    name = next(name for name in found if "c_fc.weight" in name)
    twice = with_loss.gradients(ids, targets, cotangents=np.float64(2)).gradients
    np.testing.assert_allclose(twice[name], 2 * other[name], rtol=1e-12)
    np.testing.assert_array_equal(found[name], other[name])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "loss: expected a function of the results, .* are 'out0'"),
        ({"loss": "out0"}, r"a scalar, .* 'out0' \[2, 11, 48\], got 'out0'"),
        ({"loss": 3}, "loss: expected a function of the results or .* got int"),
        ({"loss": lambda r: r}, r"a function that gives a scalar, got \[2, 11, 48\]"),
        ({"loss": lambda r: 1.0}, "a function that gives a scalar, got float"),
        ({"loss": lambda r: r.float().sum()}, "in float64 .* got torch.float32"),
        ({"loss": lambda r: r.detach().sum()}, "got torch.float64 of none of them"),
        ({"loss": "out0", "cotangents": 1}, "loss= or cotangents=, got both"),
        ({"cotangents": [1, 2]}, "one for each of out0, got 2"),
        ({"cotangents": {"logits": 1}}, "expected some of out0, got 'logits'"),
        (
            {"cotangents": torch.ones(2, 11)},
            r"cotangents\['out0'\]: expected floats of shape \[2, 11, 48\], got f32 of "
            r"\[2, 11\]",
        ),
        ({"cotangents": torch.ones(2, 11, 48, dtype=torch.int32)}, "got i32 of"),
        ({"loss": torch.sum, "wrt": "bias"}, "wrt: expected params, .* got 'bias'"),
        ({"loss": torch.sum, "wrt": []}, "or names, got none"),
    ],
)
def test_wrong_arguments(options: Any, message: str) -> None:
    model, (x,) = _import("nn-encoder-pre")
    with pytest.raises(parablock.Error, match=message):
        model.gradients(x, **options)


def test_inputs_without_gradients() -> None:
    model, inputs = _import("gpt2")
    with pytest.raises(parablock.Error, match="wrt='inputs': the model has none of floats"):
        model.gradients(*inputs, loss=find_loss, wrt="inputs")
    with pytest.raises(parablock.Error, match="'input_ids' is i64, which has no gradient"):
        model.gradients(*inputs, loss=find_loss, wrt="input_ids")
    with pytest.raises(parablock.Error, match="input 'input_ids': expected i64, got i32"):
        model.gradients(inputs[0].int(), loss=find_loss)
    with pytest.raises(parablock.Error, match="weights of codes have no gradients"):
        model.optimize(weights="int8").gradients(*inputs, loss=find_loss)


class _Shifted(torch.nn.Module):
    """A layer beside a number that no block keeps."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = FAMILIES["nn-encoder-pre"].make()

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(hidden) + 0.1
        return result


def test_numbers_outside_of_blocks_are_refused() -> None:
    inputs = make_inputs(FAMILIES["nn-encoder-pre"])
    model = parablock.from_torch(_Shifted().eval(), inputs)
    with pytest.raises(parablock.Error, match="numbers of more digits than f32"):
        model.gradients(*inputs, loss=torch.sum)


def _keep_all(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        return x * 2


@pytest.mark.parametrize(
    ("stop", "name"),
    [
        (torch.Tensor.detach, "detach"),
        (torch.Tensor.detach_, "detach_"),
        (_keep_all, "mul"),
    ],
)
def test_gradients_that_are_kept_back_are_refused(
    stop: Callable[[torch.Tensor], torch.Tensor], name: str
) -> None:
    class Stopped(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = FAMILIES["nn-encoder-pre"].make()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.layer(stop(self.layer(x)))
            return result

    inputs = make_inputs(FAMILIES["nn-encoder-pre"])
    model = parablock.from_torch(Stopped().eval(), inputs)
    with pytest.raises(parablock.Error, match=f"keeps gradients back by '{name}'"):
        model.gradients(*inputs, loss=torch.sum)
