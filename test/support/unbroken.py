#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the lines of printed IR that the tools broke: a broken line goes on four characters further in.

unbroken.py [FILE]     standard input without a file
"""

import sys


def join(text):
    """The text, each op's head in one line."""
    lines, indent = [], 0
    for line in text.splitlines():
        own = len(line) - len(line.lstrip(" "))
        if lines and line.strip() and own == indent + 4:
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
            indent = own
    return "".join(line + "\n" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(join(open(sys.argv[1]).read() if len(sys.argv) > 1 else sys.stdin.read()))
