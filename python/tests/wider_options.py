# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of the families of `wider`."""

from __future__ import annotations

from recipes import (
    Draw,
    Sizes,
    draw_bart,
    draw_bert,
    draw_biases,
    draw_opt,
    draw_phi,
    draw_roberta,
    draw_vit,
    draw_window,
    get_gpt_names,
    get_head,
)


def draw_rope(draw: Draw, sizes: Sizes) -> Sizes:
    """Llama with frequencies that are scaled."""
    kind = draw.choice(["linear", "dynamic", "llama3", "yarn", "longrope"])
    rope: Sizes = {"rope_type": kind, "rope_theta": 10000.0, "factor": 4.0}
    half = get_head(sizes) // 2
    if kind == "llama3":
        rope |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    if kind == "longrope":
        rope |= {
            "short_factor": [1.0 + 0.1 * i for i in range(half)],
            "long_factor": [2.0 + 0.3 * i for i in range(half)],
        }
    if kind in ("llama3", "yarn", "longrope"):
        # Longer than any sequence here, or shorter than most.
        rope["original_max_position_embeddings"] = draw.choice([4, 64])
    return {**draw_biases(draw, sizes), "rope_parameters": rope}


def draw_kinds(draw: Draw, sizes: Sizes) -> Sizes:
    """Layers with and without a window."""
    count = sizes["num_hidden_layers"]
    kinds = ["full_attention", "sliding_attention"]
    return {
        **draw_biases(draw, sizes),
        "layer_types": [draw.choice(kinds) for _ in range(count)],
        "sliding_window": draw.choice([3, 5, 8]),
    }


def draw_gemma3(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_kinds(draw, sizes),
        "hidden_act": "gelu_pytorch_tanh",
        "head_dim": draw.choice([8, 12]),
        "query_pre_attn_scalar": draw.choice([16, 24]),
        "final_logit_softcapping": draw.choice([None, 30.0]),
        "attn_logit_softcapping": None,
    }


def draw_vaultgemma(draw: Draw, sizes: Sizes) -> Sizes:
    cap = draw.choice([None, 20.0])
    return {**draw_gemma3(draw, sizes), "attn_logit_softcapping": cap}


def draw_olmo(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "clip_qkv": draw.choice([None, None, 0.9])}


def draw_starcoder2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_window(draw, sizes),
        "use_bias": draw.random() < 0.5,
        "hidden_act": "gelu_pytorch_tanh",
    }


def draw_gpt_bigcode(draw: Draw, sizes: Sizes) -> Sizes:
    return {**get_gpt_names(sizes), "multi_query": draw.random() < 0.5}


def draw_squared(draw: Draw, sizes: Sizes) -> Sizes:
    """MLPs of relu^2, without a gate."""
    return {**draw_biases(draw, sizes), "hidden_act": "relu2"}


def draw_nemotron(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_phi(draw, sizes), "attention_bias": draw.random() < 0.5}


def draw_glm(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "head_dim": 8,
        "partial_rotary_factor": draw.choice([0.5, 1.0]),
        "attention_bias": draw.random() < 0.5,
    }


def draw_persimmon(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_phi(draw, sizes), "qk_layernorm": draw.random() < 0.5}


def draw_xglm(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "d_model": 4 * draw.choice([6, 8]),
        "attention_heads": 4,
        "num_layers": sizes["num_hidden_layers"],
        "ffn_dim": sizes["intermediate_size"],
        "scale_embedding": draw.random() < 0.5,
        "pad_token_id": 1,
    }


def draw_own_heads(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "head_dim": draw.choice([8, 12, 16])}


def draw_helium(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "head_dim": get_head(sizes)}


def draw_ministral(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_kinds(draw, sizes), "head_dim": draw.choice([8, 12, 16])}


def draw_smollm3(draw: Draw, sizes: Sizes) -> Sizes:
    count = sizes["num_hidden_layers"]
    return {
        **draw_biases(draw, sizes),
        "no_rope_layers": [draw.choice([0, 1]) for _ in range(count)],
    }


def draw_cohere2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_kinds(draw, sizes),
        "hidden_act": "silu",
        "logit_scale": draw.choice([0.0625, 1.0]),
    }


def draw_latent(draw: Draw, sizes: Sizes) -> Sizes:
    """Multi-head latent attention, dense MLPs."""
    return {
        **sizes,
        "num_key_value_heads": sizes["num_attention_heads"],
        "first_k_dense_replace": sizes["num_hidden_layers"],
        "q_lora_rank": draw.choice([None, 18]),
        "kv_lora_rank": 14,
        "qk_nope_head_dim": 10,
        "qk_rope_head_dim": 6,
        "v_head_dim": draw.choice([10, 16]),
    }


def draw_modernbert(draw: Draw, sizes: Sizes) -> Sizes:
    kinds = draw_kinds(draw, sizes)["layer_types"]
    kept = ("vocab_size", "hidden_size", "num_hidden_layers", "intermediate_size")
    return {
        **{key: sizes[key] for key in kept},
        "num_attention_heads": sizes["num_attention_heads"],
        "max_position_embeddings": 64,
        "layer_types": kinds,
        "local_attention": draw.choice([4, 8]),
        "attention_bias": draw.random() < 0.5,
        "mlp_bias": draw.random() < 0.5,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "cls_token_id": 1,
        "sep_token_id": 2,
    }


def draw_distilbert(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        "vocab_size": sizes["vocab_size"],
        "dim": sizes["hidden_size"],
        "n_layers": sizes["num_hidden_layers"],
        "n_heads": sizes["num_attention_heads"],
        "hidden_dim": sizes["intermediate_size"],
        "max_position_embeddings": 64,
        "activation": draw.choice(["gelu", "relu"]),
        "sinusoidal_pos_embds": draw.random() < 0.3,
    }


def draw_embedded(draw: Draw, sizes: Sizes) -> Sizes:
    """Embeddings narrower than the stream."""
    own = draw.choice([10, sizes["hidden_size"]])
    return {**draw_bert(draw, sizes), "embedding_size": own}


def draw_deberta(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_bert(draw, sizes),
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_buckets": 8,
        "share_att_key": draw.random() < 0.5,
        "norm_rel_ebd": "layer_norm",
        "position_biased_input": False,
        "type_vocab_size": 0,
    }


def draw_deberta_plain(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_bert(draw, sizes), "relative_attention": False}


def draw_dinov2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_vit(draw, sizes),
        "mlp_ratio": draw.choice([2, 3]),
        "use_swiglu_ffn": draw.random() < 0.4,
    }


def draw_clip_vision(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_vit(draw, sizes), "hidden_act": draw.choice(["quick_gelu", "gelu"])}


def draw_clip_text(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_bert(draw, sizes),
        "hidden_act": draw.choice(["quick_gelu", "gelu"]),
        "eos_token_id": 2,
    }


def draw_beit(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_vit(draw, sizes),
        "use_absolute_position_embeddings": draw.random() < 0.5,
        "use_relative_position_bias": draw.random() < 0.5,
        "layer_scale_init_value": draw.choice([0.0, 0.1]),
    }


def draw_whisper(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_bart(draw, sizes),
        "num_mel_bins": 10,
        "max_source_positions": 16,
        "max_target_positions": 64,
        "pad_token_id": 0,
        "decoder_start_token_id": 1,
    }


def draw_openai(draw: Draw, sizes: Sizes) -> Sizes:
    return {**get_gpt_names(sizes), "afn": draw.choice(["gelu", "relu", "silu"])}


def draw_pegasus(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_bart(draw, sizes), "pad_token_id": 0}


def draw_opt_projected(draw: Draw, sizes: Sizes) -> Sizes:
    """Embeddings narrower than the stream, norms behind the branches."""
    return {
        **draw_opt(draw, sizes),
        "word_embed_proj_dim": sizes["hidden_size"] // 2,
        "do_layer_norm_before": draw.random() < 0.5,
    }


def draw_causal_bert(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_roberta(draw, sizes), "is_decoder": True}
