# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pairs of upper layers, ladders, and budgets in what a model says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parablock
import pytest

@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> parablock.Model:
    """A small Llama of random weights."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        num_hidden_layers=4,
        hidden_size=32,
        intermediate_size=64,
        num_attention_heads=2,
        num_key_value_heads=2,
        vocab_size=31,
        max_position_embeddings=64,
    )
    folder = tmp_path_factory.mktemp("llama")
    transformers.LlamaForCausalLM(config).eval().save_pretrained(folder)
    return parablock.from_pretrained(folder)


def _list_exactness(model: parablock.Model) -> list[str]:
    return [layer["exactness"] for layer in model.explain().to_dict()["layers"]]


@pytest.mark.parametrize("pairing", ["block", "ladder"])
def test_from_layer(serial: parablock.Model, pairing: str) -> None:
    half = serial.optimize(parallel="all", pairing=pairing, from_layer="half")
    assert [e == "approximate" for e in _list_exactness(half)] == [False, False, True, True]
    top = serial.optimize(parallel="all", pairing=pairing, from_layer=3)
    assert [e == "approximate" for e in _list_exactness(top)] == [False] * 3 + [True]
    with pytest.raises(parablock.Error, match=r"no layer has index 9 \(from=9\)"):
        serial.optimize(parallel="all", from_layer=9)
    with pytest.raises(parablock.Error, match="option 'from_layer' requires None, the index"):
        serial.optimize(parallel="all", from_layer=1.5)  # type: ignore[arg-type]


def test_ladder(serial: parablock.Model, tmp_path: Path) -> None:
    """Runs, differs from the serial model and the pairs, and is the same when saved and read again."""
    ids = np.arange(8)[None]
    models = [serial, *(serial.optimize(parallel="all", pairing=p) for p in ("block", "ladder"))]
    results = [np.asarray(model.compile("cpu")(ids)["logits"]) for model in models]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.abs(results[i] - results[j]).max() > 1e-3
    exact = np.asarray(models[2].compile("reference")(ids)["logits"])
    assert np.abs(results[2] - exact).max() < 1e-4
    models[2].save_pretrained(tmp_path / "out")
    again = parablock.from_pretrained(tmp_path / "out").compile("cpu")(ids)["logits"]
    assert np.abs(np.asarray(again) - results[2]).max() < 1e-5


def test_drift_of_ladders(serial: parablock.Model, tmp_path: Path) -> None:
    ids = np.random.default_rng(0).integers(0, 31, (64, 12))
    options = {"pairing": "ladder", "from_layer": 2, "generate": 0}
    plain = serial.drift(ids, **options)
    drift = serial.drift(ids, correction="refit", **options)
    assert drift.chosen == ["2", "3"] and drift.choice.to_dict()["pairing"] == "ladder"
    assert drift.to_dict()["measured_kl"] < plain.to_dict()["measured_kl"]
    model = serial.optimize(parallel=drift)
    stamps = [layer["approx"] for layer in model.count()["layers"]]
    assert [stamp and stamp["measured"] for stamp in stamps[:2]] == [None, None]
    for stamp in stamps[2:]:
        assert stamp["measured"] == pytest.approx(drift.to_dict()["measured_kl"], rel=1e-3)
    # With the refitted weights it is nearer to the serial model than without.
    wanted = np.asarray(serial.compile("cpu")(ids)["logits"])
    unfitted = serial.optimize(parallel="all", pairing="ladder", from_layer=2)
    errors = [np.abs(np.asarray(each.compile("cpu")(ids)["logits"]) - wanted).mean() for each in (model, unfitted)]
    assert 0 < errors[0] < errors[1]
    model.save_pretrained(tmp_path / "out")
    again = parablock.from_pretrained(tmp_path / "out").compile("cpu")(ids)["logits"]
    assert np.abs(np.asarray(again) - np.asarray(model.compile("cpu")(ids)["logits"])).max() < 1e-5


def test_budgets(serial: parablock.Model) -> None:
    ids = np.random.default_rng(0).integers(0, 31, (16, 12))
    limits = {"budget_generation": 0.0, "budget_perplexity": 100.0}
    drift = serial.drift(ids, blocks="1-3", from_layer="half", **limits)
    report = drift.to_dict()
    assert report["chosen"] == ["2", "3"] and report["within_budget"]
    assert report["generation"]["tokens"] == 6 and "perplexity_ratio" in report
    assert "Greedy continuations of 6 tokens:" in str(drift)
    assert "Budget of generation 0: select" in str(drift)
    none = serial.drift(ids, generate=0, from_layer=3)
    assert none.to_dict()["generation"] is None and none.chosen == ["3"]
    cost = serial.drift(ids, generate=0).to_dict()["predicted_kl"]
    for budget in (0.3 * cost, 0.7 * cost, 1e9):
        top = serial.drift(ids, budget=budget, budget_order="top", generate=0, blocks="0-3").to_dict()
        count = len(top["chosen"])
        assert top["chosen"] == ["0", "1", "2", "3"][4 - count :] and top["budget_order"] == "top"
    assert count == 4
    with pytest.raises(parablock.Error, match="budget_order: expected cheapest or top"):
        serial.drift(ids, budget=1.0, budget_order="upper")
    with pytest.raises(parablock.Error, match="budget_order: expected a budget that limits"):
        serial.drift(ids, budget_order="top")
    with pytest.raises(parablock.Error, match="budget_perplexity: expected a ratio"):
        serial.drift(ids, budget_perplexity=0.5)
    with pytest.raises(parablock.Error, match="generate: expected a whole number of at least 0"):
        serial.drift(ids, generate=-1)
