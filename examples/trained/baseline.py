#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses of smoothed n-gram models on the held-out files, for n from 2 to 8.

    baseline.py FOLDER     writes FOLDER/baseline.json
"""

import json
import pathlib
import sys

import corpus
import ngram


def main():
    if len(sys.argv) != 2:
        sys.exit("error: expected a folder")
    tokens, facts = corpus.gather()
    found = {"sha256_of_text": facts["sha256"]}
    for kind in ("calibration", "report"):
        found[kind] = {
            str(order): ngram.loss(tokens["train"], tokens[kind], order, corpus.VOCABULARY)
            for order in range(2, 9)
        }
    (pathlib.Path(sys.argv[1]) / "baseline.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
