# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention over keys of earlier calls, as StableHLO writes it: raised, and run beside the function as it is.

    caches.py FOLDER     one line for each form: how it was raised, or why not, and whether numbers are the same
"""

import dataclasses
import pathlib
import re
import sys

import numpy as np

import safetensors_io
from tools import call as run

B, H, G, D, C = 2, 4, 2, 4, 8
W = G * D


@dataclasses.dataclass
class Form:
    """What a function is like; each field is one thing that tools write in another way."""

    tokens: int = 1
    # Where rows are in a cache: behind heads, or in front of them.
    behind_heads: bool = False
    fill: str = "0xFF800000"
    # Numbers are added to the scores, or take their place.
    adds: bool = False
    # Negative places are counted from the end, as jax.numpy has them.
    wraps: bool = False
    # A query sees keys at most so far behind its own place, and so many up to it, or all.
    ahead: int = 0
    window: int = 0
    # Rows from which on keys and values are written, beside the place.
    key_at: int = 0
    value_at: int = 0
    # What masks count from: the place, or another number that is given.
    masks_by: str = "pos"
    # New keys are joined to given ones, of which there are so many.
    joined: int = 0
    has_mask: bool = True
    engine: str = "reference"


def write(form):
    t, keys = form.tokens, form.joined + form.tokens if form.joined else C
    held = form.joined or C
    cache = (B, G, held, D) if form.behind_heads else (B, held, G, D)
    new = (B, G, t, D) if form.behind_heads else (B, t, G, D)
    whole = (B, G, keys, D) if form.behind_heads else (B, keys, G, D)

    def type_of(shape, element="f32"):
        return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"

    lines = []

    def op(name, text):
        lines.append(f"  %{name} = stablehlo.{text}")
        return f"%{name}"

    hidden, scores = type_of((B, t, H * D)), type_of((B, H, t, keys))
    for name, width in (("q", H * D), ("k", W), ("v", W)):
        op(f"{name}0", f"dot_general %x, %w{name}, contracting_dims = [2] x [0] : ({hidden}, {type_of((H * D, width))}) -> {type_of((B, t, width))}")
    op("qh", f"reshape %q0 : ({hidden}) -> {type_of((B, t, H, D))}")
    op("qt", f"transpose %qh, dims = [0, 2, 1, 3] : ({type_of((B, t, H, D))}) -> {type_of((B, H, t, D))}")
    integer = "tensor<i32>"
    op("zero", f"constant dense<0> : {integer}")
    for name, at in (("k", form.key_at), ("v", form.value_at)):
        fresh = op(f"{name}1", f"reshape %{name}0 : ({type_of((B, t, W))}) -> {type_of((B, t, G, D))}")
        if form.behind_heads:
            fresh = op(f"{name}2", f"transpose %{name}1, dims = [0, 2, 1, 3] : ({type_of((B, t, G, D))}) -> {type_of(new)}")
        axis = 2 if form.behind_heads else 1
        if form.joined:
            op(f"{name}3", f"concatenate %{name}s, {fresh}, dim = {axis} : ({type_of(cache)}, {type_of(new)}) -> {type_of(whole)}")
            continue
        place = "%pos"
        if at:
            op(f"{name}at", f"constant dense<{at}> : {integer}")
            place = op(f"{name}place", f"add %pos, %{name}at : {integer}")
        if form.wraps:
            op(f"{name}end", f"constant dense<{C}> : {integer}")
            op(f"{name}from", f"add {place}, %{name}end : {integer}")
            op(f"{name}is", f"compare LT, {place}, %zero : ({integer}, {integer}) -> tensor<i1>")
            place = op(f"{name}to", f"select %{name}is, %{name}from, {place} : tensor<i1>, {integer}")
        places = ["%zero", "%zero", "%zero", "%zero"]
        places[axis] = place
        op(f"{name}3", f"dynamic_update_slice %{name}s, {fresh}, {', '.join(places)} : ({type_of(cache)}, {type_of(new)}, {', '.join([integer] * 4)}) -> {type_of(whole)}")
    for name in "kv":
        if not form.behind_heads:
            op(f"{name}4", f"transpose %{name}3, dims = [0, 2, 1, 3] : ({type_of(whole)}) -> {type_of((B, G, keys, D))}")
        source = f"%{name}3" if form.behind_heads else f"%{name}4"
        grouped = type_of((B, G, H // G, keys, D))
        op(f"{name}5", f"broadcast_in_dim {source}, dims = [0, 1, 3, 4] : ({type_of((B, G, keys, D))}) -> {grouped}")
        op(f"{name}6", f"reshape %{name}5 : ({grouped}) -> {type_of((B, H, keys, D))}")
    op("dots", f"dot_general %qt, %k6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : ({type_of((B, H, t, D))}, {type_of((B, H, keys, D))}) -> {scores}")
    op("half", f"constant dense<5.0e-01> : {scores}")
    last = op("s", f"multiply %dots, %half : {scores}")
    places, truth = type_of((t, keys), "i32"), type_of((t, keys), "i1")
    if form.has_mask:
        op("i", f"iota dim = 0 : {places}")
        op("j", f"iota dim = 1 : {places}")
        if form.joined:
            op("from", f"constant dense<{form.joined + form.ahead}> : {places}")
        else:
            op("ahead", f"constant dense<{form.ahead}> : {integer}")
            op("place", f"add %{form.masks_by}, %ahead : {integer}")
            op("from", f"broadcast_in_dim %place, dims = [] : ({integer}) -> {places}")
        op("own", f"add %i, %from : {places}")
        seen = op("seen", f"compare LE, %j, %own : ({places}, {places}) -> {truth}")
        if form.window:
            op("window", f"constant dense<{form.window}> : {places}")
            op("far", f"subtract %own, %window : {places}")
            op("near", f"compare GT, %j, %far : ({places}, {places}) -> {truth}")
            seen = op("both", f"and %seen, %near : {truth}")
        wide = type_of((B, H, t, keys), "i1")
        op("mask", f"broadcast_in_dim {seen}, dims = [2, 3] : ({truth}) -> {wide}")
        op("fill", f"constant dense<{form.fill}> : {scores}")
        if form.adds:
            op("none", f"constant dense<0.0> : {scores}")
            op("added", f"select %mask, %none, %fill : {wide}, {scores}")
            last = op("masked", f"add {last}, %added : {scores}")
        else:
            last = op("masked", f"select %mask, {last}, %fill : {wide}, {scores}")
    rows = type_of((B, H, t))
    op("low", "constant dense<0xFF800000> : tensor<f32>")
    op("top", f"reduce({last} init: %low) applies stablehlo.maximum across dimensions = [3] : ({scores}, tensor<f32>) -> {rows}")
    op("tops", f"broadcast_in_dim %top, dims = [0, 1, 2] : ({rows}) -> {scores}")
    op("below", f"subtract {last}, %tops : {scores}")
    op("e", f"exponential %below : {scores}")
    op("start", "constant dense<0.0> : tensor<f32>")
    op("sum", f"reduce(%e init: %start) applies stablehlo.add across dimensions = [3] : ({scores}, tensor<f32>) -> {rows}")
    op("sums", f"broadcast_in_dim %sum, dims = [0, 1, 2] : ({rows}) -> {scores}")
    op("p", f"divide %e, %sums : {scores}")
    op("o", f"dot_general %p, %v6, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : ({scores}, {type_of((B, H, keys, D))}) -> {type_of((B, H, t, D))}")
    op("ot", f"transpose %o, dims = [0, 2, 1, 3] : ({type_of((B, H, t, D))}) -> {type_of((B, t, H, D))}")
    op("or", f"reshape %ot : ({type_of((B, t, H, D))}) -> {hidden}")
    op("y", f"dot_general %or, %wo, contracting_dims = [2] x [0] : ({hidden}, {type_of((H * D, H * D))}) -> {hidden}")
    arguments = [("x", hidden, "input"), ("pos", integer, "input"), ("other", integer, "input")]
    arguments += [("ks", type_of(cache), "input"), ("vs", type_of(cache), "input")]
    arguments += [(f"w{n}", type_of((H * D, W if n in "kv" else H * D)), "param") for n in "qkvo"]
    given = ", ".join(f'%{name}: {kind} {{block.{role} = "{name}"}}' for name, kind, role in arguments)
    results = [(hidden, "y", "%y"), (type_of(whole), "keys", "%k3"), (type_of(whole), "values", "%v3")]
    types = ", ".join(f'{kind} {{block.output = "{name}"}}' for kind, name, _ in results)
    end = f"  return {', '.join(v for *_, v in results)} : {', '.join(kind for kind, *_ in results)}"
    return "\n".join([f"func.func @main({given}) -> ({types}) {{", *lines, end, "}", ""])


FORMS = {
    "a row of Flax's cache": Form(fill="0xFF7FFFFF", wraps=True),
    "a row, scores replaced by -inf": Form(),
    "a row, -1e10 added": Form(fill="-1.0e+10", adds=True, wraps=True),
    "a row behind heads": Form(behind_heads=True, fill="0xFF7FFFFF", adds=True),
    "three rows": Form(tokens=3),
    "three rows on the CPU": Form(tokens=3, behind_heads=True, engine="cpu"),
    "joined": Form(tokens=3, joined=4, behind_heads=True, engine="cpu"),
    "joined, a window": Form(tokens=3, joined=4, window=3),
    "joined, one": Form(joined=4, has_mask=False),
    "a window": Form(tokens=3, window=3),
    "mask one row further": Form(tokens=3, ahead=1),
    "mask one row less": Form(tokens=3, ahead=-1, fill="0xFF7FFFFF"),
    "mask by another number": Form(masks_by="other"),
    "no mask": Form(has_mask=False),
    "mask of few digits": Form(fill="-1.0e+02"),
    "written a row further": Form(key_at=1, value_at=1),
    "values in another row": Form(value_at=1),
    "joined, mask one row further": Form(tokens=3, joined=4, ahead=1),
}


def judge(folder, name, form):
    """How a form is raised, and the numbers of some calls."""
    stem = folder / re.sub(r"\W+", "-", name)
    plain, raised = stem.with_suffix(".mlir"), stem.with_suffix(".raised.mlir")
    plain.write_text(write(form))
    done = run("block-opt", plain, "--block-raise", "-o", raised, "--remarks-filter=.*", "--remark-format=emitRemark")
    if done.returncode:
        return done.stderr
    text = raised.read_text()
    how = [f"{text.count('block.cache_append')} appends"]
    how += re.findall(r"past_lengths(?= %)|past_key(?= %)|score_bias(?= %)|causal = true|window = \d+", text)
    how += sorted(set(re.findall(r"(?:a mask hides other|no mask hides|keys and values are written|what is added)[^\"'|\n,]*", done.stderr)))
    for place in (0,) if form.joined else (0, 3, C - form.tokens - form.key_at - form.value_at):
        inputs = stem.with_suffix(".safetensors")
        numbers = {"pos": np.array(place, np.int32), "other": np.array(2, np.int32)}
        safetensors_io.write(inputs, numbers)
        given = [f"--engine={form.engine}", "--seed=3", f"--inputs={inputs}"]
        done = run("block-run", raised, f"--baseline={plain}", *given)
        if done.returncode:
            return f"{', '.join(how)}: WRONG at {place}\n{done.stdout}{done.stderr}"
    if "past_lengths" in how:
        # No place in the cache: the function as it is moves it inside.
        safetensors_io.write(inputs, numbers | {"pos": np.array(C - form.tokens + 1, np.int32)})
        done = run("block-run", raised, *given)
        how += re.findall(r"input 'pos'.*cache of \d+|expected the cache of \d+ rows", done.stderr) if done.returncode == 1 else ["WRONG beyond"]
    return ", ".join(how)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for name, form in FORMS.items():
    print(f"{name}: {judge(folder, name, form)}")
