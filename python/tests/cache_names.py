# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates with caches under all names, with the version of transformers that is found.

Run as a program it prints that version, for one that is in a folder of its own.
"""

from __future__ import annotations

from typing import Any

import torch
import transformers as hf

import parablock
from parablock.decoding.conventions import CACHE, CACHE_NAMES, pass_cache, read_cache

_OPTIONS = {"max_new_tokens": 6, "do_sample": False, "pad_token_id": 0}


def make_gpt2() -> Any:
    torch.manual_seed(1)
    sizes = {"n_layer": 1, "n_embd": 32, "n_head": 4, "vocab_size": 97, "n_positions": 64}
    return hf.GPT2LMHeadModel(hf.GPT2Config(**sizes)).eval().requires_grad_(False)


def _make_bart() -> Any:
    torch.manual_seed(1)
    sizes = {"vocab_size": 97, "d_model": 32, "max_position_embeddings": 64}
    for half in ("encoder", "decoder"):
        sizes |= {f"{half}_layers": 1, f"{half}_attention_heads": 4, f"{half}_ffn_dim": 48}
    config = hf.BartConfig(**sizes, forced_eos_token_id=None)
    return hf.BartForConditionalGeneration(config).eval().requires_grad_(False)


def _make_ids() -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 97, (2, 9), generator=torch.Generator().manual_seed(3))
    mask = torch.ones_like(ids)
    mask[0, :3] = ids[0, :3] = 0
    return {"input_ids": ids, "attention_mask": mask}


def check_decoder() -> None:
    module, prompt = make_gpt2(), _make_ids()
    compiled = parablock.generation(module)
    for options in ({}, {"num_beams": 3}, {"use_cache": False}):
        found = compiled.generate(**prompt, **_OPTIONS, **options)
        assert torch.equal(found, module.generate(**prompt, **_OPTIONS, **options)), options
    # A cache that goes on, under each name.
    ids = prompt["input_ids"][1:]
    expected = module(ids).logits[:, 5:]
    for name in CACHE_NAMES:
        first = compiled(ids[:, :5], use_cache=True)
        second = compiled(ids[:, 5:], use_cache=True, **{name: read_cache(first)})
        assert torch.allclose(second.logits, expected, atol=1e-4), name
        assert read_cache(second).get_seq_length() == 9
    kept = compiled.make_cache()
    found = compiled.generate(ids, **_OPTIONS, **pass_cache(kept))
    assert torch.equal(found, module.generate(ids, **_OPTIONS))
    assert kept.get_seq_length() == 14
    result = compiled.generate(ids, **_OPTIONS, return_dict_in_generate=True)
    assert getattr(result, CACHE).get_seq_length() == 14


def check_pair() -> None:
    module, prompt = _make_bart(), _make_ids()
    compiled = parablock.generation(module)
    found = compiled.generate(**prompt, **_OPTIONS)
    assert torch.equal(found, module.generate(**prompt, **_OPTIONS))


if __name__ == "__main__":
    check_decoder()
    check_pair()
    print(hf.__version__, CACHE)
