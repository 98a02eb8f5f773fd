#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What documents, prose and comments point to exists: files, folders and headings."""

import re

import tree

LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
# A path from the root of the tree, in prose, a comment or a string.
MENTION = re.compile(
    r"(?<![\w/.%$}-])((?:bench|cmake|docs|examples|include|lib|python|scripts|test|tools|unittests)/[\w./-]+"
    r"\.(?:c|cmake|cpp|def|h|json|md|mlir|py|sh|td|test|txt))\b"
)
COMMENTED = ("*.c", "*.cmake", "*.cpp", "*.def", "*.h", "*.md", "*.mlir", "*.py", "*.sh", "*.td", "*.test", "*.txt", "check", "demo")
# Tests of lints name files of their fixtures.
FIXTURES = "test/lint/*.test"


def get_anchors(text):
    """Returns the anchors that a page has for its headings."""
    anchors = set()
    for heading in re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower())
        anchors.add(words.replace(" ", "-"))
    return anchors


def check_links(path, line):
    """Yields what the links of a line of a page miss."""
    for link, anchor in LINK.findall(line):
        target = path.parent / link if link else path
        if not target.exists():
            yield f"there is no {target.name} where it points to"
        elif anchor and target.suffix == ".md" and anchor not in get_anchors(target.read_text(encoding="utf-8")):
            yield f"{target.name} has no heading #{anchor}"


def check(root):
    for path in tree.files(root, *COMMENTED):
        relative = path.relative_to(root)
        if relative.match(FIXTURES):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            found = list(check_links(path, line)) if path.suffix == ".md" else []
            for mention in MENTION.findall(line):
                if not (root / mention).exists():
                    found.append(f"there is no {mention.rpartition('/')[2]} where it points to")
            for complaint in found:
                yield f"{relative}:{number}: {complaint}"


if __name__ == "__main__":
    tree.main(__doc__, check)
