# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of models with experts: configs, names of tensors, experts one by one or stacked."""

from pathlib import Path
from typing import Any

import pytest
import safetensors.torch as safetensors
import torch

import parablock

pytest.importorskip("transformers")

import experts  # noqa: E402  (requires transformers)
from checkpoint_tools import refuse_tools, run_tools  # noqa: E402

_YARN = {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16}
_LATENT_YARN = {**_YARN, "mscale": 1.0, "mscale_all_dim": 0.7}
#: Families, and what differs from their small models.
CASES: list[tuple[str, dict[str, Any]]] = [
    ("mixtral", {}),
    ("qwen3_moe", {"mlp_only_layers": [0], "num_hidden_layers": 3, "attention_bias": True}),
    ("qwen3_moe", {"norm_topk_prob": False, "decoder_sparse_step": 2}),
    ("olmoe", {}),
    ("olmoe", {"norm_topk_prob": True, "attention_bias": True}),
    ("granitemoe", {"attention_multiplier": 0.3, "logits_scaling": 2.0, "embedding_multiplier": 3.0}),
    ("granitemoe", {"attention_bias": True, "tie_word_embeddings": True}),
    ("gpt_oss", {"rope_parameters": {**_YARN, "truncate": False}, "swiglu_limit": 2.0}),
    ("gpt_oss", {"layer_types": ["full_attention", "sliding_attention"], "attention_bias": False}),
    ("glm4_moe", {}),
    ("glm4_moe_groups", {"use_qk_norm": True, "attention_bias": True}),
    ("minimax_m2", {}),
    ("minimax_m2", {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}}),
    ("deepseek_v3", {"rope_parameters": _LATENT_YARN, "attention_bias": True, "first_k_dense_replace": 1}),
    ("deepseek_v3", {"q_lora_rank": None, "v_head_dim": 12, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4}),
    ("deepseek_v3", {"rope_interleave": False, "n_group": 1, "topk_group": 1, "norm_topk_prob": False}),
    ("deepseek_v2", {"rope_parameters": _LATENT_YARN, "topk_method": "greedy", "routed_scaling_factor": 2.0}),
    ("deepseek_v2", {"q_lora_rank": None, "first_k_dense_replace": 1}),
]


@pytest.mark.parametrize(("family", "more"), CASES)
def test_checkpoints(family: str, more: dict[str, Any], tmp_path: Path) -> None:
    """A folder is the module, for Python and for the tools."""
    model, ids = experts.make(family, **more), experts.draw_ids()
    model.config.use_cache = False
    model.save_pretrained(tmp_path)
    made = parablock.from_pretrained(tmp_path)
    sparse = sum("Experts" in type(part).__name__ for part in model.modules())
    assert made.explain().to_dict()["recognised"]["experts"] == sparse
    found = made.optimize().compile(threads=1)(ids.numpy())["logits"]
    assert experts.get_distance(torch.as_tensor(found), model, ids) < 2e-6
    assert experts.get_distance(run_tools(tmp_path, ids), model, ids) < 2e-6


@pytest.mark.parametrize("family", ["mixtral", "granitemoe"])
def test_stacks(family: str, tmp_path: Path) -> None:
    """Files have experts one by one, or under other names; parameters have those of the module."""
    model, ids = experts.make(family), experts.draw_ids()
    model.config.use_cache = False
    model.save_pretrained(tmp_path)
    made = parablock.from_pretrained(tmp_path)
    before = safetensors.load_file(tmp_path / "model.safetensors").keys()
    names = {info.name for info in made.list_weights()[0]}
    assert names - before
    state = model.state_dict()
    safetensors.save_file({name: state[name].contiguous() for name in names}, tmp_path / "model.safetensors")
    again = parablock.from_pretrained(tmp_path).compile(threads=1)(ids.numpy())["logits"]
    assert experts.get_distance(torch.as_tensor(again), model, ids) < 2e-6


@pytest.mark.parametrize(
    ("family", "missing"),
    [
        ("mixtral", "model.layers.1.mlp.experts.3.w3.weight"),
        ("qwen3_moe", "model.layers.0.mlp.experts.5.down_proj.weight"),
    ],
)
def test_expert_without_a_tensor(family: str, missing: str, tmp_path: Path) -> None:
    experts.make(family).save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors.load_file(path)
    del tensors[missing if missing in tensors else missing.replace(".mlp.", ".block_sparse_moe.")]
    safetensors.save_file(tensors, path)
    with pytest.raises(parablock.Error, match=f"expected tensor '{missing}', got none"):
        parablock.from_pretrained(tmp_path)
    assert f"'{missing}'" in refuse_tools(tmp_path)


def test_experts_of_other_shapes(tmp_path: Path) -> None:
    experts.make("mixtral").save_pretrained(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors = safetensors.load_file(path)
    name = "model.layers.0.block_sparse_moe.experts.2.w1.weight"
    tensors[name] = tensors[name][:-1].clone()
    safetensors.save_file(tensors, path)
    said = "expected experts of 'model.layers.0.mlp.experts.gate_up_proj' of one type and one shape"
    with pytest.raises(parablock.Error, match=said):
        parablock.from_pretrained(tmp_path).compile(threads=1)
    said = f"tensor '{name.replace('block_sparse_moe', 'mlp')}': expected experts of 80 rows as the first, got 79"
    assert said in refuse_tools(tmp_path)
