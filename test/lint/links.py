#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documents and .td files point to exists."""

import re

import tree

LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
MENTION = re.compile(r"(?<![\w/])((?:docs|include|lib|scripts|test|tools|unittests)/[\w./-]+\.(?:md|py|sh|mlir|cpp|h|td|def))\b")


def check(root):
    for path in tree.files(root, "*.md", "*.td"):
        relative = path.relative_to(root)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            wanted = [path.parent / link for link in LINK.findall(line)] if path.suffix == ".md" else []
            wanted += [root / mention for mention in MENTION.findall(line)]
            for target in wanted:
                if not target.exists():
                    yield f"{relative}:{number}: there is no {target.name} where it points to"


if __name__ == "__main__":
    tree.main(__doc__, check)
