#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times one layer of GPT-2 in another framework, for block-bench.

    bench_peers.py PEER TENSORS --dtype f32 --threads 1 --repeat 5 --json OUT

TENSORS is a safetensors file: the layer's weights under their GPT-2 names, the
input "hidden_states", and "expected.hidden_states", what the layer computes in
exact arithmetic. The peer's numbers are checked before its time is told. OUT
holds {"name", "time_ms": {"min", "median"}, "rel_l2"} or {"name", "skipped"}.
"""

import argparse
import importlib.util
import json
import statistics
import struct
import subprocess
import time

HEADS = 12
LIMITS = {"f32": 1e-4, "bf16": 3e-2}
NEEDS = {
    "onnxruntime": ["numpy", "onnx", "onnxruntime"],
    "torch": ["numpy", "torch"],
    "torch.compile": ["numpy", "torch"],
    "iree": ["numpy", "onnx", "iree.compiler", "iree.runtime"],
    "openvino": ["numpy", "onnx", "openvino"],
    "jax": ["numpy", "jax", "jaxlib"],
}


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


# --- PyTorch


def make_torch_layer(weights, dtype, compiled):
    import torch
    from torch.nn import functional as F

    kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]

    def load(suffix, transpose=False):
        tensor = torch.from_numpy(weights[suffix].copy()).to(kind)
        return tensor.t().contiguous() if transpose else tensor

    ln1, ln1b = load("ln_1.weight"), load("ln_1.bias")
    ln2, ln2b = load("ln_2.weight"), load("ln_2.bias")
    qkv, qkvb = load("attn.c_attn.weight", True), load("attn.c_attn.bias")
    out, outb = load("attn.c_proj.weight", True), load("attn.c_proj.bias")
    up, upb = load("mlp.c_fc.weight", True), load("mlp.c_fc.bias")
    down, downb = load("mlp.c_proj.weight", True), load("mlp.c_proj.bias")

    def layer(x):
        batch, tokens, width = x.shape
        h = F.layer_norm(x, (width,), ln1, ln1b, 1e-5)
        parts = F.linear(h, qkv, qkvb).split(width, -1)
        q, k, v = (p.view(batch, tokens, HEADS, -1).transpose(1, 2) for p in parts)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + F.linear(a.transpose(1, 2).reshape(x.shape), out, outb)
        h = F.layer_norm(x, (width,), ln2, ln2b, 1e-5)
        h = F.gelu(F.linear(h, up, upb), approximate="tanh")
        return x + F.linear(h, down, downb)

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


def make_onnx(weights):
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

    def linear(x, name):
        return node("Add", [node("MatMul", [x, load(name + ".weight")]), load(name + ".bias")])

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
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return model


def run_onnxruntime(weights, options):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(make_onnx(weights).SerializeToString(), settings,
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
    model = core.read_model(make_onnx(weights).SerializeToString())
    compiled = core.compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": options.threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": {"f32": "f32", "bf16": "bf16"}[options.dtype],
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


RUNNERS = {"torch": run_torch, "torch.compile": run_torch, "onnxruntime": run_onnxruntime, "iree": run_iree,
           "openvino": run_openvino, "jax": run_jax}


def measure(options):
    """The fields of one entry, but for its name."""
    missing = [m for m in NEEDS[options.peer] if not is_installed(m)]
    if missing:
        return {"skipped": "not installed: " + ", ".join(missing)}
    if options.dtype != "f32" and options.peer in ("onnxruntime", "iree"):
        return {"skipped": "f32 only"}
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
    return {"time_ms": {"min": min(times), "median": statistics.median(times)}, "rel_l2": error}


def main():
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
