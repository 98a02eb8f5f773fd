#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the project's own tools are held against, from PyTorch in float64.

    evaluate.py FOLDER     a folder that train.py wrote, of the serial form

Writes into it:
    held_out.safetensors   input_ids [512, 128], all of it text not trained on: three
                           quarters from the calibration files, the last one from
                           the report files; block-drift splits it in that order
    small.safetensors      the same with 64 rows, for quick looks and tests
    expected.safetensors   logits of the first tokens of a held-out row
    evaluation.json        loss on each part of the two files
"""

import argparse
import json
import pathlib

import corpus
import decoder
import numpy
import torch
import train
from safetensors.torch import load_file, save_file

FILES = {"held_out": 512, "small": 64}
SHORT = 24


def held_out_parts(tokens, count, length):
    """The parts of a file of `count` rows, in its order."""
    calibration = corpus.rows(tokens["calibration"], count // 4 * 3, length)
    report = corpus.rows(tokens["report"], count // 4, length)
    parts = {"fit": calibration[: count // 2], "select": calibration[count // 2 :], "report": report}
    return {name: torch.from_numpy(rows) for name, rows in parts.items()}


def mean_loss(sizes, weights, rows):
    with torch.no_grad():
        parts = [train.losses(sizes, weights, part, torch.float64) for part in rows.split(16)]
    return float(torch.cat(parts).mean())


def main():
    parser = argparse.ArgumentParser(description="writes what tools are compared with")
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    sizes = decoder.Sizes()
    weights = {
        name: weight.double() for name, weight in load_file(folder / "model.safetensors").items()
    }
    tokens, facts = corpus.gather()
    found = {"sha256_of_text": facts["sha256"]}
    for name, count in FILES.items():
        parts = held_out_parts(tokens, count, sizes.positions)
        save_file({"input_ids": torch.cat(list(parts.values()))}, folder / f"{name}.safetensors")
        found[name] = {
            "rows": {part: len(rows) for part, rows in parts.items()},
            "loss": {part: mean_loss(sizes, weights, rows) for part, rows in parts.items()},
        }

    short = parts["report"][-1:, :SHORT].contiguous()
    with torch.no_grad():
        scores = decoder.logits(sizes, weights, short)
    save_file({"input_ids": short, "logits": scores}, folder / "expected.safetensors")
    (folder / "evaluation.json").write_text(json.dumps(found, indent=1) + "\n")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
