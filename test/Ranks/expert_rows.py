#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expert_rows.py SCRATCH: rows go to the ranks of their experts and back, in one process and over MPI.

Rows that return as they are have the bits of NumPy's; experts compute what they do on one rank, however unevenly
they are chosen.
"""

import itertools
import sys

import mpi
import numpy as np
import pairwise
import rows_of_experts
import safetensors_io
import tiers

SHARD = "sequence-parallel=true expert-parallel=true"
scratch = sys.argv[1]
names = {kind: f"{scratch}.{kind}" for kind in ("mlir", "split.mlir", "in.safetensors", "w.safetensors", "out.safetensors", "run.json")}


def both_engines(path, ranks, *flags):
    """Runs a module of ranks on the reference engine and by mpirun; yields each one's name and its run."""
    for engine, command in (("reference", ["block-run", path, "--engine=reference", f"--ranks={ranks}"]),
                            ("cpu", mpi.ranks(ranks, path, "--threads=1"))):
        code, text = mpi.run([*command, "--seed=3", f"--json={names['run.json']}", *flags])
        assert code == 0, f"{engine}: exit code {code}\n{text}"
        yield engine, {kernel["name"]: kernel["count"] for kernel in mpi.read(names["run.json"])["kernels"]}


def check_exchange(pattern, ranks, shape, width, dtype, is_open=False):
    """The ops alone, bit for bit."""
    experts = 4 * ranks
    choices = rows_of_experts.choose(pattern, shape, experts, ranks)
    x = rows_of_experts.draw_rows((*shape[:2], width), dtype)
    safetensors_io.write_raw(names["in.safetensors"], {"x": (dtype.upper(), x.shape, x.tobytes()),
                                                       "c": ("I64", shape, choices.tobytes())})
    rows_of_experts.write_exchange(names["mlir"], ranks, shape, width, experts, dtype, is_open)
    wanted = rows_of_experts.expect_exchange(x, choices, experts, ranks)
    for engine, ran in both_engines(names["mlir"], ranks, f"--inputs={names['in.safetensors']}",
                                    f"--outputs={names['out.safetensors']}"):
        kind, got_shape, data = safetensors_io.read_raw(names["out.safetensors"])["y"]
        got = np.frombuffer(data, x.dtype).reshape(got_shape)
        assert kind == dtype.upper() and np.array_equal(got, wanted), (engine, pattern, ranks, shape, dtype)
        # More rows than are exchanged at once take as many calls on each rank.
        own = shape[0] * shape[1] // ranks
        at_once = max(1, 2 ** 21 // (ranks * width * x.itemsize // 2))
        assert engine == "reference" or ran["MPI_Alltoallv"] == 2 * -(-own // at_once), ran


def write_weights(tensors):
    safetensors_io.write(names["w.safetensors"], tensors)
    return f"--weights={names['w.safetensors']}"


def check_experts(pattern, ranks, weigh):
    """Experts of given choices; with one slot a row, the bits of one rank."""
    slots, experts = (1, 8) if weigh == "one" else (3, 8)
    choices = rows_of_experts.choose(pattern, (2, 8, slots), experts, ranks)
    weights = np.random.default_rng(9).random(choices.shape) + 0.25
    weights[choices >= experts] = 0
    form = f"activation = silu{', weigh = input' if weigh == 'input' else ''}"
    with open(names["mlir"], "w", encoding="utf-8") as file:
        file.write(f"""func.func @main(%x: tensor<2x8x16xf32> {{block.input = "x"}}, %u: tensor<8x24x16xf32> {{block.param = "up"}}, %d: tensor<8x16x12xf32> {{block.param = "down"}}) -> (tensor<2x8x16xf32> {{block.output = "y"}}) {{
  %i = arith.constant dense<{choices.tolist()}> : tensor<2x8x{slots}xi64>
  %w = arith.constant dense<{weights.tolist()}> : tensor<2x8x{slots}xf32>
  %y = block.experts %x of %i by %w up %u down %d {{form = #block.experts<{form}>}} : tensor<2x8x16xf32>, tensor<2x8x{slots}xi64>, tensor<8x24x16xf32>, tensor<8x16x12xf32>
  return %y : tensor<2x8x16xf32>
}}
""")
    mpi.must("block-opt", names["mlir"], f"--block-shard=ranks={ranks} {SHARD}", "-o", names["split.mlir"])
    random = np.random.default_rng(11)
    stacks = write_weights({name: random.standard_normal(shape).astype(np.float32)
                            for name, shape in (("up", (8, 24, 16)), ("down", (8, 16, 12)))})
    for engine, ran in both_engines(names["split.mlir"], ranks, stacks, f"--baseline={names['mlir']}",
                                    f"--outputs={names['out.safetensors']}"):
        assert engine == "reference" or ran["MPI_Alltoallv"] == 2, ran
        if weigh == "one":
            mpi.must("block-run", names["mlir"], f"--engine={engine}", "--seed=3", stacks, f"--outputs={scratch}.one.safetensors")
            one, many = (safetensors_io.read_raw(path)["y"][2] for path in (f"{scratch}.one.safetensors", names["out.safetensors"]))
            assert one == many, (engine, pattern, ranks)


def check_nan():
    """A router's NaN in a row of the last rank alone ends all of them."""
    rows_of_experts.write_mixture(names["mlir"])
    weights, x = rows_of_experts.draw_mixture(nan_row=3)
    safetensors_io.write(names["in.safetensors"], {"x": x})
    mpi.must("block-opt", names["mlir"], f"--block-shard=ranks=2 {SHARD}", "-o", names["split.mlir"])
    run = [f"--inputs={names['in.safetensors']}", f"--outputs={scratch}.none",
           write_weights(weights)]
    for command in (["block-run", names["split.mlir"], "--engine=reference", "--ranks=2"],
                    mpi.ranks(2, names["split.mlir"], "--rank-timeout=20")):
        code, text = mpi.run([*command, *run])
        assert code == 1 and "expected logits without NaN, got one for expert 0 in row 1" in text, text


def check_other_choices():
    """Choices that differ between ranks, here by taking each rank's own for those of all, end all ranks by name."""
    ends = "shard.all_slice %{0} on @ranks grid_axes = [0] slice_axis = 1 : tensor<1x4x{1}> -> tensor<1x2x{1}>"
    with open(names["mlir"], "w", encoding="utf-8") as file:
        file.write(f"""shard.grid @ranks(shape = 2)
func.func @main(%x: tensor<1x4x8xf32> {{block.input = "x"}}, %c: tensor<1x4x1xi64> {{block.input = "c"}}) -> (tensor<1x8x8xf32> {{block.output = "y"}}) {{
  %own = {ends.format("x", "8xf32")}
  %part = {ends.format("c", "1xi64")}
  %other = tensor.concat dim(1) %part, %part : (tensor<1x2x1xi64>, tensor<1x2x1xi64>) -> tensor<1x4x1xi64>
  %y = block.rows_to_experts %own by %other of 4 on @ranks : tensor<1x2x8xf32>, tensor<1x4x1xi64> -> tensor<1x4x8xf32>
  %z = shard.all_gather %y on @ranks grid_axes = [0] gather_axis = 1 : tensor<1x4x8xf32> -> tensor<1x8x8xf32>
  return %z : tensor<1x8x8xf32>
}}
""")
    safetensors_io.write_raw(names["in.safetensors"], {
        "x": ("F32", (1, 4, 8), np.ones((1, 4, 8), np.float32).tobytes()),
        "c": ("I64", (1, 4, 1), np.array([0, 2, 0, 0]).tobytes())})
    for command, wanted in (
            (["block-run", names["mlir"], "--engine=reference", "--ranks=2"], "expected the same choices on all ranks"),
            (mpi.ranks(2, names["mlir"], "--rank-timeout=20"), "expected the same choices of experts on all ranks, but rank 0 "
                                                               "sends rank 1 other rows than it expects")):
        code, text = mpi.run([*command, f"--inputs={names['in.safetensors']}", f"--outputs={scratch}.none"])
        assert code == 1 and wanted in text, (code, text)


def main():
    # Days have all in turn, a full run each two values.
    combine = pairwise.cover_pairs if tiers.FULL else itertools.product
    exchanges = [(pattern, ranks, (2, 8, 2), width, dtype, is_open)
                 for pattern, ranks, (width, dtype), is_open in combine(
                     rows_of_experts.PATTERNS, (2, 4), ((16, "f32"), (5, "f32"), (7, "bf16"), (3, "f16")), (False, True))]
    # Several calls, since a rank has more rows than go at once.
    exchanges.append(("any", 2, (1, 2200, 1), 512, "f32", False))
    experts = list(combine(rows_of_experts.PATTERNS, (2, 4), ("output", "input", "one")))
    for case in tiers.take_turn(exchanges, 23):
        check_exchange(*case)
        print("exchange", *case, "ok")
    for case in tiers.take_turn(experts, 13):
        check_experts(*case)
        print("experts", *case, "ok")
    check_nan()
    check_other_choices()


main()
