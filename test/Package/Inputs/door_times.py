# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a door of generate() on the emulator, as on a GPU, and prints what is kept."""

import json

import doors
import keep
import torch

CASE = {"kind": "door", "name": "tiny", "door": "generate", "shape": "llama-tiny", "peers": [], "own_loop": True,
        "sizes": {"rows": 1, "cached": 3, "steps": 1}}
doors.WARM, doors.REPEATS, doors.LONG_REPEATS = 0, 1, 1
with torch.no_grad():
    door = doors.Generate(CASE)
    ours = door.make_ours()
    found = door.measure(ours)
    found.update(door.measure_more(ours, found))
    whole = door.count_weight_bytes()
    door.model.config.tie_word_embeddings = True
    print("table", door.count_weight_bytes() - whole)
    # One row of 3 tokens, keys and values of one head of 32 in one layer, in bf16.
    print("cache", door.count_cache_bytes())
    door.steps = 0
    print("first alone", sorted(door.measure(ours)), sorted(door.measure_more(ours, {})))
entry = {**CASE, "limit": 0.05, "good": True, "ours": {"rel_l2": 0.001, **found}, "peers": {"other": found}}
print(json.dumps(keep.condense_timed(entry)))
