#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with packed sequences, with a bias of its own for every score, and all forms of scores.

usage: attention.py FOLDER packed|biased|long|heads|forms|nan

Each case is one kernel, run on the emulator and held against the reference engine; forms
of scores run on the CPU engine as well, whose code is made of the same pipeline. Bounds of
sequences and lowest biases are written down here, the rest is drawn. A fifth of the cases
runs a day; with PARABLOCK_FULL set, every case meets every chip and type.
"""

import concurrent.futures
import dataclasses
import itertools
import math
import os
import pathlib
import random
import struct
import sys

import pairwise
import safetensors_io
import tiers
import tools

LOWEST = -3.3895313892515355e38  # of bf16, which masks are written with

# In the order of the op.
CACHE = ("past_lengths", "starts")
OPTIONAL = ("lengths", "relative", "shaw_key", "shaw_value", "alpha", "beta", "gamma", "past_key", "past_value", "slopes")


@dataclasses.dataclass
class Case:
    name: str
    chip: str
    dtype: str
    shape: tuple  # batch, queries, heads, heads of keys, size of a head
    scores: str = ""
    bounds: list = None  # of packed sequences
    bias: tuple = None  # its shape
    extra: tuple = ()  # names of more operands
    attributes: str = ""
    engines: tuple = ("emulate",)
    past: int = 9  # keys before those of this call, where there are such; of a cache, rows beside those of this call
    page_rows: int = 0  # rows of a page, of a cache in pages
    nan: tuple = ()  # names of operands, each with the place of its element that is NaN

    def count_keys(self):
        """The rows of keys and values: of new ones, or of a cache."""
        return self.shape[1] + (self.past if "past_lengths" in self.extra else 0)

    def get_counts(self):
        """A cache has been written over, in the middle of what is seen."""
        return {"past_lengths": 2 * self.past + 7, "starts": self.past + 20}


# Sequences without rows, of one row, of whole tiles; rows that are in none.
PACKED = [
    Case("causal", "sm_90a", "bf16", (1, 150, 2, 2, 64), "causal = true", [0, 0, 33, 40, 150]),
    Case("window", "sm_90a", "f16", (1, 150, 4, 2, 80), "causal = true, window = 20", [0, 1, 60, 130]),
    Case("both-ways", "sm_80", "bf16", (1, 70, 2, 2, 40), "window = 9", [0, 64, 70]),
    Case("rounded-alibi", "sm_80", "bf16", (1, 40, 2, 2, 32), "causal = true, alibi_max = 8.0, alibi_type = bf16",
         [0, 17, 40]),
    Case("alibi", "sm_90a", "bf16", (1, 70, 4, 4, 16), "causal = true, alibi_max = 8.0", [0, 5, 64, 69, 70]),
    Case("buckets", "sm_90a", "f16", (1, 70, 2, 2, 32), "", [0, 30, 60], None, ("relative",),
         "buckets = #block.buckets<max_distance = 24, bidirectional = true>, "),
    Case("shaped", "sm_90a", "bf16", (1, 70, 2, 2, 64), "causal = true", [0, 20, 65], None, ("alpha", "beta", "gamma")),
    Case("shaw", "sm_80", "f16", (1, 24, 2, 2, 16), "softcap = 3.0", [0, 7, 24], None, ("shaw_key", "shaw_value")),
    Case("few", "sm_90a", "bf16", (1, 7, 4, 1, 64), "causal = true", [0, 2, 2, 6]),
    Case("f32", "sm_80", "f32", (1, 20, 2, 1, 24), "causal = true", [0, 7, 20]),
    Case("wide", "sm_90a", "bf16", (1, 130, 1, 1, 256), "causal = true, softcap = 9.0", [0, 30, 120]),
    Case("none", "sm_90a", "bf16", (1, 20, 2, 2, 64), "", [0, 0]),
    Case("sinks", "sm_90a", "bf16", (1, 150, 4, 2, 64), "causal = true", [0, 0, 33, 140], None, ("sinks",)),
]

# One bias for all, and for everything; masks for keys, and for queries.
BIASED = [
    Case("all", "sm_90a", "bf16", (2, 70, 2, 2, 64), "causal = true", None, (2, 2, 70, 70)),
    Case("mask", "sm_90a", "f16", (2, 40, 4, 2, 32), "", None, (2, 1, 1, 40)),
    Case("heads", "sm_80", "bf16", (2, 33, 2, 2, 48), "softcap = 3.0", None, (1, 2, 33, 33)),
    Case("queries", "sm_80", "f16", (1, 20, 2, 2, 16), "alibi_max = 8.0", None, (1, 1, 20, 1)),
    Case("packed", "sm_90a", "bf16", (1, 70, 2, 2, 128), "", [0, 40, 69], (1, 1, 70, 70)),
    Case("few", "sm_80", "bf16", (2, 3, 4, 2, 32), "", None, (2, 4, 3, 3)),
    Case("shaw", "sm_80", "f16", (1, 18, 2, 2, 16), "", None, (1, 1, 18, 18), ("shaw_key",)),
    Case("f32", "sm_80", "f32", (1, 20, 2, 1, 24), "causal = true", None, (1, 2, 20, 20)),
    Case("sinks", "sm_80", "f16", (2, 33, 2, 2, 48), "softcap = 3.0", None, (1, 2, 33, 33), ("beta", "sinks")),
]

# Steps over keys that some queries see in part, before, behind and beside others.
LONG = [
    Case("causal", "sm_90a", "bf16", (1, 520, 2, 1, 64), "causal = true"),
    Case("window", "sm_90a", "f16", (1, 520, 2, 1, 64), "causal = true, window = 200"),
    Case("around", "sm_90a", "bf16", (1, 520, 1, 1, 128), "window = 150"),
    Case("alibi", "sm_80", "f16", (1, 300, 2, 1, 64), "causal = true, alibi_max = 8.0"),
    Case("packed", "sm_90a", "bf16", (1, 520, 2, 1, 64), "causal = true", [0, 300, 310, 515]),
    # Tiles enough for three warpgroups.
    Case("three", "sm_90a", "bf16", (1, 300, 45, 9, 64), "causal = true, window = 200"),
    Case("mean", "sm_90a", "bf16", (1, 520, 1, 1, 64), "causal = true", None, None, ("alpha", "beta", "gamma")),
    Case("past", "sm_90a", "bf16", (1, 130, 1, 1, 64), "causal = true, window = 300", past=400, extra=("past_key", "past_value")),
    Case("ring", "sm_90a", "bf16", (1, 130, 1, 1, 64), "causal = true, window = 300", past=400, extra=CACHE),
    Case("sinks", "sm_90a", "f16", (1, 520, 2, 1, 64), "causal = true, window = 200", extra=("sinks",)),
    # Several CTAs share the keys of a tile.
    Case("shared-sinks", "sm_90a", "bf16", (1, 3, 4, 2, 64), "causal = true", past=2000, extra=(*CACHE, "sinks")),
]

# Heads that are no whole panels of 64 columns, each beside another one; wide ones, in tiles of 64 keys or 48.
HEADS = [
    Case("80", "sm_90a", "bf16", (1, 200, 2, 2, 80), "causal = true"),
    Case("80-past", "sm_90a", "f16", (1, 130, 4, 2, 80), "causal = true, window = 100", past=70, extra=("past_key", "past_value")),
    Case("80-mean", "sm_90a", "bf16", (1, 150, 2, 2, 80), "causal = true", None, None, ("alpha", "beta", "gamma")),
    Case("96", "sm_90a", "bf16", (1, 200, 4, 2, 96), "window = 90"),
    Case("112", "sm_90a", "f16", (1, 200, 2, 2, 112), "causal = true", [0, 90, 100, 190]),
    Case("112-shaw", "sm_90a", "bf16", (1, 70, 2, 2, 112), "causal = true", None, None, ("shaw_key", "shaw_value")),
    Case("144", "sm_90a", "bf16", (1, 200, 2, 1, 144), ""),
    Case("240", "sm_90a", "bf16", (1, 200, 2, 2, 240), "causal = true, softcap = 9.0"),
    Case("256", "sm_90a", "f16", (1, 300, 1, 1, 256), "causal = true"),
    Case("256-alibi", "sm_90a", "bf16", (1, 200, 2, 1, 256), "causal = true, alibi_max = 8.0"),
    Case("256-past", "sm_90a", "bf16", (1, 130, 1, 1, 256), "causal = true", past=150, extra=("past_key", "past_value")),
    Case("256-buckets", "sm_90a", "bf16", (1, 150, 1, 1, 256), "", None, None, ("relative",),
         "buckets = #block.buckets<max_distance = 24, bidirectional = true>, "),
    Case("256-biased", "sm_90a", "f16", (1, 130, 1, 1, 256), "", None, (1, 1, 130, 130)),
    Case("256-packed", "sm_90a", "bf16", (1, 200, 1, 1, 256), "window = 60", [0, 90, 190]),
    Case("320-window", "sm_90a", "f16", (1, 70, 1, 1, 320), "causal = true, window = 40"),
    Case("512", "sm_90a", "bf16", (1, 40, 1, 1, 512), "causal = true"),
    Case("256-packed-few", "sm_90a", "bf16", (1, 4, 4, 1, 256), "causal = true, softcap = 2.5, alibi_max = 6.0, alibi_type = f16",
         [0, 1, 1, 3], None, ("slopes",)),
]

BOTH = ("cpu", "emulate")
# Rows of a head, a query or a key become NaN, and no others, also where a bias or a sequence leaves them no key.
SPOILED = [
    Case("nan-sink", "sm_80", "f32", (2, 20, 2, 1, 24), "causal = true", extra=("sinks",), engines=BOTH, nan=(("sinks", 1),)),
    Case("nan-sink-wgmma", "sm_90a", "bf16", (1, 150, 4, 2, 64), "causal = true", [0, 0, 33, 140], extra=("sinks",), engines=BOTH,
         nan=(("sinks", 2),)),
    Case("nan-sink-mma", "sm_80", "f16", (2, 33, 2, 2, 48), "softcap = 3.0", bias=(1, 2, 33, 33), extra=("beta", "sinks"),
         engines=BOTH, nan=(("sinks", 0),)),
    Case("nan-sink-split", "sm_90a", "bf16", (1, 3, 4, 2, 64), "causal = true", past=2000, extra=(*CACHE, "sinks"), engines=BOTH,
         nan=(("sinks", 3),)),
    Case("nan-sink-decode", "sm_80", "f16", (1, 1, 4, 2, 64), "causal = true", past=2000, extra=(*CACHE, "sinks"), engines=BOTH,
         nan=(("sinks", 0),)),
    Case("nan-sink-gains", "sm_90a", "f16", (1, 70, 2, 2, 64), "window = 9", extra=("alpha", "beta", "gamma", "sinks"), engines=BOTH,
         nan=(("sinks", 1),)),
    Case("nan-query", "sm_90a", "bf16", (1, 150, 2, 1, 64), "causal = true", engines=BOTH, nan=(("q", 40 * 128 + 70),)),
    Case("nan-query-split", "sm_80", "bf16", (1, 2, 2, 1, 64), "causal = true", past=2000, extra=CACHE, engines=BOTH,
         nan=(("q", 128 + 70),)),
    Case("nan-key", "sm_80", "f16", (1, 70, 2, 2, 40), "causal = true", engines=BOTH, nan=(("k", 60 * 80 + 50),)),
    Case("nan-key-split", "sm_90a", "f16", (1, 3, 4, 2, 64), "causal = true", past=2000, extra=CACHE, engines=BOTH,
         nan=(("k", 1900 * 128 + 3),)),
    Case("nan-bias", "sm_80", "f32", (1, 20, 2, 1, 24), "causal = true", bias=(1, 2, 20, 20), engines=BOTH,
         nan=(("score_bias", 5 * 20 + 3),)),
    Case("nan-bias-wgmma", "sm_90a", "bf16", (2, 70, 2, 2, 64), bias=(2, 1, 70, 70), engines=BOTH,
         nan=(("score_bias", 70), ("score_bias", 60 * 70 + 69))),
    Case("nan-slope", "sm_90a", "f16", (1, 70, 2, 2, 64), "causal = true, alibi_max = 8.0", extra=("slopes",), engines=BOTH,
         nan=(("slopes", 1),)),
    Case("nan-table", "sm_80", "bf16", (1, 40, 2, 2, 32), extra=("relative",),
         attributes="buckets = #block.buckets<max_distance = 24, bidirectional = true>, ", engines=BOTH, nan=(("relative", 5),)),
]

ORDERS = ("scale_bias_cap", "bias_scale_cap", "scale_cap_bias")
# Which keys a query sees: text of the form, bounds of sequences, more operands.
VISIBLE = {
    "all": ("", None, ()),
    "causal": ("causal = true", None, ()),
    "window": ("causal = true, window = 5", None, ()),
    "around": ("window = 4", None, ()),
    "lengths": ("", None, ("lengths",)),
    "past": ("causal = true, window = 9", None, ("past_key", "past_value")),
    "packed": ("causal = true", [0, 7, 8, 21], ()),
    "cache": ("causal = true, window = 9", None, CACHE),
}
# What is added to scores: text of the form, more operands, attributes, a score_bias.
ADDED = {
    "nothing": ("", (), "", None),
    "alibi": ("alibi_max = 8.0", (), "", None),
    "alibi-bf16": ("alibi_max = 8.0, alibi_type = bf16", (), "", None),
    "alibi-f16": ("alibi_max = 6.0, alibi_type = f16", ("slopes",), "", None),
    "slopes": ("alibi_max = 8.0", ("slopes",), "", None),
    "buckets": ("", ("relative",), "buckets = #block.buckets<max_distance = 12>, ", None),
    "both-buckets": ("alibi_max = 4.0", ("relative",), "buckets = #block.buckets<max_distance = 20, bidirectional = true>, ",
                     None),
    "shaw": ("", ("shaw_key", "shaw_value"), "", None),
    "biased": ("", (), "", (1, 3, 21, 1)),
    "sinks": ("", ("sinks",), "", None),
}


def choose_engines(number):
    """One of both, so that it meets all of what is seen and added, orders, soft caps and chips; under full both."""
    both = "cpu", "emulate"
    turn = (number + number // 2 + number // 12) % 2
    return both if tiers.FULL else (both[turn],)


def forms():
    """What is added meets what is seen, in turns of order, soft cap and engine; a rounded ALiBi is causal alone."""
    turns = itertools.cycle(itertools.product(ORDERS, ("", "softcap = 2.5"), ("sm_80", "sm_90a")))
    for number, ((seen, (visible, bounds, more)), (added, (bias, extra, attributes, shape))) in enumerate(itertools.product(
            VISIBLE.items(), ADDED.items())):
        order, cap, chip = next(turns)
        if "alibi_type" in bias and "causal" not in visible:
            continue
        text = [visible, cap, bias, f"order = {order}"]
        if shape and more == CACHE:
            continue
        if shape and "past_key" in more:
            shape = (1, 3, 21, 30)
        yield Case(f"{seen}-{added}", chip, "f32", (1, 21, 3, 3, 8), ", ".join(filter(None, text)), bounds, shape,
                   more + extra, attributes, choose_engines(number))


def operands(case):
    """Names and types, in the order of the op."""
    batch, tokens, heads, key_heads, size = case.shape
    dtype = case.dtype
    types = {"q": f"{batch}x{tokens}x{heads * size}x{dtype}"}
    types.update({name: f"{batch}x{case.count_keys()}x{key_heads * size}x{dtype}" for name in "kv"})
    more = {"relative": f"16x{heads}x{dtype}", "shaw_key": f"5x{size}x{dtype}", "shaw_value": f"5x{size}x{dtype}",
            "lengths": f"{batch}xi64", "slopes": f"{heads}x{dtype}", "past_key": f"{batch}x{case.past}x{key_heads * size}x{dtype}",
            "past_value": f"{batch}x{case.past}x{key_heads * size}x{dtype}", "alpha": f"{heads}x{dtype}", "beta": f"{heads}x{dtype}", "gamma": f"{heads}x{dtype}"}
    types.update({name: more[name] for name in OPTIONAL if name in case.extra})
    if case.bias:
        types["score_bias"] = "x".join(map(str, case.bias)) + f"x{dtype}"
    if case.bounds:
        types["cu_seqlens"] = f"{len(case.bounds)}xi64"
    types.update({name: f"{batch}xi64" for name in CACHE if name in case.extra})
    if case.page_rows:
        types.update({name: f"?x{case.page_rows}x{key_heads * size}x{dtype}" for name in "kv"}, pages=f"{batch}x?xi64")
    if "sinks" in case.extra:
        types["sinks"] = f"{heads}x{dtype}"
    return {name: f"tensor<{shape}>" for name, shape in types.items()}


def model(case):
    heads, key_heads, size = case.shape[2:]
    types = operands(case)
    dims = {"k": "pool", "v": "pool", "pages": "row_pages"} if case.page_rows else {}
    inputs = ", ".join(f'%{name}: {kind} {{block.input = "{name}"' + (f', block.dims = ["{dims[name]}"]' if name in dims else "")
                       + "}" for name, kind in types.items())
    inside = ", ".join(f"%i_{name} = %{name} : {kind}" for name, kind in types.items())
    more = "".join(f" {name} %i_{name}" for name in types if name not in "qkv")
    scores = f"scale = {size ** -0.5:.17e}" + (f", {case.scores}" if case.scores else "")
    result = types["q"]
    return f"""
func.func @main({inputs}) -> ({result} {{block.output = "o"}}) {{
  %0 = block.kernel "sdpa" ({inside}) -> {result} {{
    %s = block.sdpa %i_q, %i_k, %i_v{more} {{{case.attributes}heads = {heads} : i64, kv_heads = {key_heads} : i64, scores = #block.scores<{scores}>}}
        : ({", ".join(types.values())}) -> {result}
    block.yield %s : {result}
  }}
  return %0 : {result}
}}
"""


def draw_bias(shape):
    """Of some keys -inf or the lowest number; one query sees nothing, another the lowest alone."""
    source = random.Random(7)
    size = shape[0] * shape[1] * shape[2] * shape[3]
    values = [source.choice([source.gauss(0, 1)] * 6 + [float("-inf"), LOWEST]) for _ in range(size)]
    if shape[2] > 1 and shape[3] > 1:
        values[: 2 * shape[3]] = [float("-inf")] * shape[3] + [LOWEST] * shape[3]
    return values


def pack(kind, shape, code, elements):
    """A tensor as safetensors_io.write_raw takes it."""
    return kind, shape, struct.pack(f"<{len(elements)}{code}", *elements)


def spoil(case, tensors):
    """The operands that have an element which is NaN; the others of one that is not in `tensors` are drawn."""
    made = {}
    for name, place in case.nan:
        shape = [int(size) for size in operands(case)[name].removeprefix("tensor<").split("x")[:-1]]
        _, _, data = made.get(name) or tensors.get(name) or pack("F32", shape, "f", draw(math.prod(shape)))
        data = data[:4 * place] + struct.pack("<f", math.nan) + data[4 * place + 4:]
        made[name] = ("F32", shape, data)
    return made


def draw(count):
    source = random.Random(11)
    return [source.gauss(0.3, 1) for _ in range(count)]


def check(case, folder):
    """What went wrong, or an empty string."""
    name = f"{case.name}-{case.chip}-{case.dtype}"
    source, given = folder / f"{name}.mlir", folder / f"{name}.safetensors"
    source.write_text(model(case))
    tensors = {}
    if case.bounds:
        tensors["cu_seqlens"] = pack("I64", [len(case.bounds)], "q", case.bounds)
    if "lengths" in case.extra:
        tensors["lengths"] = pack("I64", [1], "q", [13])
    tensors.update({name: pack("I64", [1], "q", [count]) for name, count in case.get_counts().items() if name in case.extra})
    if case.bias:
        tensors["score_bias"] = pack("F32", list(case.bias), "f", draw_bias(case.bias))
    tensors.update(spoil(case, tensors))
    safetensors_io.write_raw(given, tensors)
    faults = ""
    for engine in case.engines:
        more = [f"--inputs={given}"] if tensors else []
        more += [f"--chip={case.chip}"] if engine == "emulate" else []
        done = tools.call("block-run", source, f"--engine={engine}", *more, "--threads=1", "--seed=7", f"--baseline={source}")
        faults += f"{name} on {engine}: {done.stdout[-600:]}{done.stderr[-900:]}" if done.returncode else ""
    return faults


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = {"packed": PACKED, "biased": BIASED, "long": LONG, "heads": HEADS, "forms": list(forms()),
             "nan": SPOILED}[sys.argv[2]]
    if tiers.FULL:
        cases = [dataclasses.replace(case, chip=chip, dtype=dtype)
                 for case, chip, dtype in pairwise.cover_pairs(cases, ["sm_80", "sm_90a"], ["bf16", "f16", "f32"])]
    # Orders, soft caps, chips and engines of forms have cycles of 2, 3 and 4: one in five meets all of them.
    cases = tiers.take_turn(cases, 5)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for fault in pool.map(lambda case: check(case, folder), cases) if fault]
    print("\n".join([*faults, f"{len(cases)} cases, {len(faults)} faults"]))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
