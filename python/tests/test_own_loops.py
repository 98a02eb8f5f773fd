# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose `generate` is not that of all others: the same loop runs compiled code."""

from __future__ import annotations

import functools
from typing import Any

import pytest
import torch
import transformers as hf
from families import VOCABULARY, randomise
from generating import HALVES, make_llama

import parablock
from parablock.decoding.own_loops import add_own_loop

pytestmark = pytest.mark.together("generation")

_SIZES = {
    "vocab_size": VOCABULARY,
    **HALVES,
}


@functools.cache
def get_whisper() -> tuple[Any, Any]:
    config = hf.WhisperConfig(
        **_SIZES, d_model=32, num_mel_bins=10, max_source_positions=16,
        max_target_positions=64, pad_token_id=0, eos_token_id=2, bos_token_id=1,
        decoder_start_token_id=3, suppress_tokens=None, begin_suppress_tokens=None,
    )  # fmt: skip
    module: Any = hf.WhisperForConditionalGeneration(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(
        pad_token_id=0, eos_token_id=2, decoder_start_token_id=3, max_length=30,
        suppress_tokens=[7, 8], is_multilingual=True, no_timestamps_token_id=50,
        lang_to_id={"<|en|>": 40, "<|de|>": 41},
        task_to_id={"transcribe": 42, "translate": 43},
    )  # fmt: skip
    return module, parablock.generation(module)


WHISPER: dict[str, dict[str, Any]] = {
    "language": {"language": "de", "task": "translate"},
    "detected": {},
    "beams": {"language": "en", "num_beams": 3},
    "times": {"language": "en", "return_timestamps": True},
}


@pytest.mark.parametrize("name", WHISPER)
def test_whisper(name: str) -> None:
    module, compiled = get_whisper()
    sounds = torch.randn(2, 10, 32, generator=torch.Generator().manual_seed(7))
    options = {"max_new_tokens": 9, **WHISPER[name]}
    wanted = module.generate(sounds, **options)
    assert torch.equal(compiled.generate(sounds, **options), wanted)
    # Without the loop of its own there is neither a language nor a task.
    assert not torch.equal(hf.GenerationMixin.generate(compiled, sounds), wanted)


def test_a_loop_that_asks_for_more_is_refused() -> None:
    """Sounds by codebooks, whose number the model itself would know."""
    config = hf.MusicgenMelodyDecoderConfig(
        vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        ffn_dim=48, num_codebooks=1, max_position_embeddings=64,
    )  # fmt: skip
    compiled = parablock.generation(hf.MusicgenMelodyForCausalLM(config).eval())
    with pytest.raises(parablock.Error, match="CausalLM.generate asks the model for 'num_cod"):
        compiled.generate(torch.ones(2, 1, dtype=torch.int64), max_new_tokens=3)
