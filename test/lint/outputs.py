#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files are written by what makes them whole or not at all: files::AtomicFile and what
stands on it in C++, parablock.output in Python."""

import re

import tree

#: Who makes such files, and who writes into a folder of its own or of a test.
EXEMPT = {
    "lib/Files/AtomicFile.cpp",
    "lib/Files/PrivateFolder.cpp",
    "lib/Target/MachineCode/Assembler.cpp",
    "python/parablock/measuring.py",
    "python/parablock/output.py",
    "python/parablock/pretrained.py",
    "python/parablock/weights.py",
    "tools/block-reduce/InterestingTest.cpp",
    "tools/fake-driver/FakeDevice.cpp",
    "tools/fake-driver/FakeNccl.cpp",
}
OPENS = re.compile(
    r"\b(openOutputFile|ToolOutputFile|o?fstream\s+\w+\(|fopen\([^;]*\"[wa]|"
    r"raw_fd_ostream(\s+\w+)?\(|raw_fd_ostream>\(\s*\w*[pP]ath|O_CREAT|"
    r"write_text|write_bytes|open\([^)]*[\"'][wax]b?[\"'])"
)


def check(root):
    for path in tree.files(root, "lib/*.cpp", "tools/*.cpp", "python/parablock*.py"):
        relative = path.relative_to(root).as_posix()
        if relative in EXEMPT:
            continue
        text = path.read_text(encoding="utf-8")
        for match in OPENS.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{relative}:{line}: {match.group(1).split('(')[0].strip()}: expected an atomic output"


if __name__ == "__main__":
    tree.main(__doc__, check)
