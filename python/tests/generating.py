# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of generation share: small decoders, padded prompts, exact logits."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import torch
import transformers as hf
from families import FAMILIES, VOCABULARY
from oracle import check_near, run_exactly

import parablock

#: Small halves of encoder-decoders, as BART's configuration and those like it have them.
HALVES = {
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
}

#: Decoders of families.py: those that differ most, and the others. Importing one takes
#: seconds.
QUICK = ("gpt2", "gemma2", "bloom")
OTHERS = (
    *("mistral", "gpt_neox", "gptj", "codegen", "gpt_neox-serial", "falcon-7b", "falcon-40b"),
    *(
        "falcon-rw",
        "mpt",
        "opt",
        "phi",
        "phi3",
        "llama",
        "qwen2",
        "qwen3",
        "gemma",
        "gemma3_text",
        "olmo2",
        "granite",
    ),
    *("cohere", "cohere-qk-norm", "stablelm", "stablelm-parallel"),
)


@functools.cache
def get_module(name: str) -> Any:
    """A small model; it is the same one each time, so nobody may change it."""
    module: Any = FAMILIES[name].make()
    if name in QUICK and name != "gemma2":
        # Importing takes a second for each layer; Gemma's are of two kinds.
        module.transformer.h = module.transformer.h[:1]
        module.config.num_hidden_layers = 1
    module.generation_config.pad_token_id = 0
    return module


@functools.cache
def get_compiled(name: str, **options: Any) -> Any:
    return parablock.generation(get_module(name), **options)


def make_llama(**options: Any) -> Any:
    """A small Llama that ends at token 2, which also pads, such as a test may change."""
    usual = {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 48,
        "max_position_embeddings": 128,
        "pad_token_id": 2,
        "bos_token_id": 1,
        "eos_token_id": 2,
    }
    torch.manual_seed(options.pop("seed", 0))
    module = hf.LlamaForCausalLM(hf.LlamaConfig(**{**usual, **options})).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() > 1:
                parameter.copy_(torch.randn(parameter.shape) * 1.5 / parameter.shape[-1] ** 0.5)
    return module


def draw_prompt(padding: tuple[int, ...] = (0, 4, 1), tokens: int = 9) -> dict[str, Any]:
    """Rows with so much padding in front."""
    generator = torch.Generator().manual_seed(4)
    ids = torch.randint(5, VOCABULARY, (len(padding), tokens), generator=generator)
    mask = torch.ones_like(ids)
    for row, count in enumerate(padding):
        mask[row, :count] = ids[row, :count] = 0
    return {"input_ids": ids, "attention_mask": mask}


def count_positions(mask: torch.Tensor) -> torch.Tensor:
    positions: torch.Tensor = (mask.cumsum(1) - 1).clamp(min=0)
    return positions


def get_exact_logits(module: Any, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Logits of all tokens in float64, as `generate` calls the model."""
    call = {"input_ids": ids, "attention_mask": mask, "use_cache": False}
    if "position_ids" in inspect.signature(module.forward).parameters:
        call["position_ids"] = count_positions(mask)
    logits: torch.Tensor = run_exactly(module, (), call).logits
    return logits


def assert_close(logits: torch.Tensor, exact: torch.Tensor, mask: torch.Tensor) -> None:
    """Logits of real tokens are near the exact ones."""
    real = mask.bool()
    check_near(logits[real], exact[real])
