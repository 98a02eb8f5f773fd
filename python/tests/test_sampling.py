# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters of logits beside transformers' processors, and draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel, LogitsProcessorList

import parablock
from parablock.decoding.sampling import Sampler, Sampling, softmax

VOCABULARY, ROWS = 331, 5

OPTIONS: list[dict[str, Any]] = [
    {"temperature": 0.7},
    {"temperature": 1.0, "top_k": 13},
    {"temperature": 1.0, "top_k": 1000},
    {"temperature": 1.3, "top_p": 0.83},
    {"temperature": 1.0, "top_p": 0.0},
    {"temperature": 0.6, "min_p": 0.07},
    {"temperature": 1.0, "min_p": 1.0},
    {"temperature": 1.0, "repetition_penalty": 1.7},
    {"temperature": 1.0, "repetition_penalty": 0.4},
    {
        "temperature": 0.8,
        "top_k": 40,
        "top_p": 0.9,
        "min_p": 0.02,
        "repetition_penalty": 1.2,
    },
]


@pytest.fixture(scope="module")
def processors() -> Any:
    """What makes transformers' processors of options, in the order of `generate`."""
    model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_embd=8, n_head=1, vocab_size=VOCABULARY))

    def make(options: dict[str, Any]) -> LogitsProcessorList:
        # generate's own default is the 50 best ones.
        given = GenerationConfig(do_sample=True, **{"top_k": 0, **options})
        return model._get_logits_processor(given, input_ids_seq_length=0, device="cpu")

    return make


def draw_scores(ties: bool) -> tuple[np.ndarray, np.ndarray]:
    """Scores, and tokens that were there before; ties as bf16 makes them."""
    generator = torch.Generator().manual_seed(3)
    scores = 3 * torch.randn(ROWS, VOCABULARY, generator=generator)
    if ties:
        scores = scores.bfloat16().float()
    ids = torch.randint(0, VOCABULARY, (ROWS, 17), generator=generator)
    return scores.numpy(), ids.numpy()


@pytest.mark.parametrize("ties", [False, True], ids=["apart", "ties"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_filters_equal_transformers(
    processors: Any, options: dict[str, Any], ties: bool
) -> None:
    scores, ids = draw_scores(ties)
    expected = processors(options)(torch.tensor(ids), torch.tensor(scores)).numpy()
    seen = np.zeros(scores.shape, bool)
    for marks, row in zip(seen, ids, strict=True):
        marks[row] = True
    given = scores.copy()
    found = Sampling(**options).filter(given, seen)
    assert np.array_equal(given, scores)
    if ties:
        # Which of equal ones go is chance in PyTorch's sort.
        found, expected = np.sort(found, axis=1), np.sort(expected, axis=1)
        scores = np.sort(scores, axis=1)
    assert np.array_equal(np.isinf(found), np.isinf(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    changed = not np.array_equal(found, scores)
    assert changed or options == {"temperature": 1.0, "top_k": 1000}


def test_filters_do_something() -> None:
    scores, _ = draw_scores(False)
    for options in ({"top_k": 13}, {"top_p": 0.5}, {"min_p": 0.1}):
        found = Sampling(temperature=1.0, **options).filter(scores, None)
        kept = np.isfinite(found).sum(1)
        assert ((0 < kept) & (kept < VOCABULARY / 2)).all()


def test_greedy_takes_the_best() -> None:
    scores, _ = draw_scores(False)
    chosen = Sampler(Sampling(top_k=3), None, ROWS).choose(scores, None)
    assert np.array_equal(chosen, scores.argmax(1))


def test_draws_follow_the_chances() -> None:
    scores = np.log(np.array([[0.5, 0.3, 0.15, 0.05]], np.float32))
    sampler = Sampler(Sampling(temperature=1.0), 7, 1)
    drawn = [int(sampler.choose(scores, None)[0]) for _ in range(4000)]
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    assert np.abs(shares - softmax(scores)[0]).max() < 0.03
    sampler = Sampler(Sampling(temperature=1.0, top_k=2), 7, 1)
    assert {int(sampler.choose(scores, None)[0]) for _ in range(200)} == {0, 1}


def test_seeds_repeat_row_by_row() -> None:
    scores, _ = draw_scores(False)
    sampling = Sampling(temperature=2.0)

    def draw(seed: int | None, rows: int) -> list[list[int]]:
        sampler = Sampler(sampling, seed, rows)
        return [sampler.choose(scores[:rows], None).tolist() for _ in range(9)]

    assert draw(5, 3) == draw(5, 3) != draw(6, 3)
    assert draw(None, 3) != draw(None, 3)
    # A row does not depend on how many others there are.
    assert [row[:2] for row in draw(5, 3)] == draw(5, 2)


BAD: list[tuple[dict[str, Any], str]] = [
    ({"temperature": -1}, "temperature: expected a number from 0 on, got -1"),
    ({"temperature": "hot"}, "temperature: expected a number, got 'hot'"),
    ({"temperature": float("nan")}, "temperature: expected a number from 0 on, got nan"),
    ({"top_p": 1.5}, "top_p: expected a number from 0 to 1, got 1.5"),
    ({"min_p": -0.1}, "min_p: expected a number from 0 to 1, got -0.1"),
    ({"repetition_penalty": 0}, "repetition_penalty: expected more than 0, got 0"),
    ({"top_k": -1}, r"top_k: expected 0 \(all tokens\) or more, got -1"),
    ({"top_k": 1.5}, "top_k: expected a whole number, got 1.5"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[str(o) for o, _ in BAD])
def test_bad_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        Sampler(Sampling(**options), None, 1)


@pytest.mark.parametrize("seed", [-1, 1.5, True])
def test_bad_seeds(seed: Any) -> None:
    said = "seed: expected None or a whole number from 0 on"
    with pytest.raises(parablock.Error, match=said):
        Sampler(Sampling(), seed, 1)
