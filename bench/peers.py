# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmark's cases in PyTorch: data, weights as recipes pack them, references, and what is compared with.

References are computed from the very tensors, in float64. Functions take and return what the packages do.
"""

import math
import re

import torch
import torch.nn.functional as F

EPS = 1e-6
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "f64": torch.float64}


def draw_source(name, shape, device):
    """Never constant: zeros hide errors and run faster. A gain is near 1, a matrix keeps the size of what it
    multiplies."""
    values = torch.randn(shape, device=device)
    return 1 + 0.2 * values if len(shape) == 1 else values * shape[-1] ** -0.5


class Recipe:
    """What @prepack of a recipe (docs/internals/Recipe.md) makes of a checkpoint, as far as the benchmark's cases use
    it."""

    TENSOR = re.compile(r'tensor<((?:\d+x)*)(\w+)> {[^}]*recipe\.(tensor|constant) = "([^"]*)"[^}]*}')
    GENERIC = re.compile(r"linalg\.generic {indexing_maps = \[(.*?)\], .*?} ins\((.*?) : .*?{ \^bb0\((.*?)\): (.*?) linalg\.yield (%\w+)")
    STEP = re.compile(r"(%\w+) = ([\w.]+) (.*?) : (?:\w+ to )?(\w+)")
    NUMBERS = {"arith.addf": torch.add, "arith.subf": torch.sub, "arith.mulf": torch.mul, "arith.divf": torch.div}

    def __init__(self, text, constants):
        """`constants` are tensors by the names that the recipe has them by."""
        self.constants = constants
        text = " ".join(text.split())
        self.maps = dict(re.findall(r"(#\w+) = affine_map<\((.*?\) -> \(.*?)\)>", text))
        prepack = text.split("func.func ")[1]
        head, self.body = re.fullmatch(r"@prepack\((.*?\)) { ((?:%|return).*)", prepack).groups()
        head, _, results = head.partition(" -> ")
        self.arguments = re.findall(r"%\w+(?=: )", head)
        found = self.TENSOR.findall(head)
        self.names = [name for _, _, _, name in found]
        self.sources = [(name, [int(size) for size in shape.split("x")[:-1]], TYPES[dtype])
                        for shape, dtype, kind, name in found if kind == "tensor"]
        self.packed = [name for _, _, _, name in self.TENSOR.findall(results)]

    def pack(self, sources):
        known = {**sources, **self.constants}
        values = dict(zip(self.arguments, (known[name] for name in self.names)))
        for name, line in re.findall(r"(%\w+) = (linalg\.generic .*? } -> \S+|.*?)(?= %\w+ = | return )", self.body):
            values[name] = self.evaluate(line, values)
        returned = re.search(r"return ([%\w, ]*)", self.body)[1].strip()
        return dict(zip(self.packed, (values[value] for value in returned.split(", ")))) if returned else {}

    def evaluate(self, line, values):
        if line.startswith("tensor.empty()"):
            return None
        if concat := re.match(r"tensor\.concat dim\((\d+)\) ([%\w, ]*) :", line):
            return torch.cat([values[name] for name in concat[2].split(", ")], int(concat[1]))
        generic = self.GENERIC.match(line)
        if not generic or '"reduction"' in line:
            raise NotImplementedError(f"recipes with '{line.split(' ')[0]}'")
        return self.compute(*generic.groups(), values)

    def compute(self, maps, operands, arguments, body, result, values):
        """Element by element; operands get a size of 1 in dimensions that they do not have."""
        known = {}
        for map_name, operand, argument in zip(maps.split(", "), operands.split(", "), re.findall(r"%\w+(?=: )", arguments)):
            loops, read = (dims.split(", ") for dims in self.maps[map_name].split(") -> ("))
            value = values[operand].permute(sorted(range(len(read)), key=lambda dim: loops.index(read[dim])))
            sizes = iter(value.shape)
            known[argument] = value.reshape([next(sizes) if loop in read else 1 for loop in loops])
        for name, op, of, dtype in self.STEP.findall(body):
            if op == "arith.constant":
                known[name] = float(of)
            elif op in ("arith.extf", "arith.truncf"):
                known[name] = known[of].to(TYPES[dtype])
            elif op in self.NUMBERS:
                known[name] = self.NUMBERS[op](*(known[operand] for operand in of.split(", ")))
            else:
                raise NotImplementedError(f"recipes with '{op}'")
        return known[result]


def rms_norm(x, gain):
    wide = x if x.dtype == torch.float64 else x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + EPS)).to(x.dtype) * gain


def rope(x):
    """Half-split, base 10000, on [B, H, T, D]."""
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    half = x.shape[-1] // 2
    frequency = 10000.0 ** (-torch.arange(half, device=x.device, dtype=torch.float64) / half)
    angle = (torch.arange(x.shape[2], device=x.device, dtype=torch.float64)[:, None] * frequency).to(wide)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def split_heads(x, heads):
    return x.view(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def attend(q, k, v, heads, causal, rotate=lambda x: x):
    q, k, v = (split_heads(x, heads) for x in (q, k, v))
    y = F.scaled_dot_product_attention(rotate(q), rotate(k), v, is_causal=causal)
    return y.transpose(1, 2).flatten(2)


class Layer:
    """One layer of llama."""

    def __init__(self, sources, heads):
        self.heads = heads
        self.weights = {name.split("layers.0.")[1].removesuffix(".weight"): value for name, value in sources.items()}

    def attention(self, x):
        w = self.weights
        q, k, v = (F.linear(x, w[f"self_attn.{name}_proj"]) for name in "qkv")
        return F.linear(attend(q, k, v, self.heads, True, rope), w["self_attn.o_proj"])

    def mlp(self, x):
        w = self.weights
        return F.linear(F.silu(F.linear(x, w["mlp.gate_proj"])) * F.linear(x, w["mlp.up_proj"]), w["mlp.down_proj"])

    def serial(self, x):
        x = x + self.attention(rms_norm(x, self.weights["input_layernorm"]))
        return x + self.mlp(rms_norm(x, self.weights["post_attention_layernorm"]))

    def parallel(self, x):
        return x + self.attention(rms_norm(x, self.weights["input_layernorm"])) \
            + self.mlp(rms_norm(x, self.weights["post_attention_layernorm"]))


def to_double(tensors):
    return {name: tensor.double() for name, tensor in tensors.items()}


def exact_attention(inputs, sizes):
    """A head at a time: the scores of all would not fit."""
    heads, result = sizes["heads"], []
    q, k, v = (split_heads(inputs[name], heads).flatten(0, 1) for name in "qkv")
    for head in range(q.shape[0]):
        score = q[head].double() @ k[head].double().T / math.sqrt(sizes["head_dim"])
        if sizes["causal"]:
            score.masked_fill_(torch.ones_like(score, dtype=torch.bool).triu(1), -math.inf)
        result.append(score.softmax(-1) @ v[head].double())
    return torch.stack(result).view(-1, heads, *q.shape[1:]).transpose(1, 2).flatten(2)


def reference(case, inputs, sources):
    if case["kind"] == "gemm":
        return inputs["x"].double() @ sources["w"].double().T
    if case["kind"] == "attention":
        return exact_attention(inputs, case["sizes"])
    if case["kind"] == "norm":
        return rms_norm(inputs["x"].double(), sources["gamma"].double())
    layer = Layer(to_double(sources), case["sizes"]["heads"])
    return getattr(layer, case["form"])(inputs["hidden_states"].double())


def compiled(function, *arguments, gemms=None):
    """By torch.compile as hard as it can, on request with products of Triton alone."""
    options = {"max_autotune": True}
    if gemms:
        options["max_autotune_gemm_backends"] = gemms
    fast = torch.compile(function, options=options, fullgraph=True)
    return lambda: fast(*arguments)


def sdpa_by(name, inputs, sizes):
    """PyTorch's attention by one of its kernels."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    backend = getattr(SDPBackend, name)

    def run():
        with sdpa_kernel(backend):
            return attend(*(inputs[name] for name in "qkv"), sizes["heads"], sizes["causal"])
    return run


def flash_attention(inputs, sizes):
    from flash_attn import flash_attn_func
    q, k, v = (inputs[name].unflatten(2, (sizes["heads"], sizes["head_dim"])) for name in "qkv")
    return lambda: flash_attn_func(q, k, v, causal=sizes["causal"]).flatten(2)


def flex_attention(inputs, sizes):
    """PyTorch's generated kernels, which are Triton's."""
    from torch.nn.attention import flex_attention as flex
    q, k, v = (split_heads(inputs[name], sizes["heads"]) for name in "qkv")
    mask = None
    if sizes["causal"]:
        mask = flex.create_block_mask(lambda b, h, i, j: i >= j, None, None, q.shape[2], k.shape[2], device=q.device)
    fast = torch.compile(flex.flex_attention, fullgraph=True)
    return lambda: fast(q, k, v, block_mask=mask).transpose(1, 2).flatten(2)


def peers(case, inputs, sources):
    """What is timed beside us: names to what makes a function of nothing, which may fail where a peer is missing.

    A layer's serial and parallel forms are cases of their own.
    """
    sizes, found = case["sizes"], {}
    if case["kind"] == "gemm":
        x, w = inputs["x"], sources["w"]
        found["cublas"] = lambda: lambda: F.linear(x, w)
        found["triton"] = lambda: compiled(F.linear, x, w, gemms="TRITON")
    elif case["kind"] == "attention":
        found["torch flash"] = lambda: sdpa_by("FLASH_ATTENTION", inputs, sizes)
        found["torch cudnn"] = lambda: sdpa_by("CUDNN_ATTENTION", inputs, sizes)
        found["torch flex (triton)"] = lambda: flex_attention(inputs, sizes)
        found["flash_attn"] = lambda: flash_attention(inputs, sizes)
    elif case["kind"] == "norm":
        x, gain = inputs["x"], sources["gamma"]
        found["torch eager"] = lambda: lambda: F.rms_norm(x, x.shape[-1:], gain, EPS)
        found["torch.compile"] = lambda: compiled(rms_norm, x, gain)
    else:
        layer, x = getattr(Layer(sources, sizes["heads"]), case["form"]), inputs["hidden_states"]
        found["torch eager"] = lambda: lambda: layer(x)
        found["torch.compile"] = lambda: compiled(layer, x)
    if not case.get("compiles", True):
        for name in ("triton", "torch.compile", "torch flex (triton)"):
            found.pop(name, None)
    return found
