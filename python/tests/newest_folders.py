# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs folders of save_pretrained in the version of transformers that is found.

As a program it takes the folders' parent, prints the version, and writes `found.npz`: logits,
tokens with and without a cache, and a gradient of each folder.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as hf


def run_folder(folder: Path) -> dict[str, Any]:
    """Returns what a folder's model computes."""
    module = hf.AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True).eval()
    ids = torch.randint(5, 97, (2, 9), generator=torch.Generator().manual_seed(3))
    options = {"max_new_tokens": 6, "do_sample": False, "pad_token_id": 0}
    result = module(ids, labels=ids)
    result.loss.backward()
    return {
        "logits": result.logits.detach().numpy(),
        "cached": module.generate(ids, **options).numpy(),
        "uncached": module.generate(ids, use_cache=False, **options).numpy(),
        "gradient": module.get_input_embeddings().weight.grad.numpy(),
    }


def run_folders(parent: Path) -> dict[str, Any]:
    """Returns what all folders compute, by their names."""
    return {
        f"{folder.name} {key}": value
        for folder in sorted(parent.iterdir())
        if folder.is_dir()
        for key, value in run_folder(folder).items()
    }


if __name__ == "__main__":
    np.savez(Path(sys.argv[1], "found.npz"), **run_folders(Path(sys.argv[1])))
    print(hf.__version__)
