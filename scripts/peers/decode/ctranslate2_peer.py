# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CTranslate2 and its own loop."""

import tempfile

import ctranslate2
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec

KINDS = {"f32": "float32", "bf16": "bfloat16", "int8": "int8_float32"}


def save_spec(spec, names, kind, threads):
    """A generator of the model, by way of a folder."""
    spec.register_vocabulary(names)
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = names[0]
    with tempfile.TemporaryDirectory() as folder:
        spec.validate()
        spec.optimize(quantization=kind)
        spec.save(folder)
        return ctranslate2.Generator(folder, compute_type=kind, intra_threads=threads, inter_threads=1)


def give_norm(weights, norm, name):
    norm.gamma = weights.tensors[name + ".weight"]
    if name + ".bias" in weights.tensors:
        norm.beta = weights.tensors[name + ".bias"]


def give_linear(weights, linear, *names):
    linear.weight = np.ascontiguousarray(np.concatenate([weights.linear(name) for name in names]))
    if names[0] + ".bias" in weights.tensors:
        linear.bias = weights.tensors[names[0] + ".bias"]


class CTranslate2:
    def __init__(self, problem, options):
        self.names = [f"t{index}" for index in range(problem.vocabulary)]
        kind = KINDS[problem.column]
        spec = make_spec(problem)
        spec.config.layer_norm_epsilon = problem.eps
        self.generator = save_spec(spec, self.names, kind, options.threads)

    def generate(self, prompts, count):
        rows = [[self.names[token] for token in row] for row in prompts]
        results = self.generator.generate_batch(
            rows, max_length=count, end_token=[], sampling_topk=1, beam_size=1, include_prompt_in_result=False,
            max_batch_size=0)
        return np.array([each.sequences_ids[0] for each in results], np.int64)


def make_spec(problem):
    tensors = problem.tensors
    form = {} if problem.is_gpt2 else {
        "ffn_glu": True, "rms_norm": True, "rotary_dim": 0, "rotary_interleave": False, "rotary_base": 10000.0,
        "num_heads_kv": problem.kv_heads}
    activation = common_spec.Activation.GELUTanh if problem.is_gpt2 else common_spec.Activation.SWISH
    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        problem.layers, problem.heads, pre_norm=True, activation=activation, **form)

    decoder = spec.decoder
    decoder.embeddings.weight = np.ascontiguousarray(problem.embedding)
    decoder.scale_embeddings = False
    decoder.projection.weight = np.ascontiguousarray(problem.head)
    give_norm(problem, decoder.layer_norm, "ln_f" if problem.is_gpt2 else "model.norm")
    if problem.is_gpt2:
        decoder.position_encodings.encodings = tensors["wpe.weight"]
    for index, layer in enumerate(decoder.layer):
        name = problem.find_layer(index)
        attention = layer.self_attention.linear
        if problem.is_gpt2:
            give_norm(problem, layer.self_attention.layer_norm, name + "ln_1")
            give_norm(problem, layer.ffn.layer_norm, name + "ln_2")
            give_linear(problem, attention[0], name + "attn.c_attn")
            give_linear(problem, attention[1], name + "attn.c_proj")
            give_linear(problem, layer.ffn.linear_0, name + "mlp.c_fc")
            give_linear(problem, layer.ffn.linear_1, name + "mlp.c_proj")
            continue
        give_norm(problem, layer.self_attention.layer_norm, name + "input_layernorm")
        give_norm(problem, layer.ffn.layer_norm, name + "post_attention_layernorm")
        give_linear(problem, attention[0], *(f"{name}self_attn.{part}_proj" for part in "qkv"))
        give_linear(problem, attention[1], name + "self_attn.o_proj")
        give_linear(problem, layer.ffn.linear_0, name + "mlp.gate_proj")
        give_linear(problem, layer.ffn.linear_0_noact, name + "mlp.up_proj")
        give_linear(problem, layer.ffn.linear_1, name + "mlp.down_proj")
    return spec
