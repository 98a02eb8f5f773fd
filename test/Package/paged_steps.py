#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tokens one by one on one CUDA graph, with caches in pages that a table in the device's memory gives.

usage: paged_steps.py BUILD FOLDER C_COMPILER
       paged_steps.py BUILD FOLDER C_COMPILER sm_80   the device's side, in a process of its own

Rows are rings that turn through their pages; halfway, a page moves to another place, and the table
says so. All logits are those of one exact call without caches.
"""

import shutil
import sys

import numpy as np
from token_steps import FOLDER, IDS, ROWS, TOKENS, VOCABULARY, WIDTH, WINDOW, Memory, bind, refuse, start

import launcher
import packages
import safetensors_io

CHIP = "sm_80"
PAGE, POOL = 3, 9
TABLE = np.array([[7, 2], [0, 5], [3, 8]])
UNUSED = 4


def make_models():
    for name, tokens in ("whole.mlir", TOKENS), ("one.mlir", 1):
        packages.run("block-gen", "--family=mistral", "--layers=1", f"--width={WIDTH}", "--heads=4", f"--vocab={VOCABULARY}",
                     f"--batch={ROWS}", f"--seq={tokens}", "--seed=7", "--weights-out=w.safetensors", "-o", name)
        text = (FOLDER / name).read_text()
        assert "window = 4096" in text
        (FOLDER / name).write_text(text.replace("window = 4096", f"window = {WINDOW}"))
    packages.run("block-opt", "one.mlir", f"--block-add-caches=wanted-rows=false page-rows={PAGE}",
                 f"--block-optimize=chip={CHIP}", "-o", "fused.mlir")
    packages.run("block-translate", "--block-to-package", f"--chip={CHIP}", "fused.mlir", "-o", f"{CHIP}.pbk")
    packages.run("block-weights", f"--recipe={CHIP}.pbk/recipe.mlir", "w.safetensors", "-o", f"{CHIP}.safetensors")


def run_steps():
    memory, program = Memory(), start(CHIP).start(pool=POOL, row_pages=TABLE.shape[1])
    sizes = {name: size for role in (launcher.INPUT, launcher.RESULT) for name, _, _, size in program.tensors(role)}
    pointers = {name: memory.allocate(size) for name, size in sizes.items() if not name.startswith(("key.", "value."))}
    pools = [name for name in sizes if name.startswith(("past_key.", "past_value."))]
    for name in pools:
        pointers[name.removeprefix("past_")] = pointers[name]
        memory.write(pointers[name], np.full(sizes[name], 0xFF, np.uint8))
    bind(program, memory, pointers)
    table = TABLE.copy()
    memory.write(pointers["starts"], np.zeros(ROWS, np.int64))
    logits = []
    for token in range(TOKENS):
        if token == TOKENS // 2:
            for name in pools:
                pool = np.frombuffer(memory.read(pointers[name], sizes[name]), np.uint32).reshape(POOL, -1).copy()
                pool[UNUSED], pool[table[1, 0]] = pool[table[1, 0]], 0xFFFFFFFF
                memory.write(pointers[name], pool)
            table[1, 0] = UNUSED
        memory.write(pointers["pages"], table)
        memory.write(pointers["past_lengths"], np.full(ROWS, token))
        memory.write(pointers["input_ids"], np.ascontiguousarray(IDS[:, token]))
        program.replay()
        program.wait()
        logits.append(np.frombuffer(memory.read(pointers["logits"], sizes["logits"]), np.float32).reshape(ROWS, 1, -1))
    safetensors_io.write(FOLDER / "found.safetensors", {"logits": np.concatenate(logits, axis=1)})
    refuse(program, memory, pointers, "pages", [[7, 2], [0, POOL], [3, 8]],
           f"input 'pages': expected 0 to {POOL - 1}, for a row that is needed, got {POOL} at [1, 1]", table.size)
    refuse(program, memory, pointers, "pages", [[7, 2], [7, 2], [3, 8]],
           "input 'pages': expected new rows in places of their own, not in one page, got 7 at [1]", table.size)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / f"{CHIP}.pbk", ignore_errors=True)
    make_models()
    safetensors_io.write(FOLDER / "ids.safetensors", {"input_ids": IDS})
    packages.run("block-run", "whole.mlir", "--engine=reference", "--exact-arithmetic", "--weights=w.safetensors",
                 "--inputs=ids.safetensors", "--outputs=wanted.safetensors")
    packages.run(sys.executable, __file__, *sys.argv[1:4], CHIP, PARABLOCK_FAKE_CHIP=CHIP, PARABLOCK_FAKE_LOG="log.txt")
    log = packages.read_log("log.txt")
    assert log["graph launches"] == TOKENS, log
    found, wanted = (safetensors_io.read(FOLDER / f"{name}.safetensors")["logits"] for name in ("found", "wanted"))
    error = np.linalg.norm(found - wanted) / np.linalg.norm(wanted)
    assert error < 1e-5, error
    print(f"{TOKENS} tokens of {ROWS} rows: off by {error:.1e}")


if len(sys.argv) > 4:
    run_steps()
else:
    main()
