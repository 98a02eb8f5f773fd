#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expert_rows.py BUILD FOLDER: packages of several ranks send rows to the ranks of their experts.

Each rank is a process with the emulator as its device. Rows that return as they are have the bits of NumPy's, and
the number of messages is that of the runs of adjacent rows.
"""

import hashlib
import itertools
import json
import pathlib
import sys

import numpy as np
import rank_runs
import rows_of_experts
import safetensors_io
import tiers

build, folder = sys.argv[1:3]


def count_messages(choices, experts, ranks, rank):
    """The runs of rows that a rank sends, there and back."""
    share = choices.shape[1] // ranks
    owners = np.where((choices >= 0) & (choices < experts), choices // (experts // ranks), -1)

    def runs(owner, reader):
        read = (owners[:, owner * share:(owner + 1) * share] == reader).any(-1).astype(int)
        return int((np.diff(read, prepend=0) == 1).sum())

    return sum(runs(rank, other) + runs(other, rank) for other in range(ranks) if other != rank)


def make_package(ranks, shape, width, experts, dtype, is_open=False):
    case = rank_runs.Case(build, folder)
    rows_of_experts.write_exchange(case.folder / "a.mlir", ranks, shape, width, experts, dtype, is_open, factor=2.0)
    case.must("block-opt", "a.mlir", "--block-form-kernels=chip=sm_80", "-o", "b.mlir")
    case.must("block-translate", "--block-to-package", "--chip=sm_80", "--cuda-path=none", "b.mlir", "-o", "p.pbk")
    return case


def check_exchange(pattern, ranks, dtype, is_open, graph):
    shape, width, experts = (2, 8, 2), 8, 4 * ranks
    choices = rows_of_experts.choose(pattern, shape, experts, ranks)
    x = rows_of_experts.draw_rows((*shape[:2], width), dtype)
    case = make_package(ranks, shape, width, experts, dtype, is_open)
    rank_runs.write_tensors(case.folder / "i.safetensors", {
        "x": (dtype.upper(), x.view(np.uint8).reshape(*x.shape, -1)),
        "c": ("I64", choices.view(np.uint8).reshape(*shape, -1))})
    for rank in range(ranks):
        rank_runs.write_tensors(case.folder / f"w{rank}.safetensors", {})
    for code, text in case.launch(ranks, "--inputs=i.safetensors", "--outputs=o.safetensors", f"--graph={graph}", "--repeat=2",
                                  PARABLOCK_FAKE_CHIP="sm_80"):
        assert code == 0, text
    kind, got = rank_runs.read_tensors(case.folder / "o.safetensors")["y"]
    # Twice a number is one more in the exponent.
    exponent = 1 << {"f32": 23, "bf16": 7, "f16": 10}[dtype]
    wanted = rows_of_experts.expect_exchange(x + x.dtype.type(exponent), choices, experts, ranks)
    assert kind == dtype.upper(), kind
    assert np.array_equal(np.ascontiguousarray(got).reshape(-1).view(x.dtype), wanted.reshape(-1)), (pattern, ranks, dtype)
    for rank in range(ranks):
        sent = case.read_log(rank).get("nccl send", 0)
        assert sent == 2 * count_messages(choices, experts, ranks, rank), (pattern, ranks, rank, sent)


def check_captured():
    """The host cannot read choices of work that is recorded."""
    case = make_package(2, (2, 8, 2), 8, 8, "f32")
    command = [sys.executable, pathlib.Path(__file__).with_name("captured_rows.py"),
               pathlib.Path(build) / "lib" / "libparablock-launch.so", "p.pbk"]
    first = case.start(*command, 0, 2, PARABLOCK_FAKE_CHIP="sm_80")
    second = case.start(*command, 1, 2, stdin=first.stdout.readline(), PARABLOCK_FAKE_CHIP="sm_80")
    wanted = "1 rows_to_experts: expected a stream that is not captured, as the host reads which experts rows choose"
    for process in (first, second):
        text, _ = process.communicate(timeout=60)
        assert text.splitlines() == [wanted] * 2, text


def check_mixture(nan_row, *expected):
    """A router and its experts on two ranks. A NaN of one rank's rows ends that rank, and no other waits for it."""
    case = rank_runs.Case(build, folder)
    rows_of_experts.write_mixture(case.folder / "m.mlir")
    weights, x = rows_of_experts.draw_mixture(nan_row)
    safetensors_io.write(case.folder / "w.safetensors", weights)
    safetensors_io.write(case.folder / "i.safetensors", {"x": x})
    case.must("block-opt", "m.mlir", "--block-optimize=chip=sm_80",
              "--block-shard=ranks=2 sequence-parallel=true expert-parallel=true", "-o", "b.mlir")
    case.must("block-translate", "--block-to-package", "--chip=sm_80", "--cuda-path=none", "b.mlir", "-o", "p.pbk")
    for rank in range(2):
        case.pack(rank, "w.safetensors", f"w{rank}.safetensors")
    got = case.launch(2, "--inputs=i.safetensors", "--outputs=o.safetensors", PARABLOCK_FAKE_CHIP="sm_80")
    for (code, text), (wanted, part) in zip(got, expected, strict=True):
        assert code == wanted and part in text, got
    if nan_row is None:
        case.must("block-run", "m.mlir", "--engine=reference", "--weights=w.safetensors", "--inputs=i.safetensors",
                  "--expect=o.safetensors")


def check_damaged(part, change, kind="steps"):
    """A package whose steps do not fit its tensors is refused by name. Changes steps by name, or all launches."""
    case = make_package(2, (2, 8, 2), 8, 8, "f32")
    path = case.folder / "p.pbk" / "manifest.json"
    manifest = json.loads(path.read_text())
    for plan in manifest["chips"][0]["plans"]:
        change(plan["launches"] if kind == "launches" else
               {step["step"]: step for step in plan["launches"] if "step" in step})
    path.write_text(json.dumps(manifest))
    path.with_suffix(".sha256").write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  manifest.json\n")
    process = case.start("block-launch", "p.pbk")
    text, _ = process.communicate(timeout=60)
    assert process.returncode == 1 and part in text, text


check_captured()
check_mixture(None, (0, ""), (0, ""))
check_mixture(3, (1, "rank 0 of 2: stopped, as rank 1 failed"), (1, "'block.route' expected logits without NaN, got one for expert 0 in row 1"))
check_damaged("expected step 'rows_to_experts' of 7 experts to fit its tensors, got f32 [2, 4, 8], i64 [2, 8, 2] and f32 [2, 8, 8]",
              lambda steps: steps["rows_to_experts"].update(experts=7))
check_damaged("expected step 'rows_from_experts' to read rows and choices, and to write rows beside room for them",
              lambda steps: steps["rows_from_experts"].update(outputs=steps["rows_from_experts"]["outputs"][:1]))
check_damaged("expected step 'rows_to_experts' of 8 experts to fit its tensors, got",
              lambda steps: steps["rows_to_experts"].update(inputs=steps["rows_to_experts"]["inputs"][:1] * 2))
check_damaged("expected step 'rows_to_experts' of 8 experts to fit its tensors, got",
              lambda steps: steps["rows_to_experts"].update(dim=0))


def start(steps, name):
    """Makes one step two."""
    step = next(place for place, step in enumerate(steps) if step.get("step") == name)
    steps[step:step + 1] = [{**steps[step], "starts": True}, {**steps[step], "awaits": True}]


for name in ("rows_to_experts", "rows_from_experts"):
    check_damaged(f"expected a collective that starts or awaits, got step '{name}'", lambda steps, name=name: start(steps, name), "launches")
CASES = list(itertools.product(rows_of_experts.PATTERNS, (2, 4), ("f32", "bf16", "f16"), (False, True), ("on", "off")))
for case in tiers.take_turn(CASES, 47):
    check_exchange(*case)
    print(*case, "ok")
