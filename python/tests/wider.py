# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families that config.json is not read of, as `drawing` draws them.

What is not recognised there is named: `left` is a regular expression that the
error, a reason or an operation that is left has to match.
"""

from __future__ import annotations

from recipes import (
    EAGER,
    Recipe,
    draw_bart,
    draw_bert,
    draw_biases,
    draw_phi,
    draw_roberta,
    draw_t5,
    draw_vit,
    get_gpt_names,
)
from wider_options import (
    draw_beit,
    draw_causal_bert,
    draw_clip_text,
    draw_clip_vision,
    draw_cohere2,
    draw_deberta,
    draw_deberta_plain,
    draw_dinov2,
    draw_distilbert,
    draw_embedded,
    draw_gemma3,
    draw_glm,
    draw_gpt_bigcode,
    draw_helium,
    draw_kinds,
    draw_latent,
    draw_ministral,
    draw_modernbert,
    draw_nemotron,
    draw_olmo,
    draw_openai,
    draw_opt_projected,
    draw_own_heads,
    draw_pegasus,
    draw_persimmon,
    draw_rope,
    draw_smollm3,
    draw_squared,
    draw_starcoder2,
    draw_vaultgemma,
    draw_whisper,
    draw_xglm,
)


def _both(layers: int) -> tuple[int, int]:
    return 3 * layers, 2 * layers


def _causal(name: str, draw: object = draw_biases, **more: object) -> Recipe:
    return Recipe(f"{name}ForCausalLM", f"{name}Config", draw, **more)  # type: ignore


def _masked(name: str, draw: object = draw_roberta, **more: object) -> Recipe:
    return Recipe(f"{name}ForMaskedLM", f"{name}Config", draw, **more)  # type: ignore


def _vision(name: str, draw: object = draw_vit, **more: object) -> Recipe:
    more = {"kind": "pixels", "padding": False, **more}
    return Recipe(f"{name}Model", f"{name}Config", draw, **more)  # type: ignore


def _pair(name: str, draw: object = draw_pegasus, **more: object) -> Recipe:
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
    "bert-decoder": Recipe("BertLMHeadModel", "BertConfig", draw_causal_bert),
    "roberta-decoder": Recipe("RobertaForCausalLM", "RobertaConfig", draw_causal_bert),
    "vit-classifier": Recipe(
        "ViTForImageClassification", "ViTConfig", draw_vit, "pixels", padding=False
    ),
    "t5-bare": Recipe("T5Model", "T5Config", draw_t5, "pair", count=_both),
    "bart-decoder": Recipe("BartForCausalLM", "BartConfig", draw_bart),
    "opt-projected": Recipe("OPTForCausalLM", "OPTConfig", draw_opt_projected),
    # Families of their own.
    "rope": _causal("Llama", draw_rope),
    "olmo": _causal("Olmo", draw_olmo),
    "olmo3": _causal("Olmo3", draw_kinds),
    "gemma3": Recipe("Gemma3ForCausalLM", "Gemma3TextConfig", draw_gemma3),
    "vaultgemma": _causal("VaultGemma", draw_vaultgemma, attentions=EAGER),
    "starcoder2": _causal("Starcoder2", draw_starcoder2),
    "gpt_bigcode": _causal("GPTBigCode", draw_gpt_bigcode),
    "nemotron": _causal("Nemotron", draw_nemotron),
    "glm": _causal("Glm", draw_glm),
    "glm4": _causal("Glm4", draw_glm),
    "persimmon": _causal("Persimmon", draw_persimmon),
    "xglm": _causal("XGLM", draw_xglm, attentions=EAGER),
    "helium": _causal("Helium", draw_helium),
    "smollm3": _causal("SmolLM3", draw_smollm3),
    "ministral": _causal("Ministral", draw_ministral),
    "exaone4": _causal("Exaone4", draw_kinds),
    "cohere2": _causal("Cohere2", draw_cohere2),
    "arcee": _causal("Arcee", draw_squared),
    "apertus": _causal("Apertus", lambda draw, s: s, left="act_fn"),
    "seed_oss": _causal("SeedOss", draw_own_heads),
    "hunyuan": _causal("HunYuanDenseV1", draw_own_heads),
    "nanochat": _causal("NanoChat", draw_squared),
    "granite_swa": _causal("GraniteSWA", draw_kinds),
    "ernie4_5": _causal("Ernie4_5", draw_biases),
    "biogpt": _causal("BioGpt", draw_roberta),
    "gpt_neox_japanese": _causal("GPTNeoXJapanese", draw_phi, attentions=EAGER),
    "openai": Recipe("OpenAIGPTLMHeadModel", "OpenAIGPTConfig", draw_openai),
    "deepseek_v3": _causal("DeepseekV3", draw_latent, left="not-projected"),
    "deepseek_v2": _causal("DeepseekV2", draw_latent, left="not-projected"),
    "minicpm3": _causal("MiniCPM3", draw_latent, left="not-projected"),
    "youtu": _causal("Youtu", draw_latent, left="not-projected"),
    "diffllama": _causal("DiffLlama", draw_biases, left="unknown-head-layout"),
    "bitnet": _causal("BitNet", draw_biases, left="ffn_sub_norm"),
    "doge": _causal("Doge", draw_biases, left="depend on sizes"),
    "modernbert-decoder": _causal("ModernBertDecoder", draw_modernbert),
    "modernbert": _masked("ModernBert", draw_modernbert),
    "distilbert": _masked("DistilBert", draw_distilbert),
    "electra": _masked("Electra", draw_embedded),
    "albert": _masked("Albert", draw_embedded),
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
    "deberta-v2": _masked(
        "DebertaV2", draw_deberta, attentions=EAGER, left="aten.gather"
    ),
    "deberta-v2-plain": _masked("DebertaV2", draw_deberta_plain, attentions=EAGER),
    "clip-text": Recipe("CLIPTextModel", "CLIPTextConfig", draw_clip_text),
    "siglip-text": Recipe("SiglipTextModel", "SiglipTextConfig", draw_clip_text),
    "clip-vision": _vision("CLIPVision", draw_clip_vision),
    # Its head is a query of its own, the same for each image.
    "siglip-vision": _vision("SiglipVision", draw_clip_vision, left="not-projected"),
    "deit": _vision("DeiT", left="of embeddings"),
    "vit-msn": _vision("ViTMSN"),
    "ijepa": _vision("IJepa"),
    "dinov2": _vision("Dinov2", draw_dinov2),
    "dinov3": _vision("DINOv3ViT", left="of embeddings"),
    "beit": _vision("Beit", draw_beit),
    "whisper": Recipe(
        "WhisperForAudioClassification",
        "WhisperConfig",
        draw_whisper,
        "features",
        padding=False,
    ),
    "mbart": _pair("MBart", draw_bart),
    "pegasus": _pair("Pegasus"),
    "marian": _pair("MarianMT"),
    "m2m_100": _pair("M2M100", draw_bart),
    "blenderbot": _pair("Blenderbot"),
    "mt5": _pair("MT5", draw_t5),
    "umt5": _pair("UMT5", draw_t5),
}
