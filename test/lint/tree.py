# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the lints share: walking the tree, reporting, the command line."""

import argparse
import fnmatch
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def files(root, *patterns):
    """Files of the tree whose path matches a pattern: no build trees, no fixtures."""
    for folder, names, leaves in os.walk(root):
        path = pathlib.Path(folder)
        names[:] = sorted(
            name
            for name in names
            if name not in (".git", "__pycache__")
            and not (path / name / "CMakeCache.txt").exists()
            and (path / name).relative_to(root).as_posix() not in ("build", "test/lint/Inputs")
        )
        for leaf in sorted(leaves):
            relative = (path / leaf).relative_to(root).as_posix()
            if any(fnmatch.fnmatch(relative, pattern) for pattern in patterns):
                yield path / leaf


def main(description, check, **options):
    """Runs `check(root)`, which yields complaints; prints them; 1 if there are any.

    `options` are the paths that a lint requires beside the tree, by name, with their help."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the tree to look at")
    for name, text in options.items():
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True, help=text)
    given = vars(parser.parse_args())
    complaints = list(check(given.pop("root").resolve(), **given))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} complaints")
    sys.exit(1 if complaints else 0)
