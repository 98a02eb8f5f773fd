# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that a family's formula asks for, by checkpoint name and shape.

Asking is declaring: what was asked for, with its shape, is the list of tensors
that the family's checkpoint holds. Values are a function of (seed, name), are
rounded to float32 as a checkpoint's would be, and are not kind: gains are not
1, biases not 0, and means not 0.
"""

import numpy as np

import formulas
import seeded


class Weights:
    def __init__(self, seed):
        self.seed = seed
        self.tensors = {}

    def tensor(self, name, shape, mean=0.0, deviation=1.0):
        shape = tuple(shape)
        if name not in self.tensors:
            count = int(np.prod(shape, dtype=int))
            values = mean + deviation * seeded.normal(self.seed, name, count)
            self.tensors[name] = values.astype(np.float32).reshape(shape)
        found = self.tensors[name]
        assert found.shape == shape, f"{name}: {found.shape}, then {shape}"
        return found.astype(np.float64)

    def table(self, name, rows, width):
        """An embedding; its mean gives norms something to subtract."""
        return self.tensor(name, (rows, width), mean=0.2)

    def matrix(self, name, out, into):
        """[out, in], as nn.Linear keeps it."""
        return self.tensor(name, (out, into), deviation=into**-0.5)

    def gain(self, name, size, mean=1.0):
        return self.tensor(name, (size,), mean=mean, deviation=0.2)

    def bias(self, name, size):
        return self.tensor(name, (size,), mean=0.1, deviation=0.2)

    def linear(self, x, name, out, bias=True):
        """x W^T + b with NAME.weight [out, in] and NAME.bias."""
        y = x @ self.matrix(name + ".weight", out, x.shape[-1]).T
        return y + self.bias(name + ".bias", out) if bias else y

    def conv1d(self, x, name, out):
        """GPT-2's linear: x W + b with NAME.weight [in, out]."""
        into = x.shape[-1]
        weight = self.tensor(name + ".weight", (into, out), deviation=into**-0.5)
        return x @ weight + self.bias(name + ".bias", out)

    def norm(self, function, x, name, eps, bias=False, heads=1):
        """function(x, gamma, [beta,] eps) with NAME.weight and NAME.bias, head by head."""
        if heads > 1:
            return formulas.per_head(lambda y: self.norm(function, y, name, eps, bias), x, heads)
        gamma = self.gain(name + ".weight", x.shape[-1])
        if not bias:
            return function(x, gamma, eps=eps)
        return function(x, gamma, self.bias(name + ".bias", x.shape[-1]), eps=eps)
