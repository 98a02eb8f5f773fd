#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the meaning of every family has to keep, whatever its formula.

    properties.py FAMILY...       one line per family

Shapes are kept for every length; static and `?` sizes give the same numbers;
padding changes no valid row, neither its content nor, in causal models, its
being there; a causal model does not see the future, any other does; bf16 and
f16 stay near f32. Families take turns with the longest rows and with each of
the two types, but for PARABLOCK_FULL in the environment.
"""

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "golden"))

import safetensors_io
import tiers
import tools
from small import BATCH, ENCODER_LENGTHS, FLAGS, LENGTHS, TOKENS, VOCAB, WIDTH

BOTH_WAYS = {
    "bert",
    "roberta",
    "encoder-pre-ln",
    "encoder-post-ln",
    "deepnorm",
    "t5-encoder",
    "vit",
    "vit-22b",
    "layerscale",
}
LONG = 65
LIMITS = {"bf16": 0.1, "f16": 0.02}


def draw(tokens):
    """Inputs of every name; a longer draw begins like a shorter one."""
    random = np.random.Generator(np.random.PCG64(5))
    ids = random.integers(0, VOCAB, (BATCH, LONG))[:, :tokens]
    floats = 0.3 + random.standard_normal((2, BATCH, LONG, WIDTH)).astype(np.float32)
    return {
        "input_ids": ids,
        "hidden_states": floats[0, :, :tokens].copy(),
        "encoder_hidden_states": floats[1, :, :TOKENS].copy(),
        "lengths": np.full(BATCH, tokens),
        "encoder_lengths": np.full(BATCH, TOKENS),
    }


def change_rows(named, name, row, first):
    """Other content from token `first` on."""
    values = named[name].copy()
    if values.dtype == np.int64:
        values[row, first:] = (values[row, first:] + 1) % VOCAB
    else:
        values[row, first:] = -values[row, first:]
    named[name] = values


class Model:
    """A family as static IR and as padded IR with `?` sizes."""

    def __init__(self, family, folder):
        self.family, self.folder = family, folder
        self.static = self.generate("static.mlir")
        self.dynamic = self.generate("dynamic.mlir", "--batch=?", "--seq=?", "--padding")
        names = tools.arguments(self.static.read_text(encoding="utf-8"), "input")
        self.stream = "input_ids" if "input_ids" in names else "hidden_states"
        self.is_causal = family not in BOTH_WAYS
        self.has_encoder = "encoder_hidden_states" in names

    def generate(self, name, *flags):
        path = self.folder / name
        tools.generate(path, f"--family={self.family}", *FLAGS, *flags)
        return path

    def run(self, path, named, *flags):
        ir = path.read_text(encoding="utf-8")
        wanted = tools.arguments(ir, "input")
        inputs = self.folder / "inputs.safetensors"
        safetensors_io.write(inputs, {name: named[name] for name in wanted})
        tokens = named[self.stream].shape[1]
        dims = f"--dims=batch={BATCH},seq={tokens}"
        dims += f",encoder_seq={TOKENS}" if '"encoder_seq"' in ir else ""
        flags = flags or ("--exact-arithmetic",)
        if path == self.dynamic:
            flags = (*flags, dims)
        found = tools.execute(path, self.folder, "--seed=3", f"--inputs={inputs}", *flags)
        (output,) = found.values()
        width = VOCAB if "logits" in found else WIDTH
        expect(output.shape == (BATCH, tokens, width), f"shape {output.shape} for T={tokens}")
        expect(np.isfinite(output).all(), f"not finite for T={tokens}")
        return output


def expect(holds, message):
    if not holds:
        raise tools.Failure(message)


def same(a, b, message):
    expect(np.array_equal(a, b), f"{message}: moved by {np.abs(a - b).max():.1e}")


def check_sizes(model, plain, turn):
    same(model.run(model.dynamic, draw(TOKENS)), plain, "static and ? sizes differ")
    model.run(model.dynamic, draw(1))
    if not tiers.FULL and turn % 2:
        return
    longer = model.run(model.dynamic, draw(LONG))
    if model.is_causal:
        same(longer[:, :TOKENS], plain, "more tokens change rows before them")


def check_padding(model, plain):
    named = draw(TOKENS) | {"lengths": np.array(LENGTHS)}
    valid = np.arange(TOKENS)[None, :] < np.array(LENGTHS)[:, None]
    short = model.run(model.dynamic, named)
    moved = not np.array_equal(short[valid], plain[valid])
    expect(moved != model.is_causal, "lengths change the wrong rows")
    if model.has_encoder:
        named["encoder_lengths"] = np.array(ENCODER_LENGTHS)
        shorter = model.run(model.dynamic, named)
        expect(not np.array_equal(short[0], shorter[0]), "encoder_lengths change nothing")
        short = shorter
        for row, length in enumerate(ENCODER_LENGTHS):
            change_rows(named, "encoder_hidden_states", row, length)
    for row, length in enumerate(LENGTHS):
        change_rows(named, model.stream, row, length)
    same(model.run(model.dynamic, named)[valid], short[valid], "padding is seen")


def check_direction(model, plain):
    named = draw(TOKENS)
    change_rows(named, model.stream, slice(None), TOKENS - 1)
    other = model.run(model.static, named)
    expect(not np.array_equal(other[:, -1], plain[:, -1]), "the last token changes nothing")
    if model.is_causal:
        same(other[:, :-1], plain[:, :-1], "the future is seen")
    else:
        expect((other[:, 0] != plain[:, 0]).any(axis=-1).all(), "the first row sees no future")


def check_types(model, plain, turn):
    moved = []
    for index, (dtype, limit) in enumerate(LIMITS.items()):
        if not tiers.FULL and index != turn % 2:
            continue
        named = draw(TOKENS)
        output = model.run(
            model.generate(f"{dtype}.mlir", f"--dtype={dtype}"), named, "--threads=1"
        )
        distance = np.linalg.norm(output - plain) / np.linalg.norm(plain)
        expect(0 < distance < limit, f"{dtype} is off by {distance:.1e}, allowed {limit}")
        moved.append(f"{dtype} {distance:.1e}")
    return ", ".join(moved)


def check_family(case):
    family, turn = case
    with tempfile.TemporaryDirectory() as folder:
        model = Model(family, pathlib.Path(folder))
        plain = model.run(model.static, draw(TOKENS))
        check_sizes(model, plain, turn)
        check_padding(model, plain)
        check_direction(model, plain)
        return check_types(model, plain, turn)


if __name__ == "__main__":
    sys.exit(tools.report([(family, (family, turn)) for turn, family in enumerate(sys.argv[1:])], check_family))
