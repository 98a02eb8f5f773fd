# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families that config.json is not read of, as `drawing` draws them.

What is not recognised there is named: `left` is a regular expression that the
error, a reason or an operation that is left has to match.
"""

from __future__ import annotations

from recipes import (
    EAGER,
    Draw,
    Recipe,
    Sizes,
    draw_bart,
    draw_bert,
    draw_biases,
    draw_opt,
    draw_phi,
    draw_roberta,
    draw_t5,
    draw_vit,
    draw_window,
    get_gpt_names,
    get_head,
)


def _rope(draw: Draw, sizes: Sizes) -> Sizes:
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


def _kinds(draw: Draw, sizes: Sizes) -> Sizes:
    """Layers with and without a window."""
    count = sizes["num_hidden_layers"]
    kinds = ["full_attention", "sliding_attention"]
    return {
        **draw_biases(draw, sizes),
        "layer_types": [draw.choice(kinds) for _ in range(count)],
        "sliding_window": draw.choice([3, 5, 8]),
    }


def _gemma3(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **_kinds(draw, sizes),
        "hidden_act": "gelu_pytorch_tanh",
        "head_dim": draw.choice([8, 12]),
        "query_pre_attn_scalar": draw.choice([16, 24]),
        "final_logit_softcapping": draw.choice([None, 30.0]),
        "attn_logit_softcapping": None,
    }


def _vaultgemma(draw: Draw, sizes: Sizes) -> Sizes:
    return {**_gemma3(draw, sizes), "attn_logit_softcapping": draw.choice([None, 20.0])}


def _olmo(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "clip_qkv": draw.choice([None, None, 0.9])}


def _starcoder2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_window(draw, sizes),
        "use_bias": draw.random() < 0.5,
        "hidden_act": "gelu_pytorch_tanh",
    }


def _gpt_bigcode(draw: Draw, sizes: Sizes) -> Sizes:
    return {**get_gpt_names(sizes), "multi_query": draw.random() < 0.5}


def _squared(draw: Draw, sizes: Sizes) -> Sizes:
    """MLPs of relu^2, without a gate."""
    return {**draw_biases(draw, sizes), "hidden_act": "relu2"}


def _nemotron(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_phi(draw, sizes), "attention_bias": draw.random() < 0.5}


def _glm(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "head_dim": 8,
        "partial_rotary_factor": draw.choice([0.5, 1.0]),
        "attention_bias": draw.random() < 0.5,
    }


def _persimmon(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_phi(draw, sizes), "qk_layernorm": draw.random() < 0.5}


def _xglm(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **sizes,
        "d_model": 4 * draw.choice([6, 8]),
        "attention_heads": 4,
        "num_layers": sizes["num_hidden_layers"],
        "ffn_dim": sizes["intermediate_size"],
        "scale_embedding": draw.random() < 0.5,
        "pad_token_id": 1,
    }


def _own_heads(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "head_dim": draw.choice([8, 12, 16])}


def _helium(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_biases(draw, sizes), "head_dim": get_head(sizes)}


def _ministral(draw: Draw, sizes: Sizes) -> Sizes:
    return {**_kinds(draw, sizes), "head_dim": draw.choice([8, 12, 16])}


def _smollm3(draw: Draw, sizes: Sizes) -> Sizes:
    count = sizes["num_hidden_layers"]
    return {
        **draw_biases(draw, sizes),
        "no_rope_layers": [draw.choice([0, 1]) for _ in range(count)],
    }


def _cohere2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **_kinds(draw, sizes),
        "hidden_act": "silu",
        "logit_scale": draw.choice([0.0625, 1.0]),
    }


def _latent(draw: Draw, sizes: Sizes) -> Sizes:
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


def _modernbert(draw: Draw, sizes: Sizes) -> Sizes:
    kinds = _kinds(draw, sizes)["layer_types"]
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


def _distilbert(draw: Draw, sizes: Sizes) -> Sizes:
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


def _embedded(draw: Draw, sizes: Sizes) -> Sizes:
    """Embeddings narrower than the stream."""
    own = draw.choice([10, sizes["hidden_size"]])
    return {**draw_bert(draw, sizes), "embedding_size": own}


def _deberta(draw: Draw, sizes: Sizes) -> Sizes:
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


def _deberta_plain(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_bert(draw, sizes), "relative_attention": False}


def _dinov2(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_vit(draw, sizes),
        "mlp_ratio": draw.choice([2, 3]),
        "use_swiglu_ffn": draw.random() < 0.4,
    }


def _clip_vision(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_vit(draw, sizes), "hidden_act": draw.choice(["quick_gelu", "gelu"])}


def _clip_text(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_bert(draw, sizes),
        "hidden_act": draw.choice(["quick_gelu", "gelu"]),
        "eos_token_id": 2,
    }


def _beit(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_vit(draw, sizes),
        "use_absolute_position_embeddings": draw.random() < 0.5,
        "use_relative_position_bias": draw.random() < 0.5,
        "layer_scale_init_value": draw.choice([0.0, 0.1]),
    }


def _whisper(draw: Draw, sizes: Sizes) -> Sizes:
    return {
        **draw_bart(draw, sizes),
        "num_mel_bins": 10,
        "max_source_positions": 16,
        "max_target_positions": 64,
        "pad_token_id": 0,
        "decoder_start_token_id": 1,
    }


def _openai(draw: Draw, sizes: Sizes) -> Sizes:
    return {**get_gpt_names(sizes), "afn": draw.choice(["gelu", "relu", "silu"])}


def _pegasus(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_bart(draw, sizes), "pad_token_id": 0}


def _opt_projected(draw: Draw, sizes: Sizes) -> Sizes:
    """Embeddings narrower than the stream, norms behind the branches."""
    return {
        **draw_opt(draw, sizes),
        "word_embed_proj_dim": sizes["hidden_size"] // 2,
        "do_layer_norm_before": draw.random() < 0.5,
    }


def _causal_bert(draw: Draw, sizes: Sizes) -> Sizes:
    return {**draw_roberta(draw, sizes), "is_decoder": True}


def _both(layers: int) -> tuple[int, int]:
    return 3 * layers, 2 * layers


def _causal(name: str, draw: object = draw_biases, **more: object) -> Recipe:
    return Recipe(f"{name}ForCausalLM", f"{name}Config", draw, **more)  # type: ignore


def _masked(name: str, draw: object = draw_roberta, **more: object) -> Recipe:
    return Recipe(f"{name}ForMaskedLM", f"{name}Config", draw, **more)  # type: ignore


def _vision(name: str, draw: object = draw_vit, **more: object) -> Recipe:
    more = {"kind": "pixels", "padding": False, **more}
    return Recipe(f"{name}Model", f"{name}Config", draw, **more)  # type: ignore


def _pair(name: str, draw: object = _pegasus, **more: object) -> Recipe:
    more = {"kind": "pair", "count": _both, **more}
    config = f"{name.removesuffix('MT')}Config"
    model = f"{name}Model" if name.endswith("MT") else f"{name}ForConditionalGeneration"
    return Recipe(model, config, draw, **more)  # type: ignore


WIDER: dict[str, Recipe] = {
    # Other heads and parts of families that config.json is read of.
    "llama-bare": Recipe("LlamaModel", "LlamaConfig", draw_biases),
    "gpt2-bare": Recipe("GPT2Model", "GPT2Config", lambda draw, s: get_gpt_names(s)),
    "bert-bare": Recipe("BertModel", "BertConfig", draw_bert),
    "bert-classifier": Recipe(
        "BertForSequenceClassification", "BertConfig", draw_bert
    ),
    "bert-tokens": Recipe("BertForTokenClassification", "BertConfig", draw_bert),
    "bert-decoder": Recipe("BertLMHeadModel", "BertConfig", _causal_bert),
    "roberta-decoder": Recipe("RobertaForCausalLM", "RobertaConfig", _causal_bert),
    "vit-classifier": Recipe(
        "ViTForImageClassification", "ViTConfig", draw_vit, "pixels", padding=False
    ),
    "t5-bare": Recipe("T5Model", "T5Config", draw_t5, "pair", count=_both),
    "bart-decoder": Recipe("BartForCausalLM", "BartConfig", draw_bart),
    "opt-projected": Recipe("OPTForCausalLM", "OPTConfig", _opt_projected),
    # Families of their own.
    "rope": _causal("Llama", _rope),
    "olmo": _causal("Olmo", _olmo),
    "olmo3": _causal("Olmo3", _kinds),
    "gemma3": Recipe("Gemma3ForCausalLM", "Gemma3TextConfig", _gemma3),
    "vaultgemma": _causal("VaultGemma", _vaultgemma, attentions=EAGER),
    "starcoder2": _causal("Starcoder2", _starcoder2),
    "gpt_bigcode": _causal("GPTBigCode", _gpt_bigcode),
    "nemotron": _causal("Nemotron", _nemotron),
    "glm": _causal("Glm", _glm),
    "glm4": _causal("Glm4", _glm),
    "persimmon": _causal("Persimmon", _persimmon),
    "xglm": _causal("XGLM", _xglm, attentions=EAGER),
    "helium": _causal("Helium", _helium),
    "smollm3": _causal("SmolLM3", _smollm3),
    "ministral": _causal("Ministral", _ministral),
    "exaone4": _causal("Exaone4", _kinds),
    "cohere2": _causal("Cohere2", _cohere2),
    "arcee": _causal("Arcee", _squared),
    "apertus": _causal("Apertus", lambda draw, s: s, left="aten.softplus"),
    "seed_oss": _causal("SeedOss", _own_heads),
    "hunyuan": _causal("HunYuanDenseV1", _own_heads),
    "nanochat": _causal("NanoChat", _squared),
    "granite_swa": _causal("GraniteSWA", _kinds, left="aten.logsumexp"),
    "ernie4_5": _causal("Ernie4_5", draw_biases),
    "biogpt": _causal("BioGpt", draw_roberta),
    "gpt_neox_japanese": _causal("GPTNeoXJapanese", draw_phi, attentions=EAGER),
    "openai": Recipe("OpenAIGPTLMHeadModel", "OpenAIGPTConfig", _openai),
    "deepseek_v3": _causal("DeepseekV3", _latent, left="aten.new_empty"),
    "deepseek_v2": _causal("DeepseekV2", _latent, left="aten.view_as_complex"),
    "minicpm3": _causal("MiniCPM3", _latent, left="aten.new_empty"),
    "diffllama": _causal("DiffLlama", draw_biases, left="unknown-head-layout"),
    "bitnet": _causal("BitNet", draw_biases, left="ffn_sub_norm"),
    "doge": _causal("Doge", draw_biases, left="aten.softplus"),
    "modernbert-decoder": _causal("ModernBertDecoder", _modernbert),
    "modernbert": _masked("ModernBert", _modernbert),
    "distilbert": _masked("DistilBert", _distilbert),
    "electra": _masked("Electra", _embedded),
    "albert": _masked("Albert", _embedded),
    "camembert": _masked("Camembert"),
    "xlm-roberta": _masked("XLMRoberta"),
    "xlm-roberta-xl": _masked("XLMRobertaXL"),
    "roberta-prelayernorm": _masked("RobertaPreLayerNorm"),
    "megatron-bert": _masked("MegatronBert", draw_bert, attentions=EAGER),
    "ernie": _masked("Ernie", draw_bert),
    "rembert": _masked("RemBert", draw_bert, attentions=EAGER),
    "nomic-bert": _masked("NomicBert", draw_bert),
    "eurobert": _masked("EuroBert", draw_biases),
    "gte": _masked("Gte", draw_bert),
    "mpnet": _masked("MPNet"),
    "deberta-v2": _masked("DebertaV2", _deberta, attentions=EAGER),
    "deberta-v2-plain": _masked("DebertaV2", _deberta_plain, attentions=EAGER),
    "clip-text": Recipe(
        "CLIPTextModel", "CLIPTextConfig", _clip_text, left="aten.argmax"
    ),
    "siglip-text": Recipe("SiglipTextModel", "SiglipTextConfig", _clip_text),
    "clip-vision": _vision("CLIPVision", _clip_vision),
    # Its head is a query of its own, the same for each image.
    "siglip-vision": _vision("SiglipVision", _clip_vision, left="not-projected"),
    "deit": _vision("DeiT", left="of embeddings"),
    "vit-msn": _vision("ViTMSN"),
    "ijepa": _vision("IJepa"),
    "dinov2": _vision("Dinov2", _dinov2),
    "dinov3": _vision("DINOv3ViT", left="of embeddings"),
    "beit": _vision("Beit", _beit, left="aten.upsample"),
    "whisper": Recipe(
        "WhisperForAudioClassification",
        "WhisperConfig",
        _whisper,
        "features",
        padding=False,
        left="aten.conv1d",
    ),
    "mbart": _pair("MBart", draw_bart),
    "pegasus": _pair("Pegasus"),
    "marian": _pair("MarianMT"),
    "m2m_100": _pair("M2M100", draw_bart),
    "blenderbot": _pair("Blenderbot"),
    "mt5": _pair("MT5", draw_t5),
    "umt5": _pair("UMT5", draw_t5),
}
