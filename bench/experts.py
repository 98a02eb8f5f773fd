#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times experts on the CPU beside a dense MLP of as many rows, PyTorch's grouped products and a loop that reads memory.

usage: experts.py [--tokens=N,N,..] [--turns=N] [--threads=N] [--dtype=f32|bf16] [--json=J]

Everything runs in turns in one process, and ratios are medians over turns of the process's own time, so that other work
on the machine counts as little as it can. Numbers are compared with PyTorch's first. It requires the parablock package,
torch and transformers (bench/peers.txt).
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import numpy as np
import torch
import transformers.integrations.moe as grouped

import parablock
from parablock.weights import write_safetensors

EXPERTS, CHOSEN, WIDTH, HIDDEN = 32, 8, 2048, 768
LIMITS = {"f32": 1e-5, "bf16": 2e-2}
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16}


def spell(shape, dtype):
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def write_experts(path, tokens, dtype):
    x, i, w = (1, tokens, WIDTH), (1, tokens, CHOSEN), (1, tokens, CHOSEN)
    types = {"x": spell(x, dtype), "i": spell(i, "i64"), "w": spell(w, "f32"),
             "u": spell((EXPERTS, 2 * HIDDEN, WIDTH), dtype), "d": spell((EXPERTS, WIDTH, HIDDEN), dtype)}
    arguments = ", ".join(f'%{name}: {type} {{block.{"input" if name in "xiw" else "param"} = "{name}"}}'
                          for name, type in types.items())
    path.write_text(f"""func.func @main({arguments}) -> ({types["x"]} {{block.output = "y"}}) {{
  %y = block.experts %x of %i by %w up %u down %d {{form = #block.experts<activation = silu>}}
      : ({", ".join(types.values())}) -> {types["x"]}
  return %y : {types["x"]}
}}
""")


def write_dense(path, rows, dtype):
    """The same MLP of one expert for all rows."""
    x, wide, half = (spell((1, rows, width), dtype) for width in (WIDTH, 2 * HIDDEN, HIDDEN))
    up, down = spell((2 * HIDDEN, WIDTH), dtype), spell((WIDTH, HIDDEN), dtype)
    path.write_text(f"""func.func @main(%x: {x} {{block.input = "x"}}, %u: {up} {{block.param = "u"}},
    %d: {down} {{block.param = "d"}}) -> ({x} {{block.output = "y"}}) {{
  %p = block.linear %x, %u : ({x}, {up}) -> {wide}
  %g, %v = block.split %p : ({wide}) -> ({half}, {half})
  %h = block.gate %g, %v {{kind = #block.activation<silu>}} : ({half}, {half}) -> {half}
  %y = block.linear %h, %d : ({half}, {down}) -> {x}
  return %y : {x}
}}
""")


class Experts(torch.nn.Module):
    """What transformers' grouped products read."""

    num_experts, hidden_dim, intermediate_dim = EXPERTS, WIDTH, HIDDEN
    has_gate, has_bias, is_transposed, is_concatenated = True, False, False, True
    has_post_expert_norm = _is_expert_parallel = False

    def __init__(self, up, down):
        super().__init__()
        self.gate_up_proj, self.down_proj = torch.nn.Parameter(up), torch.nn.Parameter(down)
        self.act_fn, self.config = torch.nn.SiLU(), argparse.Namespace()

    def _apply_gate(self, product):
        gate, up = product.chunk(2, dim=-1)
        return self.act_fn(gate) * up


def store(path, tensors):
    """Writes tensors as the IR has them: bf16 by its bits."""
    words = {torch.float32: "f32", torch.bfloat16: "bf16"}
    write_safetensors(path, ((name, (tensor.view(torch.uint16) if tensor.dtype == torch.bfloat16 else tensor).numpy(),
                              words[tensor.dtype]) for name, tensor in tensors.items()))


def make_reader(chosen, bytes_of_expert):
    """A function that reads as many bytes as the chosen experts have, each at its own place."""
    memory = np.ones(EXPERTS * bytes_of_expert // 8, np.uint64)
    parts = [memory[e * bytes_of_expert // 8 : (e + 1) * bytes_of_expert // 8] for e in chosen]
    return lambda: [part.sum() for part in parts]


def time_in_turns(functions, turns):
    for function in functions.values():
        function()
    times = {name: [] for name in functions}
    for _ in range(turns):
        for name, function in functions.items():
            start = time.process_time()
            function()
            times[name].append((time.process_time() - start) * 1e3)
    return times


def measure(tokens, options, folder, weights):
    random = torch.Generator().manual_seed(tokens)
    dtype = TYPES[options.dtype]
    x = torch.randn(tokens, WIDTH, generator=random).to(dtype)
    indices = torch.stack([torch.randperm(EXPERTS, generator=random)[:CHOSEN] for _ in range(tokens)])
    mixed = torch.rand(tokens, CHOSEN, generator=random) / CHOSEN
    write_experts(folder / "experts.mlir", tokens, options.dtype)
    write_dense(folder / "dense.mlir", tokens * CHOSEN, options.dtype)
    ours = parablock.from_mlir(folder / "experts.mlir", folder / "experts.safetensors")
    ours = ours.optimize().compile("cpu", options.threads)
    dense = parablock.from_mlir(folder / "dense.mlir", folder / "dense.safetensors")
    dense = dense.optimize().compile("cpu", options.threads)
    rows = torch.randn(1, tokens * CHOSEN, WIDTH, generator=random).to(dtype)
    module = Experts(weights["u"], weights["d"]).eval()
    size = weights["u"].element_size() * 3 * HIDDEN * WIDTH
    used = indices.unique().tolist()
    functions = {
        "ours": lambda: ours(x=x[None], i=indices[None], w=mixed[None])["y"],
        "dense": lambda: dense(x=rows)["y"],
        "grouped_mm": lambda: grouped.grouped_mm_experts_forward(module, x, indices, mixed),
        "read": make_reader(used, size),
    }
    with torch.no_grad():
        found, expected = torch.as_tensor(functions["ours"]()).double(), functions["grouped_mm"]().double()
        error = float((found[0] - expected).norm() / expected.norm())
        if not error <= LIMITS[options.dtype]:
            sys.exit(f"T = {tokens}: the results differ by {error:.1e}, expected at most {LIMITS[options.dtype]:.0e}")
        times = time_in_turns(functions, options.turns)
    ratio = {name: statistics.median(a / b for a, b in zip(own, times["ours"])) for name, own in times.items()}
    print(f"T = {tokens}: {', '.join(f'{name} {min(own):.2f} ms' for name, own in times.items())}; over ours: "
          + ", ".join(f"{name} {value:.2f}" for name, value in ratio.items() if name != "ours"))
    return {"tokens": tokens, "error": error, "bytes": len(used) * size, "times_ms": times, "over_ours": ratio}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", default="1,17,512")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--dtype", choices=LIMITS, default="f32")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    random = torch.Generator().manual_seed(1)
    weights = {"u": torch.randn(EXPERTS, 2 * HIDDEN, WIDTH, generator=random) * WIDTH**-0.5,
               "d": torch.randn(EXPERTS, WIDTH, HIDDEN, generator=random) * HIDDEN**-0.5}
    weights = {name: tensor.to(TYPES[options.dtype]) for name, tensor in weights.items()}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        store(folder / "experts.safetensors", weights)
        store(folder / "dense.safetensors", {name: tensor[0].contiguous() for name, tensor in weights.items()})
        cases = [measure(int(tokens), options, folder, weights) for tokens in options.tokens.split(",")]
    if options.json:
        options.json.write_text(json.dumps({"schema": 1, "dtype": options.dtype, "threads": options.threads,
                                            "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
