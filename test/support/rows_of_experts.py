# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules in which ranks exchange rows by given choices, and what NumPy computes of them."""

import numpy as np

#: How rows choose: of `experts`, by ranks with as many each.
PATTERNS = ("any", "first rank", "last rank", "one row", "nobody", "empty slots")


def choose(pattern, shape, experts, ranks, seed=7):
    """[batch, rows, slots] of experts; no rank but one, or none, has rows by most patterns."""
    random = np.random.default_rng(seed)
    own = experts // ranks
    choices = random.integers(0, experts, shape)
    if pattern == "first rank":
        choices = random.integers(0, own, shape)
    elif pattern == "last rank":
        choices = random.integers(experts - own, experts, shape)
    elif pattern == "one row":
        choices = random.integers(0, own, shape)
        choices[-1, 0, 0] = experts - 1
    elif pattern == "nobody":
        choices[:] = experts
    elif pattern == "empty slots":
        choices[random.random(shape) < 0.5] = experts + 3
    return choices.astype(np.int64)


def draw_rows(shape, dtype):
    """Bits of numbers that every machine has as they are: no denormals."""
    words, low, high = {"f32": (np.uint32, 0x30000000, 0x40000000), "bf16": (np.uint16, 0x3000, 0x4000),
                        "f16": (np.uint16, 0x2000, 0x4000)}[dtype]
    return np.random.default_rng(5).integers(low, high, shape).astype(words)


def write_exchange(path, ranks, shape, width, experts, dtype, is_open=False, factor=None):
    """Rows go to the ranks of their experts and return as they are: a part of the result's columns for each rank.

    With a factor, they are multiplied before, so that there is something to launch.
    """
    batch, rows, slots = ("?", "?", shape[2]) if is_open else shape
    share = "?" if is_open else rows // ranks
    whole, own, all_parts = (f"tensor<{batch}x{r}x{w}x{dtype}>" for r, w in
                             ((rows, width), (share, width), (rows, ranks * width)))
    parts = f"tensor<{batch}x{share}x{ranks * width}x{dtype}>"
    choices = f"tensor<{batch}x{rows}x{slots}xi64>"
    names = ', block.dims = ["batch", "seq"]' if is_open else ""
    scale = f"  %scaled = block.scale %own {{factor = {factor}}} : ({own}) -> {own}\n" if factor else ""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""shard.grid @ranks(shape = {ranks})
func.func @main(%x: {whole} {{block.input = "x"{names}}}, %c: {choices} {{block.input = "c"{names}}}) -> ({all_parts} {{block.output = "y"}}) {{
  %own = shard.all_slice %x on @ranks grid_axes = [0] slice_axis = 1 : {whole} -> {own}
{scale}  %there = block.rows_to_experts {"%scaled" if factor else "%own"} by %c of {experts} on @ranks : {own}, {choices} -> {whole}
  %back = block.rows_from_experts %there by %c of {experts} on @ranks : {whole}, {choices} -> {parts}
  %y = shard.all_gather %back on @ranks grid_axes = [0] gather_axis = 1 : {parts} -> {all_parts}
  return %y : {all_parts}
}}
""")


def expect_exchange(x, choices, experts, ranks):
    """Of elements of any type: each row once for each rank that has an expert of it, zeros for the others."""
    owners = np.where((choices >= 0) & (choices < experts), choices // (experts // ranks), -1)
    parts = [np.where((owners == rank).any(-1)[..., None], x, np.zeros_like(x)) for rank in range(ranks)]
    return np.concatenate(parts, -1)


#: The weights of write_mixture.
MIXTURE = {"first": (16, 8), "second": (8, 16), "router": (4, 8), "up": (4, 12, 8), "down": (4, 8, 6)}


def write_mixture(path):
    """An MLP, whose sum gives ranks a share of 4 rows of 8 columns, and experts behind it."""
    weights = {name: f"tensor<{'x'.join(map(str, shape))}xf32>" for name, shape in MIXTURE.items()}
    arguments = "".join(f', %{name}: {kind} {{block.param = "{name}"}}' for name, kind in weights.items())
    mlp, stacks = (", ".join(weights[name] for name in names) for names in (("first", "second"), ("router", "up", "down")))
    rows = "tensor<1x4x8xf32>"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""func.func @main(%x: {rows} {{block.input = "x"}}{arguments}) -> ({rows} {{block.output = "y"}}) {{
  %l = block.layer "l" at 0 -> {rows} {{
    %m = block.mlp %x up %first down %second {{activation = #block.activation<silu>}} : ({rows}, {mlp}) -> {rows}
    %h = block.residual %x, %m : {rows}
    %y = block.moe %h router %router up %up down %down {{routing = #block.routing<chosen = 2, score = softmax>, form = #block.experts<activation = silu>}} : ({rows}, {stacks}) -> {rows}
    %z = block.residual %h, %y : {rows}
    block.yield %z : {rows}
  }}
  return %l : {rows}
}}
""")


def draw_mixture(nan_row=None):
    """Its weights, and an input with a NaN in one row."""
    random = np.random.default_rng(11)
    x = random.standard_normal((1, 4, 8)).astype(np.float32)
    if nan_row is not None:
        x[0, nan_row, 2] = np.nan
    return {name: random.standard_normal(shape).astype(np.float32) for name, shape in MIXTURE.items()}, x
