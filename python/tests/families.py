# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models with odd sizes of every kind that configs describe."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import torch
import transformers as hf

VOCABULARY = 97


@dataclasses.dataclass(frozen=True)
class Family:
    """How to make a model, and how much of it has to be recognised."""

    make: Callable[[], torch.nn.Module]
    attention: int = 2
    mlp: int = 2
    #: Runs with masks of padding.
    padding: bool = True
    kind: str = "ids"


def _make(name: str, config: Any, attention: str = "sdpa") -> torch.nn.Module:
    torch.manual_seed(0)
    config._attn_implementation = attention
    model = getattr(hf, name)(config).eval()
    randomise(model)
    return model


def randomise(model: torch.nn.Module, seed: int = 1) -> None:
    """No weight stays what initialisation makes kind: ones and zeros."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            draw = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() == 1:
                center = 1.0 if bool((parameter == 1).all()) else 0.0
                parameter.copy_(center + 0.2 * draw)
            else:
                parameter.copy_(draw * 1.5 / parameter.shape[-1] ** 0.5)


def forbid_caches(model: torch.nn.Module) -> None:
    """Results are what a call computes; stacks hold copies of the config."""
    for inner in model.modules():
        if hasattr(getattr(inner, "config", None), "use_cache"):
            inner.config.use_cache = False


def to_bf16(model: torch.nn.Module) -> torch.nn.Module:
    """As from_pretrained(dtype=) does it: frequencies stay what they are."""
    frequencies = {
        name: buffer.clone()
        for name, buffer in model.named_buffers()
        if "inv_freq" in name
    }
    model = model.to(torch.bfloat16)
    for name, buffer in frequencies.items():
        path, _, last = name.rpartition(".")
        setattr(model.get_submodule(path), last, buffer)
    return model


def _decoder(name: str, config: type, attention: str = "sdpa", **sizes: Any) -> Family:
    usual = {
        "vocab_size": VOCABULARY,
        "hidden_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "intermediate_size": 72,
        "max_position_embeddings": 64,
        "pad_token_id": None,
        "bos_token_id": None,
        "eos_token_id": None,
    }
    return Family(
        lambda: _make(f"{name}ForCausalLM", config(**{**usual, **sizes}), attention)
    )


def _gpt(name: str, config: type, attention: str = "sdpa", **sizes: Any) -> Family:
    usual = {
        "vocab_size": VOCABULARY,
        "n_embd": 48,
        "n_layer": 2,
        "n_head": 4,
        "n_positions": 64,
        "bos_token_id": None,
        "eos_token_id": None,
    }
    return Family(lambda: _make(name, config(**{**usual, **sizes}), attention))


FAMILIES: dict[str, Family] = {
    "gpt2": _gpt("GPT2LMHeadModel", hf.GPT2Config),
    "gptj": _gpt("GPTJForCausalLM", hf.GPTJConfig, "eager", rotary_dim=6),
    "codegen": _gpt("CodeGenForCausalLM", hf.CodeGenConfig, "eager", rotary_dim=6),
    "gpt_neox": _decoder("GPTNeoX", hf.GPTNeoXConfig, rotary_pct=0.5),
    "gpt_neox-serial": _decoder(
        "GPTNeoX", hf.GPTNeoXConfig, rotary_pct=0.5, use_parallel_residual=False
    ),
    "falcon-7b": _decoder("Falcon", hf.FalconConfig, multi_query=True),
    "falcon-40b": _decoder(
        "Falcon", hf.FalconConfig, new_decoder_architecture=True, num_kv_heads=2
    ),
    "falcon-rw": _decoder(
        "Falcon",
        hf.FalconConfig,
        alibi=True,
        multi_query=False,
        parallel_attn=False,
        bias=True,
    ),
    "bloom": _decoder("Bloom", hf.BloomConfig, "eager", n_layer=2, n_head=4),
    "mpt": Family(
        lambda: _make(
            "MptForCausalLM",
            hf.MptConfig(
                d_model=48,
                n_heads=4,
                n_layers=2,
                vocab_size=VOCABULARY,
                max_seq_len=64,
                expansion_ratio=2,
            ),
            "eager",
        )
    ),
    "opt": _decoder(
        "OPT", hf.OPTConfig, ffn_dim=72, word_embed_proj_dim=48, dropout=0.0
    ),
    "phi": _decoder("Phi", hf.PhiConfig, partial_rotary_factor=0.5),
    "phi3": _decoder("Phi3", hf.Phi3Config),
    "llama": _decoder("Llama", hf.LlamaConfig),
    "mistral": _decoder("Mistral", hf.MistralConfig, sliding_window=5),
    "qwen2": _decoder("Qwen2", hf.Qwen2Config),
    "qwen3": _decoder("Qwen3", hf.Qwen3Config, head_dim=16),
    "gemma": _decoder("Gemma", hf.GemmaConfig, head_dim=16),
    "gemma2": _decoder(
        "Gemma2",
        hf.Gemma2Config,
        "eager",
        head_dim=16,
        sliding_window=5,
        query_pre_attn_scalar=16,
    ),
    "gemma3_text": _decoder(
        "Gemma3",
        hf.Gemma3TextConfig,
        head_dim=16,
        sliding_window=5,
        query_pre_attn_scalar=24,
        layer_types=["sliding_attention", "full_attention"],
        rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 500.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 20.0},
        },
    ),
    "olmo2": _decoder("Olmo2", hf.Olmo2Config),
    "granite": _decoder(
        "Granite",
        hf.GraniteConfig,
        residual_multiplier=0.22,
        embedding_multiplier=12.0,
        logits_scaling=8.0,
        attention_multiplier=0.1,
    ),
    "cohere": _decoder("Cohere", hf.CohereConfig),
    "cohere-qk-norm": _decoder("Cohere", hf.CohereConfig, use_qk_norm=True),
    "stablelm": _decoder("StableLm", hf.StableLmConfig, partial_rotary_factor=0.5),
    "stablelm-parallel": _decoder(
        "StableLm",
        hf.StableLmConfig,
        partial_rotary_factor=0.5,
        use_parallel_residual=True,
        qk_layernorm=True,
    ),
    "bert": Family(
        lambda: _make(
            "BertForMaskedLM",
            hf.BertConfig(
                vocab_size=VOCABULARY,
                hidden_size=48,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=72,
                max_position_embeddings=64,
            ),
        )
    ),
    "roberta": Family(
        lambda: _make(
            "RobertaForMaskedLM",
            hf.RobertaConfig(
                vocab_size=VOCABULARY,
                hidden_size=48,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=72,
                max_position_embeddings=64,
                pad_token_id=1,
            ),
        )
    ),
    "t5-encoder": Family(
        lambda: _make("T5EncoderModel", _t5()),
    ),
    "t5": Family(
        lambda: _make("T5ForConditionalGeneration", _t5()),
        attention=6,
        mlp=4,
        kind="pair",
    ),
    "bart": Family(
        lambda: _make(
            "BartForConditionalGeneration",
            hf.BartConfig(
                vocab_size=VOCABULARY,
                d_model=48,
                encoder_layers=2,
                decoder_layers=2,
                encoder_attention_heads=4,
                decoder_attention_heads=4,
                encoder_ffn_dim=72,
                decoder_ffn_dim=72,
                max_position_embeddings=64,
            ),
        ),
        attention=6,
        mlp=4,
        kind="pair",
    ),
    "vit": Family(
        lambda: _make(
            "ViTModel",
            hf.ViTConfig(
                hidden_size=48,
                num_hidden_layers=2,
                num_attention_heads=4,
                intermediate_size=72,
                image_size=32,
                patch_size=8,
            ),
        ),
        padding=False,
        kind="pixels",
    ),
}


def _t5() -> Any:
    return hf.T5Config(
        vocab_size=VOCABULARY,
        d_model=48,
        d_kv=12,
        d_ff=72,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
    )


class EncoderLayer(torch.nn.Module):
    """nn.TransformerEncoderLayer as a model of its own."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.TransformerEncoderLayer(
            48, 4, 72, batch_first=True, **options
        )

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(hidden)
        return result


class DecoderLayer(torch.nn.Module):
    """nn.TransformerDecoderLayer as a model of its own."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.TransformerDecoderLayer(
            48, 4, 72, batch_first=True, **options
        )

    def forward(self, hidden: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layer(hidden, memory)
        return result


def _layer(make: Callable[[], torch.nn.Module]) -> Callable[[], torch.nn.Module]:
    def build() -> torch.nn.Module:
        module = make().eval()
        randomise(module)
        return module

    return build


for _norm_first in (False, True):
    _order = "pre" if _norm_first else "post"
    FAMILIES[f"nn-encoder-{_order}"] = Family(
        _layer(lambda first=_norm_first: EncoderLayer(norm_first=first)),
        attention=1,
        mlp=1,
        padding=False,
        kind="hidden",
    )
    FAMILIES[f"nn-decoder-{_order}"] = Family(
        _layer(lambda first=_norm_first: DecoderLayer(norm_first=first)),
        attention=2,
        mlp=1,
        padding=False,
        kind="memory",
    )


def make_inputs(family: Family, batch: int = 2, tokens: int = 11) -> tuple[Any, ...]:
    """Arguments of a model's call."""
    generator = torch.Generator().manual_seed(2)

    def ids(count: int) -> torch.Tensor:
        return torch.randint(5, VOCABULARY, (batch, count), generator=generator)

    def hidden(count: int) -> torch.Tensor:
        return torch.randn(batch, count, 48, generator=generator)

    if family.kind == "ids":
        return (ids(tokens),)
    if family.kind == "hidden":
        return (hidden(tokens),)
    if family.kind == "memory":
        return (hidden(tokens), hidden(tokens - 4))
    if family.kind == "pixels":
        return (torch.randn(batch, 3, 32, 32, generator=generator),)
    return (ids(tokens), None, ids(tokens - 4))
