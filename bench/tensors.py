# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""safetensors files and numbers, with numpy alone."""

import json
import struct

import numpy

TYPES = {"F64": numpy.float64, "F32": numpy.float32, "F16": numpy.float16, "BF16": numpy.uint16, "I64": numpy.int64,
         "I32": numpy.int32}


def read(path):
    """{name: (dtype, array)}; bf16 comes as its bits in uint16."""
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    result = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            array = numpy.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
            result[name] = entry["dtype"], array
    return result


def write(path, tensors):
    header, parts, end = {}, [], 0
    for name, (dtype, array) in tensors.items():
        raw = numpy.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [end, end + len(raw)]}
        parts.append(raw)
        end += len(raw)
    text = json.dumps(header).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def to_float(dtype, array):
    if dtype == "BF16":
        return (array.astype(numpy.uint32) << 16).view(numpy.float32).astype(numpy.float64)
    return array.astype(numpy.float64)


def from_float(dtype, values):
    """Rounded to nearest, ties to even."""
    if dtype != "BF16":
        return values.astype(TYPES[dtype])
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)


def relative_error(got, want):
    """Relative L2; infinite where one side alone is no number."""
    if got.shape != want.shape or not numpy.isfinite(got).all():
        return float("inf")
    return float(numpy.linalg.norm(got - want) / max(numpy.linalg.norm(want), 1e-30))
