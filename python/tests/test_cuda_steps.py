# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of torch.compile on target 'cuda', and steps of tensors of the device.

The driver runs kernels on the emulator; its memory stands for the device's.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable
from typing import Any

import pytest
import torch
from compiled_generation import count, find_new_reasons
from fake_cuda import DEVICE, FakeCuda
from generating import make_llama
from gradients import make_trained_layer, take_gradients
from oracle import check_near

import parablock
from parablock.target import Target
from parablock.training.device_steps import DeviceRun
from parablock.training.steps import StepChoices
from parablock.training.trained import TrainedModel, TrainingStep
from parablock.weight_watch import ModuleWeights


def _compile(module: Any, **options: Any) -> Any:
    torch.compiler.reset()
    return torch.compile(module, backend="parablock", options={"target": "cuda", **options})


def _differentiate(
    call: Callable[..., Any], module: torch.nn.Module, x: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Returns gradients by parameters, and by x, of two calls that are added up."""
    x = x.clone().requires_grad_()
    for factor in (1, 2):
        (factor * call(x)).square().mean().backward()
    assert x.grad is not None
    return {"x": x.grad, **take_gradients(module)}


def test_graphs_with_gradients(fake_driver: ctypes.CDLL) -> None:
    layer, x = make_trained_layer()
    before = parablock.stats()
    found = _differentiate(_compile(layer), layer, x)
    wanted = _differentiate(layer, layer, x)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-6)
    assert count(before, "differentiated") == 1 and not find_new_reasons(before)


def test_a_part_of_a_graph(fake_driver: ctypes.CDLL) -> None:
    """PyTorch differentiates what is no block; the block's gradient is the device's."""
    layer, x = make_trained_layer()

    def run(x: torch.Tensor) -> torch.Tensor:
        return torch.cumprod(layer(x), 1)

    before = parablock.stats()
    found = _differentiate(_compile(run), layer, x)
    torch.testing.assert_close(found, _differentiate(run, layer, x), rtol=1e-4, atol=1e-6)
    assert count(before, "differentiated") >= 1 and "cumprod" in find_new_reasons(before)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_autocast(fake_driver: ctypes.CDLL, dtype: torch.dtype) -> None:
    """Parameters and their gradients are f32; f16 is what autocast has on a GPU by default."""
    module, ids = make_llama(num_hidden_layers=1, use_cache=False), torch.randint(3, 61, (2, 7))

    def run(call: Any, kind: torch.dtype | None) -> dict[str, torch.Tensor]:
        with torch.autocast("cpu", kind, enabled=kind is not None):
            logits = call(ids).logits
        assert kind is None or logits.dtype == kind
        (100 * logits.float().square().mean()).backward()
        return take_gradients(module)

    exact, own = run(module, None), run(module, dtype)
    before = parablock.stats()
    found = run(_compile(module), dtype)
    assert found.keys() == exact.keys()
    for name, wanted in exact.items():
        assert found[name].dtype == torch.float32
        check_near(found[name], wanted, own[name], dtype)
    assert count(before, "differentiated") == 1 and not find_new_reasons(before)


def test_a_scaler_of_gradients(fake_driver: ctypes.CDLL) -> None:
    """A scale that is too large for f16 shows as infinite gradients, and a step is left out."""
    torch.manual_seed(0)
    module, ids = make_llama(num_hidden_layers=1, use_cache=False), torch.randint(3, 61, (2, 7))
    compiled, optimizer = _compile(module), torch.optim.SGD(module.parameters(), 0.5)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**30, backoff_factor=2.0**-20)
    losses, scales = [], []
    for _ in range(4):
        optimizer.zero_grad()
        with torch.autocast("cpu", torch.float16):
            logits = compiled(ids).logits
        loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), ids.flatten())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
        scales.append(scaler.get_scale())
    assert scales == [2.0**10] * 4
    assert losses[0] == losses[1] and losses[3] < losses[2] < losses[1]
    assert all(p.isfinite().all() for p in module.parameters())


def test_modes_of_steps(fake_driver: ctypes.CDLL) -> None:
    layer, x = make_trained_layer()
    before = parablock.stats()
    compiled = _compile(layer, mode="reduce-overhead")
    torch.testing.assert_close(compiled(x), layer(x))
    reason = "mode 'reduce-overhead' requires a call without gradients: omit mode= to train"
    assert reason in find_new_reasons(before) and not count(before, "compiled")


def _train_on_device(
    layer: torch.nn.Module, x: torch.Tensor, monkeypatch: pytest.MonkeyPatch
) -> tuple[TrainedModel, FakeCuda]:
    """Returns a step of a module whose parameters are moved to the device."""
    model = parablock.from_torch(layer, (x,))
    device = FakeCuda(monkeypatch)
    device.move(layer)
    # PyTorch cannot trace tensors of a device that is none of its own.
    weights = model._weights
    assert isinstance(weights, ModuleWeights)
    weights._imported = {name: (*w[:2], DEVICE) for name, w in weights._imported.items()}
    proceed = DeviceRun.proceed

    def proceed_there(run: DeviceRun) -> dict[str, torch.Tensor]:
        # Autograd leaves all modes of functions.
        with device:
            return proceed(run)

    monkeypatch.setattr(DeviceRun, "proceed", proceed_there)
    with device:
        step = model.compile("cuda", training=True)
    assert isinstance(step, TrainedModel)
    return step, device


def test_tensors_of_the_device(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing goes by the CPU's memory, and the optimiser's changes are seen."""
    layer, x = make_trained_layer()
    other = copy.deepcopy(layer)
    adjoint = torch.randn_like(x)
    step, device = _train_on_device(layer, x, monkeypatch)
    monkeypatch.setattr(parablock.package.Package, "_run_from_host", None)
    for _ in range(2):
        own = x.clone().requires_grad_()
        result = other(own)
        result.backward(adjoint)
        with device:
            given = device.place(x).requires_grad_()
            made = step(given)
            assert made.device == DEVICE and made.requires_grad
            made.backward(device.place(adjoint))
            found = take_gradients(layer)
            near = {"x": given.grad, "result": made.detach()}
            assert all(map(device.holds, (*found.values(), *near.values())))
        pairs = (found, take_gradients(other)), (near, {"x": own.grad, "result": result})
        for here, wanted in pairs:
            torch.testing.assert_close(here, wanted, rtol=1e-4, atol=1e-5, check_device=False)
        for module in (layer, other):
            with torch.no_grad():
                for parameter in module.parameters():
                    parameter.mul_(1.1)
                    parameter.grad = None


def test_places_of_parameters(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer, x = make_trained_layer()
    step, device = _train_on_device(layer, x, monkeypatch)
    host = TrainingStep(step._step._module, StepChoices(), Target("cpu", "", 0))
    with device:
        wanted = "'src': expected memory of cuda:0, got the CPU: move it to the parameters"
        with pytest.raises(parablock.Error, match=wanted):
            step(x)
        parameters = step._tensors
        first = next(iter(parameters))
        wanted = f"'{first}': a step on 'cpu' requires memory of the CPU, got cuda:0: move the"
        with pytest.raises(parablock.Error, match=wanted):
            host.find_place(parameters)
        parameters[first] = torch.zeros(3)
        wanted = "expected memory of cpu, as other parameters have, got cuda:0: move the module to"
        with pytest.raises(parablock.Error, match=wanted):
            step._step.find_place(parameters)
