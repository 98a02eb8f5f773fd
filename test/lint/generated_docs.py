#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/generated is what scripts/update_docs.py makes of the tree."""

import difflib
import pathlib
import subprocess
import sys
import tempfile

import tree


def check(root):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, str(tree.ROOT / "scripts" / "update_docs.py"), "--output", folder],
            capture_output=True,
            text=True,
        )
        if run.returncode:
            yield f"scripts/update_docs.py: {run.stderr.strip()}"
            return
        for made in sorted(pathlib.Path(folder).iterdir()):
            kept = root / "docs" / "generated" / made.name
            old = kept.read_text(encoding="utf-8").split("\n") if kept.exists() else []
            new = made.read_text(encoding="utf-8").split("\n")
            if old == new:
                continue
            first = next(
                (
                    line
                    for line in difflib.unified_diff(old, new, lineterm="", n=0)
                    if line[:1] in "+-" and line[:3] not in ("+++", "---")
                ),
                "",
            )
            yield (
                f"docs/generated/{made.name} is out of date, first at '{first}'; "
                "scripts/update_docs.py repairs it"
            )


if __name__ == "__main__":
    tree.main(__doc__, check)
