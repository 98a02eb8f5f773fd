# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders with codes of 8 and 4 bits, in transformers with compressed-tensors and in Parablock."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from oracle import check_near, get_distance, run_exactly
from safetensors.numpy import load_file, save_file
from test_way_back import _list_stamps, convert, load

import parablock
from parablock.folder_codes import CodeForm, pack, unpack

#: Families with code for pairs whose matrices are of `Linear` each.
CONFIGS: dict[str, tuple[type, dict[str, Any]]] = {
    "llama": (hf.LlamaConfig, {}),
    "qwen3": (hf.Qwen3Config, {"head_dim": 16}),
    "mistral": (hf.MistralConfig, {}),
    "qwen2": (hf.Qwen2Config, {}),
    "gemma2": (hf.Gemma2Config, {"head_dim": 16}),
    "gemma3_text": (hf.Gemma3TextConfig, {"head_dim": 16}),
    "opt": (hf.OPTConfig, {"ffn_dim": 128, "word_embed_proj_dim": 64}),
}
FORMS: dict[str, dict[str, Any]] = {
    "serial": {"parallel": "none"},
    "all": {"parallel": "all"},
    "shifted": {"parallel": "all", "pairing": "shifted"},
    "ladder": {"parallel": "all", "pairing": "ladder"},
}
DAILY = {("llama", "shifted", "int4"), ("opt", "ladder", "int8")}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folders of small models by family, which transformers wrote."""
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("source") / name
            torch.manual_seed(0)
            config, more = CONFIGS[name]
            sizes = {"num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4,
                     "num_key_value_heads": 2, "vocab_size": 97, "max_position_embeddings": 64, "initializer_range": 0.1}
            hf.AutoModelForCausalLM.from_config(config(**sizes, **more)).eval().save_pretrained(made[name])
        return made[name]

    return make


def _draw_ids() -> torch.Tensor:
    return torch.randint(5, 97, (2, 9), generator=torch.Generator().manual_seed(3))


def _check(model: parablock.Model, folder: Path, ids: torch.Tensor) -> None:
    """Compares transformers, which computes with the codes' numbers, and Parablock on both sides of a folder."""
    there = load(folder, quantization_config=hf.CompressedTensorsConfig(dequantize=True))
    exact = run_exactly(there, (ids,)).logits
    check_near(model.compile()(ids.numpy())["logits"], exact)
    again = parablock.from_pretrained(folder)
    check_near(again.compile()(ids.numpy())["logits"], exact)
    if "parablock" in json.loads((folder / "config.json").read_text()):
        assert _list_stamps(again.optimize()) == _list_stamps(model)
    # Codes stay what is stored, and what is read.
    signature = [i.name for i in again.list_weights()[0]]
    assert any(name.endswith((".codes", "_packed")) for name in signature)


@pytest.mark.filterwarnings("ignore:You passed `quantization_config`")
@pytest.mark.parametrize(
    ("name", "form", "codes"),
    [
        pytest.param(name, form, codes, marks=() if (name, form, codes) in DAILY else pytest.mark.full)
        for name in CONFIGS
        for form in FORMS
        for codes in ("int8", "int4")
    ],
)
def test_logits(name: str, form: str, codes: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    model = convert(sources(name), folder, weights=codes, **FORMS[form])
    ids = _draw_ids()
    _check(model, folder, ids)
    stored = load_file(folder / "model.safetensors")
    packed = [key for key in stored if key.endswith("_packed")]
    # Four codes of 8 bits in a word, or eight of 4 bits.
    assert len(packed) >= 2 * 6
    columns = [int(stored[key.removesuffix("_packed") + "_shape"][1]) for key in packed]
    assert all(stored[key].shape[1] * (4 if codes == "int8" else 8) == n for key, n in zip(packed, columns, strict=True))
    # The codes are of the numbers that were there.
    plain = parablock.from_pretrained(sources(name)).optimize(**FORMS[form])
    wanted = torch.as_tensor(np.asarray(plain.compile()(ids.numpy())["logits"])).double()
    found = torch.as_tensor(np.asarray(model.compile()(ids.numpy())["logits"]))
    assert 1e-4 < get_distance(found, wanted) < (0.1 if codes == "int8" else 0.6)
    if form == "shifted":
        there = load(folder)
        runs = [
            there.generate(ids, max_new_tokens=5, do_sample=False, use_cache=cached, pad_token_id=0)
            for cached in (True, False)
        ]
        assert torch.equal(*runs)


@pytest.mark.filterwarnings("ignore:You passed `quantization_config`")
def test_fitted_weights_and_training(sources: Callable[[str], Path], tmp_path: Path) -> None:
    """Codes of weights that a refit corrected, biases that it added included; numbers of them are trained."""
    serial = parablock.from_pretrained(sources("llama"))
    data = np.random.default_rng(0).integers(0, 97, (96, 32))
    drift = serial.drift(data, pairing="shifted", correction="refit", add_biases=True, generate=0)
    assert drift.to_dict()["added_parameters"]
    model = serial.optimize(parallel=drift, weights="int4")
    folder = model.save_pretrained(tmp_path / "saved")
    ids = torch.arange(9)[None]
    _check(model, folder, ids)
    there = load(folder, quantization_config=hf.CompressedTensorsConfig(dequantize=True))
    there.train()
    losses = []
    optimizer = torch.optim.SGD(there.parameters(), 0.05)
    for _ in range(3):
        loss = there(ids, labels=ids).loss
        losses.append(float(loss.detach()))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert losses[2] < losses[0]
    with pytest.raises(parablock.Error, match="codes of a folder that was saved before: copy that folder"):
        parablock.from_pretrained(folder).save_pretrained(tmp_path / "again")


@pytest.mark.filterwarnings("ignore:You passed `quantization_config`")
def test_encoder(tmp_path: Path) -> None:
    """The codes of an encoder, whose pooler stays numbers."""
    torch.manual_seed(0)
    config = hf.BertConfig(vocab_size=97, hidden_size=64, num_hidden_layers=2, num_attention_heads=4,
                           intermediate_size=128, initializer_range=0.1)
    hf.BertModel(config).eval().save_pretrained(tmp_path / "source")
    folder = tmp_path / "saved"
    model = convert(tmp_path / "source", folder, weights="int8")
    stored = load_file(folder / "model.safetensors")
    assert "pooler.dense.weight" in stored and "encoder.layer.0.output.dense.weight_packed" in stored
    ids = _draw_ids()
    inputs = {"input_ids": ids.numpy(), "attention_mask": np.ones(ids.shape, np.int64)}
    for options in ({}, {"quantization_config": hf.CompressedTensorsConfig(dequantize=True)}):
        there = hf.AutoModel.from_pretrained(folder, **options).eval()
        with torch.no_grad():
            wanted = there(ids).last_hidden_state.double()
        for each in (model, parablock.from_pretrained(folder)):
            assert get_distance(torch.as_tensor(np.asarray(each.compile()(**inputs)["last_hidden_state"])), wanted) < 1e-5


def test_refusals(sources: Callable[[str], Path], tmp_path: Path) -> None:
    model = parablock.from_pretrained(sources("llama"))
    for form in ("mxfp4", "fp8"):
        with pytest.raises(parablock.Error, match=f"int8, int4-g128 or int4-g32, .*got '{form}': choose one"):
            model.optimize(weights=form).save_pretrained(tmp_path / "no")
    with pytest.raises(parablock.Error, match="columns in multiples of 128 for these codes, got 64 of .*: choose weights='int8'"):
        model.optimize(weights="int4-g128").save_pretrained(tmp_path / "no")
    # Matrices that lie the other way round, square ones among them.
    torch.manual_seed(0)
    config = hf.GPT2Config(n_layer=1, n_embd=64, n_head=4, vocab_size=97, n_positions=64)
    hf.GPT2LMHeadModel(config).save_pretrained(tmp_path / "gpt2")
    with pytest.raises(parablock.Error, match="codes of whole matrices that transformers has as Linear, got others, of"):
        parablock.from_pretrained(tmp_path / "gpt2").optimize(weights="int8").save_pretrained(tmp_path / "no")
    assert not (tmp_path / "no").exists()
    # A file whose words are not those of its shape.
    convert(sources("llama"), tmp_path / "saved", parallel="all", weights="int8")
    file = tmp_path / "saved" / "model.safetensors"
    stored = load_file(file)
    key = next(key for key in stored if key.endswith("q_proj.weight_packed"))
    stored[key] = np.ascontiguousarray(stored[key][:, :-1])
    save_file(stored, file, metadata={"format": "pt", "parablock.conversion": "none None"})
    with pytest.raises(parablock.Error, match=r"as words of 32 bits for \[64, 64\] codes, got int32 \[64, 15\]"):
        parablock.from_pretrained(tmp_path / "saved")


def test_words() -> None:
    """The order of codes in a word is that of compressed-tensors."""
    from compressed_tensors.compressors.pack_quantized.helpers import pack_to_int32

    numbers = np.random.default_rng(0)
    codes = numbers.integers(-127, 128, (3, 10)).astype(np.int8)
    wanted = pack_to_int32(torch.tensor(codes), 8).numpy()
    assert np.array_equal(pack(CodeForm(8, 0), codes), wanted)
    assert np.array_equal(unpack(CodeForm(8, 0), wanted, 10), codes)
    few = numbers.integers(-7, 8, (3, 12)).astype(np.int8)
    stored = (few + 8).astype(np.uint8)
    own = (stored[:, ::2] | stored[:, 1::2] << 4).view(np.int8)
    wanted = pack_to_int32(torch.tensor(few), 4).numpy()
    assert np.array_equal(pack(CodeForm(4, 32), own), wanted)
    assert np.array_equal(unpack(CodeForm(4, 32), wanted, 6), own)
