# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that compiled models take: where they lie, and what is refused."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from oracle import get_distance
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd import forward_ad
from torch.fx.experimental.proxy_tensor import make_fx

import parablock
from parablock.tensors import wrap

#: What has no types.
_untyped: Any = torch
_forward_ad: Any = forward_ad


@pytest.fixture(scope="module")
def layer() -> tuple[torch.nn.Module, parablock.CompiledModel]:
    torch.manual_seed(0)
    module = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True).eval()
    model = parablock.from_torch(module, (torch.zeros(2, 5, 16),))
    return module, model.optimize().compile()


@pytest.fixture(scope="module")
def llama(checkpoint: Path) -> parablock.CompiledModel:
    return parablock.from_pretrained(checkpoint).compile()


def test_memory_is_used_where_it_lies(
    layer: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    array.flags.writeable = False
    assert wrap(array, "f32").address == array.ctypes.data
    tensor = torch.ones(2, 3, dtype=torch.bfloat16)
    assert wrap(tensor, "bf16").address == tensor.data_ptr()
    narrow = tensor.float().numpy().astype(_bfloat16())
    assert wrap(narrow, "bf16").address == narrow.ctypes.data
    module, compiled = layer
    addresses = {weight.data_ptr() for weight in module.parameters()}
    assert {tensor.address for tensor in compiled._function._parameters} <= addresses


def _bfloat16() -> Any:
    from ml_dtypes import bfloat16

    return bfloat16


def _make_unaligned(values: np.ndarray) -> np.ndarray:
    memory = np.zeros(values.nbytes + 1, np.uint8)[1:]
    memory[:] = np.frombuffer(values.tobytes(), np.uint8)
    return memory.view(values.dtype).reshape(values.shape)


@torch.no_grad()
def test_gaps_and_orders_of_memory(
    layer: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    module, compiled = layer
    x = torch.randn(2, 5, 16)
    expected = module(x).double()
    kinds = {
        "transposed": x.transpose(0, 1).contiguous().transpose(0, 1),
        "every second": torch.repeat_interleave(x, 2, -1)[..., ::2],
        "inference": torch.inference_mode()(x.clone)(),
        "array": x.numpy(),
        "reversed": x.numpy()[::-1].copy()[::-1],
        "unaligned": _make_unaligned(x.numpy()),
        "Fortran's": np.asfortranarray(x.numpy()),
    }
    for kind, array in kinds.items():
        result = compiled(array)
        assert isinstance(result, type(array)), kind
        assert get_distance(torch.as_tensor(result), expected) < 1e-5, kind


@torch.no_grad()
def test_views_of_negatives(
    layer: tuple[torch.nn.Module, parablock.CompiledModel],
) -> None:
    """Their memory has the numbers of which they are the negatives."""
    module, compiled = layer
    x = torch.randn(2, 5, 16)
    for view in (_untyped._neg_view(-x), torch.complex(x, -x).conj().imag):
        assert view.is_neg() and torch.equal(view, x)
        assert get_distance(compiled(view), module(x).double()) < 1e-5


def _call_with_tangent(compiled: Any, x: torch.Tensor) -> Any:
    with _forward_ad.dual_level():
        return compiled(_forward_ad.make_dual(x, torch.ones_like(x)))


def _call_with_fake(compiled: Any, x: torch.Tensor) -> Any:
    mode: Any = FakeTensorMode()
    return compiled(mode.from_tensor(x))


def _call_under_fakes(compiled: Any, x: torch.Tensor) -> Any:
    mode: Any = FakeTensorMode()
    with mode:
        return compiled(x)


@pytest.mark.parametrize("training", [False, True])
def test_transformations_and_traces(training: bool) -> None:
    """None of them sees what compiled code does, and so none gets a wrong result."""
    torch.manual_seed(0)
    module = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True).eval()
    x = torch.randn(2, 5, 16)
    model = parablock.from_torch(module, (x,))
    compiled: Any = model.compile(training=True) if training else model.compile()
    call = lambda given: compiled(given)  # noqa: E731
    plain = "expected a plain tensor, got"
    cases: list[tuple[Any, str]] = [
        (lambda: call(_untyped.nested.nested_tensor([*x])), f"input 'src': {plain} a nested one"),
        (lambda: torch.func.vmap(call)(x[None]), f"input 'src': {plain} one of a transf"),
        (lambda: torch.func.jvp(call, (x,), (x,)), f"input 'src': {plain} one of a transf"),
        (lambda: torch.func.functionalize(call)(x), f"input 'src': {plain} one of a transf"),
        (lambda: _call_with_tangent(compiled, x), f"input 'src': {plain} one with a tangent"),
        (lambda: _call_with_fake(compiled, x), f"input 'src': {plain} a FakeTensor"),
        (lambda: _call_under_fakes(compiled, x), "compiled code cannot be traced"),
        (lambda: _untyped.jit.trace(call, (x,)), "compiled code cannot be traced"),
        (lambda: make_fx(call)(x), "compiled code cannot be traced"),
    ]
    for run, message in cases:
        with pytest.raises(parablock.Error, match=message), torch.no_grad():
            run()
    with torch.no_grad():
        assert get_distance(call(x), module(x).double()) < 1e-5


def test_weights_that_somebody_passes() -> None:
    """functional_call replaces parameters; those of a transformation are refused."""
    torch.manual_seed(0)
    module = torch.nn.TransformerEncoderLayer(16, 2, 24, batch_first=True).eval()
    x = torch.randn(2, 5, 16)
    step = parablock.from_torch(module, (x,)).compile(training=True)
    other = {name: p.detach() * 1.5 for name, p in module.named_parameters()}
    given = {f"module.{name}": tensor for name, tensor in other.items()}
    with torch.no_grad():
        expected = torch.func.functional_call(module, other, (x,)).double()
        found = torch.func.functional_call(step, given, (x,))
    assert get_distance(found, expected) < 1e-5
    with pytest.raises(parablock.Error, match="'.*': expected a plain tensor, got one of a tr"):
        torch.func.grad(lambda w: torch.func.functional_call(step, w, (x,)).sum())(given)


class _OnDevice:
    """What an array of another library says, without any memory behind it."""

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.kind, 1

    def __dlpack__(self, **options: Any) -> Any:
        raise AssertionError("asked for memory that nobody can read")


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((2, 5, 16)), "expected f32, got f64"),
        (np.zeros((2, 5, 16), ">f4"), "expected f32, got >f4"),
        (np.zeros((2, 5, 16), np.complex64), "expected f32, got complex64"),
        (np.zeros((2, 5, 15), np.float32), r"expected shape .*16.* got .*15"),
        (np.zeros((5, 16), np.float32), "expected shape"),
        (torch.zeros(2, 5, 16, dtype=torch.bfloat16), "expected f32, got bf16"),
        (torch.zeros(2, 5, 16, device="meta"), "of the CPU, got meta"),
        (torch.zeros(2, 5, 16).to_sparse(), "expected a dense tensor"),
        (torch.zeros(2, 5, 16, requires_grad=True), "detach"),
        (
            np.ma.MaskedArray(np.zeros((2, 5, 16), np.float32), np.ones((2, 5, 16))),
            "input 'src': expected an array without a mask",
        ),
        ("text", "expected f32, got"),
        (_OnDevice(2), "expected memory of the CPU, got cuda:1"),
        (_OnDevice(10), "expected memory of the CPU, got rocm:1"),
        (_OnDevice(99), "got device type 99:1"),
    ],
)
def test_what_is_refused(
    layer: tuple[torch.nn.Module, parablock.CompiledModel], array: Any, message: str
) -> None:
    _, compiled = layer
    with pytest.raises(parablock.Error, match=message):
        compiled(array)


def test_ids(llama: parablock.CompiledModel) -> None:
    ids = np.array([[5, 7, 11]])
    logits = llama(ids)["logits"]
    assert np.array_equal(llama(input_ids=ids.tolist())["logits"], logits)
    assert torch.equal(
        llama(torch.from_numpy(ids))["logits"], torch.from_numpy(logits)
    )
    with pytest.raises(parablock.Error, match="expected an array"):
        llama([[5], [7, 11]])
    with pytest.raises(parablock.Error, match="expected i64, got i32"):
        llama(ids.astype(np.int32))
    with pytest.raises(parablock.Error, match="97"):
        llama(np.array([[5, 97]]))
    with pytest.raises(parablock.Error, match="expected the input 'input_ids'"):
        llama()
    with pytest.raises(parablock.Error, match="at most 1 inputs, got 2"):
        llama(ids, ids)
    with pytest.raises(parablock.Error, match="got 'ids'"):
        llama(ids=ids)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_nothing_is_refused(
    llama: parablock.CompiledModel, shape: tuple[int, int]
) -> None:
    with pytest.raises(parablock.Error, match="expected sizes from 1"):
        llama(np.zeros(shape, np.int64))


@pytest.mark.parametrize(
    ("target", "threads", "message"),
    [
        ("gpu", 0, "option 'target' requires 'cpu', .* got 'gpu'"),
        ("cpu:sm_90a", 0, "unknown processor 'sm_90a'"),
        ("emulate:sm_12", 0, "sm_12"),
        ("cpu:z80", 0, "unknown processor 'z80'"),
        ("cpu", -1, "option 'threads' requires a whole number from 0 .* got -1"),
        ("cpu", 1 << 40, "option 'threads' requires a whole number from 0 .* to 4294967295, got"),
    ],
)
def test_targets_that_are_none(
    checkpoint: Path, target: str, threads: int, message: str
) -> None:
    model = parablock.from_pretrained(checkpoint)
    with pytest.raises(parablock.Error, match=message):
        model.compile(target, threads)


def test_memory_of_other_libraries(llama: parablock.CompiledModel) -> None:
    values = (ctypes.c_int64 * 3)(5, 7, 11)
    array = np.ctypeslib.as_array(values)[None]
    expected = llama(np.array([[5, 7, 11]]))["logits"]
    assert np.array_equal(llama(array)["logits"], expected)


def test_one_tensor_for_two_inputs() -> None:
    """Example inputs that are one tensor are two inputs of a call."""

    class Difference(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(8, 8)

        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.linear(x) - y
            return result

    module, x, y = Difference().eval(), torch.randn(2, 3, 8), torch.randn(2, 3, 8)
    compiled = parablock.from_torch(module, (x, x)).compile()
    assert torch.allclose(compiled(x, y), module(x, y), atol=1e-5)
