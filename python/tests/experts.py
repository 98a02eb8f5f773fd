# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models of transformers with experts."""

import copy
from typing import Any

import torch
import transformers

from oracle import run_exactly

import parablock

_SIZES = {
    "num_hidden_layers": 2,
    "hidden_size": 32,
    "intermediate_size": 40,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 67,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
}
_LATENT = {
    "num_key_value_heads": 4,
    "kv_lora_rank": 16,
    "q_lora_rank": 12,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "first_k_dense_replace": 0,
    "n_routed_experts": 8,
    "num_experts_per_tok": 3,
    "moe_intermediate_size": 24,
}
_GROUPS = {"n_group": 4, "topk_group": 2}

#: Classes, and what they have beside common sizes.
FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "mixtral": ("Mixtral", {"num_local_experts": 4}),
    "qwen3_moe": (
        "Qwen3Moe",
        {"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 24, "head_dim": 8, "norm_topk_prob": True},
    ),
    "olmoe": ("Olmoe", {"num_experts": 6, "num_experts_per_tok": 3}),
    "granitemoe": ("GraniteMoe", {"num_local_experts": 6, "num_experts_per_tok": 2, "residual_multiplier": 0.3}),
    "gpt_oss": (
        "GptOss",
        {
            "num_local_experts": 4,
            "num_experts_per_tok": 2,
            "head_dim": 8,
            "sliding_window": 5,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        },
    ),
    "glm4_moe": (
        "Glm4Moe",
        {
            "n_routed_experts": 8,
            "num_experts_per_tok": 3,
            "moe_intermediate_size": 24,
            "first_k_dense_replace": 1,
            "head_dim": 8,
            "routed_scaling_factor": 1.5,
        },
    ),
    "glm4_moe_groups": (
        "Glm4Moe",
        {
            "n_routed_experts": 8,
            "num_experts_per_tok": 3,
            "moe_intermediate_size": 24,
            "first_k_dense_replace": 0,
            "head_dim": 8,
            **_GROUPS,
        },
    ),
    "cohere2_moe": (
        "Cohere2Moe",
        {"num_experts": 4, "num_experts_per_tok": 2, "head_dim": 8, "sliding_window": 5},
    ),
    "deepseek_v3": ("DeepseekV3", {**_LATENT, **_GROUPS}),
    "deepseek_v2": ("DeepseekV2", {**_LATENT, **_GROUPS, "topk_method": "group_limited_greedy"}),
    "minimax_m2": ("MiniMaxM2", {"num_local_experts": 6, "num_experts_per_tok": 2, "head_dim": 8}),
    "qwen2_moe": (
        "Qwen2Moe",
        {
            "num_experts": 6,
            "num_experts_per_tok": 2,
            "moe_intermediate_size": 24,
            "shared_expert_intermediate_size": 24,
        },
    ),
    "ernie4_5_moe": (
        "Ernie4_5_Moe",
        {"moe_num_experts": 6, "moe_k": 2, "moe_intermediate_size": 24, "moe_layer_start_index": 0},
    ),
    "dots1": (
        "Dots1",
        {"n_routed_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 24, "first_k_dense_replace": 0, "head_dim": 8,
         "n_shared_experts": 1, **_GROUPS},
    ),
    "llama4": (
        "Llama4Text",
        {"num_local_experts": 4, "num_experts_per_tok": 2, "head_dim": 8, "intermediate_size_mlp": 40, "moe_layers": [1]},
    ),
    "phimoe": ("Phimoe", {"num_local_experts": 4, "num_experts_per_tok": 2}),
}


def make(family: str, seed: int = 0, **more: Any) -> Any:
    """Returns a model whose experts and routers matter for its result."""
    name, own = FAMILIES[family]
    torch.manual_seed(seed)
    config = getattr(transformers, f"{name}Config")(**{**_SIZES, **own, **more})
    model = getattr(transformers, f"{name.removesuffix('Text')}ForCausalLM")(config).eval()
    with torch.no_grad():
        for path, tensor in model.named_parameters():
            scale = 0.5 if "gate.weight" in path or "router" in path else 0.15
            if tensor.dim() > 1 or path.endswith(("bias", "sinks")):
                tensor.normal_(0, scale)
        for path, buffer in model.named_buffers():
            if path.endswith("correction_bias"):
                buffer.normal_(0, 0.1)
    return model


def draw_ids(rows: int = 2, tokens: int = 9, seed: int = 1) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(1, _SIZES["vocab_size"], (rows, tokens), generator=generator)


def get_distance(found: torch.Tensor, model: Any, ids: torch.Tensor) -> float:
    """Returns the relative distance to float64, which grouped products of PyTorch do not have."""
    model = copy.deepcopy(model)
    model.set_experts_implementation("eager")
    expected = run_exactly(model, (ids,)).logits
    return float((found.double() - expected).norm() / expected.norm())


def check_compiled(model: Any, count: int) -> None:
    """Compares torch.compile with float64; no operation is PyTorch's, and `count` experts are recognised."""
    ids = draw_ids()
    model.config.use_cache = False
    torch._dynamo.reset()
    before = parablock.stats()
    with torch.no_grad():
        found = torch.compile(model, backend="parablock")(ids).logits
    after = parablock.stats()
    assert after["eager_operations"] == before["eager_operations"]
    assert after["recognised"]["experts"] == before["recognised"].get("experts", 0) + count
    assert get_distance(found, model, ids) < 2e-6
