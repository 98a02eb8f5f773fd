# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformer blocks as people write them in PyTorch, small."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-6, offset=0.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(width) * 0.1 + 1 - offset)
        self.eps, self.offset = eps, offset

    def forward(self, x):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)
        return (wide * (self.weight.float() + self.offset)).to(x.dtype)


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rotate_pairs(x):
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((-odd, even), dim=-1).flatten(-2)


def make_angles(tokens, dim, pairs=False):
    rates = 1.0 / 10000 ** (torch.arange(0, dim, 2).float() / dim)
    angles = torch.outer(torch.arange(tokens).float(), rates)
    return angles.repeat_interleave(2, dim=-1) if pairs else torch.cat((angles, angles), -1)


class Attention(nn.Module):
    """Heads by hand. `form` says how scores are masked, `rope` how heads turn."""

    def __init__(self, width, heads, kv_heads=None, bias=True, form="plain", rope=None,
                 fused=False, sdpa=False, cap=0.0, qk_norm=False, scaled=True):
        super().__init__()
        self.heads, self.kv_heads, self.dim = heads, kv_heads or heads, width // heads
        self.form, self.rope, self.fused, self.sdpa = form, rope, fused, sdpa
        self.cap = cap
        self.scale = self.dim**-0.5 if scaled else 1.0
        kv = self.kv_heads * self.dim
        if fused:
            self.qkv = nn.Linear(width, width + 2 * kv, bias=bias)
        else:
            self.q, self.k, self.v = (nn.Linear(width, n, bias=bias) for n in (width, kv, kv))
        self.o = nn.Linear(width, width, bias=bias)
        if qk_norm:
            self.q_norm, self.k_norm = RMSNorm(self.dim), RMSNorm(self.dim)
        self.qk_norm = qk_norm

    def turn(self, x):
        if not self.rope:
            return x
        dim = self.dim // 2 if "partial" in self.rope else self.dim
        pairs = "pairs" in self.rope
        angles = make_angles(x.shape[-2], dim, pairs)
        rotate = rotate_pairs if pairs else rotate_half
        part = x[..., :dim]
        part = part * angles.cos().to(x.dtype) + rotate(part) * angles.sin().to(x.dtype)
        return part if dim == self.dim else torch.cat((part, x[..., dim:]), -1)

    def mask(self, scores):
        tokens = scores.shape[-1]
        below = torch.ones(tokens, tokens, dtype=torch.bool).tril()
        lowest = torch.finfo(scores.dtype).min
        if self.form == "tril":
            return scores.masked_fill(~below, -torch.inf)
        if self.form == "lowest":
            return torch.where(below, scores, torch.tensor(lowest, dtype=scores.dtype))
        if self.form == "added":
            return scores + torch.full((tokens, tokens), -torch.inf).triu(1).to(scores.dtype)
        if self.form == "window":
            place = torch.arange(tokens)
            far = (place[:, None] - place[None, :]) >= 4
            return scores.masked_fill(~below | far, lowest)
        if self.form == "alibi":
            slopes = torch.tensor([2.0 ** (-8.0 * (h + 1) / self.heads) for h in range(self.heads)])
            place = torch.arange(tokens)
            scores = scores + (slopes[:, None, None] * (place[None, :] - place[:, None])).to(
                scores.dtype)
            return scores.masked_fill(~below, lowest)
        return scores

    def forward(self, x, bias=None):
        batch, tokens, width = x.shape
        if self.fused:
            kv = self.kv_heads * self.dim
            q, k, v = self.qkv(x).split((width, kv, kv), dim=-1)
        else:
            q, k, v = self.q(x), self.k(x), self.v(x)
        q, k, v = (y.view(batch, tokens, -1, self.dim).transpose(1, 2) for y in (q, k, v))
        if self.qk_norm:
            q, k = self.q_norm(q), self.k_norm(k)
        q, k = self.turn(q), self.turn(k)
        if self.kv_heads != self.heads:
            k, v = (y.repeat_interleave(self.heads // self.kv_heads, dim=1) for y in (k, v))
        if self.sdpa:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias,
                                               is_causal=self.form != "plain" and bias is None)
        else:
            scores = (q @ k.transpose(-2, -1)) * self.scale
            if self.cap:
                scores = torch.tanh(scores / self.cap) * self.cap
            scores = self.mask(scores)
            if bias is not None:
                scores = scores + bias
            y = scores.softmax(-1) @ v
        return self.o(y.transpose(1, 2).reshape(batch, tokens, width))


ACTIVATIONS = {
    "gelu": F.gelu,
    "tanh": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "quick": lambda x: x * torch.sigmoid(1.702 * x),
    "relu": F.relu,
    "relu2": lambda x: F.relu(x).square(),
    "silu": F.silu,
}


class MLP(nn.Module):
    def __init__(self, width, hidden, activation="gelu", bias=True, gated=False):
        super().__init__()
        self.up, self.down = nn.Linear(width, hidden, bias), nn.Linear(hidden, width, bias)
        self.gate = nn.Linear(width, hidden, bias) if gated else None
        self.act = ACTIVATIONS[activation]

    def forward(self, x):
        if self.gate is None:
            return self.down(self.act(self.up(x)))
        return self.down(self.act(self.gate(x)) * self.up(x))


class Block(nn.Module):
    """`order` is pre, post or parallel; `scale` gives branches a gain."""

    def __init__(self, width=32, heads=4, hidden=64, order="pre", norm="layer", scale=False,
                 activation="gelu", gated=False, mlp_bias=True, offset=0.0, **attention):
        super().__init__()
        make = (lambda: nn.LayerNorm(width)) if norm == "layer" else (
            lambda: RMSNorm(width, offset=offset))
        self.norm1, self.norm2 = make(), make()
        self.attn = Attention(width, heads, **attention)
        self.mlp = MLP(width, hidden, activation, mlp_bias, gated)
        self.order = order
        gain = (lambda: nn.Parameter(torch.rand(width))) if scale else (lambda: None)
        self.gain1, self.gain2 = gain(), gain()

    def forward(self, x, bias=None):
        def grow(y, gain):
            return y if gain is None else y * gain

        if self.order == "parallel":
            return x + self.attn(self.norm1(x), bias) + self.mlp(self.norm1(x))
        if self.order == "post":
            x = self.norm1(x + self.attn(x, bias))
            return self.norm2(x + self.mlp(x))
        x = x + grow(self.attn(self.norm1(x), bias), self.gain1)
        return x + grow(self.mlp(self.norm2(x)), self.gain2)


def reset(module, seed=0):
    """Weights that a mistake cannot hide behind: no zeros, no ones."""
    torch.manual_seed(seed)
    for name, parameter in module.named_parameters():
        with torch.no_grad():
            noise = torch.randn_like(parameter)
            if parameter.dim() > 1:
                parameter.copy_(noise * 0.5 / math.sqrt(parameter.shape[-1]))
            elif "norm" in name and name.endswith("weight"):
                parameter.copy_(parameter + noise * 0.1)
            else:
                parameter.copy_(noise * 0.1)
    return module.eval()
