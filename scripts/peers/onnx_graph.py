# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of ONNX under construction, with matrices of numbers or codes."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

CONTRIB = "com.microsoft"


class Graph:
    def __init__(self, weights, has_contrib=True):
        """`has_contrib`: codes are multiplied by an operation of onnxruntime's own."""
        self.weights, self.has_contrib, self.nodes, self.constants = weights, has_contrib, [], {}

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, kind, inputs, count=1, **attributes):
        outputs = [f"{kind}_{len(self.nodes)}_{i}" for i in range(count)]
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0] if count == 1 else outputs

    def load(self, name):
        return self.constant(name, self.weights.tensors[name].astype(np.float32))

    def linear(self, x, *names):
        """The product with matrices one under the other."""
        bias = names[0] + ".bias"
        if not self.weights.has_codes:
            matrix = np.concatenate([self.weights.linear(name) for name in names])
            product = self.node("MatMul", [x, self.constant(names[0], matrix.T)])
        elif self.has_contrib:
            product = self.multiply_codes(x, names)
        else:
            product = self.node("MatMul", [x, self.unpack(*names)])
        return self.node("Add", [product, self.load(bias)]) if bias in self.weights.tensors else product

    def multiply_codes(self, x, names):
        codes, scales = (np.concatenate(parts) for parts in zip(*(self.weights.codes(name) for name in names)))
        outputs, depth = codes.shape
        bits, size = (8 if self.weights.column == "int8" else 4), 128
        numbers = (codes.astype(np.int16) + (128 if bits == 8 else 8)).astype(np.uint8)
        if bits == 4:
            numbers = numbers[:, ::2] | numbers[:, 1::2] << 4
        blocks = depth // size
        scales = np.repeat(scales, blocks // scales.shape[1], 1).astype(np.float32)
        name = names[0]
        return self.node("MatMulNBits", [x, self.constant(name + ".codes", numbers.reshape(outputs, blocks, -1)),
                                         self.constant(name + ".scales", scales.reshape(-1))],
                         domain=CONTRIB, K=depth, N=outputs, bits=bits, block_size=size)

    def unpack(self, name):
        """A weight of codes, [in, out], in words that backends look for."""
        codes, scales = self.weights.codes(name)
        groups, outputs = scales.shape[1], len(codes)
        given = self.constant(name + ".codes", codes.T.reshape(groups, -1, outputs))
        if self.weights.column != "int8":
            self.constants[given] = helper.make_tensor(
                given, TensorProto.INT4, [groups, codes.shape[1] // groups, outputs], codes.T.reshape(-1).tolist())
        scales = scales.astype(np.float32).T.reshape(groups, 1, outputs)
        wide = self.node("Mul", [self.node("Cast", [given], to=TensorProto.FLOAT), self.constant(name + ".scales", scales)])
        return self.node("Reshape", [wide, self.constant(name + ".shape", np.array([-1, outputs], np.int64))])

    def norm(self, x, name, eps):
        gain, bias = self.load(name + ".weight"), name + ".bias"
        if bias in self.weights.tensors:
            return self.node("LayerNormalization", [x, gain, self.load(bias)], axis=-1, epsilon=eps)
        return self.node("SimplifiedLayerNormalization", [x, gain], axis=-1, epsilon=eps, stash_type=1)
