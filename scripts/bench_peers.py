#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times one layer of GPT-2 in another framework, for block-bench.

    bench_peers.py PEER TENSORS --dtype f32 --threads 1 --repeat 5 --json OUT

TENSORS is a safetensors file: the layer's weights under their GPT-2 names, the
input "hidden_states", and "expected.hidden_states", what exact arithmetic makes of it.
Where DTYPE is one of codes, a weight is NAME.codes and NAME.scales, that of c_attn in
three parts. The peer's numbers are checked before its time is told. OUT holds {"name",
"time_ms": {"min", "median"}, "rel_l2"} or {"name", "skipped"}, and "differs" where the
peer does other work than was asked for.
"""

import argparse
import ctypes
import importlib.util
import json
import signal
import statistics
import struct
import subprocess
import time

HEADS = 12
# What codes stand for is multiplied by rows of bf16.
LIMITS = {"f32": 1e-4, "bf16": 3e-2, "int8": 3e-2, "int4-g128": 3e-2}
NEEDS = {
    "onnxruntime": ["numpy", "onnx", "onnxruntime"],
    "torch": ["numpy", "torch"],
    "torch.compile": ["numpy", "torch"],
    "iree": ["numpy", "onnx", "iree.compiler", "iree.runtime"],
    "openvino": ["numpy", "onnx", "openvino"],
    "openvino.rounded-rows": ["numpy", "onnx", "openvino"],
    "jax": ["numpy", "jax", "jaxlib"],
    "ctranslate2": ["numpy", "ctranslate2"],
}
ONLY = {
    "onnxruntime": ("f32", "int8", "int4-g128"),
    "iree": ("f32",),
    "jax": ("f32", "bf16"),
    "torch.compile": ("f32", "bf16"),
    "ctranslate2": ("f32", "bf16", "int8"),
    "openvino.rounded-rows": ("int8", "int4-g128"),
}
# What a peer does that was not asked for: its time is told, and no bar.
DIFFERS = {"openvino.rounded-rows": "rounds rows to 8 bits"}


def is_installed(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def read_tensors(path):
    """Every tensor as float32."""
    import numpy as np

    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        raw = data[slice(*entry["data_offsets"])]
        if entry["dtype"] == "I8":
            tensors[name] = np.frombuffer(raw, "<i1").reshape(entry["shape"])
            continue
        if entry["dtype"] == "BF16":
            values = (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        else:
            values = np.frombuffer(raw, "<f4")
        tensors[name] = values.reshape(entry["shape"])
    return tensors


class Weights:
    """Tensors by the ends of their names."""

    def __init__(self, tensors):
        self.tensors = tensors
        self.input = tensors["hidden_states"]
        self.expected = tensors["expected.hidden_states"]

    def __getitem__(self, suffix):
        found = [t for name, t in self.tensors.items() if name.endswith(suffix)]
        if len(found) != 1:
            raise KeyError(f"{len(found)} tensors end in {suffix}")
        return found[0]

    def join(self, weight, suffix):
        """The parts of what a weight is made of, one under the other."""
        import numpy as np

        parts = [weight + part + suffix for part in ("", ".1", ".2")]
        found = [t for part in parts for name, t in self.tensors.items() if name.endswith(part)]
        return np.concatenate(found)

    def codes(self, layer, form):
        """Codes [out, in] as whole numbers, and scales [out, groups]."""
        import numpy as np

        codes = self.join(layer + ".weight", ".codes")
        scales = self.join(layer + ".weight", ".scales").astype(np.float32)
        if form == "int8":
            return codes, scales
        halves = codes.view("u1")
        numbers = np.stack([halves & 15, halves >> 4], -1).reshape(len(codes), -1).astype("i1")
        return numbers - np.int8(8), scales

    def linear(self, layer, form):
        """A weight [in, out], of whatever it is stored as."""
        import numpy as np

        if form in ("f32", "bf16"):
            return self[layer + ".weight"]
        codes, scales = self.codes(layer, form)
        return (codes * np.repeat(scales, codes.shape[1] // scales.shape[1], 1)).T


# --- PyTorch


def make_torch_layer(weights, dtype, compiled):
    import torch
    from torch.nn import functional as F

    kind = torch.float32 if dtype == "f32" else torch.bfloat16

    def load(suffix):
        return torch.from_numpy(weights[suffix].copy()).to(kind)

    def load_linear(name):
        """The layer as a function."""
        bias = load(name + ".bias")
        if dtype in ("f32", "bf16"):
            weight = load(name + ".weight").t().contiguous()
            return lambda x: F.linear(x, weight, bias)
        codes, scales = (torch.from_numpy(part.copy()) for part in weights.codes(name, dtype))
        if dtype == "int8":
            scales = scales[:, 0].to(kind)
            return lambda x: torch.ops.aten._weight_int8pack_mm(x.flatten(0, 1), codes, scales).view(*x.shape[:2], -1) + bias
        packed = torch.ops.aten._convert_weight_to_int4pack_for_cpu((codes + 8).int(), 1)
        pairs = torch.stack([scales.t(), torch.zeros_like(scales.t())], -1).to(kind).contiguous()
        multiply = torch.ops.aten._weight_int4pack_mm_for_cpu
        return lambda x: multiply(x.flatten(0, 1), packed, 128, pairs).view(*x.shape[:2], -1) + bias

    ln1, ln1b = load("ln_1.weight"), load("ln_1.bias")
    ln2, ln2b = load("ln_2.weight"), load("ln_2.bias")
    qkv, out, up, down = (load_linear(name) for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"))

    def layer(x):
        batch, tokens, width = x.shape
        h = F.layer_norm(x, (width,), ln1, ln1b, 1e-5)
        parts = qkv(h).split(width, -1)
        q, k, v = (p.view(batch, tokens, HEADS, -1).transpose(1, 2) for p in parts)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + out(a.transpose(1, 2).reshape(x.shape))
        h = F.layer_norm(x, (width,), ln2, ln2b, 1e-5)
        h = F.gelu(up(h), approximate="tanh")
        return x + down(h)

    x = torch.from_numpy(weights.input.copy()).to(kind)
    function = torch.compile(layer) if compiled else layer

    def run():
        with torch.inference_mode():
            return function(x)

    return run, lambda result: result.float().numpy()


def run_torch(weights, options):
    import torch

    torch.set_num_threads(options.threads)
    return make_torch_layer(weights, options.dtype, options.peer == "torch.compile")


# --- ONNX: the same graph for onnxruntime and IREE


def make_onnx(weights, form="f32", has_contrib=False):
    """`has_contrib`: codes are multiplied by an operation of onnxruntime's own."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    batch, tokens, width = weights.input.shape
    size = width // HEADS
    constants, nodes = {}, []

    def constant(name, value):
        constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(kind, inputs, count=1, **attributes):
        outputs = [f"{kind}_{len(nodes)}_{i}" for i in range(count)]
        nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0] if count == 1 else outputs

    def load(suffix):
        return constant(suffix, weights[suffix])

    def scalar(name, value):
        return constant(name, np.array(value, np.float32))

    def unpack(name):
        """A weight of codes, [in, out], in words that backends look for."""
        codes, scales = weights.codes(name, form)
        groups, outputs = scales.shape[1], len(codes)
        given = constant(name + ".codes", codes.T.reshape(groups, -1, outputs))
        if form != "int8":
            constants[name + ".codes"] = helper.make_tensor(
                name + ".codes", TensorProto.INT4, [groups, codes.shape[1] // groups, outputs],
                codes.T.reshape(-1).tolist())
        wide = node("Mul", [node("Cast", [given], to=TensorProto.FLOAT),
                            constant(name + ".scales", scales.T.reshape(groups, 1, outputs))])
        return node("Reshape", [wide, constant(name + ".shape", np.array([-1, outputs], np.int64))])

    def multiply_codes(x, name):
        codes, scales = weights.codes(name, form)
        outputs, depth = codes.shape
        bits, size = (8, 128) if form == "int8" else (4, 128)
        numbers = (codes.astype(np.int16) + (128 if bits == 8 else 8)).astype(np.uint8)
        if bits == 4:
            numbers = numbers[:, ::2] | numbers[:, 1::2] << 4
        blocks = depth // size
        scales = np.repeat(scales, blocks // scales.shape[1], 1)
        return node("MatMulNBits", [x, constant(name + ".codes", numbers.reshape(outputs, blocks, -1)),
                                    constant(name + ".scales", scales.reshape(-1))],
                    domain="com.microsoft", K=depth, N=outputs, bits=bits, block_size=size)

    def linear(x, name):
        if form == "f32":
            product = node("MatMul", [x, load(name + ".weight")])
        elif has_contrib:
            product = multiply_codes(x, name)
        else:
            product = node("MatMul", [x, unpack(name)])
        return node("Add", [product, load(name + ".bias")])

    def norm(x, name):
        return node("LayerNormalization", [x, load(name + ".weight"), load(name + ".bias")],
                    axis=-1, epsilon=1e-5)

    def gelu(x):
        cube = node("Mul", [node("Mul", [x, x]), x])
        inner = node("Add", [x, node("Mul", [cube, scalar("cubic", 0.044715)])])
        tanh = node("Tanh", [node("Mul", [inner, scalar("root", 0.7978845608028654)])])
        return node("Mul", [node("Mul", [x, scalar("half", 0.5)]),
                            node("Add", [tanh, scalar("one", 1.0)])])

    heads = constant("heads", np.array([batch, tokens, HEADS, size], np.int64))
    flat = constant("flat", np.array([batch, tokens, width], np.int64))
    mask = constant("mask", np.triu(np.full((tokens, tokens), -1e9, np.float32), 1))

    x = "hidden_states"
    split = constant("split", np.array([width] * 3, np.int64))
    parts = node("Split", [linear(norm(x, "ln_1"), "attn.c_attn"), split], 3, axis=-1)
    q, v = (node("Transpose", [node("Reshape", [parts[i], heads])], perm=[0, 2, 1, 3]) for i in (0, 2))
    k = node("Transpose", [node("Reshape", [parts[1], heads])], perm=[0, 2, 3, 1])
    scores = node("Mul", [node("MatMul", [q, k]), scalar("scale", size ** -0.5)])
    weights_ = node("Softmax", [node("Add", [scores, mask])], axis=-1)
    a = node("Transpose", [node("MatMul", [weights_, v])], perm=[0, 2, 1, 3])
    x = node("Add", [x, linear(node("Reshape", [a, flat]), "attn.c_proj")])
    h = linear(gelu(linear(norm(x, "ln_2"), "mlp.c_fc")), "mlp.c_proj")
    nodes.append(helper.make_node("Add", [x, h], ["y"]))

    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(weights.input.shape))

    graph = helper.make_graph(nodes, "layer", [value("hidden_states")], [value("y")],
                              list(constants.values()))
    sets = [helper.make_opsetid("", 17 if form == "f32" else 21), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=sets, ir_version=8 if form == "f32" else 10)
    onnx.checker.check_model(model)
    return model


def run_onnxruntime(weights, options):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    form = options.dtype
    session = onnxruntime.InferenceSession(make_onnx(weights, form, form != "f32").SerializeToString(), settings,
                                           providers=["CPUExecutionProvider"])
    feeds = {"hidden_states": weights.input}
    return lambda: session.run(None, feeds)[0], lambda result: result


def run_iree(weights, options):
    import os
    import tempfile

    import iree.runtime as runtime
    import numpy as np
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layer")
        onnx.save(make_onnx(weights), path + ".onnx")
        subprocess.run([os.sys.executable, "-m", "iree.compiler.tools.import_onnx", path + ".onnx",
                        "-o", path + ".mlir"], check=True, capture_output=True)
        subprocess.run([os.sys.executable, "-m", "iree.compiler.tools.scripts.iree_compile",
                        path + ".mlir", "--iree-hal-target-device=local",
                        "--iree-hal-local-target-device-backends=llvm-cpu",
                        "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
                        "--iree-llvmcpu-stack-allocation-limit=1048576",
                        "-o", path + ".vmfb"], check=True, capture_output=True)
        code = open(path + ".vmfb", "rb").read()
    if options.threads > 1:
        runtime.flags.parse_flags(f"--task_topology_group_count={options.threads}")
    config = runtime.Config("local-sync" if options.threads == 1 else "local-task")
    context = runtime.SystemContext(config=config)
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, code))
    function = context.modules.module["layer"]
    x = runtime.asdevicearray(config.device, weights.input)
    return lambda: function(x), lambda result: np.asarray(result)


def run_openvino(weights, options):
    import openvino

    core = openvino.Core()
    form = "f32" if options.dtype == "bf16" else options.dtype
    model = core.read_model(make_onnx(weights, form).SerializeToString())
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": options.threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32" if options.dtype == "f32" else "bf16",
        # By default it rounds rows that meet codes; 0 takes them as they are.
        **({} if options.peer in DIFFERS else {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}),
    })
    request = compiled.create_infer_request()
    request.set_input_tensor(openvino.Tensor(weights.input.copy()))

    def run():
        request.infer()
        return request.get_output_tensor().data

    return run, lambda result: result.copy()


# --- JAX


def run_jax(weights, options):
    import os

    # Its pool has as many threads as the process may use cores, which it asks when it starts.
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    import jax
    import jax.numpy as jnp

    kind = {"f32": jnp.float32, "bf16": jnp.bfloat16}[options.dtype]
    names = ["ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias", "attn.c_attn.weight", "attn.c_attn.bias",
             "attn.c_proj.weight", "attn.c_proj.bias", "mlp.c_fc.weight", "mlp.c_fc.bias", "mlp.c_proj.weight",
             "mlp.c_proj.bias"]
    given = {name: jnp.asarray(weights[name], kind) for name in names}

    def norm(x, w, name):
        wide = x.astype(jnp.float32)
        centred = wide - wide.mean(-1, keepdims=True)
        scaled = centred * jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
        return scaled.astype(kind) * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, w, name):
        return x @ w[name + ".weight"] + w[name + ".bias"]

    @jax.jit
    def layer(w, x):
        batch, tokens, width = x.shape
        parts = jnp.split(linear(norm(x, w, "ln_1"), w, "attn.c_attn"), 3, axis=-1)
        q, k, v = (part.reshape(batch, tokens, HEADS, -1) for part in parts)
        a = jax.nn.dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(a.reshape(x.shape), w, "attn.c_proj")
        h = jax.nn.gelu(linear(norm(x, w, "ln_2"), w, "mlp.c_fc"), approximate=True)
        return x + linear(h, w, "mlp.c_proj")

    x = jnp.asarray(weights.input, kind)
    import numpy as np

    return lambda: layer(given, x).block_until_ready(), lambda result: np.asarray(result.astype(jnp.float32))


# --- CTranslate2


def run_ctranslate2(weights, options):
    """A model of one layer: rows of the input are its table of embeddings, and so many
    outputs of the head as a layer norm behind the layer needs to be seen by."""
    import tempfile

    import ctranslate2
    import numpy as np
    from ctranslate2.specs import common_spec, transformer_spec

    form = options.dtype
    rows = weights.input[0]
    tokens, width = rows.shape
    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        1, HEADS, pre_norm=True, activation=common_spec.Activation.GELUTanh)
    decoder, layer = spec.decoder, spec.decoder.layer[0]
    size = max(tokens, 64)
    head = np.random.default_rng(1).standard_normal((size, width), np.float32) / width**0.5

    def give_norm(norm, name):
        norm.gamma, norm.beta = weights[name + ".weight"], weights[name + ".bias"]

    def give_linear(linear, name):
        linear.weight, linear.bias = np.ascontiguousarray(weights.linear(name, form).T), weights[name + ".bias"]

    decoder.embeddings.weight = np.concatenate([rows, head[tokens:]])
    decoder.scale_embeddings = False
    decoder.position_encodings.encodings = np.zeros((tokens, width), np.float32)
    give_norm(layer.self_attention.layer_norm, "ln_1")
    give_linear(layer.self_attention.linear[0], "attn.c_attn")
    give_linear(layer.self_attention.linear[1], "attn.c_proj")
    give_norm(layer.ffn.layer_norm, "ln_2")
    give_linear(layer.ffn.linear_0, "mlp.c_fc")
    give_linear(layer.ffn.linear_1, "mlp.c_proj")
    decoder.layer_norm.gamma, decoder.layer_norm.beta = np.ones(width, np.float32), np.zeros(width, np.float32)
    decoder.projection.weight = head
    names = [f"t{i}" for i in range(size)]
    spec.register_vocabulary(names)
    spec.config.bos_token = spec.config.eos_token = spec.config.unk_token = names[0]
    kind = {"f32": "float32", "bf16": "bfloat16", "int8": "int8_float32"}[form]
    with tempfile.TemporaryDirectory() as folder:
        spec.validate()
        spec.optimize(quantization=kind)
        spec.save(folder)
        generator = ctranslate2.Generator(folder, compute_type=kind, intra_threads=options.threads, inter_threads=1)
    ids = [list(range(tokens))]
    expected = weights.expected[0].astype(np.float64)
    centred = expected - expected.mean(-1, keepdims=True)
    weights.expected = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) @ head.T.astype(np.float64)
    return (lambda: generator.forward_batch(ids),
            lambda result: np.array(result.to_device(ctranslate2.Device.cpu).to(ctranslate2.DataType.float32))
            if hasattr(result, "to") else np.array(result))


RUNNERS = {"torch": run_torch, "torch.compile": run_torch, "onnxruntime": run_onnxruntime, "iree": run_iree,
           "openvino": run_openvino, "openvino.rounded-rows": run_openvino, "jax": run_jax, "ctranslate2": run_ctranslate2}


def measure(options):
    """The fields of one entry, but for its name."""
    missing = [m for m in NEEDS[options.peer] if not is_installed(m)]
    if missing:
        return {"skipped": "not installed: " + ", ".join(missing)}
    if options.dtype not in ONLY.get(options.peer, LIMITS):
        return {"skipped": " and ".join(ONLY[options.peer]) + " only"}
    import numpy as np

    weights = Weights(read_tensors(options.tensors))
    run, to_numpy = RUNNERS[options.peer](weights, options)
    got = to_numpy(run()).astype(np.float64)
    want = weights.expected.astype(np.float64)
    error = float(np.linalg.norm(got - want) / np.linalg.norm(want))
    if not error <= LIMITS[options.dtype]:
        return {"skipped": f"wrong numbers: relative L2 error {error:.2e}"}
    times = []
    for _ in range(max(3, options.repeat)):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    fields = {"time_ms": {"min": min(times), "median": statistics.median(times)}, "rel_l2": error}
    if options.peer in DIFFERS:
        fields["differs"] = DIFFERS[options.peer]
    return fields


def end_with_parent():
    """Has the system end this process when block-bench is ended: nobody else would."""
    set_signal = 1  # PR_SET_PDEATHSIG
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(set_signal, signal.SIGKILL)


def main():
    end_with_parent()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peer", choices=sorted(NEEDS))
    parser.add_argument("tensors")
    parser.add_argument("--dtype", choices=sorted(LIMITS), default="f32")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", required=True)
    options = parser.parse_args()
    try:
        fields = measure(options)
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode(errors="replace").strip().split("\n")[0]
        fields = {"skipped": f"failed: {message}"[:300]}
    except Exception as error:  # a peer's failure is a result, not ours
        fields = {"skipped": f"failed: {type(error).__name__}: {error}"[:300]}
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump({"name": options.peer, **fields}, file)


if __name__ == "__main__":
    main()
