# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generation with weights of 8 and 4 bits, of rows with padding."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers as hf
from generating import OTHERS, QUICK, draw_prompt, get_compiled, get_module
from test_generation_pairs import draw_holes, get_pair

import parablock
from parablock.decoding import transformers_model

FORMS = ("int8", "int4")
#: How far codes may move logits, relative.
MOST = {"int8": 0.1, "int4": 0.6}


def _make_bart() -> Any:
    torch.manual_seed(5)
    sizes = {"vocab_size": 97, "d_model": 32, "decoder_layers": 1, "decoder_attention_heads": 4}
    config = hf.BartConfig(**sizes, decoder_ffn_dim=48, max_position_embeddings=64)
    module: Any = hf.BartForCausalLM(config).eval().requires_grad_(False)
    for parameter in module.parameters():
        parameter.normal_(0, 0.3)
    module.generation_config = hf.GenerationConfig(pad_token_id=0)
    return module


def _measure(found: torch.Tensor, exact: torch.Tensor, real: torch.Tensor) -> float:
    return float((found - exact)[real].norm() / exact[real].norm())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(each, marks=pytest.mark.full) for each in OTHERS)]
)
@torch.no_grad()
def test_rows_behind_padding(name: str, form: str) -> None:
    """A row gives the tokens that it gives alone, and logits near those without codes."""
    compiled, prompt = get_compiled(name, weights=form), draw_prompt()
    options = {"max_new_tokens": 4, "do_sample": False}
    found = compiled.generate(**prompt, **options)
    for row, start in enumerate((0, 4, 1)):
        ids = prompt["input_ids"][row : row + 1, start:]
        alone = compiled.generate(ids, **options)
        assert torch.equal(found[row, start:], alone[0])
    whole = get_compiled(name)(**prompt).logits
    distance = _measure(compiled(**prompt).logits, whole, prompt["attention_mask"].bool())
    assert 1e-4 < distance < MOST[form], distance


@pytest.mark.parametrize("form", FORMS)
@torch.no_grad()
def test_positions_of_padding(form: str) -> None:
    """BART's positions count padding, so a row alone has others."""
    module, prompt = _make_bart(), draw_prompt()
    compiled = parablock.generation(module, weights=form)
    real = prompt["attention_mask"].bool()
    exact = module(**prompt, use_cache=False).logits
    distance = _measure(compiled(**prompt).logits, exact, real)
    assert 1e-4 < distance < MOST[form], distance


def test_another_treatment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes hide no module that makes something else of padding than compiled code."""
    module = _make_bart()
    compiled = parablock.generation(module, weights="int4")
    own = transformers_model.run_padded

    def run_padded(given: Any) -> torch.Tensor:
        return own(given).roll(1, -1)

    monkeypatch.setattr(transformers_model, "run_padded", run_padded)
    with pytest.raises(parablock.Error, match="attention_mask: expected no padding"):
        compiled(**draw_prompt())
    other = parablock.generation(get_module("gpt2"), weights="int8")
    with pytest.raises(parablock.Error, match="attention_mask: expected no padding"):
        other(**draw_prompt())


@pytest.mark.parametrize("form", FORMS)
@torch.no_grad()
def test_padding_of_an_encoder(form: str) -> None:
    module, _ = get_pair("bart")
    source = draw_holes()
    call = {**source, "decoder_input_ids": source["input_ids"][:, :4], "use_cache": False}
    found = parablock.generation(module, weights=form)(**call).logits
    exact = module(**call).logits
    distance = _measure(found, exact, torch.ones(found.shape[:2], dtype=torch.bool))
    assert 1e-4 < distance < MOST[form], distance
