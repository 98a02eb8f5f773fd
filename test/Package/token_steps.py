#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens one by one on one CUDA graph, with caches and counts that stay in the device's memory.

usage: token_steps.py BUILD FOLDER C_COMPILER
       token_steps.py BUILD FOLDER C_COMPILER CHIP   the device's side, in a process of its own

Each batch row has other padding in front, and the caches are rings that are written over. All
logits, and the last caches, are those of one exact call for all tokens.
"""

import ctypes
import json
import os
import pathlib
import re
import shutil
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import launcher  # noqa: E402
import packages  # noqa: E402
import safetensors_io  # noqa: E402

TOKENS, WINDOW, VOCABULARY, WIDTH = 7, 5, 61, 64
STARTS = np.array([0, 2, 4])
ROWS = len(STARTS)
IDS = np.random.default_rng(3).integers(0, VOCABULARY, (ROWS, TOKENS))
CHIPS = {"sm_80": "f32", "sm_90a": "bf16"}
FOLDER = packages.FOLDER


def make_model(path, tokens, dtype):
    packages.run("block-gen", "--family=mistral", "--layers=1", f"--width={WIDTH}", "--heads=4", f"--vocab={VOCABULARY}",
                 f"--batch={ROWS}", f"--seq={tokens}", f"--dtype={dtype}", "--seed=7", "--weights-out=w.safetensors", "-o", "plain.mlir")
    text = (FOLDER / "plain.mlir").read_text()
    assert "window = 4096" in text
    (FOLDER / "plain.mlir").write_text(text.replace("window = 4096", f"window = {WINDOW}"))
    packages.run("block-opt", "plain.mlir", "--block-add-caches=wanted-rows=false", "-o", path)


def find_wanted():
    """Results of one exact call, whose caches hold everything."""
    empty = np.zeros((ROWS, TOKENS, WIDTH // 4 * count_key_heads()), np.float32)
    safetensors_io.write(FOLDER / "all.safetensors", {
        "input_ids": IDS, "past_lengths": np.zeros(ROWS, np.int64), "starts": STARTS, "past_key.0": empty, "past_value.0": empty})
    make_model("all.mlir", TOKENS, "f32")
    packages.run("block-run", "all.mlir", "--engine=reference", "--exact-arithmetic", "--weights=w.safetensors",
                 "--inputs=all.safetensors", "--outputs=wanted.safetensors")
    return safetensors_io.read(FOLDER / "wanted.safetensors")


def count_key_heads():
    return int(re.search(r"kv_heads = (\d+)", (FOLDER / "plain.mlir").read_text()).group(1))


class Memory:
    """Arrays in the device's memory."""

    def __init__(self):
        self.driver = ctypes.CDLL(os.environ["PARABLOCK_CUDA_DRIVER"])
        assert self.driver.cuCtxPushCurrent_v2(None) == 0

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        assert self.driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(size)) == 0
        return pointer

    def write(self, pointer, array):
        assert self.driver.cuMemcpyHtoDAsync_v2(pointer, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes), None) == 0

    def read(self, pointer, size):
        raw = ctypes.create_string_buffer(size)
        assert self.driver.cuMemcpyDtoHAsync_v2(raw, pointer, ctypes.c_size_t(size), None) == 0
        return raw.raw


def to_floats(raw, dtype):
    if dtype == "f32":
        return np.frombuffer(raw, np.float32)
    return (np.frombuffer(raw, np.uint16).astype(np.uint32) << 16).view(np.float32)


def start(chip):
    program = launcher.Launcher(packages.BUILD / "lib" / "libparablock-launch.so").load(FOLDER / f"{chip}.pbk", chip)
    program.load_weights(FOLDER / f"{chip}.safetensors")
    return program


def bind(program, memory, pointers):
    for role, kind in ((launcher.INPUT, "input"), (launcher.RESULT, "result")):
        for name, *_ in program.tensors(role):
            program.call(f"pbl_session_bind_{kind}", program.session, name.encode(), pointers[name].value)


def run_steps(chip):
    """All tokens by one session, which is given other counts and ids in the same memory each time."""
    memory, program = Memory(), start(chip).start(past=WINDOW)
    sizes = {name: size for role in (launcher.INPUT, launcher.RESULT) for name, _, _, size in program.tensors(role)}
    pointers = {name: memory.allocate(size) for name, size in sizes.items() if not re.match(r"(key|value)\.", name)}
    # In place, over numbers that nobody may see.
    for name in [name for name in sizes if re.match(r"(key|value)\.", name)]:
        pointers[name] = pointers[f"past_{name}"]
        memory.write(pointers[name], np.full(sizes[name], 0xFF, np.uint8))
    bind(program, memory, pointers)
    memory.write(pointers["starts"], STARTS)
    logits = []
    for token in range(TOKENS):
        memory.write(pointers["past_lengths"], np.full(ROWS, token))
        memory.write(pointers["input_ids"], np.ascontiguousarray(IDS[:, token]))
        program.replay()
        program.wait()
        logits.append(to_floats(memory.read(pointers["logits"], sizes["logits"]), CHIPS[chip]).reshape(ROWS, 1, -1))
    found = {"logits": np.concatenate(logits, axis=1)}
    for name in ("key.0", "value.0"):
        found[name] = to_floats(memory.read(pointers[name], sizes[name]), CHIPS[chip]).reshape(ROWS, WINDOW, -1)
    safetensors_io.write(FOLDER / f"{chip}.found.safetensors", found)
    # Counts in the caller's memory are looked at, together.
    refuse(program, memory, pointers, "past_lengths", [3, -1, 0], "input 'past_lengths': expected numbers from 0 to 2^31 - 1, got -1 at [1]")
    refuse(program, memory, pointers, "starts", [0, 0, -7], "input 'starts': expected numbers from 0 to 2^31 - 1, got -7 at [2]")
    copies(chip, memory)


def refuse(program, memory, pointers, name, counts, message, size=ROWS):
    kept = np.frombuffer(memory.read(pointers[name], 8 * size), np.int64)
    memory.write(pointers[name], np.array(counts))
    expect(message, program.replay)
    memory.write(pointers[name], kept)


def expect(message, run):
    try:
        run()
    except launcher.LaunchError as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"no error: {message}")


def copies(chip, memory):
    """In two memories the old cache stays, and what the host gives is held against room, too."""
    program = start(chip).start(past=WINDOW - 1)
    widths = {name: size for name, _, _, size in program.tensors(launcher.INPUT)}
    program.set_input("input_ids", IDS[:, :1].tobytes())
    program.set_input("starts", np.zeros(ROWS, np.int64).tobytes())
    old = {}
    for name in ("key.0", "value.0"):
        numbers = np.random.default_rng(5).normal(size=widths[f"past_{name}"] // 4).astype(np.float32)
        old[name] = numbers.tobytes()
        program.set_input(f"past_{name}", old[name])
    program.set_input("past_lengths", np.array([9, 1, 0]).tobytes())
    expect("input 'past_lengths': expected room for 1 tokens in a cache of 4 rows, got 9 at [0]", program.launch)
    program.set_input("past_lengths", np.array([3, 1, 0]).tobytes())
    for _ in range(2):
        program.launch()
        for name, before in old.items():
            after = program.get_result(name, len(before))
            row = len(before) // (ROWS * (WINDOW - 1))
            changed = [at for at in range(ROWS * (WINDOW - 1)) if before[at * row:(at + 1) * row] != after[at * row:(at + 1) * row]]
            assert changed == [3, 5, 8], (name, changed)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = None
    for chip, dtype in CHIPS.items():
        make_model("step.mlir", 1, dtype)
        wanted = wanted or find_wanted()
        make_model("step.mlir", 1, dtype)
        shutil.rmtree(FOLDER / f"{chip}.pbk", ignore_errors=True)
        packages.run("block-opt", "step.mlir", f"--block-optimize=chip={chip}",
                     "--block-report=format=json file=r.json", "-o", "fused.mlir")
        packages.run("block-translate", "--block-to-package", f"--chip={chip}", "fused.mlir", "-o", f"{chip}.pbk")
        packages.run("block-weights", f"--recipe={chip}.pbk/recipe.mlir", "w.safetensors", "-o", f"{chip}.safetensors")
        print(packages.run(sys.executable, __file__, *sys.argv[1:4], chip, PARABLOCK_FAKE_CHIP=chip, PARABLOCK_FAKE_LOG=f"{chip}.txt"), end="")
        found = safetensors_io.read(FOLDER / f"{chip}.found.safetensors")
        compare(chip, found, wanted, 1e-5 if dtype == "f32" else 1e-2)
        # The graph is captured once, and replayed for each token.
        log = packages.read_log(f"{chip}.txt")
        assert log["graph launches"] == TOKENS, log
        code = json.loads((FOLDER / f"{chip}.pbk" / "manifest.json").read_text())["chips"][0]
        if chip == "sm_90a":
            # The capture, and two launches.
            assert log["programmatic launches"] == 3 * (code["launches"] - 1), (log, code["launches"])
        # Those that write caches are launches of their layer.
        report = json.loads((FOLDER / "r.json").read_text())
        assert code["launches_per_layer"] == [layer["launches"] for layer in report["layers"]] == [5], report["layers"]
        assert [layer["form"] for layer in report["layers"]] == ["serial"], report["layers"]


def compare(chip, found, wanted, limit):
    for row, first in enumerate(STARTS):
        for name in found:
            # The ring has the last keys, each in its place.
            ours = found[name][row, first:] if name == "logits" else found[name][row]
            theirs = wanted[name][row, first:] if name == "logits" else np.stack(
                [wanted[name][row, max(at for at in range(place, TOKENS, WINDOW))] for place in range(WINDOW)])
            error = np.linalg.norm(ours - theirs) / np.linalg.norm(theirs)
            assert error < limit, (chip, name, row, error)
            print(f"{chip} {name} of row {row}: off by {error:.1e}")


if __name__ == "__main__":
    if len(sys.argv) > 4 and sys.argv[4] in CHIPS:
        run_steps(sys.argv[4])
    else:
        main()
