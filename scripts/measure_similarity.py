#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what codes change about the sentence similarity of an encoder.

    measure_similarity.py FOLDER [--sentences=N] [--forms=int8,int4-g128,int4-g32]

FOLDER is the checkpoint of an encoder whose sentence vector is the mean over tokens, such
as all-MiniLM-L6-v2, with tokenizer.json. The sentences are first lines of docstrings of
Python's standard library. Each form is compared with the checkpoint's own numbers: cosine
of the vectors, rank correlation of all pairs' similarities, and the share of sentences
whose nearest other sentence stays the same.
"""

import argparse
import ast
import pathlib
import sysconfig

import numpy as np
import tokenizers

import parablock


def list_sentences(count):
    """First lines of docstrings, from all over the library."""
    found = set()
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                line = (ast.get_docstring(node) or "").split("\n")[0].strip()
                if len(line.split()) >= 5:
                    found.add(line)
    every = sorted(found)
    return [every[i * len(every) // count] for i in range(min(count, len(every)))]


def embed(run, rows):
    """Means over the tokens of each row, of length 1."""
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), np.int64)
    mask = np.zeros_like(ids)
    for row, own in enumerate(rows):
        ids[row, : len(own)], mask[row, : len(own)] = own, 1
    states = np.asarray(run(ids, mask), np.float64)
    vectors = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def compare(found, wanted):
    upper = np.triu_indices(len(wanted), 1)
    similar = [vectors @ vectors.T for vectors in (found, wanted)]
    ranks = [np.argsort(np.argsort(each[upper])).astype(float) for each in similar]
    for each in similar:
        np.fill_diagonal(each, -2)
    nearest = [each.argmax(1) for each in similar]
    return (found * wanted).sum(1).mean(), np.corrcoef(*ranks)[0, 1], (nearest[0] == nearest[1]).mean()


def make_runner(model):
    compiled = model.compile()
    return lambda ids, mask: compiled(input_ids=ids, attention_mask=mask)["last_hidden_state"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--forms", default="int8,int4-g128,int4-g32")
    options = parser.parse_args()
    tokenizer = tokenizers.Tokenizer.from_file(f"{options.folder}/tokenizer.json")
    tokenizer.no_padding()
    rows = [tokenizer.encode(sentence).ids for sentence in list_sentences(options.sentences)]
    model = parablock.from_pretrained(options.folder)
    wanted = embed(make_runner(model.optimize()), rows)
    print(f"{len(rows)} sentences, {sum(map(len, rows))} tokens")
    print("| weights | cosine | rank correlation | same nearest |\n|---|---|---|---|")
    for form in options.forms.split(","):
        cosine, ranks, nearest = compare(embed(make_runner(model.optimize(weights=form)), rows), wanted)
        print(f"| {form} | {cosine:.5f} | {ranks:.4f} | {nearest:.3f} |", flush=True)


if __name__ == "__main__":
    main()
