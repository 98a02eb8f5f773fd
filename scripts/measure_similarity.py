#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what codes or parallel layers change about the sentence similarity of an encoder.

    measure_similarity.py FOLDER [--sentences=N] [--forms=int8,int4-g128,int4-g32]
    measure_similarity.py FOLDER --pairings=block,shifted [--from-layer=half] [--tokens=N] [--heal=N]
        [--weights=none,refit,healed]

FOLDER is the checkpoint of an encoder whose sentence vector is the mean over tokens, such
as all-MiniLM-L6-v2, with tokenizer.json. The sentences are first lines of docstrings of
Python's standard library. Each form is compared with the checkpoint's own numbers: cosine
of the vectors, rank correlation of all pairs' similarities, and the share of sentences
whose nearest other sentence stays the same. Parallel layers are plain, corrected and, with
--heal, trained on N positions (padding among them) of lines of docstrings that are in neither.
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


def list_other_lines(sentences):
    """Lines of all docstrings that are none of the sentences, in a drawn order."""
    found = set()
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                lines = (ast.get_docstring(node) or "").split("\n")
                found.update(line.strip() for line in lines if len(line.split()) >= 5)
    every = sorted(found - set(sentences))
    return [every[i] for i in np.random.Generator(np.random.PCG64(1)).permutation(len(every))]


def pad(rows):
    """Ids and mask of rows of any length."""
    width = max(map(len, rows))
    ids = np.zeros((len(rows), width), np.int64)
    mask = np.zeros_like(ids)
    for row, own in enumerate(rows):
        ids[row, : len(own)], mask[row, : len(own)] = own, 1
    return ids, mask


def embed(run, rows):
    """Means over the tokens of each row, of length 1."""
    ids, mask = pad(rows)
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


def measure_forms(options, model, rows, wanted):
    print("| weights | cosine | rank correlation | same nearest |\n|---|---|---|---|")
    for form in options.forms.split(","):
        cosine, ranks, nearest = compare(embed(make_runner(model.optimize(weights=form)), rows), wanted)
        print(f"| {form} | {cosine:.5f} | {ranks:.4f} | {nearest:.3f} |", flush=True)


def take_rows(texts, tokens, length):
    """Removes texts of about so many tokens; returns them as inputs, and how many tokens they have."""
    own, total = [], 0
    while total < tokens and texts:
        own.append(texts.pop(0)[:length])
        total += len(own[-1])
    ids, mask = pad(own)
    return {"input_ids": ids, "attention_mask": mask}, total


def measure_pairs(options, model, texts, rows, wanted):
    """Converts the model in several ways, fitted on rows of `texts` and trained on others."""
    data, total = take_rows(texts, options.tokens, options.row)
    print(f"{len(data['input_ids'])} rows, {total} tokens, half of them to fit")
    stages = {"none": {}, "refit": {}}
    if options.heal:
        training, total = take_rows(texts, options.heal, options.row)
        stages["healed"] = {"heal": options.heal, "heal_data": training}
        print(f"{len(training['input_ids'])} rows, {total} tokens to train on")
    if options.weights:
        stages = {name: stages[name] for name in options.weights.split(",")}
    print("| pairs | how many | weights | last stream | cosine | rank correlation | same nearest |")
    print("|---|---|---|---|---|---|---|")
    for pairing in options.pairings.split(","):
        for name, flags in stages.items():
            correction = "refit" if name == "healed" else name
            drift = model.drift(data, pairing=pairing, correction=correction, from_layer=options.from_layer, **flags)
            found = embed(make_runner(model.optimize(parallel=drift)), rows)
            cosine, ranks, nearest = compare(found, wanted)
            error = drift.to_dict()["stream_rel_l2"]["mean"]
            print(f"| {pairing} | {len(drift.chosen)} | {name} | {error:.3f} | {cosine:.5f} | {ranks:.4f} | "
                  f"{nearest:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--forms", default="int8,int4-g128,int4-g32")
    parser.add_argument("--pairings", help="measure parallel layers in place of codes")
    parser.add_argument("--from-layer", help="the first layer of which pairs are converted, or half")
    parser.add_argument("--tokens", type=int, default=60000, help="tokens of the data to convert on")
    parser.add_argument("--row", type=int, default=32, help="tokens of the longest row of that data")
    parser.add_argument("--heal", type=int, default=0, help="positions to train on besides")
    parser.add_argument("--weights", help="which of none, refit and healed are measured; all by default")
    options = parser.parse_args()
    tokenizer = tokenizers.Tokenizer.from_file(f"{options.folder}/tokenizer.json")
    tokenizer.no_padding()
    sentences = list_sentences(options.sentences)
    rows = [tokenizer.encode(sentence).ids for sentence in sentences]
    model = parablock.from_pretrained(options.folder)
    wanted = embed(make_runner(model.optimize()), rows)
    print(f"{len(rows)} sentences, {sum(map(len, rows))} tokens")
    if options.pairings:
        texts = [tokenizer.encode(line).ids for line in list_other_lines(sentences)]
        measure_pairs(options, model, texts, rows, wanted)
    else:
        measure_forms(options, model, rows, wanted)


if __name__ == "__main__":
    main()
