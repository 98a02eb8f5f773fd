# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream ops, evaluated, against NumPy: numpy_ops.py tosa|linalg."""

import pathlib
import sys
import tempfile

import numpy as np

import safetensors_io
import tools

HERE = pathlib.Path(__file__).parent


def conv2d(image, filters, bias):
    """Padding (1, 0) down and none across, stride (1, 2)."""
    padded = np.pad(image, ((0, 0), (1, 0), (0, 0), (0, 0)))
    rows, columns = 4, 3
    result = np.zeros((1, rows, columns, 2))
    for r in range(rows):
        for c in range(columns):
            window = padded[0, r : r + 3, 2 * c : 2 * c + 2]
            result[0, r, c] = [(window * f).sum() for f in filters] + bias
    return result


def tosa(random):
    x, y = random.normal(size=(2, 3, 4)), random.normal(size=(1, 3, 4))
    m, i = random.normal(size=(2, 4, 5)), random.integers(0, 3, size=(2, 6))
    image, filters = random.normal(size=(1, 5, 6, 3)), random.normal(size=(2, 3, 2, 3))
    bias = random.normal(size=2)
    want = [
        x + y,
        x - y,
        x * y,
        -x,
        np.exp(x),
        np.tanh(x),
        1 / (1 + np.exp(-x)),
        1 / x,
        np.maximum(x, y),
        1 / np.sqrt(np.abs(x)),
        np.clip(x, -0.25, 0.5),
        x > y,
        np.where(x > y, x, y),
        x.sum(1, keepdims=True),
        x.max(2, keepdims=True),
        x.prod(2, keepdims=True),
        x.argmax(2),
        x @ m,
        np.take_along_axis(x, i[..., None], axis=1),
        x.transpose(2, 0, 1),
        x.reshape(6, 4),
        x[:, 1:3, 1:4],
        np.concatenate([x, x + y], 2),
        np.tile(x, (1, 2, 1)),
        np.pad(x, ((0, 0), (0, 0), (1, 2))),
        x[:, ::-1],
        np.rint(x),
        conv2d(image, filters, bias),
    ]
    return [x, y, m, i.astype(np.int32), image, filters, bias], want


def linalg(random):
    x, m = random.normal(size=(2, 3, 4)), random.normal(size=(2, 4, 5))
    t, i = random.normal(size=(7, 4)), random.integers(0, 7, size=3)
    put = x.copy()
    put[..., ::2] = x[..., 1::2]
    want = [
        x.sum(2),
        x.max(2, keepdims=True),
        x.argmax(2),
        x @ m,
        (x @ m).transpose(1, 0, 2),
        t[i],
        -np.tanh((x - x.sum(2, keepdims=True)) ** 3),
        np.exp(x),
        np.tril(np.ones((3, 3))),
        x[..., 1::2],
        put,
        np.concatenate([x, np.exp(x)], 2),
        x / 2,
        x.reshape(6, 4),
        np.pad(x, ((0, 0), (0, 0), (2, 1))),
        np.array([[t[c : c + 3, r].sum() for c in range(5)] for r in range(4)]),
        np.broadcast_to(x[1, 0], (2, 4)),
    ]
    return [x, m, t, i.astype(np.int64)], want


def check(dialect, folder):
    arguments, want = {"tosa": tosa, "linalg": linalg}[dialect](np.random.default_rng(5))
    inputs = folder / "inputs.safetensors"
    as_stored = [a.astype(np.float64) if a.dtype == np.float64 else a for a in arguments]
    safetensors_io.write(inputs, {f"arg{n:02}": a for n, a in enumerate(as_stored)})
    ir = HERE / "Inputs" / f"{dialect}.mlir"
    got = tools.execute(ir, folder, f"--inputs={inputs}", "--exact-arithmetic")
    if len(got) != len(want):
        raise tools.Failure(f"{len(got)} results, expected {len(want)}")
    for number, expected in enumerate(want):
        array = got[f"out{number}"]
        if array.shape != expected.shape:
            raise tools.Failure(f"out{number}: {array.shape}, expected {expected.shape}")
        error = np.abs(array.astype(np.float64) - expected).max()
        # Inputs and outputs pass through f32.
        if not error <= 1e-5 * max(1, np.abs(expected).max()):
            raise tools.Failure(f"out{number}: off by {error:.2e}")
    print(f"{dialect}: {len(want)} results agree")


def main():
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(sys.argv[1], pathlib.Path(folder))
        except tools.Failure as failure:
            sys.exit(f"{sys.argv[1]}: {failure}")


main()
