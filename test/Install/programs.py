#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tool and the pass of a page of documentation: programs.py PAGE FOLDER."""

import pathlib
import re
import sys

page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
tool, fold = re.findall(r"^```cpp\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
known = "  parablock::registerAllPasses();\n"
assert known in tool, tool
tool = tool.replace(known, known + "  registerMyFold();\n").replace("int main(", "void registerMyFold();\n\nint main(")
(folder / "my-opt.cpp").write_text(tool)
(folder / "my-fold.cpp").write_text(fold)
