# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of ONNX as functions of our dialect: how operands lie, and which op they are."""

import dataclasses
import math
import typing

import numpy as np

TYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int64": "i64"}


class Inexpressible(Exception):
    """Why a node is not a function of our dialect."""


@dataclasses.dataclass
class Program:
    text: str
    inputs: dict
    expected: dict
    # What results are before they are compared.
    finish: typing.Callable = lambda results: results
    engines: tuple = ()  # all of them, or these


def tensor(array):
    return "tensor<" + "".join(f"{size}x" for size in array.shape) + TYPES[array.dtype.name] + ">"


def stored(array):
    """As safetensors_io writes it; block-run rounds it to the argument's type."""
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


def function(inputs, body, results):
    """`results` are values of the body with their arrays."""
    arguments = ", ".join(f'%{name}: {tensor(array)} {{block.input = "{name}"}}' for name, array in inputs.items())
    types = [tensor(array) for array in results.values()]
    named = ", ".join(f'{kind} {{block.output = "{name}"}}' for kind, name in zip(types, results))
    returned = ", ".join(f"%{name}" for name in results)
    return f"""func.func @main({arguments}) -> ({named}) {{
{body}
  return {returned} : {", ".join(types)}
}}
"""


def make(inputs, body, results, **more):
    return Program(function(inputs, body, results), {name: stored(array) for name, array in inputs.items()},
                   more.pop("expected", results), **more)


def as_rows(array):
    """Two dimensions, or as many as there are, as one row of rows."""
    return array.reshape(1, -1, array.shape[-1])


#===------------------------------------------------------------------------===#
# Attention
#===------------------------------------------------------------------------===#


def side_by_side(heads):
    """Heads as parts of the width."""
    batch, count, tokens, size = heads.shape
    return heads.transpose(0, 2, 1, 3).reshape(batch, tokens, count * size)


def get_bias(mask, keys):
    """Numbers to add to scores, with four dimensions; keys without one are hidden."""
    if mask.dtype == bool:
        mask = np.where(mask, 0.0, -np.inf).astype(np.float32)
    mask = mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
    missing = keys - mask.shape[-1] if mask.shape[-1] != 1 else 0
    return np.pad(mask, [(0, 0)] * 3 + [(0, missing)], constant_values=-np.inf)


def get_hidden(queries, keys, first, causal, left, right):
    """What places hide: query `t` of a batch row has place `first + t`."""
    place = first[:, None, None, None] + np.arange(queries)[:, None]
    key = np.arange(keys)
    seen = np.ones(np.broadcast_shapes(place.shape, key.shape), bool)
    if causal:
        seen &= key <= place
    if left >= 0:
        seen &= key >= place - left
    if right >= 0:
        seen &= key <= place + right
    return np.where(seen, 0.0, -np.inf).astype(np.float32)


def attention(operands, attributes, outputs):
    q, k, v, mask, past_key, past_value, lengths = (list(operands) + [None] * 7)[:7]
    result, present_key, present_value, weights = (list(outputs) + [None] * 4)[:4]
    if weights is not None:
        raise Inexpressible("scores or weights are a result")
    heads = attributes.get("q_num_heads") or q.shape[1]
    kv_heads = attributes.get("kv_num_heads") or k.shape[1]
    if q.ndim == 4:
        q, k, v, result = (side_by_side(array) for array in (q, k, v, result))
    inputs = {"q": q, "k": k, "v": v}
    past = 0
    if past_key is not None:
        past = past_key.shape[2]
        inputs |= {"past_key": side_by_side(past_key), "past_value": side_by_side(past_value)}
        check_present((past_key, k, present_key), (past_value, v, present_value))
    queries, keys = q.shape[1], past + k.shape[1]
    scale = attributes.get("scale") or 1 / math.sqrt(q.shape[2] // heads)
    scores = [f"scale = {scale:.17e}"]
    causal, left, right = (attributes.get(name, value) for name, value in
                           (("is_causal", 0), ("left_window_size", -1), ("right_window_size", -1)))
    biases = []
    if lengths is not None:
        inputs["lengths"] = lengths
    # Places that begin elsewhere in each row, and windows of two sizes, are a table.
    isPlain = right in (-1, left) and not (left < 0 <= right)
    if (causal and lengths is not None) or not isPlain:
        first = lengths - queries if lengths is not None else np.full(q.shape[0], past)
        biases.append(get_hidden(queries, keys, first, causal, left, right))
    else:
        scores += ["causal = true"] * bool(causal) + [f"window = {left + 1}"] * (left >= 0)
    if attributes.get("softcap"):
        scores += [f"softcap = {attributes['softcap']}", "order = scale_cap_bias"]
    if mask is not None:
        biases.append(get_bias(mask, keys))
    if biases:
        inputs["score_bias"] = sum(bias.astype(np.float32) for bias in biases).astype(q.dtype)
    order = ["lengths", "past_key", "past_value", "score_bias"]
    names = ["q", "k", "v"] + [name for name in order if name in inputs]
    words = "%q, %k, %v" + "".join(f" {name} %{name}" for name in names[3:])
    types = ", ".join(tensor(inputs[name]) for name in names)
    body = (f"  %y = block.sdpa {words} {{heads = {heads} : i64, kv_heads = {kv_heads} : i64, "
            f"scores = #block.scores<{', '.join(scores)}>}} : ({types}) -> {tensor(result)}")
    return make(inputs, body, {"y": result})


def check_present(*triples):
    """The present is the past with what is new behind it, which our op takes apart."""
    for past, new, present in triples:
        batch, heads, _, size = past.shape
        new = new.reshape(batch, -1, heads, size).transpose(0, 2, 1, 3)
        if present is not None and not np.array_equal(np.concatenate([past, new], 2), present):
            raise Inexpressible("the present is not past and new")


def rotary_embedding(operands, attributes, outputs):
    x, cosines, sines, positions = (list(operands) + [None])[:4]
    result = outputs[0]
    heads = attributes.get("num_heads") or x.shape[1]
    if x.ndim == 4:
        x, result = side_by_side(x), side_by_side(result)
    if positions is not None:
        cosines, sines = cosines[positions], sines[positions]
    inputs = {"x": x, "c": cosines, "s": sines}
    style = "interleaved" if attributes.get("interleaved") else "half"
    body = (f"  %y = block.rotate %x, %c, %s {{dim = {2 * cosines.shape[-1]} : i64, heads = {heads} : i64, "
            f"style = #block.rope_style<{style}>}} : ({', '.join(map(tensor, inputs.values()))}) -> {tensor(result)}")
    return make(inputs, body, {"y": result})


def softmax(operands, attributes, outputs):
    """As what an attention does to scores that are given, with the values of all keys apart."""
    axis = attributes.get("axis", -1)
    x, result = (np.moveaxis(array, axis, -1) for array in (operands[0], outputs[0]))
    width, shape = x.shape[-1], x.shape
    bias = x.reshape(1, 1, -1, width)
    rows = bias.shape[2]
    inputs = {"q": np.zeros((1, rows, 8), x.dtype), "k": np.zeros((1, width, 8), x.dtype),
              "v": np.eye(width, dtype=x.dtype)[None], "b": bias}
    expected = result.reshape(1, rows, width)
    body = (f"  %y = block.sdpa %q, %k, %v score_bias %b {{heads = 1 : i64, kv_heads = 1 : i64, scores = "
            f"#block.scores<scale = 1.0>}} : ({', '.join(map(tensor, inputs.values()))}) -> {tensor(expected)}")
    return make(inputs, body, {"y": expected})


#===------------------------------------------------------------------------===#
# Norms
#===------------------------------------------------------------------------===#


def get_rows(array, axis):
    """One row for all dimensions from `axis` on."""
    return array.reshape(1, math.prod(array.shape[:axis]), -1)


def get_axis(x, attributes):
    return attributes.get("axis", -1) % x.ndim


def rms_norm(operands, attributes, outputs):
    x, gain = operands[:2]
    axis = get_axis(x, attributes)
    inputs = {"x": get_rows(x, axis), "g": gain.reshape(-1)}
    result = get_rows(outputs[0], axis)
    form = f"#block.norm<kind = rms, eps = {attributes.get('epsilon', 1e-5):.9e}>"
    body = (f"  %y = block.norm %x gamma %g {{form = {form}}} : ({', '.join(map(tensor, inputs.values()))})"
            f" -> {tensor(result)}")
    return make(inputs, body, {"y": result})


def layer_norm(operands, attributes, outputs):
    x, gain, bias = operands[:3]
    axis, epsilon = get_axis(x, attributes), attributes.get("epsilon", 1e-5)
    inputs = {"x": get_rows(x, axis), "g": gain.reshape(-1), "b": bias.reshape(-1)}
    result = get_rows(outputs[0], axis)
    mean, scale = (array.reshape(1, -1, 1) for array in outputs[1:3])
    types = {name: tensor(array) for name, array in inputs.items()}
    body = (f"  %m, %s = block.norm_stats %x centered : ({types['x']}) -> ({tensor(mean)}, {tensor(mean)})\n"
            f"  %y = block.normalize %x mean %m moment %s gamma %g beta %b {{form = #block.norm<kind = layer, "
            f"eps = {epsilon:.9e}>}} : ({types['x']}, {tensor(mean)}, {tensor(mean)}, {types['g']}, {types['b']})"
            f" -> {tensor(result)}")

    def finish(results):
        return {"y": results["y"], "mean": results["m"], "scale": 1 / np.sqrt(results["s"] + epsilon)}

    return make(inputs, body, {"y": result, "m": mean, "s": mean}, finish=finish,
                expected={"y": result, "mean": mean, "scale": scale})


#===------------------------------------------------------------------------===#
# Elementwise functions
#===------------------------------------------------------------------------===#


def activation(kind, x, result):
    inputs, result = {"x": as_rows(x)}, as_rows(result)
    body = f"  %y = block.activation %x {{kind = #block.activation<{kind}>}} : {tensor(result)}"
    return make(inputs, body, {"y": result})


def gelu(operands, attributes, outputs):
    kind = "gelu_tanh" if attributes.get("approximate") == b"tanh" else "gelu_erf"
    return activation(kind, operands[0], outputs[0])


def swish(operands, attributes, outputs):
    if attributes.get("alpha", 1.0) != 1:
        raise Inexpressible("a factor within the activation")
    return activation("silu", operands[0], outputs[0])


def upstream(lines):
    """Functions that no block has, in the ops beside which blocks stand; devices have none."""
    def program(operands, attributes, outputs):
        x, result = as_rows(operands[0]), as_rows(outputs[0])
        kind = tensor(result)
        body = "\n".join(f"  {line}" for line in lines).replace("$T", kind)
        return make({"x": x}, body, {"y": result}, engines=("reference", "cpu"))

    return program


CONSTANT = "%{0} = arith.constant dense<{1}> : $T"
# Without an exponential that leaves f32: log(1 + e^-|x|) + max(x, 0).
SOFTPLUS = [
    CONSTANT.format("zero", "0.0"), "%size = math.absf %x : $T", "%below = arith.negf %size : $T",
    "%power = math.exp %below : $T", "%rest = math.log1p %power : $T", "%above = arith.maximumf %x, %zero : $T",
]
HARD_SWISH = [
    CONSTANT.format("zero", "0.0"), CONSTANT.format("one", "1.0"), CONSTANT.format("half", "0.5"),
    CONSTANT.format("six", "6.0"), "%a = arith.divf %x, %six : $T", "%b = arith.addf %a, %half : $T",
    "%c = arith.minimumf %b, %one : $T", "%d = arith.maximumf %c, %zero : $T", "%y = arith.mulf %x, %d : $T",
]

PROGRAMS = {
    "Attention": attention,
    "RotaryEmbedding": rotary_embedding,
    "Softmax": softmax,
    "RMSNormalization": rms_norm,
    "LayerNormalization": layer_norm,
    "Gelu": gelu,
    "Swish": swish,
    "HardSwish": upstream(HARD_SWISH),
    "Softplus": upstream([*SOFTPLUS, "%y = arith.addf %above, %rest : $T"]),
    "Mish": upstream([*SOFTPLUS, "%sum = arith.addf %above, %rest : $T", "%t = math.tanh %sum : $T",
                      "%y = arith.mulf %x, %t : $T"]),
}
