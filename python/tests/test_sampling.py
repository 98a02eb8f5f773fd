# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Filters of logits beside transformers' processors, and draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from points import find_points
from transformers import GenerationConfig, GPT2Config, GPT2LMHeadModel, LogitsProcessorList

import parablock
from parablock.decoding.sampling import Sampling, read_seed
from parablock.native import get_core_module

VOCABULARY, ROWS = 331, 5
CORE = get_core_module()
CONTEXT = CORE.Context()

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


def filter_rows(
    options: dict[str, Any], scores: np.ndarray, seen: np.ndarray | None = None
) -> np.ndarray:
    """What the extension makes of rows of logits."""
    found = scores.copy()
    marks = np.zeros(scores.shape, np.uint8) if seen is None else seen
    for row, own in zip(found, marks, strict=True):
        CORE.filter_logits(CONTEXT, Sampling(**options).make(), row, own)
    return found


def choose(
    options: dict[str, Any], scores: np.ndarray, seed: int = 0, row: int = 0, step: int = 0
) -> int:
    """The token that the extension chooses of filtered scores of one row."""
    sampling = Sampling(**options).make()
    return int(CORE.choose_token(CONTEXT, sampling, seed, row, step, scores))


def softmax(scores: np.ndarray) -> np.ndarray:
    powers: np.ndarray = np.exp(scores.astype(np.float64) - scores.max())
    return powers / powers.sum()


@pytest.mark.parametrize("ties", [False, True], ids=["apart", "ties"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_filters_equal_transformers(
    processors: Any, options: dict[str, Any], ties: bool
) -> None:
    scores, ids = draw_scores(ties)
    expected = processors(options)(torch.tensor(ids), torch.tensor(scores)).numpy()
    seen = np.zeros(scores.shape, np.uint8)
    for marks, row in zip(seen, ids, strict=True):
        marks[row] = 1
    found = filter_rows(options, scores, seen)
    if ties:
        # Which of equal ones go is chance in PyTorch's sort.
        found, expected = np.sort(found, axis=1), np.sort(expected, axis=1)
        scores = np.sort(scores, axis=1)
    assert np.array_equal(np.isinf(found), np.isinf(expected))
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    changed = not np.array_equal(found, scores)
    assert changed or options == {"temperature": 1.0, "top_k": 1000}


def test_filters_by_their_formulas() -> None:
    """Written once more here, row by row, in float64; many more tokens are kept."""
    generator = np.random.default_rng(11)
    scores = generator.normal(size=(ROWS, 3000)).astype(np.float32)
    for row in scores:
        chances, order = softmax(row), np.argsort(-row, kind="stable")
        for count in (1, 7, 2999, 3000):
            found = np.isfinite(filter_rows({"temperature": 1.0, "top_k": count}, row[None])[0])
            assert set(np.flatnonzero(found)) == set(order[:count])
        for mass in (0.001, 0.3, 0.9, 0.999):
            kept = np.searchsorted(np.cumsum(chances[order]), mass) + 1
            found = np.isfinite(filter_rows({"temperature": 1.0, "top_p": mass}, row[None])[0])
            assert set(np.flatnonzero(found)) == set(order[:kept])
        for share in (0.9, 0.05, 0.001):
            found = np.isfinite(filter_rows({"temperature": 1.0, "min_p": share}, row[None])[0])
            assert np.array_equal(found, chances >= share * chances.max())


def test_of_equal_tokens_the_first_go() -> None:
    scores = np.array([[1, 2, 1, 2, 1]], np.float32)
    # Each 2 has 0.322 of the sum, each 1 has 0.119.
    found = filter_rows({"temperature": 1.0, "top_p": 0.7}, scores)[0]
    assert np.isfinite(found).tolist() == [False, True, False, True, True]
    found = filter_rows({"temperature": 1.0, "top_k": 3}, scores)[0]
    assert np.isfinite(found).all()


def test_greedy_takes_the_best() -> None:
    scores, _ = draw_scores(False)
    assert np.array_equal(filter_rows({"top_k": 3}, scores), scores)
    for row in scores:
        assert choose({"top_k": 3}, row) == row.argmax()
    assert choose({}, np.array([1, 3, 3], np.float32)) == 1


def test_draws_by_their_formula() -> None:
    """The number of a seed, a row and a step points into the sums of chances."""
    scores, _ = draw_scores(False)
    options = {"temperature": 0.9, "top_k": 40}
    for seed in (0, 7, 2**64 - 1):
        for row, own in enumerate(filter_rows(options, scores)):
            sums = np.cumsum(softmax(own))
            for step, point in enumerate(find_points(seed, row, 20)):
                expected = np.searchsorted(sums, point * sums[-1], "right")
                assert choose(options, own, seed, row, step) == expected


def test_draws_follow_the_chances() -> None:
    scores = np.log(np.array([0.5, 0.3, 0.15, 0.05], np.float32))
    drawn = [choose({"temperature": 1.0}, scores, 7, step=step) for step in range(4000)]
    shares = np.bincount(drawn, minlength=4) / len(drawn)
    assert np.abs(shares - softmax(scores)).max() < 0.03
    two = filter_rows({"temperature": 1.0, "top_k": 2}, scores[None])[0]
    drawn = [choose({"temperature": 1.0}, two, 7, step=step) for step in range(200)]
    assert {*drawn} == {0, 1}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"temperature": -1}, "temperature: expected a number from 0 on, got -1"),
    ({"temperature": "hot"}, "option 'temperature' requires a number, got 'hot'"),
    ({"temperature": True}, "option 'temperature' requires a number, got True"),
    ({"temperature": float("nan")}, "option 'temperature' requires a finite number, got nan"),
    ({"top_p": 1.5}, "top_p: expected a number from 0 to 1, got 1.5"),
    ({"min_p": -0.1}, "min_p: expected a number from 0 to 1, got -0.1"),
    ({"repetition_penalty": 0}, "repetition_penalty: expected more than 0, got 0"),
    (
        {"repetition_penalty": float("inf")},
        "option 'repetition_penalty' requires a finite number, got inf",
    ),
    ({"top_k": -1}, r"top_k: expected 0 \(all tokens\) or more, got -1"),
    ({"top_k": 1.5}, "option 'top_k' requires a whole number, got 1.5"),
]


@pytest.mark.parametrize(("options", "said"), BAD, ids=[str(o) for o, _ in BAD])
def test_bad_options(options: dict[str, Any], said: str) -> None:
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        filter_rows(options, np.zeros((1, 3), np.float32))


@pytest.mark.parametrize("values", [[1, np.nan], [np.inf, 1], [-np.inf, -np.inf], []])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_logits_without_a_best_one(values: list[float], temperature: float) -> None:
    said = "expected logits with a largest number among them, got NaN or infinite ones"
    options = {"temperature": temperature}
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        filter_rows({**options, "top_p": 0.5}, np.array([values], np.float32))
    with pytest.raises(parablock.Error, match=f"^{said}$"):
        choose(options, np.array(values, np.float32))


def test_temperatures_that_leave_no_numbers() -> None:
    with pytest.raises(parablock.Error, match="expected logits with a largest number"):
        filter_rows({"temperature": 1e-60}, np.array([[1, 2]], np.float32))


@pytest.mark.parametrize("seed", [-1, 1.5, True, 1 << 64])
def test_bad_seeds(seed: Any) -> None:
    said = r"option 'seed' requires None or a whole number from 0 to 2\^64 - 1, got "
    with pytest.raises(parablock.Error, match=said):
        read_seed(seed)


def test_seeds() -> None:
    assert read_seed(np.int32(5)) == 5 and read_seed((1 << 64) - 1) == (1 << 64) - 1
    assert read_seed(None) != read_seed(None)
