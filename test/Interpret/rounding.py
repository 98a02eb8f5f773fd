#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether a family's norms round before or after their gain, as its own code does.

Exact arithmetic cannot see this, so golden vectors do not.
"""

import pathlib
import re
import sys
import tempfile

import tools

BEFORE_GAIN = ("llama", "mistral", "qwen2", "qwen3", "phi3", "granite", "t5-encoder", "t5-decoder")
AFTER_GAIN = ("gemma", "gemma2", "olmo2", "command-r", "gpt2", "bert", "gpt-neox", "peri-ln")
NORM = re.compile(r"<kind = (?:rms|layer), [^<>]*>")


def check(case):
    family, is_before = case
    with tempfile.TemporaryDirectory() as folder:
        ir = tools.generate(pathlib.Path(folder) / "m.mlir", f"--family={family}", "--layers=1")
    norms = NORM.findall(ir)
    wrong = [norm for norm in norms if ("rounding = before_gain" in norm) != is_before]
    if wrong or not norms:
        raise tools.Failure(f"{len(wrong)} of {len(norms)} norms round elsewhere")
    return f"{len(norms)} norms"


def main():
    cases = [(family, (family, True)) for family in BEFORE_GAIN]
    cases += [(family, (family, False)) for family in AFTER_GAIN]
    return tools.report(cases, check)


if __name__ == "__main__":
    sys.exit(main())
