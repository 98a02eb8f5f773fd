# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own samples of its operations, imported and compiled.

Each is what PyTorch gives, or refused by one clear error, or left to PyTorch and
counted; none is wrong, and none ends in an error of Python.
"""

from __future__ import annotations

import dataclasses
import sys
import types
import unittest
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

import parablock

#: Operations of transformer blocks and what stands around them.
NAMES = frozenset(
    """
    nn.functional.scaled_dot_product_attention nn.functional.linear
    nn.functional.layer_norm nn.functional.rms_norm nn.functional.group_norm
    nn.functional.gelu nn.functional.silu nn.functional.relu nn.functional.relu6
    nn.functional.hardtanh nn.functional.hardsigmoid nn.functional.hardswish
    nn.functional.mish nn.functional.softplus
    nn.functional.embedding softmax log_softmax
    nn.functional.cross_entropy nn.functional.nll_loss nn.functional.mse_loss
    nn.functional.l1_loss nn.functional.smooth_l1_loss nn.functional.huber_loss
    nn.functional.binary_cross_entropy_with_logits nn.functional.conv1d
    nn.functional.conv2d nn.functional.conv3d nn.functional.pad
    matmul bmm mm mv dot addmm baddbmm einsum where cat stack split split_with_sizes chunk
    unbind narrow index_select gather take_along_dim __getitem__ clamp clamp_max
    clamp_min maximum minimum max min pow rsqrt sqrt sum mean amax amin argmax
    argmin any all cumsum masked_fill transpose permute reshape view expand repeat
    repeat_interleave bitwise_and bitwise_or bitwise_xor bitwise_not
    bitwise_left_shift bitwise_right_shift eq ne lt le gt ge logical_and logical_or
    logical_not logical_xor bool float long int short double half bfloat16 byte
    char to add sub mul div rsub neg abs exp log sin cos tanh sigmoid erf
    reciprocal square squeeze unsqueeze flatten unflatten select slice select_scatter diff
    zeros_like ones_like full_like new_ones tile t movedim broadcast_to contiguous
    clone roll flip logsumexp var std linalg.vector_norm norm log1p
    nn.functional.leaky_relu nn.functional.prelu nn.functional.elu
    nn.functional.celu nn.functional.selu nn.functional.logsigmoid nn.functional.glu
    nn.functional.unfold nn.functional.batch_norm
    nn.functional.avg_pool1d nn.functional.avg_pool2d nn.functional.avg_pool3d
    nn.functional.adaptive_avg_pool1d nn.functional.adaptive_avg_pool2d
    nn.functional.adaptive_avg_pool3d
    """.split()
)

#: Of single elements: relative, and absolute to the largest one.
_TOLERANCES = {torch.float32: 2e-5, torch.bfloat16: 2e-2, torch.float16: 3e-3}

#: Words of errors that are no refusals but faults of ours.
_FAULTS = ("internal error", "Traceback", "op operand #", "expected ')'", "custom op")


@dataclasses.dataclass(frozen=True)
class Sample:
    """A call of an operation, with its tensors apart."""

    name: str
    module: torch.nn.Module
    tensors: tuple[torch.Tensor, ...]


#: Stands for a tensor among the arguments of an operation.
_MARK = object()


class _Calls(torch.nn.Module):
    """An operation as a module of the tensors among its arguments."""

    def __init__(self, operation: Any, leaves: list[Any], spec: Any) -> None:
        super().__init__()
        self.operation, self.leaves, self.spec = operation, leaves, spec

    def forward(self, *tensors: torch.Tensor) -> Any:
        given = iter(tensors)
        leaves = [next(given) if leaf is _MARK else leaf for leaf in self.leaves]
        args, kwargs = pytree.tree_unflatten(leaves, self.spec)
        return self.operation(*args, **kwargs)



def _import_operations() -> list[Any]:
    """PyTorch's table of operations, which takes a second to import."""
    if "expecttest" not in sys.modules:
        # It lies beside a class of tests on top of that package, which making samples does not use.
        absent: Any = types.ModuleType("expecttest")
        absent.TestCase = unittest.TestCase
        sys.modules["expecttest"] = absent
    from torch.testing._internal.common_methods_invocations import op_db

    return list(op_db)


def list_operations(dtypes: Sequence[torch.dtype]) -> list[tuple[Any, torch.dtype]]:
    """Operations with the types that they have samples of."""
    return [
        (info, dtype)
        for info in _import_operations()
        if info.name in NAMES
        for dtype in dtypes
        if dtype in info.supported_dtypes("cpu")
    ]


def draw_samples(info: Any, dtype: torch.dtype) -> Iterator[Sample]:
    """All samples of an operation, which are the same in every process."""
    torch.manual_seed(0)
    inputs = info.sample_inputs("cpu", dtype, requires_grad=False)
    for number, sample in enumerate(inputs):
        yield _make_sample(info, dtype, number, sample)


def _make_sample(info: Any, dtype: torch.dtype, number: int, sample: Any) -> Sample:
    call = ((sample.input, *sample.args), sample.kwargs)
    leaves, spec = pytree.tree_flatten(call)
    tensors = tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))

    def operate(*args: Any, **kwargs: Any) -> Any:
        return info.op(*args, **kwargs)

    marked = [_MARK if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
    word = str(dtype).removeprefix("torch.")
    name = f"{info.full_name}-{word}-{number}"
    return Sample(name, _Calls(operate, marked, spec).eval(), tensors)


def run_imported(sample: Sample) -> Any:
    """The sample by from_torch."""
    model = parablock.from_torch(sample.module, sample.tensors)
    return model.optimize().compile("cpu")(*sample.tensors)


def run_compiled(sample: Sample) -> Any:
    """The sample by torch.compile."""
    torch.compiler.reset()
    return torch.compile(sample.module, backend="parablock")(*sample.tensors)


def judge(sample: Sample, run: Any) -> tuple[str, str]:
    """What became of a sample: `equal`, `refused` or what is wrong, and a detail."""
    with torch.no_grad():
        expected = sample.module(*_clone(sample.tensors))
        try:
            result = run(sample)
        except parablock.Error as problem:
            text = str(problem)
            is_fault = any(word in text for word in _FAULTS)
            return ("fault" if is_fault else "refused"), text
        except Exception as problem:
            return "raw", f"{type(problem).__name__}: {problem}"
        exact = _run_exactly(sample)
    return _compare(result, expected, exact)


def _clone(tensors: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in tensors]


def _run_exactly(sample: Sample) -> Any:
    """The result in float64, where PyTorch has one."""
    wide = [t.double() if t.is_floating_point() else t for t in sample.tensors]
    try:
        return sample.module(*wide)
    except RuntimeError:
        return sample.module(*_clone(sample.tensors))


def _compare(result: Any, expected: Any, exact: Any) -> tuple[str, str]:
    ours, theirs, best = (pytree.tree_leaves(x) for x in (result, expected, exact))
    if len(ours) != len(theirs):
        return "wrong", f"{len(theirs)} results, got {len(ours)}"
    for own, other, wide in zip(ours, theirs, best, strict=True):
        if not isinstance(other, torch.Tensor):
            if own != other:
                return "wrong", f"expected {other}, got {own}"
            continue
        if own.dtype != other.dtype or own.shape != other.shape:
            return "wrong", (
                f"expected {list(other.shape)} of {other.dtype}, "
                f"got {list(own.shape)} of {own.dtype}"
            )
        if not _are_close(own, other, wide):
            return "wrong", f"expected {other.flatten()[:8]}, got {own.flatten()[:8]}"
    return "equal", ""


def _are_close(own: torch.Tensor, other: torch.Tensor, exact: torch.Tensor) -> bool:
    """Near PyTorch's result, or as near as that to the exact one."""
    if own.numel() == 0 or not own.is_floating_point():
        return torch.equal(own, other)
    a, b, c = own.double(), other.double(), exact.double()
    finite = torch.isfinite(b)
    if not torch.equal(a.nan_to_num(1.5)[~finite], b.nan_to_num(1.5)[~finite]):
        return False
    a, b, c = a[finite], b[finite], c[finite]
    limit = _TOLERANCES.get(own.dtype, 1e-12)
    scale = b.abs() + (b.abs().max() if b.numel() else 0)
    near = (a - b).abs() <= limit * scale
    best = (a - c).abs() <= (b - c).abs()
    return bool((near | best).all())
