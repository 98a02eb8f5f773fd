# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that what is timed on a GPU by the doors of Python is all that should be, in order of worth."""

import itertools
import json

import pack

cases = []
for door in json.loads((pack.HERE / "cases.json").read_text())["full"]["door"]:
    pack.add_door(cases, **door)
names = [case["name"] for case in cases]
assert len(set(names)) == len(names)
assert all(0 < case["seconds"] <= 240 for case in cases)
generate = [case for case in cases if case["door"] == "generate"]
peers = {name for kind in pack.PEERS["generate"].values() for name in kind}


def check_peers(shape, rows, cached, steps):
    """All peers run beside ours, in one case or in two."""
    found = [case for case in generate if case["shape"] == shape and case["sizes"]["rows"] == rows and
             case["sizes"]["cached"] == cached and bool(case["sizes"]["steps"]) == steps]
    beside = [name for case in found for name in case["peers"]]
    assert sorted(beside) == sorted(peers), (shape, rows, cached, beside)


shapes = ("llama-1b", "llama-8b")
for shape, rows, cached in itertools.product(shapes, (1, 8, 32), (100, 4000)):
    check_peers(shape, rows, cached, True)
for shape, tokens in itertools.product(shapes, (512, 8192)):
    check_peers(shape, 1, tokens, False)
assert [case["shape"] for case in cases if case["door"] == "compile"] == ["bert-base", "vit-base", "llama-8b"]
# Every case of ours has its turn before one that runs again for a compiled peer.
again = [name.endswith("-compiled") for name in names]
assert again == sorted(again)
print(f"{len(names)} doors, {sum(again)} of them again for a compiled peer; first {names[0]}, {names[1]}")
