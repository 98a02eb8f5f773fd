# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of level 1 as nodes of ONNX.

Each function takes what it has a form for out of an op's operands and attributes; what is
left then is an error that names it, so that nothing is computed otherwise than meant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from parablock.errors import Error
from parablock.exporting.ir_text import Op
from parablock.exporting.onnx_graph import Graph, find_frequencies, list_slopes


class Part:
    """An op whose operands and attributes are taken one by one."""

    def __init__(self, op: Op, values: dict[str, str]) -> None:
        self.op = op
        # An operand that a result is written to is no input.
        self._inputs = [values[name] for name in op.operands if values[name]]
        #: The first operand, whose batch and tokens are those of the result.
        self.source = self._inputs[0] if self._inputs else ""
        self.named = {key: values[name] for key, name in op.named.items()}
        self.attributes = dict(op.attributes)

    def next(self) -> str:
        """Returns the next operand without a keyword."""
        if not self._inputs:
            raise self.refuse("an operand less")
        return self._inputs.pop(0)

    def take_all(self) -> list[str]:
        """Returns all other operands without a keyword."""
        found, self._inputs = self._inputs, []
        return found

    def take(self, keyword: str) -> str | None:
        return self.named.pop(keyword, None)

    def need(self, keyword: str) -> str:
        if keyword not in self.named:
            raise self.refuse(f"no operand '{keyword}'")
        return self.named.pop(keyword)

    def get(self, name: str, default: Any) -> Any:
        return self.attributes.pop(name, default)

    def refuse(self, what: str) -> Error:
        return Error(
            f"save_onnx has no form of '{self.op.name}' with {what}: keep a package by save(), or "
            "save a folder by save_pretrained() and export it by torch.onnx"
        )

    def check(self, form: dict[str, Any] | None = None, name: str = "") -> None:
        """Raises an error for what was not taken."""
        if form is not None:
            left = sorted(form.keys() - {"kind"})
            if left:
                raise self.refuse(f"'{left[0]} = {form[left[0]]}' of '{name}'")
            return
        if self._inputs:
            raise self.refuse(f"{len(self._inputs)} more operands")
        for kind, found in (("the operand", self.named), ("", self.attributes)):
            for key in sorted(found):
                raise self.refuse(f"{kind} '{key}'".strip())


def _embed(graph: Graph, part: Part) -> str:
    ids = part.next()
    x = graph.scale(graph.add("Gather", part.need("in"), ids), part.get("scale", 1.0))
    shift = part.get("position_offset", 0)
    if (table := part.take("positions")) is not None:
        places = graph.count_up(graph.size(ids, 1))
        places = graph.add("Add", places, graph.constant(shift, np.int64)) if shift else places
        x = graph.add("Add", x, graph.add("Gather", table, places))
    types = part.take("types")
    if (table := part.take("type_table")) is not None:
        first = graph.constant(0, np.int64)
        x = graph.add("Add", x, graph.add("Gather", table, types if types else first))
    return x


def _normalise(graph: Graph, part: Part) -> str:
    gamma, beta = part.take("gamma"), part.take("beta")
    groups, form = part.get("groups", 1), part.get("form", {})
    if groups != 1:
        raise part.refuse(f"{groups} groups")
    width = _read_width(part.op)
    return _norm(graph, part, part.next(), gamma, beta, form, width)


def _read_width(op: Op) -> int:
    """Returns the last size of an op's first type."""
    return int(op.types.split(">")[0].split("x")[-2])


def _norm(
    graph: Graph,
    part: Part,
    x: str,
    gamma: str | None,
    beta: str | None,
    form: dict[str, Any],
    width: int,
) -> str:
    """Returns a norm over the last dimension."""
    form = dict(form)
    kind, eps = form.pop("kind"), float(form.pop("eps"))
    # Rounding points are those of f32 alone.
    form.pop("rounding", None)
    if form.pop("gamma_form", "direct") == "one_plus" and gamma is not None:
        gamma = graph.add("Add", gamma, graph.constant(1.0))
    part.check({"kind": "", **form}, "form")
    gamma = gamma if gamma is not None else graph.constant(np.ones(width))
    if kind == "layer":
        inputs = [x, gamma, *([beta] if beta is not None else [])]
        return graph.add("LayerNormalization", *inputs, axis=-1, epsilon=eps)
    if kind != "rms":
        raise part.refuse(f"a norm of the kind '{kind}'")
    y = graph.add("RMSNormalization", x, gamma, axis=-1, epsilon=eps)
    return y if beta is None else graph.add("Add", y, beta)


def _run_mlp(graph: Graph, part: Part) -> str:
    x, kind = part.next(), part.get("activation", {"value": "identity"})
    up = graph.linear(x, part.need("up"), part.take("up_bias"))
    gate = part.take("gate")
    side = up if gate is None else graph.linear(x, gate, part.take("gate_bias"))
    hidden = _activate(graph, part, kind, side)
    if gate is not None:
        hidden = graph.add("Mul", hidden, up)
    return graph.linear(hidden, part.need("down"), part.take("down_bias"))


def _activate(graph: Graph, part: Part, kind: Any, x: str) -> str:
    word = kind["value"] if isinstance(kind, dict) else kind
    y = graph.activate(word, x)
    if y is None:
        raise part.refuse(f"the activation '{word}'")
    return y


def _attend(graph: Graph, part: Part) -> str:
    x, heads = part.next(), part.get("heads", 1)
    kv_heads = part.get("kv_heads", heads)
    sides = {}
    limit = part.get("clip", None)
    for name in "qkv":
        y = graph.linear(x, part.need(name), part.take(f"{name}_bias"))
        if limit is not None:
            y = graph.add("Clip", y, graph.constant(-limit), graph.constant(limit))
        sides[name] = y
    norm = part.get("qk_norm", None)
    place = norm.get("place", "before_rope") if norm else ""
    if place == "after_rope":
        raise part.refuse("a norm of queries and keys behind the rotation")
    rope = part.get("rope", None)
    for name, count in (("q", heads), ("k", kv_heads)):
        gamma, beta = part.take(f"{name}_gamma"), part.take(f"{name}_beta")
        y = sides[name]
        if norm:
            y = _norm_heads(graph, part, y, count, gamma, beta, norm)
        y = graph.split_heads(y, count)
        sides[name] = y if rope is None else _rotate(graph, part, y, graph.find_rows(x), dict(rope))
    sides["v"] = graph.split_heads(sides["v"], kv_heads)
    scores = dict(part.get("scores", {}))
    y = _weigh(graph, part, sides, (heads, kv_heads), graph.find_rows(x), scores)
    return graph.linear(graph.merge_heads(y), part.need("o"), part.take("o_bias"))


def _norm_heads(
    graph: Graph,
    part: Part,
    x: str,
    heads: int,
    gamma: str | None,
    beta: str | None,
    norm: dict[str, Any],
) -> str:
    """Returns queries or keys, normalised as a whole or head by head."""
    form = {key: value for key, value in norm["form"].items()}
    if norm.get("extent", "head") == "whole":
        if gamma is None:
            raise part.refuse("a whole norm of queries and keys without a gain")
        return _norm(graph, part, x, gamma, beta, form, 1)
    if gamma is None:
        raise part.refuse("a norm of queries and keys without a gain")
    y = graph.add("Reshape", x, graph.whole(0, 0, heads, -1))
    # A gain may be one of each head; the norm itself then has a gain of ones.
    sizes = graph.add("Shape", y, start=3, end=4)
    ones = graph.add("Expand", graph.constant([1.0]), sizes)
    if form.get("gamma_form") == "one_plus":
        gamma = graph.add("Add", gamma, graph.constant(1.0))
        form.pop("gamma_form")
    y = _norm(graph, part, y, ones, None, form, 1)
    shape = graph.add("Concat", graph.whole(-1), sizes, axis=0)
    y = graph.add("Mul", y, graph.add("Reshape", gamma, shape))
    if beta is not None:
        y = graph.add("Add", y, graph.add("Reshape", beta, shape))
    return graph.add("Reshape", y, graph.whole(0, 0, -1))


def _rotate(graph: Graph, part: Part, x: str, stream: str, rope: dict[str, Any]) -> str:
    """Returns heads of queries or keys, rotated by their positions."""
    frequencies, dim = find_frequencies(rope), int(rope.pop("dim"))
    style, factor = rope.pop("style"), float(rope.pop("table_scale", 1.0))
    rope.pop("base", None)
    rope.pop("inv_freq", None)
    part.check(rope, "rope")
    places = graph.add("Cast", graph.count_up(graph.size(stream, 1)), to=1)
    column = graph.add("Unsqueeze", places, graph.whole(1))
    angles = graph.add("Mul", column, graph.constant([frequencies]))
    batch = graph.add("Shape", stream, start=0, end=1)
    shape = graph.add("Concat", batch, graph.whole(1, 1), axis=0)
    tables = [
        graph.add("Expand", graph.scale(graph.add(kind, angles), factor), shape)
        for kind in ("Cos", "Sin")
    ]
    return graph.add(
        "RotaryEmbedding",
        *(x, *tables),
        interleaved=int(style == "interleaved"),
        rotary_embedding_dim=dim,
    )


def _weigh(
    graph: Graph,
    part: Part,
    sides: dict[str, str],
    heads: tuple[int, int],
    stream: str,
    scores: dict[str, Any],
) -> str:
    """Returns the weighted sums of values: by Attention, or by its parts under a soft cap."""
    scale, causal = float(scores.pop("scale", 1.0)), bool(scores.pop("causal", False))
    window, cap = scores.pop("window", None), scores.pop("softcap", None)
    alibi, order = scores.pop("alibi_max", None), scores.pop("order", None)
    if order not in (None, "scale_bias_cap", "scale_cap_bias") or (
        alibi is not None and (cap is not None or order is not None)
    ):
        raise part.refuse(f"the order '{order}' of scores")
    part.check(scores, "scores")
    lengths = part.take("lengths")
    tokens = graph.count_up(graph.size(stream, 1))
    rows = graph.add("Unsqueeze", tokens, graph.whole(1))
    columns = graph.add("Unsqueeze", tokens, graph.whole(0))
    is_plain = window is None and cap is None and alibi is None
    allowed = []
    if causal and not (is_plain and lengths is None):
        allowed.append(graph.add("LessOrEqual", columns, rows))
    if window is not None:
        span = graph.constant(window, np.int64)
        allowed.append(graph.add("Greater", columns, graph.add("Sub", rows, span)))
        if not causal:
            allowed.append(graph.add("Less", columns, graph.add("Add", rows, span)))
    if lengths is not None:
        counts = graph.add("Unsqueeze", lengths, graph.whole(1, 2, 3))
        allowed.append(graph.add("Less", columns, counts))
    mask = ""
    for each in allowed:
        mask = each if not mask else graph.add("And", mask, each)
    bias = ""
    if alibi is not None:
        slopes = np.reshape(list_slopes(heads[0], float(alibi)), (1, -1, 1, 1))
        distance = graph.add("Cast", graph.add("Abs", graph.add("Sub", rows, columns)), to=1)
        bias = graph.add("Mul", distance, graph.constant(-slopes))
    if cap is None and not bias:
        y = _weigh_at_once(graph, sides, scale, causal, mask, stream)
    else:
        y = _weigh_by_parts(graph, sides, heads, scale, cap, bias, mask)
    if lengths is None:
        return y
    # A row without an allowed key is 0; runtimes differ in what they compute of it.
    keys = graph.add("ReduceMax", graph.add("Cast", mask, to=7), graph.whole(-1), keepdims=1)
    return graph.add("Where", graph.add("Cast", keys, to=9), y, graph.constant(0.0))


def _weigh_at_once(
    graph: Graph, sides: dict[str, str], scale: float, causal: bool, mask: str, stream: str
) -> str:
    inputs = [sides[name] for name in "qkv"]
    if not mask:
        return graph.add("Attention", *inputs, scale=scale, is_causal=int(causal))
    # onnxruntime requires a row of the mask for each query; heads share it.
    count = graph.add("Shape", stream, start=1, end=2)
    shape = graph.add("Concat", graph.whole(1, 1), count, count, axis=0)
    return graph.add("Attention", *inputs, graph.add("Expand", mask, shape), scale=scale)


def _weigh_by_parts(
    graph: Graph,
    sides: dict[str, str],
    heads: tuple[int, int],
    scale: float,
    cap: float | None,
    bias: str,
    mask: str,
) -> str:
    """Versions of ONNX's Attention differ in whether a soft cap comes before the mask."""
    q, k, v = (sides[name] for name in "qkv")
    if heads[0] != heads[1]:
        k, v = (_repeat(graph, each, heads) for each in (k, v))
    found = graph.add("MatMul", q, graph.add("Transpose", k, perm=[0, 1, 3, 2]))
    found = graph.scale(found, scale)
    found = found if cap is None else graph.cap(found, cap)
    found = graph.add("Add", found, bias) if bias else found
    if mask:
        found = graph.add("Where", mask, found, graph.constant(-np.inf))
    return graph.add("MatMul", graph.add("Softmax", found, axis=-1), v)


def _repeat(graph: Graph, x: str, heads: tuple[int, int]) -> str:
    """Returns keys or values once for each query head."""
    times = heads[0] // heads[1]
    apart = graph.add("Unsqueeze", x, graph.whole(2))
    wide = graph.add("Expand", apart, graph.whole(1, 1, times, 1, 1))
    return graph.add("Reshape", wide, graph.add("Concat", *_shape_heads(graph, x, heads[0]), axis=0))


def _shape_heads(graph: Graph, x: str, heads: int) -> list[str]:
    sizes = [graph.add("Shape", x, start=dim, end=dim + 1) for dim in (0, 2, 3)]
    return [sizes[0], graph.whole(heads), sizes[1], sizes[2]]


def _sum(graph: Graph, part: Part) -> str:
    stream, branches = part.next(), part.take_all()
    scales = part.get("branch_scales", None) or [1.0] * len(branches)
    y = graph.scale(stream, float(part.get("input_scale", 1.0)))
    for branch, scale in zip(branches, scales, strict=True):
        y = graph.add("Add", y, graph.scale(branch, float(scale)))
    return y


def _finish(graph: Graph, part: Part) -> str:
    x, weight = part.next(), part.next()
    y = graph.scale(graph.linear(x, weight, part.take("bias")), float(part.get("scale", 1.0)))
    cap = part.get("softcap", None)
    return y if cap is None else graph.cap(y, float(cap))


def _project(graph: Graph, part: Part) -> str:
    x, weight = part.next(), part.next()
    return graph.linear(x, weight, part.take("bias"))


def _gain(graph: Graph, part: Part) -> str:
    y = graph.scale(part.next(), float(part.get("factor", 1.0)))
    gain = part.take("by")
    return y if gain is None else graph.add("Mul", y, gain)


# Weights that are cut ---------------------------------------------------------------


def _slice(graph: Graph, part: Part) -> str:
    starts, sizes, steps = part.op.lists
    if not all(isinstance(number, int) for number in (*starts, *sizes)):
        raise part.refuse(f"the sizes {sizes}")
    if {*steps} != {1}:
        raise part.refuse(f"the steps {steps}")
    if len(_read_sizes(part)) != len(sizes):
        raise part.refuse("a dimension less")
    ends = [start + size for start, size in zip(starts, sizes, strict=True)]
    axes = graph.whole(*range(len(starts)))
    return graph.add("Slice", part.next(), graph.whole(*starts), graph.whole(*ends), axes)


def _reshape(graph: Graph, part: Part) -> str:
    return graph.add("Reshape", part.next(), graph.whole(*_read_sizes(part)))


def _read_sizes(part: Part) -> list[int]:
    """Returns the sizes of the result, whose type is printed last."""
    text = part.op.types.rstrip(" ;").removesuffix(">").split("<")[-1].strip()
    sizes = text.split("x")[:-1]
    if not all(size.isdigit() for size in sizes):
        raise part.refuse(f"the shape {text}")
    return [int(size) for size in sizes]


def _turn(graph: Graph, part: Part) -> str:
    return graph.add("Transpose", part.next(), perm=part.get("permutation", []))


def _join(graph: Graph, part: Part) -> str:
    return graph.add("Concat", *part.take_all(), axis=part.get("dim", 0))


_FORMS: dict[str, Callable[[Graph, Part], str]] = {
    "block.activation": lambda graph, part: _activate(
        graph, part, part.get("kind", {}), part.next()
    ),
    "block.attention": _attend,
    "block.embedding": _embed,
    "block.head": _finish,
    "block.linear": _project,
    "block.mlp": _run_mlp,
    "block.norm": _normalise,
    "block.residual": _sum,
    "block.scale": _gain,
    "linalg.transpose": _turn,
    "tensor.collapse_shape": _reshape,
    "tensor.concat": _join,
    "tensor.expand_shape": _reshape,
    "tensor.extract_slice": _slice,
}


def add_ops(graph: Graph, ops: Sequence[Op], values: dict[str, str]) -> None:
    """Adds ops to a graph; `values` has their operands by the IR's names, and gets results."""
    for op in ops:
        if op.name == "tensor.empty":
            values[op.results[0]] = ""
            continue
        form = _FORMS.get(op.name)
        if form is None:
            raise Error(
                f"save_onnx has no form of the operation '{op.name}': models of from_pretrained() "
                "consist of blocks alone; export a module by torch.onnx"
            )
        part = Part(op, values)
        result = form(graph, part)
        part.check()
        values[op.results[0]] = result
        if op.name.startswith("block."):
            # So positions, masks and rotations are those of all layers.
            graph.keep_rows(result, part.source)
