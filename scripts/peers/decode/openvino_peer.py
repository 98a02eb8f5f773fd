# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenVINO on a model whose caches are its state: a bare loop, and OpenVINO GenAI's own."""

import numpy as np
import openvino
from openvino import opset13 as ops
from openvino.op import util

from peers.decode.problem import rotation_table


class Builder:
    """The model in OpenVINO's operations."""

    def __init__(self, problem):
        self.problem = problem
        self.ids = self.make_input("input_ids", [-1, -1])
        self.mask = self.make_input("attention_mask", [-1, -1])
        self.positions = self.make_input("position_ids", [-1, -1])
        self.beams = self.make_input("beam_idx", [-1], np.int32)
        self.sinks = []

    @staticmethod
    def make_input(name, shape, kind=np.int64):
        node = ops.parameter(openvino.PartialShape(shape), kind, name=name)
        node.output(0).set_names({name})
        return node

    def load(self, name):
        return ops.constant(self.problem.tensors[name].astype(np.float32))

    def linear(self, x, name):
        problem = self.problem
        if problem.has_codes:
            matrix = self.unpack(name)
        else:
            matrix = ops.constant(np.ascontiguousarray(problem.linear(name)))
        product = ops.matmul(x, matrix, False, True)
        return ops.add(product, self.load(name + ".bias")) if name + ".bias" in problem.tensors else product

    def unpack(self, name):
        """Codes in words that OpenVINO looks for."""
        codes, scales = self.problem.codes(name)
        outputs, groups = scales.shape
        if self.problem.column == "int8":
            given = ops.constant(codes)
        else:
            given = ops.constant(codes.reshape(outputs, groups, -1), dtype=openvino.Type.i4)
        scale = ops.constant(scales.astype(np.float32).reshape([outputs, 1] if groups == 1 and self.problem.column == "int8" else [outputs, groups, 1]))
        wide = ops.multiply(ops.convert(given, np.float32), scale)
        return wide if self.problem.column == "int8" else ops.reshape(wide, [outputs, -1], False)

    def norm(self, x, name):
        problem = self.problem
        if name + ".bias" in problem.tensors:
            x = ops.mvn(x, [-1], True, problem.eps, "inside_sqrt")
            return ops.add(ops.multiply(x, self.load(name + ".weight")), self.load(name + ".bias"))
        square = ops.reduce_mean(ops.multiply(x, x), [-1], True)
        root = ops.sqrt(ops.add(square, np.float32(problem.eps)))
        return ops.multiply(ops.multiply(x, ops.divide(np.float32(1), root)), self.load(name + ".weight"))

    def split(self, x, heads):
        return ops.transpose(ops.reshape(x, [0, 0, heads, self.problem.head_size], True), [0, 2, 1, 3])

    def rotate(self, x):
        half = self.problem.head_size // 2
        cosine, sine = (ops.unsqueeze(ops.gather(ops.constant(table), self.positions, 0), 1) for table in self.tables)
        first = ops.slice(x, [0], [half], [1], [-1])
        second = ops.slice(x, [half], [2 * half], [1], [-1])
        return ops.concat([ops.subtract(ops.multiply(first, cosine), ops.multiply(second, sine)),
                           ops.add(ops.multiply(second, cosine), ops.multiply(first, sine))], -1)

    def keep(self, x, name):
        """All rows of a cache, the new ones behind those that its state holds."""
        info = util.VariableInfo()
        info.data_shape = openvino.PartialShape([-1, self.problem.kv_heads, -1, self.problem.head_size])
        info.data_type, info.variable_id = openvino.Type.f32, name
        variable = util.Variable(info)
        batch = ops.gather(ops.shape_of(self.ids), [0], 0)
        empty = ops.broadcast(np.float32(0), ops.concat(
            [batch, np.array([self.problem.kv_heads, 0, self.problem.head_size], np.int64)], 0))
        held = ops.gather(ops.read_value(empty, variable), self.beams, 0)
        grown = ops.concat([held, x], 2)
        self.sinks.append(ops.assign(grown, variable))
        return grown

    def share(self, x):
        """Keys of a group for each of its queries."""
        problem = self.problem
        times = problem.heads // problem.kv_heads
        if times == 1:
            return x
        shape = ops.shape_of(x)
        batch, tokens = ops.gather(shape, [0], 0), ops.gather(shape, [2], 0)
        size = np.array([problem.head_size], np.int64)
        wide = ops.concat([batch, np.array([problem.kv_heads, times], np.int64), tokens, size], 0)
        whole = ops.concat([batch, np.array([problem.heads], np.int64), tokens, size], 0)
        return ops.reshape(ops.broadcast(ops.unsqueeze(x, 2), wide, "BIDIRECTIONAL"), whole, False)

    def attend(self, q, k, v, name):
        problem = self.problem
        q, k, v = self.split(q, problem.heads), self.split(k, problem.kv_heads), self.split(v, problem.kv_heads)
        if not problem.is_gpt2:
            q, k = self.rotate(q), self.rotate(k)
        k, v = self.keep(k, name + "key"), self.keep(v, name + "value")
        y = ops.scaled_dot_product_attention(q, self.share(k), self.share(v), self.scores, causal=False)
        return ops.reshape(ops.transpose(y, [0, 2, 1, 3]), [0, 0, problem.width], True)

    def make_mask(self):
        """What is added to scores: keys behind a query's position are not looked at."""
        total = ops.gather(ops.shape_of(self.mask), ops.constant(1), 0)
        keys = ops.range(ops.constant(0, np.int64), total, ops.constant(1, np.int64), "i64")
        allowed = ops.less_equal(ops.unsqueeze(keys, [0, 1, 2]), ops.unsqueeze(self.positions, [1, 3]))
        return ops.select(allowed, np.float32(0), np.float32(-np.inf))

    def add_gpt2_layer(self, x, name):
        parts = ops.split(self.linear(self.norm(x, name + "ln_1"), name + "attn.c_attn"), -1, 3)
        y = self.attend(*(parts.output(i) for i in range(3)), name)
        x = ops.add(x, self.linear(y, name + "attn.c_proj"))
        h = ops.gelu(self.linear(self.norm(x, name + "ln_2"), name + "mlp.c_fc"), "tanh")
        return ops.add(x, self.linear(h, name + "mlp.c_proj"))

    def add_llama_layer(self, x, name):
        h = self.norm(x, name + "input_layernorm")
        y = self.attend(*(self.linear(h, f"{name}self_attn.{part}_proj") for part in "qkv"), name)
        x = ops.add(x, self.linear(y, name + "self_attn.o_proj"))
        h = self.norm(x, name + "post_attention_layernorm")
        gate = ops.swish(self.linear(h, name + "mlp.gate_proj"))
        h = ops.multiply(gate, self.linear(h, name + "mlp.up_proj"))
        return ops.add(x, self.linear(h, name + "mlp.down_proj"))

    def build(self):
        problem = self.problem
        x = ops.gather(ops.constant(problem.embedding.astype(np.float32)), self.ids, 0)
        if problem.is_gpt2:
            x = ops.add(x, ops.gather(self.load("wpe.weight"), self.positions, 0))
        self.tables = rotation_table(problem, problem.positions, np.float32)
        self.scores = self.make_mask()
        add = self.add_gpt2_layer if problem.is_gpt2 else self.add_llama_layer
        for index in range(problem.layers):
            x = add(x, problem.find_layer(index))
        last = ops.slice(x, [-1], [np.iinfo(np.int64).max], [1], [1])
        head = ops.constant(problem.head.astype(np.float32))
        logits = ops.result(ops.matmul(self.norm(last, "ln_f" if problem.is_gpt2 else "model.norm"), head, False, True))
        logits.output(0).set_names({"logits"})
        return openvino.Model([logits], self.sinks, [self.ids, self.mask, self.positions, self.beams], "decoder")


def make_settings(problem, options):
    return {
        "INFERENCE_NUM_THREADS": options.threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32" if problem.column == "f32" else "bf16",
        # By default caches are of 8 bits, and rows that meet codes are rounded to 8.
        "KV_CACHE_PRECISION": "f32" if problem.column == "f32" else "bf16",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
    }


class OpenVino:
    """A bare loop."""

    def __init__(self, problem, options):
        compiled = openvino.Core().compile_model(Builder(problem).build(), "CPU", make_settings(problem, options))
        self.request = compiled.create_infer_request()

    def generate(self, prompts, count):
        self.request.reset_state()
        batch, tokens = prompts.shape
        ids, positions = prompts, np.tile(np.arange(tokens), (batch, 1))
        beams, made = np.arange(batch, dtype=np.int32), []
        for step in range(count):
            mask = np.ones((batch, tokens + step), np.int64)
            self.request.infer({"input_ids": ids, "attention_mask": mask, "position_ids": positions, "beam_idx": beams},
                               share_inputs=True)
            ids = self.request.get_output_tensor().data[:, -1].argmax(-1)[:, None]
            positions = np.full((batch, 1), tokens + step)
            made.append(ids)
        return np.concatenate(made, 1)
