#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/generated is what scripts/update_docs.py makes of the tree."""

import difflib

import tree


def check(root, made):
    for page in sorted(made.iterdir()):
        kept = root / "docs" / "generated" / page.name
        old = kept.read_text(encoding="utf-8").split("\n") if kept.exists() else []
        new = page.read_text(encoding="utf-8").split("\n")
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
            f"docs/generated/{page.name} is out of date, first at '{first}'; "
            "scripts/update_docs.py repairs it"
        )


if __name__ == "__main__":
    tree.main(__doc__, check, made="the folder that scripts/update_docs.py --output has written")
