# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mode="reduce-overhead": one CUDA graph for calls with any memory."""

from __future__ import annotations

import collections
import ctypes
from typing import Any

import pytest
import torch
from compiled_generation import count, find_new_reasons
from fake_cuda import DEVICE, FakeCuda, bring_back
from oracle import check_near, run_exactly

import parablock
from parablock import launcher


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> collections.Counter[str]:
    """How often functions of the launcher were called."""
    names: collections.Counter[str] = collections.Counter()

    def watch(name: str, *arguments: Any) -> Any:
        names[name] += 1
        return launcher.call(name, *arguments)

    for module in ("package", "device_program"):
        monkeypatch.setattr(f"parablock.{module}.call", watch)
    return names


def _make_layer() -> torch.nn.Module:
    return torch.nn.TransformerEncoderLayer(32, 2, 48, batch_first=True, dropout=0.0).eval()


def _import(module: torch.nn.Module) -> Any:
    dims = {0: torch.export.Dim("batch", max=9), 1: torch.export.Dim("seq", max=99)}
    return parablock.from_torch(module, (torch.randn(2, 5, 32),), (dims,)).optimize()


def test_memory_that_changes(
    fake_driver: ctypes.CDLL,
    calls: collections.Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All calls of a choice of sizes replay its graph; without the mode they launch kernels."""
    module = _make_layer()
    model, device = _import(module), FakeCuda(monkeypatch)
    compiled, plain = model.compile("cuda", mode="reduce-overhead"), model.compile("cuda")
    kept = []
    for sizes in ((2, 5), (2, 5), (1, 7), (2, 5)):
        x = torch.randn(*sizes, 32)
        with device:
            result = compiled(device.place(x))
            assert result.device == DEVICE
            kept.append((bring_back(result), result))
        check_near(kept[-1][0], run_exactly(module, (x,)))
    assert (calls["session_replay"], calls["session_launch"]) == (4, 0)
    # Binding other memory would make another graph.
    assert calls["session_bind_input"] == calls["session_create"] == 2
    # A result is the caller's: a later call does not write it.
    assert all(torch.equal(bring_back(tensor), value) for value, tensor in kept)
    with torch.no_grad(), device:
        module.linear1.weight.mul_(2)
        changed = bring_back(compiled(device.place(x)))
        wanted = bring_back(plain(device.place(x)))
    assert torch.equal(changed, wanted) and not torch.equal(changed, kept[-1][0])
    assert (calls["session_replay"], calls["session_launch"]) == (5, 1)
    # Arrays of the CPU are copied to a session's own memory, whose graph is replayed.
    assert torch.equal(compiled(x), wanted)


def test_sizes_give_way_to_others(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parablock.package._MOST_SESSIONS", 1)
    module = _make_layer()
    device = FakeCuda(monkeypatch)
    compiled = _import(module).compile("cuda", mode="reduce-overhead")
    for tokens in (3, 5, 3):
        x = torch.randn(1, tokens, 32)
        with device:
            check_near(bring_back(compiled(device.place(x))), run_exactly(module, (x,)))
    assert len(compiled._program._static) == 1


def test_results_of_the_caller(
    fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, x = _make_layer(), torch.randn(1, 5, 32)
    device = FakeCuda(monkeypatch)
    program = _import(module).compile("cuda", mode="reduce-overhead")._program
    (name,) = (port.name for port in program.outputs)
    with device:
        out = device.place(torch.zeros(1, 5, 32))
        assert program(device.place(x), out={name: out})[name] is out
        check_near(bring_back(out), run_exactly(module, (x,)))
        for wrong, wanted in (
            ({name: out[:, 1:]}, r"expected f32 \[1, 5, 32\], got f32 \[1, 4, 32\]"),
            ({"y": out}, "result 'y': expected none"),
        ):
            with pytest.raises(parablock.Error, match=wanted):
                program(device.place(x), out=wrong)


def test_torch_compile(fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    module, before = _make_layer(), parablock.stats()
    modes = []
    create = parablock.Model.compile

    def watch(self: Any, target: str, **options: Any) -> Any:
        modes.append((target, options["mode"]))
        return create(self, target, **options)

    monkeypatch.setattr(parablock.Model, "compile", watch)
    torch.compiler.reset()
    options = {"target": "cuda", "mode": "reduce-overhead"}
    compiled = torch.compile(module, backend="parablock", options=options)
    x = torch.randn(2, 5, 32)
    with torch.no_grad():
        check_near(compiled(x), run_exactly(module, (x,)))
    assert modes == [("cuda", "reduce-overhead")]
    assert count(before, "compiled") == 1 and not find_new_reasons(before)


def test_wrong_modes(fake_driver: ctypes.CDLL) -> None:
    model = _import(_make_layer())
    for target, mode, message in (
        ("cuda", "max-autotune", "option 'mode' requires 'reduce-overhead' or None, got 'max"),
        ("cpu", "reduce-overhead", "option 'mode' requires target 'cuda', got 'reduce-overhead'"),
        ("emulate:sm_80", "reduce-overhead", "'reduce-overhead' and 'emulate:sm_80'"),
    ):
        with pytest.raises(parablock.Error, match=message):
            model.compile(target, mode=mode)
