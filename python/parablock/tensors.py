# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of NumPy and tensors of PyTorch, by the element types of the IR."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.native import get_core_module

if TYPE_CHECKING:
    from parablock._core import Tensor, TensorInfo

_NUMPY_TYPES: dict[str, np.dtype[Any]] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "i64": np.dtype(np.int64),
    "i32": np.dtype(np.int32),
    "i16": np.dtype(np.int16),
    "i8": np.dtype(np.int8),
    "ui8": np.dtype(np.uint8),
    "i1": np.dtype(np.bool_),
}

#: Elements that are converted together: a second-level cache holds what that takes.
_PART = 1 << 16


def is_torch(array: object) -> bool:
    """Returns whether an object is a PyTorch tensor, without importing PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def get_type(array: Any) -> str:
    """Returns the IR's keyword for the elements of an array.

    >>> get_type(np.zeros(3, np.float32))
    'f32'
    """
    if is_torch(array):
        from parablock.dtypes import KEYWORDS

        return KEYWORDS.get(array.dtype, str(array.dtype))
    dtype = np.asarray(array).dtype
    if dtype.name == "bfloat16":
        return "bf16"
    for word, known in _NUMPY_TYPES.items():
        if dtype == known:
            return word
    # As NumPy writes it where the order of bytes is not this machine's.
    return dtype.name if dtype.isnative else dtype.str


def refuse_gradient(name: str, array: Any) -> None:
    """Rejects a tensor that requires grad."""
    if is_torch(array) and array.requires_grad:
        raise Error(
            f"input '{name}' requires grad, and there is no backward: pass "
            "it detached, as in x.detach()"
        )


#: Modes under which what is called is written down, and tensors may have no memory.
_TRACES = ("ProxyTorchDispatchMode", "FakeTensorMode", "FunctionalTensorMode")


def refuse_traces() -> None:
    """Rejects calls that PyTorch traces, because the trace would not contain them."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    modes = torch.utils._python_dispatch._get_current_dispatch_mode_stack()
    if torch.jit.is_tracing() or any(type(mode).__name__ in _TRACES for mode in modes):
        raise Error(
            "compiled code cannot be traced (by torch.jit.trace, make_fx or torch.export): "
            "trace the module that it was imported from"
        )


def refuse_indirect(name: str, tensor: Any) -> None:
    """Rejects a PyTorch tensor that differs from its memory."""
    import torch
    from torch.autograd import forward_ad

    unpack: Callable[[Any], Any] = forward_ad.unpack_dual
    found = None
    if tensor.is_nested:
        found = "a nested one"
    elif torch._C._functorch.is_functorch_wrapped_tensor(tensor):
        found = "one of a transformation of torch.func, such as vmap, grad or jvp"
    elif forward_ad._current_level >= 0 and unpack(tensor).tangent is not None:
        found = "one with a tangent, and there is no forward-mode derivative"
    elif type(tensor).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        found = f"a {type(tensor).__name__}"
    if found is not None:
        raise Error(f"{name}: expected a plain tensor, got {found}")


def get_dense(name: str, array: Any) -> Any:
    """Returns an input that has an address for each element."""
    if is_torch(array):
        if str(array.layout) != "torch.strided":
            raise Error(f"input '{name}': expected a dense tensor, got {array.layout}")
        refuse_indirect(f"input '{name}'", array)
        return array
    if isinstance(array, np.ma.MaskedArray) and bool(np.any(array.mask)):
        raise Error(f"input '{name}': expected an array without a mask, got a masked one")
    try:
        return np.asarray(array)
    except (TypeError, ValueError) as problem:
        raise Error(f"input '{name}': expected an array, got {problem}") from problem


def wrap(array: Any, kind: str) -> Tensor:
    """Returns the array's own memory for the compiler; copies only if it has gaps."""
    if is_torch(array):
        # A view may say that numbers are the negatives of what lies there.
        memory = array.detach().resolve_neg().contiguous()
    else:
        memory = np.require(array, requirements=("C", "A"))
        if memory.dtype.name == "bfloat16":
            memory = memory.view(np.uint16)
        memory = memory.reshape(np.shape(array))
    tensor: Tensor = get_core_module().Tensor(memory, kind)
    return tensor


def bring_to_host(array: Any) -> Any:
    """Returns a weight in the CPU's memory; a copy only if a device has it."""
    return array.cpu() if is_torch(array) and array.device.type == "cuda" else array


def wrap_all(arrays: Iterable[Any], infos: Sequence[TensorInfo]) -> list[Tensor]:
    """Returns the memory of arrays in the order of the program's descriptions."""
    return [wrap(array, info.type) for array, info in zip(arrays, infos, strict=True)]


def imagine(shape: Sequence[int], kind: str) -> Tensor:
    """Returns an array of a shape whose memory is not read and takes no space."""
    return wrap(allocate(shape, kind, torch_wanted=True), kind)


def allocate(shape: Sequence[int], kind: str, *, torch_wanted: bool) -> Any:
    """Allocates an array without values."""
    if torch_wanted:
        import torch

        from parablock.dtypes import DTYPES

        return torch.empty(tuple(shape), dtype=DTYPES[kind])
    return np.empty(tuple(shape), find_numpy_type(kind))


def find_numpy_type(kind: str) -> np.dtype[Any]:
    """Returns NumPy's type for elements; bf16 is ml_dtypes' if it is installed."""
    if kind in _NUMPY_TYPES:
        return _NUMPY_TYPES[kind]
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        raise Error(
            f"NumPy has no {kind}: install ml_dtypes, or pass PyTorch tensors"
        ) from None
    dtype: np.dtype[Any] = np.dtype(bfloat16)
    return dtype


def convert(array: np.ndarray[Any, Any], stored: str, wanted: str) -> Any:
    """Converts elements to another float type; bf16 is handled as its 16 bits.

    >>> convert(np.array([0x3F80], np.uint16), "bf16", "f32")
    array([1.], dtype=float32)
    """
    if stored == wanted:
        return array
    made = np.empty(array.shape, np.uint16 if wanted == "bf16" else _NUMPY_TYPES[wanted])
    source, target = array.reshape(-1), made.reshape(-1)
    for first in range(0, source.size, _PART):
        part = slice(first, first + _PART)
        _convert_part(source[part], stored, target[part], wanted)
    return made


def _convert_part(
    source: np.ndarray[Any, Any], stored: str, target: np.ndarray[Any, Any], wanted: str
) -> None:
    """Converts few elements, so intermediate values stay in the processor's caches."""
    if stored == "bf16":
        bits = source.astype(np.uint32)
        bits <<= 16
        source = bits.view(np.float32)
    if wanted != "bf16":
        target[...] = source
        return
    bits = source.astype(np.float32, copy=False).view(np.uint32)
    # Round half to even; what is no number keeps a bit that says so.
    rounded = bits >> 16
    rounded &= 1
    rounded += 0x7FFF
    rounded += bits
    rounded >>= 16
    target[...] = rounded
    nan = np.isnan(source)
    if nan.any():
        target[nan] = 0x7FC0


def to_stored(array: Any) -> tuple[np.ndarray[Any, Any], str]:
    """Returns an array in the form of files, with its element type."""
    kind = get_type(array)
    if not is_torch(array):
        return np.asarray(array), kind
    # A view may have the negatives of what lies there.
    array = array.detach().cpu().resolve_neg().contiguous()
    if kind != "bf16":
        return np.asarray(array.numpy(), find_numpy_type(kind)), kind
    import torch

    return np.asarray(array.view(torch.uint16).numpy()), kind


def from_stored(array: np.ndarray[Any, Any], kind: str) -> Any:
    """Returns a PyTorch tensor over an array in the form of files."""
    import torch

    if kind == "bf16":
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
