#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""derived.py BUILD FOLDER MODEL: a package with a mask, whose results have sizes that follow from its own."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import safetensors_io

build, folder, model = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
environment = {**os.environ, "PARABLOCK_CUDA_DRIVER": str(build / "lib" / "libparablock-fake-driver.so"),
               "PARABLOCK_FAKE_CHIP": "sm_80"}
passed = failed = 0


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment, cwd=folder)
    return done.returncode, done.stdout + done.stderr


def check(what, fine, text=""):
    global passed, failed
    passed, failed = passed + bool(fine), failed + (not fine)
    if not fine:
        print(f"FAIL {what}: {text}")


def write_mask(values, dtype="BOOL", columns=8):
    safetensors_io.write_raw(folder / "i.safetensors", {"mask": (dtype, [len(values) // columns, columns], bytes(values))})


def read_tensors(path):
    letters = {"BOOL": "B", "I16": "h"}
    return {name: (kind, shape, list(memoryview(data).cast(letters[kind])))
            for name, (kind, shape, data) in safetensors_io.read_raw(folder / path).items()}


def compute(mask):
    """What the kernels are to give."""
    rows = [mask[i:i + 8] for i in range(0, len(mask), 8)]
    picked = [1 - value for row in rows[::2] for value in row]
    wide = 2 * len(rows[::2]) - 1
    counts = [picked[i % len(picked)] - i for i in range(8 * wide)]
    some = ("BOOL", [len(rows[::2]), 8], picked)
    return {"picked": some, "again": some, "counts": ("I16", [wide, 8], counts), "same": ("BOOL", [len(rows), 8], mask)}


def damage(change, package="p.pbk"):
    """bad.pbk: with another manifest, which is what its hash says."""
    shutil.rmtree(folder / "bad.pbk", ignore_errors=True)
    shutil.copytree(folder / package, folder / "bad.pbk")
    manifest = json.loads((folder / package / "manifest.json").read_text())
    change(manifest)
    data = json.dumps(manifest).encode()
    (folder / "bad.pbk" / "manifest.json").write_bytes(data)
    (folder / "bad.pbk" / "manifest.sha256").write_text(f"{hashlib.sha256(data).hexdigest()}  manifest.json\n")


def test_numbers():
    for rows in (1, 2, 17):
        mask = [(index * index + index // 3) % 2 for index in range(8 * rows)]
        write_mask(mask)
        for flags in ([], ["--graph=off"]):
            (folder / "o.safetensors").unlink(missing_ok=True)
            code, text = run("block-launch", "p.pbk", "--inputs=i.safetensors", "--outputs=o.safetensors", *flags)
            check("the launcher ends", code == 0, text)
            check(f"{rows} rows by the launcher", read_tensors("o.safetensors") == compute(mask))
        for what in (["p.pbk", "--engine=cuda"], ["p.pbk", "--engine=emulate"], [model, "--engine=emulate", "--chip=sm_80"],
                     [model, "--engine=emulate", "--chip=sm_90a"]):
            (folder / "e.safetensors").unlink(missing_ok=True)
            code, text = run("block-run", *what, "--inputs=i.safetensors", "--outputs=e.safetensors")
            check("the engine ends", code == 0, text)
            check(f"{rows} rows by {what[1]}", read_tensors("e.safetensors") == compute(mask))


def test_inputs():
    """One clear error for each."""
    for values, dtype, columns, message in [
            ([0, 1] * 7 + [0, 2], "BOOL", 8, "input 'mask': expected each byte of i1 to be 0 or 1, got 2 at byte 15"),
            ([0, 1] * 8, "U8", 8, "expected tensor 'mask' to be i1, got ui8"),
            ([0, 1] * 8, "F8_E4M3", 8, "expected tensor 'mask' to be i1, got F8_E4M3"),
            ([0, 1] * 9, "BOOL", 9, "expected 'mask' to be i1 [n, 8], got [2, 9]")]:
        write_mask(values, dtype, columns)
        code, text = run("block-launch", "p.pbk", "--inputs=i.safetensors", "--outputs=x.safetensors")
        check(message, code == 1 and message in text and not (folder / "x.safetensors").exists(), text)


def test_manifests():
    write_mask([0, 1] * 8)

    def set_size(size):
        def change(manifest):
            manifest["results"][0]["shape"][0] = size
        return change

    deep = "n"
    for _ in range(30):
        deep = {"max": [deep, "n"]}
    limits = "expected a size of at most 256 steps, 24 of them in each other, with numbers from 0 to 2147483647"
    number = "expected a size to be a whole number, the name of a dimension or a step on other sizes"
    for size, message in [
            ({"ceildiv": ["n", 3]}, "expected the result 'picked' to be i1 [n ceildiv 3, 8], got i1 [n ceildiv 2, 8]"),
            ({"ceildiv": ["n"]}, "expected 'ceildiv' of two sizes, got 1"),
            ({"ceildiv": 2}, "expected 'ceildiv' to be an array"),
            ({"power": ["n", 2]}, "unknown step in a size"),
            ({"add": ["m", 2]}, "unknown dimension 'm'"),
            ({"add": ["n", -2]}, number),
            ({"add": ["n", None]}, number),
            ({"add": [2147483647, 1]}, limits),
            ({"subtract": [1, 2]}, limits),
            (deep, limits)]:
        damage(set_size(size))
        code, text = run("block-launch", "bad.pbk", "--inputs=i.safetensors", "--outputs=x.safetensors")
        check(message, code == 1 and message in text and text.count("\n") == 1, text)
    damage(lambda manifest: manifest["arguments"][0].update(shape=[{"add": ["n", 1]}, 8]))
    code, text = run("block-launch", "--verify", "bad.pbk")
    message = "expected a size of input 'mask' to be a number or a name, got 'n + 1'"
    check(message, code == 1 and message in text, text)


def test_code():
    """Of a launch that says its sizes in another way."""
    text = model.read_text()
    for old, new, message in [
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0, 0>", "expected 'size_symbols' to be pairs of an operand and one of"),
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0, 0, 2>", "expected 'size_symbols' to be pairs of an operand and one of"),
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0>", "expected 'sizes' to have a map of 1 symbols to one size for "
                                                     "dimension 0 of result 0"),
            ("[[#size, #same]]", "[[]]", "expected 'sizes' to have a map of 2 symbols to one size for dimension 0 of"),
            ("s0 ceildiv 2", "s0 - s0 - 5", "dimension 0 of 'pick#0.0': expected a size of at most"),
            ("xi1>", "xi4>", "i4")]:
        assert old in text
        (folder / "bad.mlir").write_text(text.replace(old, new))
        code, said = run("block-translate", "--block-to-package", "--chip=sm_80", "bad.mlir", "-o", "none.pbk")
        check(message, code == 1 and message in said and not (folder / "none.pbk").exists(), said)
    (folder / "odd.mlir").write_text(text.replace("s0 * 2 - 1", "s0 * 2 - 4"))
    write_mask([0, 1] * 8)
    code, said = run("block-run", "odd.mlir", "--chip=sm_80", "--engine=emulate", "--inputs=i.safetensors")
    message = "size '((n ceildiv 2) * 2) - 4' of 'count#1.0': expected at least 1, got -2"
    check(message, code == 1 and message in said, said)


VIEWS = """  func.func @main(%m: tensor<?x16xi1> {block.input = "mask", block.dims = ["n"]})
      -> (tensor<?xi1> {block.output = "flat"}, tensor<?x8xi1> {block.output = "last"}, tensor<?x2x8xi1> {block.output = "wide"}) {
    %zero = arith.constant 0 : index
    %n = tensor.dim %m, %zero : tensor<?x16xi1>
    %wide = tensor.expand_shape %m [[0], [1, 2]] output_shape [%n, 2, 8] : tensor<?x16xi1> into tensor<?x2x8xi1>
    %rows = tensor.collapse_shape %wide [[0, 1], [2]] : tensor<?x2x8xi1> into tensor<?x8xi1>
    %p = tile.launch @kernels::@pick(%rows) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    %flat = tensor.collapse_shape %p [[0, 1]] : tensor<?x8xi1> into tensor<?xi1>
    %open = tensor.cast %p : tensor<?x8xi1> to tensor<?x?xi1>
    %again = tensor.cast %open : tensor<?x?xi1> to tensor<?x8xi1>
    %u = tile.launch @kernels::@pick(%again) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    %w = tile.launch @kernels::@pick(%u) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    %v = tile.launch @kernels::@pick(%w) {size_symbols = array<i64: 0, 0, 0, 1>, sizes = [[#size, #same]]} : (tensor<?x8xi1>) -> tensor<?x8xi1>
    return %flat, %v, %wide : tensor<?xi1>, tensor<?x8xi1>, tensor<?x2x8xi1>
  }
}
"""
PAIRS = [("%open = tensor.cast", """%four = arith.constant 4 : index
    %k = arith.divsi %n, %four : index
    %pairs = tensor.expand_shape %flat [[0, 1]] output_shape [%k, 32] : tensor<?xi1> into tensor<?x32xi1>
    %open = tensor.cast"""), ("return %flat", "return %pairs"), ("return %pairs, %v, %wide : tensor<?xi1>", "return %pairs, %v, %wide : tensor<?x32xi1>"),
         ("-> (tensor<?xi1>", "-> (tensor<?x32xi1>")]


def write_views(name, *changes):
    text = VIEWS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / name).write_text(model.read_text().split("  func.func @main")[0] + text)


def test_views():
    """Other shapes of the same memory, of inputs and between launches, and as results."""
    def pick(rows):
        return [[1 - value for value in row] for row in rows[::2]]

    write_views("views.mlir")
    code, text = run("block-translate", "--block-to-package", "--chip=sm_80", "views.mlir", "-o", "views.pbk")
    check("a package of views", code == 0, text)
    plan = json.loads((folder / "views.pbk" / "manifest.json").read_text())["chips"][0]["plan"]
    check("four launches, none of which copies", len(plan["launches"]) == 4, plan)
    check("owners", [buffer.get("view_of") for buffer in plan["buffers"]] == [0, 0, None, None, None, None, 3], plan["buffers"])
    check("sizes", [plan["buffers"][number]["shape"][0] for number in (0, 1, 2, 6)] ==
          ["n", {"multiply": ["n", 2]}, "n", {"multiply": ["n", 8]}], plan["buffers"])
    for count in (1, 3, 16):
        mask = [(index * index + index // 5) % 2 for index in range(16 * count)]
        write_mask(mask, columns=16)
        first = pick([mask[i:i + 8] for i in range(0, len(mask), 8)])
        last = pick(pick(pick(first)))
        wanted = {"flat": ("BOOL", [8 * count], sum(first, [])), "last": ("BOOL", [len(last), 8], sum(last, [])),
                  "wide": ("BOOL", [count, 2, 8], mask)}
        for command in (["block-launch", "views.pbk"], ["block-run", "views.mlir", "--engine=emulate", "--chip=sm_80"]):
            (folder / "v.safetensors").unlink(missing_ok=True)
            code, text = run(*command, "--inputs=i.safetensors", "--outputs=v.safetensors")
            check(f"{count} rows in views by {command[0]}", code == 0 and read_tensors("v.safetensors") == wanted, text)
    write_views("odd.mlir", *PAIRS)
    code, text = run("block-run", "odd.mlir", "--engine=emulate", "--chip=sm_80", "--inputs=i.safetensors")
    check("16 rows are pairs", code == 0, text)
    write_mask([0, 1] * 40, columns=16)
    code, text = run("block-run", "odd.mlir", "--engine=emulate", "--chip=sm_80", "--inputs=i.safetensors")
    message = "view 'view#8' of [1, 32]: expected as many elements as 'pick#0.0' of [5, 8]"
    check(message, code == 1 and message in text, text)
    for changes, message in [
            ([("%again = tensor.cast %open : tensor<?x?xi1> to tensor<?x8xi1>", """%four = tensor.cast %open : tensor<?x?xi1> to tensor<4x8xi1>
    %again = tensor.cast %four : tensor<4x8xi1> to tensor<?x8xi1>""")],
             "no GPU code for a cast to sizes that are not those of i1 [n, 8]"),
            ([(old.replace("x32", "x?"), new.replace("[%k, 32]", "[%k, %n]").replace("x32", "x?")) for old, new in PAIRS],
             "expected all kernels as device code, or none: some are still to be made")]:
        write_views("bad.mlir", *changes)
        code, text = run("block-translate", "--block-to-package", "--chip=sm_80", "bad.mlir", "-o", "none.pbk")
        check(message, code == 1 and message in text, text)


def test_damaged_views():
    write_mask([0, 1] * 8, columns=16)

    def set_view(buffer, owner):
        return lambda manifest: manifest["chips"][0]["plan"]["buffers"][buffer].update(view_of=owner)

    for change, message in [
            (set_view(1, 1), "expected 'view#2' to be a view of i1 that is no view, got 'view#1' of i1 [n, 2, 8]"),
            (set_view(1, 2), "expected the number of a tensor, below 2"),
            (set_view(3, 3), "kernel 'pick' writes the view 'pick#1.0'"),
            (set_view(1, "x"), "expected the number of a tensor, below 2"),
            (lambda manifest: manifest["chips"][0]["plan"]["buffers"][6].update(dtype="i8"),
             "expected 'view#7' to be a view of i8 that is no view, got 'pick#0.0' of i1 [n, 8]"),
            (lambda manifest: manifest["chips"][0]["plan"].update(workspaces=[2]), "expected a workspace to be a buffer of its own")]:
        damage(change, "views.pbk")
        code, text = run("block-launch", "bad.pbk", "--inputs=i.safetensors", "--outputs=x.safetensors")
        check(message, code == 1 and message in text and text.count("\n") == 1, text)


code, text = run("block-translate", "--block-to-package", "--chip=sm_80", model, "-o", "p.pbk")
check("a package", code == 0, text)
test_numbers()
test_inputs()
test_manifests()
test_code()
test_views()
test_damaged_views()
print(f"{passed} passed, {failed} failed")
