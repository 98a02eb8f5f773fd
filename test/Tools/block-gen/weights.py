# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""weights.py FILE IR DTYPE: FILE holds exactly the parameters of IR, as DTYPE,
with the mean and deviation that their block.init asks for."""

import re
import struct
import sys
from array import array
from statistics import fmean, pstdev

import safetensors_io

SHAPE = re.compile(
    r"%arg\d+: tensor<([\dx]+)x\w+> \{block.init = #block.init<kind = (\w+)"
    r'(?:, mean = ([-+.\deE]+))?(?:, std = ([-+.\deE]+))?>, block.param = "([^"]+)"\}'
)


def decode(data, dtype):
    if dtype == "F32":
        return array("f", data)
    if dtype == "F16":
        return [v for (v,) in struct.iter_unpack("<e", data)]
    return array("f", b"".join(b"\0\0" + data[i : i + 2] for i in range(0, len(data), 2)))


def main(path, ir_path, dtype):
    tensors = safetensors_io.read_raw(path)
    declared = {m[4]: m for m in SHAPE.findall(open(ir_path).read())}
    assert declared and set(tensors) == set(declared), set(tensors) ^ set(declared)
    for name, (shape, kind, mean, std, _) in declared.items():
        found, sizes, data = tensors[name]
        assert found == dtype and sizes == [int(d) for d in shape.split("x")], (name, found, sizes)
        values = decode(data, dtype)
        mean, std = float(mean or 0), float(std or 1)
        if kind == "constant":
            assert all(abs(v - mean) <= 1e-2 * abs(mean) for v in values), name
            continue
        count = len(values)
        if count < 16:
            continue
        slack = 6 / count**0.5
        assert abs(fmean(values) - mean) < slack * std + 1e-3, (name, fmean(values), mean)
        assert abs(pstdev(values) / std - 1) < slack, (name, pstdev(values), std)
        if kind == "uniform":  # its tails end at sqrt(3) deviations
            assert max(abs(v - mean) for v in values) < 1.75 * std, name


main(*sys.argv[1:])
