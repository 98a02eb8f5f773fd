# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of converted models with experts in transformers and in Parablock, against float64."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf
from families import randomise
from oracle import check_near, get_distance, run_exactly
import test_way_back
from test_way_back import _check_checkpoints, _check_gradients, _list_stamps, convert, in_float64
from transformers import AttentionInterface, AttentionMaskInterface, masking_utils

import parablock
from parablock.weights import read_file

_SIZES: dict[str, Any] = {
    "vocab_size": 97,
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
}
_GLM = {"intermediate_size": 24, "moe_intermediate_size": 12, "n_routed_experts": 4, "n_shared_experts": 2,
        "num_experts_per_tok": 2, "first_k_dense_replace": 1, "n_group": 1, "topk_group": 1}
CONFIGS: dict[str, Callable[[], Any]] = {
    "glm4_moe": lambda: hf.Glm4MoeConfig(**_SIZES, **_GLM, head_dim=8),
    "deepseek_v3": lambda: hf.DeepseekV3Config(
        **_SIZES, **_GLM, q_lora_rank=8, kv_lora_rank=8, qk_nope_head_dim=8, qk_rope_head_dim=8, v_head_dim=8
    ),
    "mixtral": lambda: hf.MixtralConfig(**_SIZES, intermediate_size=24, num_local_experts=4),
    "qwen3_moe": lambda: hf.Qwen3MoeConfig(
        **_SIZES, head_dim=8, intermediate_size=24, moe_intermediate_size=12, num_experts=4, num_experts_per_tok=2,
        norm_topk_prob=True, mlp_only_layers=[0],
    ),
    "olmoe": lambda: hf.OlmoeConfig(**_SIZES, intermediate_size=24, num_experts=4, num_experts_per_tok=2),
}
FORMS: dict[str, dict[str, Any]] = {
    "shortcut": {"parallel": "all", "pairing": "shortcut"},
    "scaled": {"parallel": "1+", "pairing": "shortcut", "mlp_scale": 0.8, "attn_scale": 0.9},
    "all": {"parallel": "all"},
    "shifted": {"parallel": "0+", "pairing": "shifted"},
    "ladder": {"parallel": "all", "pairing": "ladder"},
}
DAILY = {("glm4_moe", "shortcut"), ("deepseek_v3", "scaled"), ("mixtral", "all"), ("qwen3_moe", "shortcut"), ("olmoe", "ladder")}


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Folders of small models by family, which transformers wrote."""
    made: dict[str, Path] = {}

    def make(name: str) -> Path:
        if name not in made:
            made[name] = tmp_path_factory.mktemp("source") / name
            torch.manual_seed(0)
            module = hf.AutoModelForCausalLM.from_config(CONFIGS[name]())
            randomise(module)
            module.eval().save_pretrained(made[name])
        return made[name]

    return make


def load(folder: Path, **options: Any) -> Any:
    """The model that transformers makes of a folder, whose experts run in float64 too."""
    return test_way_back.load(folder, experts_implementation="eager", **options)


def _draw_ids() -> torch.Tensor:
    return torch.randint(0, 97, (2, 9), generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize(
    ("name", "form"),
    [
        pytest.param(name, form, marks=() if (name, form) in DAILY else (pytest.mark.full,))
        for name in CONFIGS
        for form in FORMS
    ],
)
def test_logits(name: str, form: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    model = convert(sources(name), folder, **FORMS[form])
    ids = _draw_ids()
    there = load(folder)
    exact = run_exactly(there, (ids,)).logits
    check_near(model.compile()(ids.numpy())["logits"], exact)
    assert get_distance(run_exactly(load(sources(name)), (ids,)).logits, exact) > 1e-2
    section = json.loads((folder / "config.json").read_text())["parablock"]
    assert section.get("pairing") == {"scaled": "shortcut", "shortcut": "shortcut", "ladder": "ladder"}.get(form)
    if form == "shortcut":
        # The last layer has no next attention, and one without experts stays in series.
        assert section["chosen"] == (["1+"] if name in ("glm4_moe", "deepseek_v3", "qwen3_moe") else ["0+", "1+"])
        assert "routed experts" in (folder / "README.md").read_text()
    again = parablock.from_pretrained(folder)
    check_near(again.compile()(ids.numpy())["logits"], exact)
    assert _list_stamps(again.optimize()) == _list_stamps(model)
    tokens = [
        there.generate(ids, max_new_tokens=5, do_sample=False, use_cache=cached, pad_token_id=0)
        for cached in (True, False)
    ]
    assert torch.equal(*tokens)


@pytest.mark.parametrize(
    "name", ["glm4_moe", *(pytest.param(n, marks=pytest.mark.full) for n in CONFIGS if n != "glm4_moe")]
)
def test_training(name: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    """Gradients are those of finite differences, with checkpoints too, and what was trained loads."""
    convert(sources(name), tmp_path / "saved", **FORMS["shortcut"])
    module = load(tmp_path / "saved").double().eval()
    ids = _draw_ids()
    with in_float64():
        gradients = _check_gradients(module, ids)
    if name == "glm4_moe":
        assert any("shared_experts" in key and value.abs().max() > 0 for key, value in gradients.items())
    _check_checkpoints(module.float(), ids, has_pairs_across=True)
    module.eval().save_pretrained(tmp_path / "trained")
    exact = run_exactly(load(tmp_path / "trained"), (ids,)).logits
    assert get_distance(run_exactly(module, (ids,)).logits, exact) < 1e-6
    with pytest.warns(UserWarning, match="changed after the conversion: its drift is unmeasured"):
        again = parablock.from_pretrained(tmp_path / "trained")
    check_near(again.compile()(ids.numpy())["logits"], exact)


@pytest.mark.parametrize("name", CONFIGS)
def test_conditions_of_serving(name: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    """A foreign attention function serves the base class, whose experts are an attribute of their layer."""
    convert(sources(name), tmp_path / "saved", **FORMS["shortcut"])
    seen: list[Any] = []

    def attend(module: Any, *args: Any, **options: Any) -> Any:
        seen.append(options.get("foreign"))
        return inspect.getmodule(type(module)).eager_attention_forward(module, *args, **options)

    AttentionInterface.register("foreign", attend)
    AttentionMaskInterface.register("foreign", masking_utils.ALL_MASK_ATTENTION_FUNCTIONS["eager"])
    base = hf.AutoModel.from_pretrained(
        tmp_path / "saved", trust_remote_code=True, attn_implementation="foreign"
    ).eval()
    assert base._supports_attention_backend
    with_experts = [layer.mlp for layer in base.layers if not type(layer.mlp).__name__.endswith("MLP")]
    assert len(with_experts) >= 2 and all(hasattr(mlp, "experts") for mlp in with_experts)
    ids = _draw_ids()
    with torch.no_grad():
        found = base(ids, foreign=5).last_hidden_state
    assert seen == [5, 5, 5]
    there = load(tmp_path / "saved", attn_implementation="eager")
    with torch.no_grad():
        expected = there.base_model(ids).last_hidden_state
    assert get_distance(found, expected.double()) < 1e-5


def test_fitted_shortcuts(sources: Callable[[str], Path], tmp_path: Path) -> None:
    """Weights that a refit corrected go along, and are read with their stamp."""
    serial = parablock.from_pretrained(sources("glm4_moe"))
    ids = np.random.default_rng(0).integers(0, 97, (64, 16))
    drift = serial.drift(ids, pairing="shortcut", correction="refit", generate=0, engine="reference")
    model = serial.optimize(parallel=drift)
    model.save_pretrained(tmp_path / "saved")
    exact = run_exactly(load(tmp_path / "saved"), (torch.tensor(ids[:2]),)).logits
    check_near(model.compile()(ids[:2])["logits"], exact)
    again = parablock.from_pretrained(tmp_path / "saved")
    check_near(again.compile()(ids[:2])["logits"], exact)
    stamp = _list_stamps(again.optimize())["model.layers.1+"][1]
    assert float(stamp["measured"]) == pytest.approx(drift.to_dict()["measured_kl"], rel=1e-6)


@pytest.mark.parametrize("name", ["mixtral", "glm4_moe"])
def test_plain_folder(name: str, sources: Callable[[str], Path], tmp_path: Path) -> None:
    """A serial model has the tensors that it was read from, experts one by one, and no others."""
    parablock.from_pretrained(sources(name)).save_pretrained(tmp_path / "saved")
    one, other = (read_file(folder / "model.safetensors")[0] for folder in (sources(name), tmp_path / "saved"))
    experts = {key for key in one if ".experts." in key}
    assert len(experts) >= 4 * 3 * 2 and experts == {key for key in other if ".experts." in key}
    assert len(one) == len(other) and all(np.array_equal(one[key].array, other[key].array) for key in experts)
    ids = _draw_ids()
    with torch.no_grad():
        assert torch.equal(load(tmp_path / "saved")(ids).logits, load(sources(name))(ids).logits)


@pytest.mark.parametrize(
    ("change", "there", "here"),
    [
        ({"chosen": ["1"]}, "a shortcut requires a pair such as", "1"),
        ({"chosen": ["0+"]}, r"shortcut '0\+' requires routed experts", "requires the pairs|experts"),
        ({"norm": "shared"}, "shortcuts require the norm 'separate', got 'shared'", "requires separate"),
    ],
)
def test_broken_sections(
    change: dict[str, Any], there: str, here: str, sources: Callable[[str], Path], tmp_path: Path
) -> None:
    convert(sources("glm4_moe"), tmp_path / "saved", **FORMS["shortcut"])
    path = tmp_path / "saved" / "config.json"
    config = json.loads(path.read_text())
    config["parablock"].update(change)
    path.write_text(json.dumps(config))
    with pytest.raises(ValueError, match=there):
        load(tmp_path / "saved")
    with pytest.raises(parablock.Error, match=here):
        parablock.from_pretrained(tmp_path / "saved")
