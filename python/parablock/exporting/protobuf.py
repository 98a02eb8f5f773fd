# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of ONNX in the wire format of protocol buffers.

Writing the few messages of a graph takes no generated code, so the package requires
neither `onnx` nor `protobuf`. A message is its bytes; the numbers of fields are those of
onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

#: TensorProto.DataType by the types of NumPy.
ELEMENTS = {np.dtype(np.float32): 1, np.dtype(np.int64): 7, np.dtype(np.bool_): 9}
#: Value of an attribute.
Value = int | float | str | Sequence[int]


def varint(number: int) -> bytes:
    """Returns a number in groups of seven bits.

    >>> varint(300).hex(), len(varint(-1))
    ('ac02', 10)
    """
    number &= 2**64 - 1
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


def whole(field: int, number: int) -> bytes:
    return varint(field << 3) + varint(number)


def data(field: int, value: bytes | str) -> bytes:
    """Returns a field of a string, of bytes or of a message."""
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name: str, value: Value) -> bytes:
    """Returns an AttributeProto."""
    if isinstance(value, str):
        return data(1, name) + data(4, value) + whole(20, 3)
    if isinstance(value, float):
        return data(1, name) + varint(2 << 3 | 5) + struct.pack("<f", value) + whole(20, 1)
    if isinstance(value, int):
        return data(1, name) + whole(3, value) + whole(20, 2)
    return data(1, name) + b"".join(whole(8, each) for each in value) + whole(20, 7)


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **values: Value) -> bytes:
    """Returns a NodeProto."""
    return (
        b"".join(data(1, name) for name in inputs)
        + b"".join(data(2, name) for name in outputs)
        + data(3, outputs[0])
        + data(4, kind)
        + b"".join(data(5, attribute(name, value)) for name, value in values.items())
    )


def tensor(name: str, shape: Sequence[int], dtype: np.dtype[np.generic], raw: bytes) -> bytes:
    """Returns a TensorProto with its elements."""
    return _describe(name, shape, dtype) + data(9, raw)


def external_tensor(
    name: str, shape: Sequence[int], dtype: np.dtype[np.generic], file: str, offset: int, size: int
) -> bytes:
    """Returns a TensorProto whose elements are in a file beside the model."""
    entries = {"location": file, "offset": str(offset), "length": str(size)}
    return (
        _describe(name, shape, dtype)
        + b"".join(data(13, pair(key, value)) for key, value in entries.items())
        + whole(14, 1)
    )


def _describe(name: str, shape: Sequence[int], dtype: np.dtype[np.generic]) -> bytes:
    dims = b"".join(whole(1, size) for size in shape)
    return dims + whole(2, ELEMENTS[dtype]) + data(8, name)


def pair(key: str, value: str) -> bytes:
    """Returns a StringStringEntryProto."""
    return data(1, key) + data(2, value)


def port(name: str, dims: Sequence[int | str], dtype: np.dtype[np.generic]) -> bytes:
    """Returns the ValueInfoProto of an input or output; open sizes are words."""
    sizes = b"".join(
        data(1, data(2, size) if isinstance(size, str) else whole(1, size)) for size in dims
    )
    return data(1, name) + data(2, data(1, whole(1, ELEMENTS[dtype]) + data(2, sizes)))


def model(
    graph: Sequence[bytes], opset: int, producer: tuple[str, str], metadata: dict[str, str]
) -> list[bytes]:
    """Returns the parts of a ModelProto around those of its graph, which stay as they are."""
    size = sum(len(part) for part in graph)
    head = whole(1, 11) + data(2, producer[0]) + data(3, producer[1])
    tail = data(8, data(1, "") + whole(2, opset))
    tail += b"".join(data(14, pair(key, value)) for key, value in metadata.items())
    return [head, varint(7 << 3 | 2) + varint(size), *graph, tail]
