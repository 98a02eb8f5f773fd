# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predictions are those of a product: its name, its peaks, the rates that were measured; and
of weights of codes as they run.

usage: products.py FOLDER
"""

import json
import pathlib
import sys

from tools import messages as run


def report(model, chip, text=False):
    said = run("block-opt", model, f"--block-report=format={'text' if text else 'json'} chip={chip}", "-o", "/dev/null")
    return said if text else json.loads(said)


def expect(condition, seen):
    if not condition:
        sys.exit(f"not as expected: {seen}")


def check_products(folder):
    model = folder / "token.mlir"
    run("block-gen", "--family=llama", "--scope=block", "--layers=2", "--width=256", "--heads=4", "--batch=1", "--seq=1",
        "--dtype=bf16", "-o", model)
    chips = ("sm_90a", "sm_90a-h200", "sm_90a-h100", "sm_90a-h100-pcie", "sm_90a-h20", "sm_80")
    found = {chip: report(model, chip) for chip in chips}
    products = {chip: each["product"] for chip, each in found.items()}
    expect(list(products.values()) == ["H200", "H200", "H100 SXM", "H100 PCIe", "H20", "A100"], products)
    times = {chip: each["model"]["roofline_ms"] for chip, each in found.items()}
    # One token reads weights: what differs is the memory.
    expect(times["sm_90a"] == times["sm_90a-h200"], times)
    expect(abs(times["sm_90a-h100"] / times["sm_90a"] - 4.8 / 3.35) < 1e-6, times)
    reached = {chip: each["model"]["reachable_ms"] for chip, each in found.items()}
    expect(abs(reached["sm_90a-h100"] / times["sm_90a-h100"] - 3.35 / 3.0) < 1e-6, reached)
    expect(abs(reached["sm_90a"] / times["sm_90a"] - 4.8 / 4.3) < 1e-6, reached)
    expect(reached["sm_80"] is None and reached["sm_90a-h20"] is None, reached)
    text = report(model, "sm_90a-h100", text=True)
    expect("chip sm_90a-h100 (H100 SXM)" in text and "at the 778 TFLOP/s, 3.0 TB/s reached" in text, text)
    expect(report(model, "cpu")["product"] == "" and "reached" not in report(model, "sm_80", text=True), "cpu, sm_80")
    wide = folder / "wide.mlir"
    run("block-gen", "--family=llama", "--scope=block", "--layers=1", "--width=256", "--heads=4", "--batch=1", "--seq=1",
        "-o", wide)
    expect(report(wide, "sm_90a")["model"]["reachable_ms"] is None, "products of f32 were not measured")


def check_codes(folder):
    model, codes = folder / "wide.mlir", folder / "codes.mlir"
    run("block-opt", model, "--block-quantize=form=int8", "-o", codes)
    expect(report(model, "sm_90a")["model"]["codes"] is None, "no codes")
    found = {chip: report(codes, chip)["model"]["codes"] for chip in ("cpu", "sm_90a")}
    for chip, counts in found.items():
        expect(counts["weights"] == 7 and counts["runs_unpacked"] == (chip != "cpu"), found)
        expect(3.5 < counts["unpacked_bytes"] / counts["code_bytes"] <= 4, found)
    expect("bytes unpacked, as they run" in report(codes, "sm_90a", text=True), report(codes, "sm_90a", text=True))
    expect("bytes unpacked, as GPUs run them" in report(codes, "cpu", text=True), report(codes, "cpu", text=True))
    said = run("block-translate", "--block-to-ptx", "--chip=sm_90a", codes, "-o", folder / "codes.ptx")
    counts = found["sm_90a"]
    expect(f"unpacked: 7 weights of codes, {counts['code_bytes']} bytes, which run as {counts['unpacked_bytes']} bytes"
           in said, said)
    said = run("block-translate", "--block-to-ptx", "--chip=sm_90a", model, "-o", folder / "wide.ptx")
    expect("unpacked" not in said, said)


if __name__ == "__main__":
    scratch = pathlib.Path(sys.argv[1])
    scratch.mkdir(parents=True, exist_ok=True)
    check_products(scratch)
    check_codes(scratch)
    print("passed")
