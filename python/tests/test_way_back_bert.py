# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of encoders with norms behind their sums, in transformers and in Parablock."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from families import FAMILIES
from oracle import check_near, get_distance, run_exactly

import parablock
from parablock_studies.page.drift import draw_drift

FORMS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "all": ({"parallel": "all"}, ["0", "1"]),
    "one": ({"parallel": "1", "scale": 0.7, "mlp_scale": 0.9}, ["1"]),
    "shifted": ({"parallel": "all", "pairing": "shifted", "attn_scale": 0.8}, ["0+"]),
}


def _make(folder: Path, head: bool) -> Path:
    module = FAMILIES["bert"].make()
    (module if head else module.bert).save_pretrained(folder)
    return folder


def _make_rows() -> tuple[torch.Tensor, torch.Tensor]:
    ids = torch.randint(5, 60, (3, 9), generator=torch.Generator().manual_seed(3))
    return ids, torch.tensor([9 * [1], 4 * [1] + 5 * [0], 7 * [1] + 2 * [0]])


def _run_card(folder: Path) -> Any:
    """The model that the code in a folder's card loads."""
    card = (folder / "README.md").read_text()
    names: dict[str, Any] = {}
    exec(re.findall("```python\n(.*?)```", card, re.DOTALL)[0].replace("this folder", str(folder)), names)
    return names["model"]


def _load(folder: Path, kind: Any = hf.AutoModel) -> Any:
    return kind.from_pretrained(folder, trust_remote_code=True).eval()


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=() if form == "shifted" else (pytest.mark.full,)) for form in FORMS]
)
def test_states(form: str, tmp_path: Path) -> None:
    options, pairs = FORMS[form]
    source, folder = _make(tmp_path / "source", head=False), tmp_path / "saved"
    model = parablock.from_pretrained(source).optimize(**options)
    model.save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    assert config["parablock"]["chosen"] == pairs and config["model_type"] == "parablock_bert"
    ids, mask = _make_rows()
    there = _load(folder)
    exact, serial = (run_exactly(each, (ids, mask)).last_hidden_state for each in (there, _load(source)))
    real = mask.bool()
    assert get_distance(serial[real], exact[real]) > 1e-2
    for each in (model, parablock.from_pretrained(folder)):
        found = each.compile()(input_ids=ids.numpy(), attention_mask=mask.numpy())["last_hidden_state"]
        check_near(torch.as_tensor(found)[real], exact[real])
    assert type(_run_card(folder)).__name__ == "ParablockBertModel"
    there.train()(ids, attention_mask=mask).last_hidden_state.square().sum().backward()
    assert all(each.grad is not None and each.grad.any() for each in there.encoder.layer.parameters())


def test_head(tmp_path: Path) -> None:
    """The head of masked words reads the states of the pairs."""
    source, folder = _make(tmp_path / "source", head=True), tmp_path / "saved"
    parablock.from_pretrained(source).optimize(parallel="all").save_pretrained(folder)
    ids, mask = _make_rows()
    there, serial = (_load(each, hf.AutoModelForMaskedLM) for each in (folder, source))
    assert type(_run_card(folder)).__name__ == "ParablockBertForMaskedLM"
    states = there.bert(ids, attention_mask=mask).last_hidden_state
    assert torch.equal(there(ids, attention_mask=mask).logits, serial.cls(states))
    assert get_distance(states, serial.bert(ids, attention_mask=mask).last_hidden_state) > 1e-2


def test_other_forms(tmp_path: Path) -> None:
    """Forms that move norms or sums are errors for a reader, and no folder has them."""
    source, folder = _make(tmp_path / "source", head=False), tmp_path / "saved"
    parablock.from_pretrained(source).optimize(parallel="all").save_pretrained(folder)
    config = json.loads((folder / "config.json").read_text())
    for field, value in (("pairing", "ladder"), ("norm", "shared")):
        changed = {**config, "parablock": {**config["parablock"], field: value}}
        (folder / "config.json").write_text(json.dumps(changed))
        with pytest.raises(ValueError, match=f"require pairs with the norm 'separate', got .?{value}"):
            _load(folder)


def test_cross_attention(tmp_path: Path) -> None:
    """Pairs have no cross-attention: neither the writer nor the modelling code drops it."""
    source, folder = _make(tmp_path / "source", head=False), tmp_path / "saved"
    parablock.from_pretrained(source).optimize(parallel="1").save_pretrained(folder)
    ids, _ = _make_rows()
    with pytest.raises(ValueError, match="'encoder_hidden_states' requires cross-attention"):
        _load(folder)(ids, encoder_hidden_states=torch.ones(3, 4, 48))
    config = json.loads((folder / "config.json").read_text())
    crossed = {"is_decoder": True, "add_cross_attention": True}
    (folder / "config.json").write_text(json.dumps({**config, **crossed}))
    with pytest.raises(ValueError, match="without cross-attention, got 'add_cross_attention'"):
        _load(folder)
    config = FAMILIES["bert"].make().config
    config.update(crossed)
    hf.BertModel(config).save_pretrained(tmp_path / "crossed")
    model = parablock.from_pretrained(tmp_path / "crossed").optimize(parallel="all")
    with pytest.raises(parablock.Error, match="no modelling code for parallel layers with cross-attention"):
        model.save_pretrained(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", ["BertLMHeadModel", "BertForPreTraining"])
def test_other_heads(name: str, tmp_path: Path) -> None:
    """No folder has another head than its model."""
    config = FAMILIES["bert"].make().config
    config.is_decoder = name == "BertLMHeadModel"
    getattr(hf, name)(config).save_pretrained(tmp_path / "source")
    model = parablock.from_pretrained(tmp_path / "source").optimize(parallel="all")
    with pytest.raises(parablock.Error, match=f"of BertModel and BertForMaskedLM, got '{name}' in config.json"):
        model.save_pretrained(tmp_path / "saved")


def test_what_card_and_page_say(tmp_path: Path) -> None:
    """Both have the error of the last state, and no number that a model without logits lacks."""
    model = parablock.from_pretrained(_make(tmp_path / "source", head=False))
    ids = np.random.default_rng(2).integers(5, 60, (96, 9))
    rows = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    drift = model.drift(rows, correction="output-refit", ridge=0.1)
    report = drift.to_dict()
    error = f"{report['stream_rel_l2']['mean']:.3g}"
    assert f"Error of the last stream, relative: {error}." in str(drift)
    fast = model.optimize(parallel=drift)
    fast.save_pretrained(tmp_path / "saved")
    card = (tmp_path / "saved" / "README.md").read_text()
    assert f"| error of a token's last state, relative | 0 | {report['stream_rel_l2']['mean']:.4g} |" in card
    assert "similarities" in card and not re.search("KL|perplexity|eneration|not measured \\|", card)
    page = fast.report(tmp_path / "page.html").read_text()
    page = re.sub("<.*?>", "", page[page.index('id="drift"') :])
    assert f"relative: {error}." in page and "save one launch of seven a layer" in page
    assert "Change, output refit" in page and not re.search("KL|perplexity|launches of five", page)
    for layer in report["layers"]:
        assert f"{layer['recovered']['output-refit']['update_rel_l2']['mean']:.3g}" in page
    # Layers alone are fitted, not healed.
    healed = {**report, "correction": "healed", "healing": {"start": "output-refit", "tokens": 1, "kl": {"healed": None},
              "stream_rel_l2": {"start": 0.5, "healed": 0.25}}}
    text = draw_drift(healed, {})
    assert "Change, output refit" in text and "error of the last stream 0.5 before, 0.25 after" in text
