# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Routed experts that run beside the attention of the next layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import parablock
import pytest
from parablock.__main__ import main
from parablock.weights import write_safetensors


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a small GLM with shared experts, of random weights; its first layer is dense."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.Glm4MoeConfig(
        num_hidden_layers=3,
        hidden_size=16,
        intermediate_size=24,
        moe_intermediate_size=12,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        n_routed_experts=8,
        n_shared_experts=1,
        num_experts_per_tok=2,
        first_k_dense_replace=1,
        vocab_size=31,
        max_position_embeddings=64,
        initializer_range=0.3,
    )
    path = tmp_path_factory.mktemp("glm")
    transformers.Glm4MoeForCausalLM(config).eval().save_pretrained(path)
    return path


def test_shortcut(folder: Path) -> None:
    """It is neither the serial model nor its shifted pair, on each engine and token by token."""
    serial = parablock.from_pretrained(folder)
    ids = np.arange(12)[None]
    shortcut = serial.optimize("all", pairing="shortcut")
    models = [serial, shortcut, serial.optimize("1+")]
    results = [np.asarray(model.compile("cpu")(ids)["logits"]) for model in models]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.abs(results[i] - results[j]).max() > 1e-3 * np.abs(results[i]).max()
    exact = np.asarray(shortcut.compile("reference")(ids)["logits"])
    assert np.abs(results[1] - exact).max() < 1e-4 * np.abs(exact).max()
    forms = {layer["name"]: layer["form"] for layer in shortcut.count()["layers"]}
    assert forms["model.layers.1+"] == "parallel-shortcut"
    with pytest.raises(parablock.Error, match="requires separate under pairing=shortcut"):
        serial.optimize("all", pairing="shortcut", norm="shared")
    with pytest.raises(parablock.Error, match="requires parallel under pairing=shortcut"):
        serial.optimize("all", pairing="shortcut", router="serial")
    assert main(["explain", str(folder), "--parallel=all", "--pairing=shortcut"]) == 0


def test_drift(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was measured and fitted is what the converted model has."""
    serial = parablock.from_pretrained(folder)
    ids = np.random.default_rng(0).integers(0, 31, (64, 16))
    options = {"pairing": "shortcut", "generate": 0, "engine": "reference"}
    plain = serial.drift(ids, **options).to_dict()
    fitted = serial.drift(ids, correction="refit", **options)
    assert fitted.chosen == ["1+"] and fitted.choice.to_dict()["pairing"] == "shortcut"
    assert fitted.to_dict()["measured_kl"] < plain["measured_kl"]
    model = serial.optimize(parallel=fitted)
    assert "pairing=shortcut" in str(model)
    wanted = np.asarray(serial.compile("reference")(ids)["logits"])
    unfitted = serial.optimize("all", pairing="shortcut")
    errors = [np.abs(np.asarray(m.compile("reference")(ids)["logits"]) - wanted).mean() for m in (model, unfitted)]
    assert 0 < errors[0] < errors[1]
    data = tmp_path / "ids.safetensors"
    write_safetensors(data, [("input_ids", ids, "i64")])
    flags = [f"--data={data}", "--pairing=shortcut", "--generate=0", "--engine=reference"]
    assert main(["drift", str(folder), *flags]) == 0
    assert "chosen: 1+" in capsys.readouterr().out
