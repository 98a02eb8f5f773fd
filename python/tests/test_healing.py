# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Healing from Python: the result becomes a model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parablock
import pytest
import torch
import transformers

SIZES = {
    "num_hidden_layers": 2,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "vocab_size": 61,
}


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> parablock.Model:
    torch.manual_seed(0)
    folder = tmp_path_factory.mktemp("serial")
    config = transformers.LlamaConfig(**SIZES, initializer_range=0.1)
    transformers.LlamaForCausalLM(config).eval().save_pretrained(folder)
    return parablock.from_pretrained(folder)


def _draw(rows: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 61, (rows, 16))


def _compute(model: parablock.Model, ids: np.ndarray) -> np.ndarray:
    return np.asarray(model.compile("cpu")(ids).logits)


def test_heal(serial: parablock.Model, tmp_path: Path) -> None:
    data, more = _draw(128, 1), _draw(256, 2)
    state = tmp_path / "state.safetensors"
    healed = parablock.heal(
        serial, data, 40_000, training_data=more, rate=1e-3, checkpoint=state, blocks="0"
    )
    assert state.exists()
    report = healed.to_dict()["healing"]
    assert report["start"] == "refit"
    assert report["kl"]["healed"] < report["kl"]["start"] < report["kl"]["plain"]
    assert "Healed with 38912 tokens: KL" in str(healed)
    fast = serial.optimize(parallel=healed)
    ids = data[-2:]
    expected = _compute(serial, ids)
    plain = _compute(serial.optimize(parallel="0"), ids)
    logits = _compute(fast, ids)
    assert np.linalg.norm(logits - expected) < 0.75 * np.linalg.norm(plain - expected)
    fast.save_pretrained(tmp_path / "healed")
    back = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "healed", trust_remote_code=True)
    with torch.no_grad():
        found = back.eval()(torch.tensor(ids)).logits.numpy()
    assert np.linalg.norm(found - logits) < 1e-5 * np.linalg.norm(logits)


def test_codes_and_ranks(serial: parablock.Model) -> None:
    data = _draw(128, 1)
    healed = parablock.heal(serial, data, 8192, blocks="0", rate=1e-3, codes="int4", lora=2, streams=0.5)
    report = healed.to_dict()["healing"]
    assert (report["codes"], report["lora"], report["stream_factor"]) == ("int4-g32", 2, 0.5)
    # Of layer 0 all numbers are of codes already, those of layer 1 are rounded alone.
    models = [serial.optimize(parallel=healed, weights=form) for form in (None, "int4")]
    rounded = [serial.optimize(parallel="0", weights=form) for form in (None, "int4")]
    distances = [
        np.linalg.norm(np.subtract(*(_compute(model, data[-2:]) for model in pair))) for pair in (models, rounded)
    ]
    assert 0 < distances[0] < 0.9 * distances[1]


def test_refusals(serial: parablock.Model) -> None:
    data = _draw(64, 1)
    with pytest.raises(parablock.Error, match=r"tokens: expected at least the 2048 tokens of one step, got 5"):
        parablock.heal(serial, data, 5, correction="none")
    with pytest.raises(parablock.Error, match="option 'tokens' requires"):
        parablock.heal(serial, data, 0)
    with pytest.raises(parablock.Error, match="option 'model' requires a model of from_pretrained"):
        parablock.heal("model", data, 4096)  # type: ignore[arg-type]
    for option, value, words in (
        ("lora", 0, "option 'lora' requires"),
        ("codes", "int5", "codes: expected int8, int4-g128"),
        ("codes", 4, "option 'codes' requires None or a form of codes"),
        ("streams", -1.0, "streams: expected a finite number of at least 0, got -1"),
    ):
        with pytest.raises(parablock.Error, match=words):
            parablock.heal(serial, data, 4096, correction="none", **{option: value})
    with pytest.raises(parablock.Error, match=r"targets: expected teacher or text, got 'both'"):
        parablock.heal(serial, data, 4096, targets="both")
