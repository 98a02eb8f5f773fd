# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that the CPU engine compiles for tests, which is kept for the next day's of the same build.

PARABLOCK_TEST_CODES is the folder, of lit and of pytest; no build finds code of another (docs/design/Cpu.md).
A full run compiles everything.
"""

import os


def make_flags(otherwise=None):
    """Of block-run; without such a folder it is `otherwise`, if that is one."""
    folder = os.environ.get("PARABLOCK_TEST_CODES") or otherwise
    return [f"--code-cache={folder}"] if folder else []
