# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the families that configs describe are drawn: sizes and options."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

Sizes = dict[str, Any]
Draw = random.Random


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How a family is drawn: the class of its models, and its options."""

    model: str
    config: str
    options: Callable[[Draw, Sizes], Sizes]
    kind: str = "ids"
    attentions: tuple[str, ...] = ("sdpa", "eager")
    padding: bool = True
    #: What is said of those that are not recognised whole, as a regular expression.
    left: str = ""
    #: Attentions and MLPs of all layers, by their number.
    count: Callable[[int], tuple[int, int]] = lambda layers: (layers, layers)


def draw_sizes(draw: Draw) -> Sizes:
    kv_heads = draw.choice([1, 2, 3])
    heads = kv_heads * draw.choice([1, 2, 3])
    head = draw.choice([4, 6, 8, 10, 12, 16, 20])
    return {
        "vocab_size": draw.choice([53, 97, 101]),
        "hidden_size": heads * head,
        "num_hidden_layers": draw.choice([1, 2, 3]),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": draw.choice([22, 50, 72, 90]),
        "max_position_embeddings": 64,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
    }


def get_gpt_names(sizes: Sizes) -> Sizes:
    return {
        "vocab_size": sizes["vocab_size"],
        "n_embd": sizes["hidden_size"],
        "n_layer": sizes["num_hidden_layers"],
        "n_head": sizes["num_attention_heads"],
        "n_positions": 64,
        "bos_token_id": None,
        "eos_token_id": None,
    }


def get_head(sizes: Sizes) -> int:
    return int(sizes["hidden_size"] // sizes["num_attention_heads"])


def _rotary(draw: Draw, sizes: Sizes) -> int:
    """An even part of a head."""
    return 2 * draw.randint(1, get_head(sizes) // 2)


def _plain(draw: Draw, sizes: Sizes) -> Sizes:
    return sizes


def _gpt2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **get_gpt_names(sizes),
        "n_inner": draw.choice([None, sizes["intermediate_size"]]),
        "activation_function": draw.choice(["gelu_new", "gelu", "relu"]),
        "scale_attn_by_inverse_layer_idx": draw.random() < 0.3,
        "scale_attn_weights": draw.random() < 0.8,
    }


def _gptj(draw: Draw, sizes: Sizes) -> Sizes:
    return {**get_gpt_names(sizes), "rotary_dim": _rotary(draw, sizes)}


def _codegen(draw: Draw, sizes: Sizes) -> Sizes:
    sizes["num_attention_heads"] = draw.choice([4, 8])
    sizes["hidden_size"] = sizes["num_attention_heads"] * draw.choice([4, 6, 12])
    return {**get_gpt_names(sizes), "rotary_dim": _rotary(draw, sizes)}


def _gpt_neo(draw: Draw, sizes: Sizes) -> Sizes:
    layers = sizes["num_hidden_layers"]
    kinds = [draw.choice(["global", "local"]) for _ in range(layers)]
    return {
        "vocab_size": sizes["vocab_size"],
        "hidden_size": sizes["hidden_size"],
        "num_layers": layers,
        "num_heads": sizes["num_attention_heads"],
        "attention_types": [[[kind], 1] for kind in kinds],
        "intermediate_size": sizes["intermediate_size"],
        "max_position_embeddings": 64,
        "window_size": draw.choice([3, 5, 64]),
        "bos_token_id": None,
        "eos_token_id": None,
    }


def _neox(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "rotary_pct": _rotary(draw, sizes) / get_head(sizes),
        "use_parallel_residual": draw.random() < 0.5,
        "attention_bias": draw.random() < 0.7,
        "hidden_act": draw.choice(["gelu", "gelu_new", "relu"]),
    }


def _falcon(draw: Draw, sizes: Sizes) -> Sizes:
    kind = draw.choice(["7b", "40b", "rw"])
    extra: dict[str, Sizes] = {
        "7b": {"multi_query": True, "parallel_attn": draw.random() < 0.7},
        "40b": {
            "new_decoder_architecture": True,
            "num_kv_heads": sizes["num_key_value_heads"],
            "num_ln_in_parallel_attn": draw.choice([None, 1, 2]),
        },
        "rw": {
            "alibi": True,
            "multi_query": False,
            "parallel_attn": False,
            "num_attention_heads": 4,
            "hidden_size": 4 * draw.choice([8, 12, 16]),
        },
    }
    bias = {"bias": draw.random() < 0.5, "ffn_hidden_size": sizes["intermediate_size"]}
    return {**sizes, **bias, **extra[kind]}


def _bloom(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        "vocab_size": sizes["vocab_size"],
        "hidden_size": sizes["hidden_size"],
        "n_layer": sizes["num_hidden_layers"],
        "n_head": sizes["num_attention_heads"],
        "apply_residual_connection_post_layernorm": draw.random() < 0.3,
        "bos_token_id": None,
        "eos_token_id": None,
        "pad_token_id": None,
    }


def _mpt(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        "d_model": sizes["hidden_size"],
        "n_heads": sizes["num_attention_heads"],
        "n_layers": sizes["num_hidden_layers"],
        "vocab_size": sizes["vocab_size"],
        "max_seq_len": 64,
        "expansion_ratio": draw.choice([1, 2, 3]),
    }


def draw_opt(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "ffn_dim": sizes["intermediate_size"],
        "word_embed_proj_dim": sizes["hidden_size"],
        "do_layer_norm_before": draw.random() < 0.7,
        "activation_function": draw.choice(["relu", "gelu"]),
        "enable_bias": draw.random() < 0.7,
        "dropout": 0.0,
    }


def draw_phi(draw: Draw, sizes: Sizes) -> Sizes:
    return {**sizes, "partial_rotary_factor": _rotary(draw, sizes) / get_head(sizes)}


def draw_biases(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "attention_bias": draw.random() < 0.5,
        "mlp_bias": draw.random() < 0.5,
        "tie_word_embeddings": draw.random() < 0.5,
        "hidden_act": draw.choice(["silu", "gelu", "relu"]),
        "rms_norm_eps": draw.choice([1e-6, 1e-5, 1e-3]),
    }


def draw_window(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "sliding_window": draw.choice([None, 3, 5, 8])}


def _own_heads(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "head_dim": draw.choice([8, 12, 16])}


def _gemma(draw: Draw, sizes: Sizes) -> Sizes:
    return {**sizes, "head_dim": draw.choice([8, 12, 16])}


def _gemma2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **_gemma(draw, sizes),
        "sliding_window": draw.choice([3, 5]),
        "query_pre_attn_scalar": draw.choice([16, 24]),
        "final_logit_softcapping": draw.choice([None, 30.0]),
        "attn_logit_softcapping": draw.choice([None, 20.0]),
    }


def _granite(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_biases(draw, sizes),
        "residual_multiplier": draw.choice([0.22, 1.0]),
        "embedding_multiplier": draw.choice([12.0, 1.0]),
        "logits_scaling": draw.choice([8.0, 1.0]),
        "attention_multiplier": draw.choice([0.1, 0.3]),
    }


def _cohere(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "use_qk_norm": draw.random() < 0.5,
        "logit_scale": draw.choice([0.0625, 1.0]),
        "attention_bias": draw.random() < 0.5,
    }


def _stablelm(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_phi(draw, sizes),
        "use_parallel_residual": draw.random() < 0.5,
        "qk_layernorm": draw.random() < 0.5,
        "use_qkv_bias": draw.random() < 0.5,
    }


def draw_bert(draw: Draw, sizes: Sizes) -> Sizes:
    kept = ("vocab_size", "hidden_size", "num_hidden_layers", "intermediate_size")
    return {
        **{key: sizes[key] for key in kept},
        "num_attention_heads": sizes["num_attention_heads"],
        "max_position_embeddings": 64,
        "hidden_act": draw.choice(["gelu", "relu", "gelu_new"]),
    }


def draw_roberta(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_bert(draw, sizes), "pad_token_id": 1}


def draw_vit(draw: Draw, sizes: Sizes) -> Sizes:
    patch = draw.choice([4, 8])
    options = draw_bert(draw, sizes)
    del options["vocab_size"], options["max_position_embeddings"]
    return {
        **options,
        "image_size": patch * draw.choice([2, 3, 4]),
        "patch_size": patch,
        "num_channels": draw.choice([1, 3]),
        "qkv_bias": draw.random() < 0.7,
    }


def draw_t5(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        "vocab_size": sizes["vocab_size"],
        "d_model": sizes["hidden_size"],
        "d_kv": draw.choice([8, 12]),
        "d_ff": sizes["intermediate_size"],
        "num_layers": sizes["num_hidden_layers"],
        "num_heads": sizes["num_attention_heads"],
        "feed_forward_proj": draw.choice(["relu", "gated-gelu", "gated-silu"]),
        "tie_word_embeddings": draw.random() < 0.5,
        "decoder_start_token_id": 0,
    }


def draw_bart(draw: Draw, sizes: Sizes) -> Sizes:
    layers, heads = sizes["num_hidden_layers"], sizes["num_attention_heads"]
    return {
        "vocab_size": sizes["vocab_size"],
        "d_model": sizes["hidden_size"],
        "encoder_layers": layers,
        "decoder_layers": layers,
        "encoder_attention_heads": heads,
        "decoder_attention_heads": heads,
        "encoder_ffn_dim": sizes["intermediate_size"],
        "decoder_ffn_dim": sizes["intermediate_size"],
        "max_position_embeddings": 64,
        "scale_embedding": draw.random() < 0.5,
        "activation_function": draw.choice(["gelu", "relu"]),
    }


def _both(layers: int) -> tuple[int, int]:
    return 3 * layers, 2 * layers


EAGER = ("eager",)

RECIPES: dict[str, Recipe] = {
    "gpt2": Recipe("GPT2LMHeadModel", "GPT2Config", _gpt2),
    "gptj": Recipe("GPTJForCausalLM", "GPTJConfig", _gptj, attentions=EAGER),
    "codegen": Recipe("CodeGenForCausalLM", "CodeGenConfig", _codegen, attentions=EAGER),
    "gpt_neo": Recipe("GPTNeoForCausalLM", "GPTNeoConfig", _gpt_neo, attentions=EAGER),
    "gpt_neox": Recipe("GPTNeoXForCausalLM", "GPTNeoXConfig", _neox),
    "falcon": Recipe("FalconForCausalLM", "FalconConfig", _falcon),
    "bloom": Recipe("BloomForCausalLM", "BloomConfig", _bloom, attentions=EAGER),
    "mpt": Recipe("MptForCausalLM", "MptConfig", _mpt, attentions=EAGER),
    "opt": Recipe("OPTForCausalLM", "OPTConfig", draw_opt),
    "phi": Recipe("PhiForCausalLM", "PhiConfig", draw_phi),
    "phi3": Recipe("Phi3ForCausalLM", "Phi3Config", _plain),
    "llama": Recipe("LlamaForCausalLM", "LlamaConfig", draw_biases),
    "mistral": Recipe("MistralForCausalLM", "MistralConfig", draw_window),
    "qwen2": Recipe("Qwen2ForCausalLM", "Qwen2Config", draw_biases),
    "qwen3": Recipe("Qwen3ForCausalLM", "Qwen3Config", _own_heads),
    "gemma": Recipe("GemmaForCausalLM", "GemmaConfig", _gemma),
    "gemma2": Recipe("Gemma2ForCausalLM", "Gemma2Config", _gemma2, attentions=EAGER),
    "olmo2": Recipe("Olmo2ForCausalLM", "Olmo2Config", draw_biases),
    "granite": Recipe("GraniteForCausalLM", "GraniteConfig", _granite),
    "cohere": Recipe("CohereForCausalLM", "CohereConfig", _cohere),
    "stablelm": Recipe("StableLmForCausalLM", "StableLmConfig", _stablelm),
    "bert": Recipe("BertForMaskedLM", "BertConfig", draw_bert),
    "roberta": Recipe("RobertaForMaskedLM", "RobertaConfig", draw_roberta),
    "vit": Recipe("ViTModel", "ViTConfig", draw_vit, "pixels", padding=False),
    "t5-encoder": Recipe("T5EncoderModel", "T5Config", draw_t5),
    "t5": Recipe("T5ForConditionalGeneration", "T5Config", draw_t5, "pair", count=_both),
    "bart": Recipe(
        "BartForConditionalGeneration", "BartConfig", draw_bart, "pair", count=_both
    ),
}
