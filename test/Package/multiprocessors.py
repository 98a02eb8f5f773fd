#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of code for an architecture, a device gets what was made for about as many multiprocessors, in as many CTAs as it
holds.

usage: multiprocessors.py BUILD FOLDER C_COMPILER
"""

import json
import shutil
import struct

import packages


def make_rows(chips, package):
    """A kernel of many rows, four CTAs a multiprocessor."""
    (packages.FOLDER / "rows.mlir").write_text("""
      func.func @main(%x: tensor<1x4096x64xbf16> {block.input = "x"}) -> (tensor<1x4096x64xbf16> {block.output = "y"}) {
        %0 = block.activation %x {kind = #block.activation<relu>} : tensor<1x4096x64xbf16>
        return %0 : tensor<1x4096x64xbf16>
      }""")
    shutil.rmtree(packages.FOLDER / package, ignore_errors=True)
    packages.run("block-translate", "--block-to-package", f"--chip={chips}", "rows.mlir", "-o", package)


def main():
    packages.FOLDER.mkdir(parents=True, exist_ok=True)
    make_rows("sm_90a,sm_90a-h20", "rows.pbk")
    make_rows("sm_80", "forward.pbk")
    packages.run("block-launch", "--verify", "rows.pbk")
    values = [index % 251 - 125 for index in range(4096 * 64)]
    raw = b"".join(struct.pack("<f", value)[2:] for value in values)
    packages.write_tensors(packages.FOLDER / "x.safetensors", {"x": ("BF16", [1, 4096, 64], raw)})
    wanted = b"".join(struct.pack("<f", max(value, 0))[2:] for value in values)
    for chip, count, package, code, grid in [
            ("sm_90a", 132, "rows.pbk", "sm_90a", 528), ("sm_90a", 114, "rows.pbk", "sm_90a", 456),
            ("sm_90a", 78, "rows.pbk", "sm_90a-h20", 312), ("sm_90a", 16, "rows.pbk", "sm_90a-h20", 64),
            ("sm_80", 108, "forward.pbk", "sm_80", 432), ("sm_90a", 132, "forward.pbk", "sm_80", 528)]:
        packages.run("block-launch", package, "--inputs=x.safetensors", "--outputs=y.safetensors", "--json=l.json",
            PARABLOCK_FAKE_CHIP=chip, PARABLOCK_FAKE_SMS=count, PARABLOCK_FAKE_LOG="log.txt")
        assert json.loads((packages.FOLDER / "l.json").read_text())["chip"] == code, (chip, count)
        assert packages.read_log("log.txt")[f"grid {grid}"] == 1, (chip, count, packages.read_log("log.txt"))
        assert (packages.FOLDER / "y.safetensors").read_bytes().endswith(wanted), (chip, count)
    text = packages.run("block-launch", "rows.pbk", "--inputs=x.safetensors", "--chip=sm_90a-h100-pcie", code=1, PARABLOCK_FAKE_CHIP="sm_90a")
    assert "for sm_90a-h100-pcie, got sm_90a, sm_90a-h20, sm_80" in text, text


main()
