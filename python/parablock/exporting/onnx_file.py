# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of ONNX: Model.save_onnx."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from parablock.errors import Error
from parablock.exporting import protobuf
from parablock.exporting.ir_text import read_function
from parablock.exporting.onnx_graph import OPSET, Graph
from parablock.exporting.onnx_ops import add_ops
from parablock.model import ModelValue
from parablock.output import replace_file
from parablock.progress import show_progress
from parablock.tensors import to_stored

if TYPE_CHECKING:
    from parablock._core import TensorInfo

_TYPES: dict[str, np.dtype[Any]] = {
    "f32": np.dtype(np.float32),
    "i64": np.dtype(np.int64),
}
#: Where weights begin in their own file, so that readers can map them.
_ALIGNMENT = 4096
#: The size of the largest message of protocol buffers, less what a graph has beside weights.
_MOST_INLINE = 2**31 - 2**26


def write_onnx(model: ModelValue, path: Path, limit: int, version: str) -> None:
    """Writes a model, with weights of more than `limit` bytes in PATH.data."""
    if limit > _MOST_INLINE:
        raise Error(
            f"option 'max_inline_size' requires at most {_MOST_INLINE}, which a message of "
            f"protocol buffers holds, got {limit}"
        )
    module, weights, codes = model.get_layers()
    if codes is not None:
        raise Error(
            f"save_onnx requires weights of numbers, got codes of the form '{codes}': omit weights= "
            "in optimize()"
        )
    signature = module.get_signature()
    for info in (*signature.inputs, *signature.parameters, *signature.outputs):
        if info.type not in _TYPES:
            raise Error(
                f"save_onnx requires f32, got '{info.name}' of {info.type}: import the model with "
                "dtype='f32'"
            )
    function = read_function(module.print())
    graph, values = Graph(), {}
    for name, attributes in function.arguments.items():
        values[name] = attributes.get("block.param") or attributes.get("block.input") or ""
    add_ops(graph, function.ops, values)
    for name, info in zip(function.returned, signature.outputs, strict=True):
        graph.alias(values[name], info.name)
    inputs = [_describe(info) for info in signature.inputs]
    outputs = [_describe(info) for info in signature.outputs]
    size = sum(_measure(info) for info in signature.parameters)
    is_apart = size > limit
    tensors: list[bytes] = []
    with show_progress("writing ONNX"):
        if is_apart:
            beside = path.with_name(f"{path.name}.data")
            with replace_file(beside) as file:
                at = 0
                for info in signature.parameters:
                    file.write(b"\0" * (-at % _ALIGNMENT))
                    at += -at % _ALIGNMENT
                    array = _load(weights, info)
                    file.write(array.data)
                    tensors.append(
                        protobuf.external_tensor(
                            info.name, info.shape, array.dtype, beside.name, at, array.nbytes
                        )
                    )
                    at += array.nbytes
        else:
            tensors = [
                protobuf.tensor(info.name, info.shape, array.dtype, array.tobytes())
                for info in signature.parameters
                for array in (_load(weights, info),)
            ]
        fields = [
            *(protobuf.data(1, node) for node in graph.nodes),
            protobuf.data(2, model.name),
            *(protobuf.data(5, each) for each in (*graph.constants, *tensors)),
            *(protobuf.data(11, each) for each in inputs),
            *(protobuf.data(12, each) for each in outputs),
        ]
        parts = protobuf.model(fields, OPSET, ("parablock", version), _list_stamps(model))
        with replace_file(path) as file:
            for part in parts:
                file.write(part)


def _describe(info: TensorInfo) -> bytes:
    """Returns an input or output, with its open sizes by their words."""
    dims = [
        (info.dims[place] if place < len(info.dims) else "") or f"{info.name}_{place}"
        if size < 0
        else size
        for place, size in enumerate(info.shape)
    ]
    return protobuf.port(info.name, dims, _TYPES[info.type])


def _measure(info: TensorInfo) -> int:
    return math.prod(info.shape) * info.element_size


def _load(weights: Any, info: TensorInfo) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(to_stored(weights(info))[0])


def _list_stamps(model: ModelValue) -> dict[str, str]:
    """Returns metadata that say which layers are not those of the serial model."""
    stamps = {
        layer["name"]: layer["approx"]
        for layer in model.count()["layers"]
        if layer["approx"] is not None
    }
    return {"parablock.approximate": json.dumps(stamps)} if stamps else {}
