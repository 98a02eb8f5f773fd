# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders whose positions are rows of a table that each call counts anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from families import VOCABULARY, randomise
from generating import (
    HALVES,
    assert_close,
    count_positions,
    draw_prompt,
    get_exact_logits,
)
from transformers.modeling_outputs import CausalLMOutput

import parablock
from parablock.decoding.importing import _check_rows, _DecoderAtRows
from parablock.decoding.positions import find_position_table

pytestmark = pytest.mark.together("generation")

_SIZES = {
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 64,
    "pad_token_id": 1,
    "bos_token_id": None,
    "eos_token_id": None,
}
_HALVES = {
    **HALVES,
    "d_model": 32,
    "decoder_start_token_id": 2,
}


def make(kind: str, config: type, **options: Any) -> Any:
    torch.manual_seed(0)
    module: Any = getattr(hf, kind)(config(**{**_SIZES, **options})).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=1, decoder_start_token_id=2)
    return module


def make_projected(**options: Any) -> Any:
    sizes = {"hidden_size": 32, "word_embed_proj_dim": 16, "num_hidden_layers": 1}
    sizes |= {"num_attention_heads": 4, "ffn_dim": 48}
    return make("OPTForCausalLM", hf.OPTConfig, **sizes, **options)


def make_xglm() -> Any:
    sizes = {"d_model": 32, "num_layers": 1, "attention_heads": 4, "ffn_dim": 48}
    return make("XGLMForCausalLM", hf.XGLMConfig, **sizes)


def make_m2m(**options: Any) -> Any:
    kind = "M2M100ForConditionalGeneration"
    return make(kind, hf.M2M100Config, **_HALVES, **options)


DECODERS = {
    "opt-projected": make_projected,
    "xglm": make_xglm,
    "blenderbot-small": lambda: make(
        "BlenderbotSmallForCausalLM", hf.BlenderbotSmallConfig, **_HALVES, is_decoder=True
    ),
}


@pytest.mark.parametrize(
    "name",
    [n if n == "opt-projected" else pytest.param(n, marks=pytest.mark.full) for n in DECODERS],
)
def test_decoders(name: str) -> None:
    """Tokens are transformers', with padding in front, and logits are near float64."""
    module = DECODERS[name]()
    compiled = parablock.generation(module)
    prompt = draw_prompt()
    options = {"max_new_tokens": 7, "do_sample": False}
    for mode in ({}, {"num_beams": 2}, {"use_cache": False}):
        expected = module.generate(**prompt, **options, **mode)
        assert torch.equal(compiled.generate(**prompt, **options, **mode), expected), mode
        if not mode:
            assert compiled.report()["reason"] == "positions are rows of a table of the module"
    mask = torch.nn.functional.pad(prompt["attention_mask"], (0, 7), value=1)
    given = {"attention_mask": mask}
    if name != "blenderbot-small":
        given["position_ids"] = count_positions(mask)
    expected = module.generate(**prompt, **options)
    exact = get_exact_logits(module, expected, mask)
    assert_close(compiled(expected, **given).logits, exact, mask)


def test_padding_among_tokens() -> None:
    """M2M100 gives padding a position of its own: that of rows that have ended, too."""
    module = make_m2m()
    compiled = parablock.generation(module)
    generator = torch.Generator().manual_seed(7)
    ids = torch.randint(5, VOCABULARY, (3, 8), generator=generator)
    mask = torch.ones_like(ids)
    mask[1, 3:] = mask[2, 6:] = 0
    ids[mask == 0] = 1
    given = {"input_ids": ids, "attention_mask": mask, "do_sample": True}
    given |= {"max_new_tokens": 8, "return_dict_in_generate": True, "output_logits": True}

    def draw(model: Any, stop: int | None) -> Any:
        torch.manual_seed(6)
        return model.generate(**given, eos_token_id=stop)

    # Others go on where the first row has ended.
    stop = int(draw(module, None).sequences[0, 1])
    expected, found = draw(module, stop), draw(compiled, stop)
    assert (expected.sequences[0, 2:] == 1).all() and expected.sequences.shape[1] > 4
    assert torch.equal(found.sequences, expected.sequences)
    for a, b in zip(found.logits, expected.logits, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)
    # A prompt for the decoder that has padding inside.
    start = torch.tensor([[2, 7, 1, 9]] * 3)
    call = {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": start}
    torch.testing.assert_close(
        compiled(**call).logits, module(**call, use_cache=False).logits, rtol=1e-4, atol=1e-4
    )


def test_rows() -> None:
    table = find_position_table(make_m2m().get_decoder())
    assert table is not None and table.constant is not None
    ids = np.array([[5, 1, 6]])
    assert table.find_rows(ids, 4, np.zeros(1, np.int64)).tolist() == [[6, 1, 7]]
    table = find_position_table(make_projected())
    assert table is not None and table.constant is None
    rows = table.find_rows(np.array([[5, 1, 6]]), 4, np.array([5]))
    assert rows.tolist() == [[2, 2, 3]]
    # Two tables: nobody knows which of them is meant.
    assert find_position_table(torch.nn.ModuleList([make_projected(), make_xglm()])) is None


def test_others_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is counted in another way is no table that is known."""
    kind = hf.models.opt.modeling_opt.OPTLearnedPositionalEmbedding
    before = kind.forward

    def count_twice(self: Any, *args: Any, position_ids: Any = None) -> Any:
        return before(self, *args, position_ids=2 * position_ids)

    monkeypatch.setattr(kind, "forward", count_twice)
    with pytest.raises(parablock.Error, match="embed_positions"):
        parablock.generation(make_projected())


class _RowsAndPlaces(torch.nn.Embedding):
    def forward(self, ids: torch.Tensor) -> Any:
        places = torch.arange(ids.shape[1])
        return super().forward(places), places


class _DecoderOfBoth(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.positions = _RowsAndPlaces(8, 4)

    def forward(self, input_ids: torch.Tensor, use_cache: bool = False) -> Any:
        rows, _ = self.positions(input_ids)
        return CausalLMOutput(logits=rows.expand(len(input_ids), -1, -1))


def test_parts_that_give_more_than_rows() -> None:
    """A table that gives places as well, as ProphetNet's does, is none that is known."""
    module = _DecoderOfBoth()
    table = find_position_table(module)
    assert table is not None
    ids = torch.zeros(3, 4, dtype=torch.int64)
    with pytest.raises(parablock.Error, match="positions cannot be rows of a table: too many"):
        _check_rows(
            _DecoderAtRows(module, table), {"input_ids": ids, "position_ids": ids}, "input_ids"
        )


def test_rotations_of_long_texts() -> None:
    """LongRoPE turns by other numbers beyond some tokens, which is where it ends here."""
    rope = {"rope_type": "longrope", "rope_theta": 1e4, "original_max_position_embeddings": 16}
    rope |= {"short_factor": [1.0, 1.5], "long_factor": [4.0, 6.0]}
    config = hf.Phi3Config(
        vocab_size=97, hidden_size=16, intermediate_size=24, num_hidden_layers=1,
        num_attention_heads=4, max_position_embeddings=64, rope_parameters=rope,
        original_max_position_embeddings=16, pad_token_id=0, sliding_window=None,
    )  # fmt: skip
    module: Any = hf.Phi3ForCausalLM(config).eval()
    randomise(module)
    module.generation_config = hf.GenerationConfig(pad_token_id=0)
    compiled = parablock.generation(module)
    options = {"max_new_tokens": 7, "do_sample": False}
    found = compiled.generate(**draw_prompt(), **options)
    assert torch.equal(found, module.generate(**draw_prompt(), **options))
    with pytest.raises(parablock.Error, match="expected at most 16 tokens, .*, got 17"):
        compiled.generate(**draw_prompt(), **{**options, "max_new_tokens": 9})
