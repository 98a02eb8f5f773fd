# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects model IR as other tools print it: collect.py OUT [--only=TEXT] [--producers=torch,jax,tflite]

Each producer is a converter from PyPI. A file that its tool does not print is counted with the tool's words.
"""

import argparse
import importlib
import pathlib
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", default="", help="names that hold this")
    parser.add_argument("--producers", default="torch,jax,tflite")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    written, refused = 0, []
    for producer in options.producers.split(","):
        for name, make in importlib.import_module(f"collect_{producer}").list_cases():
            if options.only not in name:
                continue
            try:
                text = make()
            except Exception as error:  # a tool may fail in any way
                refused.append((name, (str(error).strip().splitlines() or [repr(error)])[0][:160]))
                continue
            (options.out / f"{name}.mlir").write_text(text)
            written += 1
    for name, reason in refused:
        print(f"{name}: not printed by its tool: {reason}", file=sys.stderr)
    print(f"{written} files, {len(refused)} not printed")


if __name__ == "__main__":
    main()
