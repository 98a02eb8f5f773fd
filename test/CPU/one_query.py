# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one query on the CPU engine, held against the reference engine.

usage: one_query.py FOLDER

Heads of all kinds of widths and types, whose keys lie in one piece, in two, in rings that were written over
and in pages, as many as fill registers and others; for several processors: a quarter of all pairs of a
kind and a processor a day. With PARABLOCK_FULL in the environment widths meet two types each, and all run.
"""

import itertools
import pathlib
import sys

import tiers
import tools

MAKE = pathlib.Path(__file__).resolve().parent.parent / "Tools" / "block-run" / "Inputs" / "make_safetensors.py"
HEADS, KEY_HEADS, BATCH, PAGE = 4, 2, 3, 8
#: Of keys, those of values.
SIZES = {5: 5, 8: 8, 16: 3, 20: 20, 32: 32, 36: 36, 48: 80, 64: 64, 80: 48, 96: 33, 128: 128, 256: 288}
TYPES = ["f32", "bf16", "f16"]
PROCESSORS = ["native", "x86-64-v3", "x86-64"]
SHIFTS = 2 if tiers.FULL else 1
#: Keys before the query's own, of batch rows; the first ones are padding.
LENGTHS, STARTS = [15, 38, 90], [3, 0, 70]
#: Of keys in one piece beside new ones.
PASTS = [1, 15, 16, 63, 300]
FORM = "scores = #block.scores<scale = 0.25, causal = true{}>"


def declare(number, size, values, element):
    """The text of a function for heads of those sizes."""
    q, r = HEADS * size, HEADS * values
    k, v = KEY_HEADS * size, KEY_HEADS * values
    attributes = f"heads = {HEADS} : i64, kv_heads = {KEY_HEADS} : i64, "
    types = {"q": f"{BATCH}x1x{q}", "nk": f"{BATCH}x1x{k}", "nv": f"{BATCH}x1x{v}", "pk": f"{BATCH}x?x{k}", "pv": f"{BATCH}x?x{v}",
             "ck": f"{BATCH}x32x{k}", "cv": f"{BATCH}x32x{v}", "sk": f"?x{PAGE}x{k}", "sv": f"?x{PAGE}x{v}"}
    types = {name: f"tensor<{shape}x{element}>" for name, shape in types.items()}
    types |= {"n": f"tensor<{BATCH}xi64>", "s": f"tensor<{BATCH}xi64>", "t": f"tensor<{BATCH}x?xi64>", "z": f"tensor<{HEADS}x{element}>"}
    dims = {"pk": "past", "pv": "past", "sk": "pool", "sv": "pool", "t": "row_pages"}
    arguments = ", ".join(
        f'%{name}: {kind} {{block.input = "{name}"' + (f', block.dims = ["{dims[name]}"]' if name in dims else "") + "}"
        for name, kind in types.items())
    result = f"tensor<{BATCH}x1x{r}x{element}>"

    def write(name, operands, form):
        kinds = ", ".join(types[word.strip("%,")] for word in operands.split() if word.startswith("%"))
        return f"  %{name} = block.sdpa {operands} {{{attributes}{form}}} : ({kinds}) -> {result}\n"

    body = (write("one", "%q, %pk, %pv", "scores = #block.scores<scale = 0.25>") +
            write("two", "%q, %nk, %nv past_key %pk past_value %pv", FORM.format("")) +
            write("ring", "%q, %ck, %cv past_lengths %n starts %s", FORM.format(", window = 30")) +
            write("sunk", "%q, %ck, %cv past_lengths %n starts %s sinks %z", FORM.format(", window = 30")) +
            write("paged", "%q, %sk, %sv past_lengths %n starts %s pages %t", FORM.format(", window = 30")))
    names = ["one", "two", "ring", "sunk", "paged"]
    results = ", ".join(f'{result} {{block.output = "{name}"}}' for name in names)
    return (f"func.func @f{number}({arguments}) -> ({results}) {{\n{body}"
            f"  return {', '.join('%' + name for name in names)} : {', '.join([result] * len(names))}\n}}\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    kinds = [(size, values, TYPES[(number + shift) % 3]) for shift in range(SHIFTS) for number, (size, values) in enumerate(SIZES.items())]
    model, given = folder / "model.mlir", folder / "given.safetensors"
    model.write_text("".join(declare(number, *kind) for number, kind in enumerate(kinds)))
    pages = max(LENGTHS) // PAGE + 1
    table = [(7 * entry + 3) % (BATCH * pages) for entry in range(BATCH * pages)]
    listed = {"n": (f"{BATCH}", LENGTHS), "s": (f"{BATCH}", STARTS), "t": (f"{BATCH}x{pages}", table)}
    tensors = [f"{name}:I64:{shape}={','.join(map(str, values))}" for name, (shape, values) in listed.items()]
    tools.require(sys.executable, MAKE, given, *tensors)
    checked = 0
    for number, processor in tiers.take_turn(itertools.product(range(len(kinds)), PROCESSORS), 4):
        past = PASTS[(number + PROCESSORS.index(processor)) % len(PASTS)]
        command = ["block-run", model, "--engine=cpu", f"--function=f{number}", f"--cpu={processor}", "--seed=3", f"--inputs={given}",
                   f"--dims=past={past},row_pages={pages},pool={BATCH * pages}", "--check-against=reference"]
        found = tools.require(*command)
        if found.count("PASS") != 5:
            sys.exit(f"{' '.join(map(str, command))}: {kinds[number]}\n{found}")
        checked += 5
    print(f"{checked} results agree")


main()
