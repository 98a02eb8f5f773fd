# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime's own loop for decoders, onnxruntime-genai, on the operations that its models consist of."""

import json
import pathlib
import tempfile

import numpy as np
import onnx
import onnxruntime_genai as genai
from onnx import TensorProto, helper

from peers.decode.problem import rotation_table
from peers.onnx_graph import CONTRIB, Graph


class OnnxRuntime:
    def __init__(self, problem, options):
        self.problem = problem
        with tempfile.TemporaryDirectory() as folder:
            write_model(problem, pathlib.Path(folder))
            write_config(problem, pathlib.Path(folder), options.threads)
            self.model = genai.Model(folder)

    def generate(self, prompts, count):
        batch = len(prompts)
        params = genai.GeneratorParams(self.model)
        params.set_search_options(do_sample=False, max_length=self.problem.find_capacity(prompts), batch_size=batch)
        generator = genai.Generator(self.model, params)
        generator.append_tokens(prompts.astype(np.int32))
        made = []
        for _ in range(count):
            generator.generate_next_token()
            made.append(np.array(generator.get_next_tokens(), np.int64))
        return np.stack(made, 1)


def write_config(problem, folder, threads):
    inputs = {"input_ids": "input_ids", "attention_mask": "attention_mask", "past_key_names": "past_key_values.%d.key",
              "past_value_names": "past_key_values.%d.value"}
    if problem.is_gpt2:
        inputs["position_ids"] = "position_ids"
    decoder = {
        "session_options": {"log_id": "genai", "intra_op_num_threads": threads, "provider_options": []},
        "filename": "model.onnx", "head_size": problem.head_size, "hidden_size": problem.width, "inputs": inputs,
        "outputs": {"logits": "logits", "present_key_names": "present.%d.key", "present_value_names": "present.%d.value"},
        "num_attention_heads": problem.heads, "num_hidden_layers": problem.layers, "num_key_value_heads": problem.kv_heads}
    # No text has the token that ends one: its logit is 0, behind all others.
    model = {"type": "phi" if problem.is_gpt2 else "llama", "vocab_size": problem.vocabulary + 1, "context_length": problem.positions,
             "bos_token_id": 0, "eos_token_id": problem.vocabulary, "pad_token_id": problem.vocabulary, "decoder": decoder}
    search = {"past_present_share_buffer": True, "do_sample": False, "max_length": problem.positions}
    (folder / "genai_config.json").write_text(json.dumps({"model": model, "search": search}), encoding="utf-8")


class Decoder(Graph):
    def __init__(self, problem):
        super().__init__(problem)
        self.problem = problem

    def attend(self, index, q, k, v):
        problem = self.problem
        past = [f"past_key_values.{index}.key", f"past_key_values.{index}.value"]
        present = [f"present.{index}.key", f"present.{index}.value"]
        result = f"attention_{index}"
        tables = [] if problem.is_gpt2 else ["cosines", "sines"]
        self.nodes.append(helper.make_node(
            "GroupQueryAttention", [q, k, v, *past, "held", "all_tokens", *tables], [result, *present], domain=CONTRIB,
            num_heads=problem.heads, kv_num_heads=problem.kv_heads, do_rotary=int(not problem.is_gpt2), rotary_interleaved=0,
            scale=problem.head_size**-0.5))
        return result

    def count_tokens(self):
        """What an attention is told: tokens of each row, less 1, and the longest row."""
        sums = self.node("ReduceSum", ["attention_mask", self.constant("one_axis", np.array([1], np.int64))], keepdims=0)
        less = self.node("Sub", [sums, self.constant("one", np.array([1], np.int64))])
        self.nodes.append(helper.make_node("Cast", [less], ["held"], to=TensorProto.INT32))
        shape = self.node("Shape", ["attention_mask"])
        longest = self.node("Gather", [shape, self.constant("at_one", np.array(1, np.int64))])
        self.nodes.append(helper.make_node("Cast", [longest], ["all_tokens"], to=TensorProto.INT32))

    def add_gpt2_layer(self, x, index, name):
        parts = self.node("Split", [self.linear(self.norm(x, name + "ln_1", self.problem.eps), name + "attn.c_attn"),
                                    self.constant("thirds", np.array([self.problem.width] * 3, np.int64))], 3, axis=-1)
        x = self.node("Add", [x, self.linear(self.attend(index, *parts), name + "attn.c_proj")])
        h = self.linear(self.norm(x, name + "ln_2", self.problem.eps), name + "mlp.c_fc")
        h = self.node("FastGelu", [h], domain=CONTRIB)
        return self.node("Add", [x, self.linear(h, name + "mlp.c_proj")])

    def add_llama_layer(self, x, index, name):
        h = self.norm(x, name + "input_layernorm", self.problem.eps)
        size = self.problem.head_size
        sizes = [self.problem.heads * size, self.problem.kv_heads * size, self.problem.kv_heads * size]
        parts = self.node("Split", [self.linear(h, *(f"{name}self_attn.{part}_proj" for part in "qkv")),
                                    self.constant("shares", np.array(sizes, np.int64))], 3, axis=-1)
        x = self.node("Add", [x, self.linear(self.attend(index, *parts), name + "self_attn.o_proj")])
        h = self.norm(x, name + "post_attention_layernorm", self.problem.eps)
        gate = self.linear(h, name + "mlp.gate_proj")
        gate = self.node("Mul", [gate, self.node("Sigmoid", [gate])])
        h = self.node("Mul", [gate, self.linear(h, name + "mlp.up_proj")])
        return self.node("Add", [x, self.linear(h, name + "mlp.down_proj")])


def write_model(problem, folder):
    graph = Decoder(problem)
    table = graph.constant("embedding", problem.embedding.astype(np.float32))
    x = graph.node("Gather", [table, "input_ids"])
    if problem.is_gpt2:
        x = graph.node("Add", [x, graph.node("Gather", [graph.load("wpe.weight"), "position_ids"])])
    else:
        for name, values in zip(("cosines", "sines"), rotation_table(problem, problem.positions, np.float32)):
            graph.constant(name, values)
    graph.count_tokens()
    for index in range(problem.layers):
        add = graph.add_gpt2_layer if problem.is_gpt2 else graph.add_llama_layer
        x = add(x, index, problem.find_layer(index))
    last = graph.node("Gather", [x, graph.constant("last", np.array([-1], np.int64))], axis=1)
    head = graph.constant("head", np.pad(problem.head.astype(np.float32).T, [(0, 0), (0, 1)]))
    last = graph.norm(last, "ln_f" if problem.is_gpt2 else "model.norm", problem.eps)
    graph.nodes.append(helper.make_node("MatMul", [last, head], ["logits"]))
    onnx.save(make_onnx_model(problem, graph), str(folder / "model.onnx"), save_as_external_data=True, location="weights.data")


def make_onnx_model(problem, graph):
    def value(name, kind, *shape):
        return helper.make_tensor_value_info(name, kind, list(shape))

    ids = ["input_ids", "attention_mask"] + (["position_ids"] if problem.is_gpt2 else [])
    inputs = [value(name, TensorProto.INT64, "batch", "seq") for name in ids]
    inputs[1] = value("attention_mask", TensorProto.INT64, "batch", "total")
    outputs = [value("logits", TensorProto.FLOAT, "batch", 1, problem.vocabulary + 1)]
    for index in range(problem.layers):
        for part in ("key", "value"):
            shape = ("batch", problem.kv_heads, "past", problem.head_size)
            inputs.append(value(f"past_key_values.{index}.{part}", TensorProto.FLOAT, *shape))
            outputs.append(value(f"present.{index}.{part}", TensorProto.FLOAT, *shape))
    made = helper.make_graph(graph.nodes, "decoder", inputs, outputs, list(graph.constants.values()))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 21), helper.make_opsetid(CONTRIB, 1)], ir_version=10)
