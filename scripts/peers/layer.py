# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One layer of GPT-2 in another framework.

The input is a safetensors file: the layer's weights under their GPT-2 names, the input
"hidden_states", and "expected.hidden_states", what exact arithmetic makes of it.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from peers.gpt2 import limit_jax, normalise_in_jax, run_jax_layer, run_torch_layer
from peers.tensors import LIMITS, Weights, measure_error, read_tensors

HEADS = 12
EPS = 1e-5


class Layer(Weights):
    """Tensors of the layer by the ends of their names."""

    def __init__(self, path, column):
        tensors = read_tensors(path)
        self.input, self.expected = tensors.pop("hidden_states"), tensors.pop("expected.hidden_states")
        super().__init__({name.split("h.0.")[-1]: value for name, value in tensors.items()}, column, is_turned=True)


def run_torch(layer, options):
    import torch
    from peers.torch_linear import PackedLinear
    from torch.nn import functional as F

    torch.set_num_threads(options.threads)
    kind = torch.float32 if options.dtype == "f32" else torch.bfloat16

    def load(name):
        return torch.from_numpy(layer.tensors[name].copy()).to(kind)

    def load_linear(name):
        bias = load(name + ".bias")
        if layer.has_codes:
            return PackedLinear(layer, name, bias)
        weight = load(name + ".weight").t().contiguous()
        return lambda x: F.linear(x, weight, bias)

    norms = {name: (load(name + ".weight"), load(name + ".bias")) for name in ("ln_1", "ln_2")}
    linears = {name: load_linear(name) for name in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")}

    def call(x):
        return run_torch_layer(
            x, HEADS, lambda x, name: F.layer_norm(x, x.shape[-1:], *norms[name], EPS), lambda x, name: linears[name](x))

    x = torch.from_numpy(layer.input.copy()).to(kind)
    function = torch.compile(call) if options.peer == "torch.compile" else call

    def run():
        with torch.inference_mode():
            return function(x)

    return run, lambda result: result.float().numpy()


def make_onnx(layer, has_contrib=False):
    """The same graph for onnxruntime, IREE and OpenVINO."""
    import onnx
    from onnx import TensorProto, helper
    from peers.onnx_graph import CONTRIB, Graph

    batch, tokens, width = layer.input.shape
    size = width // HEADS
    graph = Graph(layer, has_contrib)
    node, constant = graph.node, graph.constant

    def scalar(name, value):
        return constant(name, np.array(value, np.float32))

    def gelu(x):
        cube = node("Mul", [node("Mul", [x, x]), x])
        inner = node("Add", [x, node("Mul", [cube, scalar("cubic", 0.044715)])])
        tanh = node("Tanh", [node("Mul", [inner, scalar("root", 0.7978845608028654)])])
        return node("Mul", [node("Mul", [x, scalar("half", 0.5)]), node("Add", [tanh, scalar("one", 1.0)])])

    heads = constant("heads", np.array([batch, tokens, HEADS, size], np.int64))
    flat = constant("flat", np.array([batch, tokens, width], np.int64))
    mask = constant("mask", np.triu(np.full((tokens, tokens), -1e9, np.float32), 1))

    x = "hidden_states"
    split = constant("split", np.array([width] * 3, np.int64))
    parts = node("Split", [graph.linear(graph.norm(x, "ln_1", EPS), "attn.c_attn"), split], 3, axis=-1)
    q, v = (node("Transpose", [node("Reshape", [parts[i], heads])], perm=[0, 2, 1, 3]) for i in (0, 2))
    k = node("Transpose", [node("Reshape", [parts[1], heads])], perm=[0, 2, 3, 1])
    scores = node("Mul", [node("MatMul", [q, k]), scalar("scale", size**-0.5)])
    shares = node("Softmax", [node("Add", [scores, mask])], axis=-1)
    a = node("Transpose", [node("MatMul", [shares, v])], perm=[0, 2, 1, 3])
    x = node("Add", [x, graph.linear(node("Reshape", [a, flat]), "attn.c_proj")])
    h = graph.linear(gelu(graph.linear(graph.norm(x, "ln_2", EPS), "mlp.c_fc")), "mlp.c_proj")
    graph.nodes.append(helper.make_node("Add", [x, h], ["y"]))

    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(layer.input.shape))

    made = helper.make_graph(graph.nodes, "layer", [value("hidden_states")], [value("y")], list(graph.constants.values()))
    sets = [helper.make_opsetid("", 21 if layer.has_codes else 17), helper.make_opsetid(CONTRIB, 1)]
    model = helper.make_model(made, opset_imports=sets, ir_version=10 if layer.has_codes else 8)
    onnx.checker.check_model(model)
    return model


def run_onnxruntime(layer, options):
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(make_onnx(layer, has_contrib=True).SerializeToString(), settings,
                                           providers=["CPUExecutionProvider"])
    feeds = {"hidden_states": np.array(layer.input)}
    return lambda: session.run(None, feeds)[0], lambda result: result


def run_iree(layer, options):
    import iree.runtime as runtime
    import onnx

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layer")
        onnx.save(make_onnx(layer), path + ".onnx")
        for tool, *arguments in (
            ("import_onnx", path + ".onnx", "-o", path + ".mlir"),
            ("scripts.iree_compile", path + ".mlir", "--iree-hal-target-device=local",
             "--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3",
             "--iree-llvmcpu-stack-allocation-limit=1048576", "-o", path + ".vmfb"),
        ):
            command = [sys.executable, "-m", f"iree.compiler.tools.{tool}", *arguments]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr.strip())
        code = pathlib.Path(path + ".vmfb").read_bytes()
    if options.threads > 1:
        runtime.flags.parse_flags(f"--task_topology_group_count={options.threads}")
    config = runtime.Config("local-sync" if options.threads == 1 else "local-task")
    context = runtime.SystemContext(config=config)
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, code))
    function = context.modules.module["layer"]
    x = runtime.asdevicearray(config.device, np.array(layer.input))
    return lambda: function(x), lambda result: np.asarray(result)


def run_openvino(layer, options):
    import openvino

    model = openvino.Core().read_model(make_onnx(layer).SerializeToString())
    compiled = openvino.Core().compile_model(model, "CPU", {
        "INFERENCE_NUM_THREADS": options.threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32" if options.dtype == "f32" else "bf16",
        # By default it rounds rows that meet codes; 0 takes them as they are.
        **({} if options.peer == "openvino.rounded-rows" else {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0}),
    })
    request = compiled.create_infer_request()
    request.set_input_tensor(openvino.Tensor(layer.input.copy()))

    def run():
        request.infer()
        return request.get_output_tensor().data

    return run, lambda result: result.copy()


def run_jax(layer, options):
    limit_jax(options.threads)
    import jax
    import jax.numpy as jnp

    kind = {"f32": jnp.float32, "bf16": jnp.bfloat16}[options.dtype]
    given = {name: jnp.asarray(value, kind) for name, value in layer.tensors.items()}

    @jax.jit
    def call(w, x):
        return run_jax_layer(
            x, HEADS, lambda x, name: normalise_in_jax(x, kind) * w[name + ".weight"] + w[name + ".bias"],
            lambda x, name: x @ w[name + ".weight"] + w[name + ".bias"])

    x = jnp.asarray(layer.input, kind)
    return lambda: call(given, x).block_until_ready(), lambda result: np.asarray(result.astype(jnp.float32))


def run_ctranslate2(layer, options):
    """A model of one layer: rows of the input are its table of embeddings, and so many
    outputs of the head as a layer norm behind the layer needs to be seen by."""
    import ctranslate2
    from peers.decode.ctranslate2_peer import KINDS, give_linear, give_norm, save_spec
    from ctranslate2.specs import common_spec, transformer_spec

    rows = layer.input[0]
    tokens, width = rows.shape
    spec = transformer_spec.TransformerDecoderModelSpec.from_config(
        1, HEADS, pre_norm=True, activation=common_spec.Activation.GELUTanh)
    decoder, made = spec.decoder, spec.decoder.layer[0]
    size = max(tokens, 64)
    head = np.random.default_rng(1).standard_normal((size, width), np.float32) / width**0.5

    decoder.embeddings.weight = np.concatenate([rows, head[tokens:]])
    decoder.scale_embeddings = False
    decoder.position_encodings.encodings = np.zeros((tokens, width), np.float32)
    give_norm(layer, made.self_attention.layer_norm, "ln_1")
    give_linear(layer, made.self_attention.linear[0], "attn.c_attn")
    give_linear(layer, made.self_attention.linear[1], "attn.c_proj")
    give_norm(layer, made.ffn.layer_norm, "ln_2")
    give_linear(layer, made.ffn.linear_0, "mlp.c_fc")
    give_linear(layer, made.ffn.linear_1, "mlp.c_proj")
    decoder.layer_norm.gamma, decoder.layer_norm.beta = np.ones(width, np.float32), np.zeros(width, np.float32)
    decoder.projection.weight = head
    generator = save_spec(spec, [f"t{i}" for i in range(size)], KINDS[layer.column], options.threads)
    ids = [list(range(tokens))]
    expected = layer.expected[0].astype(np.float64)
    centred = expected - expected.mean(-1, keepdims=True)
    layer.expected = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + EPS) @ head.T.astype(np.float64)
    return (lambda: generator.forward_batch(ids),
            lambda result: np.array(result.to_device(ctranslate2.Device.cpu).to(ctranslate2.DataType.float32))
            if hasattr(result, "to") else np.array(result))


RUNNERS = {"torch": run_torch, "torch.compile": run_torch, "onnxruntime": run_onnxruntime, "iree": run_iree,
           "openvino": run_openvino, "openvino.rounded-rows": run_openvino, "jax": run_jax, "ctranslate2": run_ctranslate2}


def prepare(options):
    """A call to be timed, a check of its result, and the error that the check allows."""
    layer = Layer(options.input, options.dtype)
    run, to_numpy = RUNNERS[options.peer](layer, options)
    return run, lambda result: measure_error(to_numpy(result), layer.expected), LIMITS[options.dtype]
