# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders whose blocks are serial, parallel or simplified, for transformers.

No class of transformers computes these forms, so a checkpoint has this file beside
its weights: `AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True)`.
It needs nothing but PyTorch and transformers. Parameters have the names and layouts of
the families of `block-gen` that are called as the forms are.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput

NANOGPT = ("nanogpt-modern", "nanogpt-palm")
SIMPLIFIED = ("pre-ln", "sas", "sas-p", "no-norm")
#: Factor of both branches of a parallel layer of nanogpt-palm.
BRANCH_SCALE = 0.7071


class BlocksConfig(PretrainedConfig):  # type: ignore[misc]
    """Sizes of a decoder, its form, and which of its layers are parallel."""

    model_type = "parablock-blocks"

    def __init__(
        self,
        form: str = "nanogpt-palm",
        vocab_size: int = 256,
        hidden_size: int = 384,
        num_hidden_layers: int = 6,
        num_attention_heads: int = 6,
        max_position_embeddings: int = 256,
        parallel_layers: list[int] | None = None,
        tie_word_embeddings: bool = True,
        **others: Any,
    ) -> None:
        if form not in NANOGPT + SIMPLIFIED:
            raise ValueError(
                f"form: expected one of {', '.join(NANOGPT + SIMPLIFIED)}, got '{form}'"
            )
        self.form = form
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.num_attention_heads = num_attention_heads
        self.max_position_embeddings = max_position_embeddings
        is_parallel = form in ("nanogpt-palm", "sas-p", "no-norm")
        every = list(range(num_hidden_layers)) if is_parallel else []
        self.parallel_layers = every if parallel_layers is None else parallel_layers
        super().__init__(tie_word_embeddings=tie_word_embeddings, **others)


class InputMajor(nn.Module):
    """A projection whose matrix is stored [in, out]."""

    def __init__(self, width: int, outs: int, bias: bool = False) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width, outs))
        self.bias = nn.Parameter(torch.empty(outs)) if bias else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x @ self.weight
        return y if self.bias is None else y + self.bias


class IdentityAndChange(nn.Module):
    """A projection I + dW, whose dW is stored [in, out]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + x @ self.weight


class RootNorm(nn.Module):
    """RMSNorm with a gain, whose epsilon is added to the root."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.empty(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        root = x.pow(2).mean(-1, keepdim=True).sqrt()
        return x / (root + 1e-5) * self.scale


def bare_norm(x: torch.Tensor) -> torch.Tensor:
    """Computes RMSNorm without a gain."""
    return F.rms_norm(x, (x.shape[-1],), eps=2.0**-23)


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    return x.view(*x.shape[:2], heads, -1).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(1, 2).flatten(2)


def rotate(x: torch.Tensor) -> torch.Tensor:
    """Rotates by positions: halves are pairs, and the table is in bf16."""
    half = x.shape[-1] // 2
    exponents = torch.arange(half, dtype=torch.float32) / half
    positions = torch.arange(x.shape[-2], dtype=torch.float32)
    angles = torch.outer(positions, 1.0 / 10000.0**exponents)
    cosine, sine = (table.bfloat16().to(x.dtype) for table in (angles.cos(), angles.sin()))
    low, high = x[..., :half], x[..., half:]
    turned = (low * cosine - high * sine, high * cosine + low * sine)
    return torch.cat(turned, dim=-1)


class NanoAttention(nn.Module):
    """Causal attention; queries and keys are rotated, then normalised."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.c_q = nn.Linear(width, width, bias=False)
        self.c_k = nn.Linear(width, width, bias=False)
        self.c_v = nn.Linear(width, width, bias=False)
        self.c_proj = nn.Linear(width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (split_heads(c(x), self.heads) for c in (self.c_q, self.c_k, self.c_v))
        q, k = (bare_norm(rotate(y)) for y in (q, k))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(merge_heads(y))  # type: ignore[no-any-return]


class NanoMlp(nn.Module):
    """Two projections around a squared ReLU."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.c_fc = nn.Linear(width, 4 * width, bias=False)
        self.c_proj = nn.Linear(4 * width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.c_proj(F.relu(self.c_fc(x)).square())  # type: ignore[no-any-return]


class NanoLayer(nn.Module):
    """x + s (A(N x) + F(N x)), or x + A(N x) and then that + F(N that)."""

    def __init__(self, config: BlocksConfig, index: int) -> None:
        super().__init__()
        self.attn = NanoAttention(config)
        self.mlp = NanoMlp(config)
        self.is_parallel = index in config.parallel_layers

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = bare_norm(x)
        if self.is_parallel:
            return x + BRANCH_SCALE * self.attn(n) + BRANCH_SCALE * self.mlp(n)  # type: ignore[no-any-return]
        x = x + self.attn(n)
        return x + self.mlp(bare_norm(x))  # type: ignore[no-any-return]


class PlainAttention(nn.Module):
    """Causal attention with all four projections; queries and keys have biases."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.qk_attn = InputMajor(width, 2 * width, bias=True)
        self.v_attn = InputMajor(width, width)
        self.c_proj = InputMajor(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k = self.qk_attn(x).chunk(2, dim=-1)
        q, k, v = (split_heads(y, self.heads) for y in (q, k, self.v_attn(x)))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(merge_heads(y))  # type: ignore[no-any-return]


class ShapedAttention(nn.Module):
    """Values weighted by alpha I + beta softmax - gamma C, and no output projection.

    C is what the softmax of equal scores would be. Values are the input, but for
    the first layer's.
    """

    def __init__(self, config: BlocksConfig, index: int) -> None:
        super().__init__()
        width, self.heads = config.hidden_size, config.num_attention_heads
        self.qk_attn = InputMajor(width, 2 * width, bias=True)
        self.v_attn = IdentityAndChange(width) if index == 0 else None
        shape = (1, self.heads, 1, 1)
        self.attn_mat_skip_gain = nn.Parameter(torch.empty(shape))
        self.attn_mat_resid_gain = nn.Parameter(torch.empty(shape))
        self.centre_attn_gain = nn.Parameter(torch.empty(shape))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        tokens = x.shape[1]
        q, k = self.qk_attn(x).chunk(2, dim=-1)
        v = x if self.v_attn is None else self.v_attn(x)
        q, k, v = (split_heads(y, self.heads) for y in (q, k, v))
        seen = torch.ones(tokens, tokens, dtype=torch.bool).tril()
        uniform = seen.to(x.dtype) / torch.arange(1, tokens + 1, dtype=x.dtype)[:, None]
        scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
        weights = scores.masked_fill(~seen, -torch.inf).softmax(-1)
        weights = (
            self.attn_mat_skip_gain * torch.eye(tokens, dtype=x.dtype)
            + self.attn_mat_resid_gain * weights
            - self.centre_attn_gain * uniform
        )
        return merge_heads(weights @ v)


class ReluMlp(nn.Module):
    """Two projections around a ReLU."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.c_fc = InputMajor(width, 4 * width)
        self.c_proj = InputMajor(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.c_proj(F.relu(self.c_fc(x)))  # type: ignore[no-any-return]


class PreNormLayer(nn.Module):
    """x + A(N1 x), and then that + F(N2 that)."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        self.ln_1 = RootNorm(config.hidden_size)
        self.attn = PlainAttention(config)
        self.ln_2 = RootNorm(config.hidden_size)
        self.mlp = ReluMlp(config)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))  # type: ignore[no-any-return]


class SimplifiedLayer(nn.Module):
    """A(N x) + g F(N x), or h = A(N1 x) and then h + g F(N2 h)."""

    def __init__(self, config: BlocksConfig, index: int) -> None:
        super().__init__()
        width = config.hidden_size
        self.is_parallel = index in config.parallel_layers
        self.ln_1: nn.Module | None = RootNorm(width)
        if config.form == "no-norm":
            self.ln_1 = nn.LayerNorm(width, eps=1e-5) if index == 0 else None
        self.attn = ShapedAttention(config, index)
        self.ln_2 = None if self.is_parallel else RootNorm(width)
        self.mlp = ReluMlp(config)
        self.mlp_block_resid_gain = nn.Parameter(torch.empty(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x if self.ln_1 is None else self.ln_1(x)
        h = self.attn(n)
        if self.ln_2 is not None:
            n = self.ln_2(h)
        return h + self.mlp_block_resid_gain * self.mlp(n)  # type: ignore[no-any-return]


class Decoder(nn.Module):
    """Embeddings, layers and the final norm."""

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.wte = nn.Embedding(config.vocab_size, width)
        is_nano = config.form in NANOGPT
        positions = config.max_position_embeddings
        self.wpe = None if is_nano else nn.Embedding(positions, width)
        self.h = nn.ModuleList(
            NanoLayer(config, i)
            if is_nano
            else PreNormLayer(config)
            if config.form == "pre-ln"
            else SimplifiedLayer(config, i)
            for i in range(config.num_hidden_layers)
        )
        self.ln_f = None if is_nano else nn.LayerNorm(width, eps=1e-5)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        x = self.wte(input_ids)
        if self.wpe is not None:
            x = x + self.wpe(torch.arange(input_ids.shape[1]))
        for layer in self.h:
            x = layer(x)
        return bare_norm(x) if self.ln_f is None else self.ln_f(x)


class BlocksForCausalLM(PreTrainedModel):  # type: ignore[misc]
    """The decoder with its head, which is the embedding."""

    config_class = BlocksConfig
    base_model_prefix = "transformer"
    _tied_weights_keys = {"lm_head.weight": "transformer.wte.weight"}

    def __init__(self, config: BlocksConfig) -> None:
        super().__init__(config)
        self.transformer = Decoder(config)
        self.lm_head = nn.Linear(config.hidden_size, config.vocab_size, bias=False)
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        return self.transformer.wte

    def get_output_embeddings(self) -> nn.Module:
        return self.lm_head

    def _init_weights(self, module: nn.Module) -> None:
        """Draws by fan-in; what nanoGPTs write to the stream begins with nothing."""
        if isinstance(module, nn.Linear | InputMajor):
            fan_in = module.weight.shape[1 if isinstance(module, nn.Linear) else 0]
            nn.init.normal_(module.weight, std=fan_in**-0.5)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        elif isinstance(module, RootNorm):
            nn.init.ones_(module.scale)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, IdentityAndChange):
            nn.init.zeros_(module.weight)
        elif isinstance(module, NanoAttention | NanoMlp):
            nn.init.zeros_(module.c_proj.weight)
        elif isinstance(module, PreNormLayer):
            # As GPT-2 has it: what all layers add to the stream is as large as one of them.
            depth = 2 * self.config.num_hidden_layers
            for output in (module.attn.c_proj, module.mlp.c_proj):
                nn.init.normal_(output.weight, std=(depth * output.weight.shape[0]) ** -0.5)
        elif isinstance(module, ShapedAttention):
            self._init_shaped(module)
        elif isinstance(module, SimplifiedLayer):
            nn.init.constant_(module.mlp_block_resid_gain, 0.1)

    def _init_shaped(self, module: ShapedAttention) -> None:
        """Queries of nothing: the softmax is C, and attention the identity."""
        with torch.no_grad():
            nn.init.zeros_(module.qk_attn.weight[:, : module.qk_attn.weight.shape[0]])
        nn.init.ones_(module.attn_mat_skip_gain)
        nn.init.ones_(module.attn_mat_resid_gain)
        nn.init.ones_(module.centre_attn_gain)

    def forward(self, input_ids: torch.Tensor) -> CausalLMOutput:
        return CausalLMOutput(logits=self.lm_head(self.transformer(input_ids)))
