#===- packed.py - checkpoints that are codes of few bits ------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of GPTQ, AWQ and compressed-tensors against the weights they stand for.

usage: packed.py BIN [reference|cpu]

Each is written from drawn codes by the format's own layout, beside a plain checkpoint
of the numbers (code - zero) * scale; models of both give the same results. As a
control, a changed code gives others.
"""

import json
import os
import sys
import tempfile

import numpy as np

import kept_code
import safetensors_io
import tools

WIDTH, HEADS, HIDDEN, VOCAB, LAYERS = 32, 2, 48, 40, 2
CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": WIDTH,
    "num_attention_heads": HEADS, "num_key_value_heads": HEADS, "intermediate_size": HIDDEN,
    "num_hidden_layers": LAYERS, "vocab_size": VOCAB, "max_position_embeddings": 64,
    "tie_word_embeddings": False}
LINEARS = [("self_attn.q_proj", WIDTH, WIDTH), ("self_attn.k_proj", WIDTH, WIDTH),
           ("self_attn.v_proj", WIDTH, WIDTH), ("self_attn.o_proj", WIDTH, WIDTH),
           ("mlp.gate_proj", HIDDEN, WIDTH), ("mlp.up_proj", HIDDEN, WIDTH),
           ("mlp.down_proj", WIDTH, HIDDEN)]
AWQ_ORDER = [0, 2, 4, 6, 1, 3, 5, 7]


def pack(codes, bits, axis, order=None):
    """Whole words of the codes along an axis, the first one in the lowest bits."""
    count = 32 // bits
    codes = np.moveaxis(codes.astype(np.uint32), axis, -1)
    codes = codes.reshape(*codes.shape[:-1], -1, count)
    words = np.zeros(codes.shape[:-1], np.uint32)
    for place in range(count):
        words |= codes[..., order[place] if order else place] << np.uint32(bits * place)
    return np.moveaxis(words, -1, axis).view(np.int32)


def pack_gptq(name, codes, zeros, scales, bits, less_one):
    tensors = {name + ".qweight": pack(codes.T, bits, 0), name + ".scales": scales.T,
               name + ".qzeros": pack(zeros.T - less_one, bits, 1)}
    group = -(-codes.shape[1] // scales.shape[1])
    tensors[name + ".g_idx"] = (np.arange(codes.shape[1]) // group).astype(np.int32)
    return tensors


def pack_awq(name, codes, zeros, scales):
    return {name + ".qweight": pack(codes.T, 4, 1, AWQ_ORDER), name + ".scales": scales.T,
            name + ".qzeros": pack(zeros.T, 4, 1, AWQ_ORDER)}


def pack_compressed(name, codes, zeros, scales, bits, is_packed, has_zeros):
    half = 1 << (bits - 1)
    tensors = {name + ".weight_scale": scales}
    if is_packed:
        tensors[name + ".weight_packed"] = pack(codes, bits, 1)
        tensors[name + ".weight_shape"] = np.array(codes.shape, np.int64)
    else:
        tensors[name + ".weight"] = (codes.astype(np.int64) - half).astype(np.int8)
    if has_zeros:
        tensors[name + ".weight_zero_point"] = (
            pack(zeros, bits, 0) if is_packed else (zeros.astype(np.int64) - half).astype(np.int8))
    return tensors


def describe_compressed(bits, group, symmetric, form):
    weights = {"num_bits": bits, "type": "int", "symmetric": symmetric,
               "strategy": "group" if group else "channel", "group_size": group or None}
    return {"quant_method": "compressed-tensors", "format": form, "ignore": ["lm_head"],
            "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights,
                                          "input_activations": None}}}


def gptq(bits, group, sym, form):
    return {"quant_method": "gptq", "bits": bits, "group_size": group or -1, "sym": sym,
            "desc_act": False, "checkpoint_format": form}


#: Name, bits, columns of a group (0: all), symmetric, the config's part and the packer.
CASES = [
    ("gptq", 4, 16, True, gptq(4, 16, True, "gptq"), lambda *a: pack_gptq(*a, 4, 1)),
    ("gptq with zeros", 4, 16, False, gptq(4, 16, False, "gptq"), lambda *a: pack_gptq(*a, 4, 1)),
    ("gptq_v2 with zeros", 4, 32, False, gptq(4, 32, False, "gptq_v2"), lambda *a: pack_gptq(*a, 4, 0)),
    ("gptq of 8 bits, whole rows", 8, 0, True, gptq(8, 0, True, "gptq"), lambda *a: pack_gptq(*a, 8, 1)),
    ("awq", 4, 16, False, {"quant_method": "awq", "bits": 4, "group_size": 16, "version": "gemm",
                           "zero_point": True, "modules_to_not_convert": None}, pack_awq),
    ("compressed of 4 bits", 4, 16, True, describe_compressed(4, 16, True, "pack-quantized"),
     lambda *a: pack_compressed(*a, 4, True, False)),
    ("compressed of 4 bits with zeros", 4, 16, False, describe_compressed(4, 16, False, "pack-quantized"),
     lambda *a: pack_compressed(*a, 4, True, True)),
    ("compressed of 8 bits", 8, 0, True, describe_compressed(8, 0, True, "pack-quantized"),
     lambda *a: pack_compressed(*a, 8, True, False)),
    ("compressed int8", 8, 0, True, describe_compressed(8, 0, True, "int-quantized"),
     lambda *a: pack_compressed(*a, 8, False, False)),
    ("compressed int8 with zeros", 8, 16, False, describe_compressed(8, 16, False, "int-quantized"),
     lambda *a: pack_compressed(*a, 8, False, True)),
]


def run(bin_dir, engine, folder):
    ir, out = os.path.join(folder, "m.mlir"), os.path.join(folder, "o.safetensors")
    # Others' weights are no other program.
    kept = kept_code.make_flags(os.path.join(os.path.dirname(folder), "codes"))
    for command in (
            ["block-gen", f"--config={folder}/config.json", "--batch=2", "--seq=9", "-o", ir],
            ["block-run", ir, f"--engine={engine}", *kept, "--seed=5", f"--weights={folder}/model.safetensors",
             f"--outputs={out}"]):
        tools.require(os.path.join(bin_dir, command[0]), *command[1:])
    return safetensors_io.read(out)["logits"].astype(np.float64)


def write(folder, config, tensors):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(config, file)
    safetensors_io.write(os.path.join(folder, "model.safetensors"), tensors)


def draw_plain(random):
    def draw(*shape, scale=1.0, mean=0.0):
        return (mean + scale * random.standard_normal(shape)).astype(np.float32)

    tensors = {"model.embed_tokens.weight": draw(VOCAB, WIDTH), "lm_head.weight": draw(VOCAB, WIDTH),
               "model.norm.weight": draw(WIDTH, scale=0.1, mean=1)}
    for layer in range(LAYERS):
        for norm in ("input_layernorm", "post_attention_layernorm"):
            tensors[f"model.layers.{layer}.{norm}.weight"] = draw(WIDTH, scale=0.1, mean=1)
    return tensors


def check(bin_dir, engine, case, top):
    name, bits, group, symmetric, quantisation, packer = case
    random = np.random.default_rng(7)
    plain = draw_plain(random)
    packed, changed = dict(plain), dict(plain)
    for layer in range(LAYERS):
        for linear, out, columns in LINEARS:
            path = f"model.layers.{layer}.{linear}"
            groups = -(-columns // group) if group else 1
            codes = random.integers(0, 1 << bits, (out, columns))
            zeros = np.full((out, groups), 1 << (bits - 1))
            if not symmetric:
                zeros = random.integers(1, 1 << bits, (out, groups))
            scales = random.uniform(0.5, 1.5, (out, groups)) / (1 << bits)
            scales = scales.astype(np.float16)
            spread = [np.repeat(x, group or columns, 1)[:, :columns] for x in (zeros, scales)]
            plain[path + ".weight"] = ((codes - spread[0]) * spread[1].astype(np.float64)).astype(np.float32)
            packed.update(packer(path, codes, zeros, scales))
            codes[out // 2] ^= 1
            changed.update(packer(path, codes, zeros, scales))
    results = []
    for number, (tensors, config) in enumerate((
            (plain, CONFIG), (packed, {**CONFIG, "quantization_config": quantisation}),
            (changed, {**CONFIG, "quantization_config": quantisation}))):
        folder = os.path.join(top, f"{name.replace(' ', '-')}-{number}")
        write(folder, config, tensors)
        results.append(run(bin_dir, engine, folder))
    size = np.linalg.norm(results[0])
    error, other = (float(np.linalg.norm(results[0] - r) / size) for r in results[1:])
    limit = 1e-6 if engine == "reference" else 1e-5
    if not (size > 0 and error <= limit and other > 1e-3):
        raise SystemExit(f"FAIL {name}: error {error:.1e}, limit {limit}; with other codes {other:.1e}")
    print(f"PASS {name}: error {error:.1e}; with other codes {other:.1e}")


def main():
    engine = sys.argv[2] if len(sys.argv) > 2 else "reference"
    with tempfile.TemporaryDirectory() as top:
        for case in CASES:
            check(sys.argv[1], engine, case, top)
    print(f"{len(CASES)} passed")


if __name__ == "__main__":
    main()
