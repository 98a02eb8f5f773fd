#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""derived.py BUILD FOLDER MODEL: a package with a mask, whose results have sizes that follow from its own."""

import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys

build, folder, model = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
environment = {**os.environ, "PARABLOCK_CUDA_DRIVER": str(build / "lib" / "libparablock-fake-driver.so"),
               "PARABLOCK_FAKE_PACKAGES": str(folder), "PARABLOCK_FAKE_CHIP": "sm_80"}
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
    text = json.dumps({"mask": {"dtype": dtype, "shape": [len(values) // columns, columns],
                                "data_offsets": [0, len(values)]}}).encode()
    (folder / "i.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(values))


def read_tensors(path):
    data = (folder / path).read_bytes()
    length = struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    letters = {"BOOL": "B", "I16": "h"}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        letter = letters[entry["dtype"]]
        count = (end - begin) // struct.calcsize(letter)
        tensors[name] = (entry["dtype"], entry["shape"], list(struct.unpack(f"<{count}{letter}", data[begin:end])))
    return tensors


def compute(mask):
    """What the kernels are to give."""
    rows = [mask[i:i + 8] for i in range(0, len(mask), 8)]
    picked = [1 - value for row in rows[::2] for value in row]
    wide = 2 * len(rows[::2]) - 1
    counts = [picked[i % len(picked)] - i for i in range(8 * wide)]
    some = ("BOOL", [len(rows[::2]), 8], picked)
    return {"picked": some, "again": some, "counts": ("I16", [wide, 8], counts), "same": ("BOOL", [len(rows), 8], mask)}


def damage(change):
    """bad.pbk: with another manifest, which is what its hash says."""
    shutil.rmtree(folder / "bad.pbk", ignore_errors=True)
    shutil.copytree(folder / "p.pbk", folder / "bad.pbk")
    manifest = json.loads((folder / "p.pbk" / "manifest.json").read_text())
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
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0, 0>", "expected 'tile.size_symbols' to be pairs of an operand and one of"),
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0, 0, 2>", "expected 'tile.size_symbols' to be pairs of an operand and one of"),
            ("array<i64: 0, 0, 0, 1>", "array<i64: 0, 0>", "expected 'tile.sizes' to have a map of 1 symbols to one size for "
                                                          "dimension 0 of result 0"),
            ("[[#size, #same]]", "[[]]", "expected 'tile.sizes' to have a map of 2 symbols to one size for dimension 0 of"),
            ("s0 ceildiv 2", "s0 - s0 - 5", "dimension 0 of result 0: expected a size of at most"),
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


code, text = run("block-translate", "--block-to-package", "--chip=sm_80", model, "-o", "p.pbk")
check("a package", code == 0, text)
test_numbers()
test_inputs()
test_manifests()
test_code()
print(f"{passed} passed, {failed} failed")
