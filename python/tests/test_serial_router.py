# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of experts whose router stays behind the attention."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from safetensors.torch import save_file

import parablock
from parablock.__main__ import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a small Mixtral of random weights."""
    torch.manual_seed(0)
    config = transformers.MixtralConfig(
        num_hidden_layers=2,
        hidden_size=16,
        intermediate_size=24,
        num_attention_heads=2,
        num_key_value_heads=2,
        num_local_experts=4,
        vocab_size=31,
        max_position_embeddings=64,
    )
    path = tmp_path_factory.mktemp("mixtral")
    transformers.MixtralForCausalLM(config).eval().save_pretrained(path)
    return path


def test_serial_router(folder: Path, tmp_path: Path) -> None:
    serial = parablock.from_pretrained(folder)
    ids = np.arange(12)[None]
    models = [serial, *(serial.optimize("all", router=r) for r in ("parallel", "serial"))]
    results = [np.asarray(model.compile("cpu")(ids)["logits"]) for model in models]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert np.abs(results[i] - results[j]).max() > 1e-3 * np.abs(results[i]).max()
    exact = np.asarray(models[2].compile("reference")(ids)["logits"])
    assert np.abs(results[2] - exact).max() < 1e-4 * np.abs(exact).max()
    with pytest.raises(parablock.Error, match="got router='serial'"):
        models[2].save_pretrained(tmp_path / "out")
    with pytest.raises(parablock.Error, match="expected parallel or serial, got 'fresh'"):
        serial.optimize("all", router="fresh")
    assert main(["explain", str(folder), "--parallel=all", "--router=serial"]) == 0


def test_drift(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was measured and fitted is what the converted model has."""
    serial = parablock.from_pretrained(folder)
    ids = np.random.default_rng(0).integers(0, 31, (64, 16))
    options = {"router": "serial", "generate": 0, "engine": "reference"}
    plain = serial.drift(ids, **options).to_dict()
    fitted = serial.drift(ids, correction="refit", **options)
    assert fitted.to_dict()["measured_kl"] < plain["measured_kl"]
    model = serial.optimize(parallel=fitted)
    assert "router=serial" in str(model)
    logits = [np.asarray(m.compile("reference")(ids[:2])["logits"]) for m in (serial, model)]
    assert np.abs(logits[0] - logits[1]).max() > 1e-4
    data = tmp_path / "ids.safetensors"
    save_file({"input_ids": torch.as_tensor(ids)}, data)
    options = [f"--data={data}", "--router=serial", "--generate=0", "--engine=reference"]
    assert main(["drift", str(folder), *options]) == 0
    assert "chosen: 0,1" in capsys.readouterr().out
