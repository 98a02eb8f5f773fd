#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the console blocks of a document and compares what they print with what it says.

In a fence marked `console`, lines that begin with `$ ` are commands (a `\\` at the end
goes on in the next line), the others are what they print: standard output and standard
error, and `[exit N]` where a command ends with another code than 0. A line `...` stands
for any lines. All blocks of a document run in one empty folder, in their order.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(text):
    """Each command with the lines that it is said to print."""
    for block in FENCE.findall(text):
        found = []
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append([line[2:], []])
            elif found and not found[-1][1] and found[-1][0].endswith("\\"):
                found[-1][0] += "\n" + line
            elif found:
                found[-1][1].append(line)
            else:
                sys.exit(f"a console block begins with {line!r}, expected a command")
        yield from found


def run(command, folder):
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    return lines + ([f"[exit {done.returncode}]"] if done.returncode else [])


def agree(said, printed):
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n" for line in said
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=pathlib.Path)
    document = parser.parse_args().document
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for command, said in commands(document.read_text(encoding="utf-8")):
            printed = run(command, folder)
            if not agree(said, printed):
                sys.exit(f"$ {command}\n" + "\n".join(["said:", *said, "printed:", *printed]))
            count += 1
    if not count:
        sys.exit(f"{document}: no command in a console block")
    print(f"{count} commands print what {document.name} says")


if __name__ == "__main__":
    main()
