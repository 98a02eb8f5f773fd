# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small decoder of the Llama form, as a function of weights by checkpoint name."""

import dataclasses
import math
import re

import torch
import torch.nn.functional as F


@dataclasses.dataclass(frozen=True)
class Sizes:
    """The sizes of a decoder; `form` is serial or parallel.

    Serial: x += attention(norm1(x)), then x += mlp(norm2(x)). Parallel, with one
    norm a layer: x += attention(norm(x)) + mlp(norm(x)). If `tied`, all layers have
    the matrices of the first one, and norms of their own.
    """

    form: str = "serial"
    layers: int = 8
    width: int = 128
    heads: int = 4
    kv_heads: int = 2
    hidden: int = 384
    vocabulary: int = 128
    positions: int = 128
    rope_base: float = 10000.0
    epsilon: float = 1e-5
    tied: bool = False

    @property
    def head(self):
        return self.width // self.heads

    def hugging_face(self):
        """The config.json of the serial form."""
        return {
            "architectures": ["LlamaForCausalLM"],
            "attention_bias": False,
            "head_dim": self.head,
            "hidden_act": "silu",
            "hidden_size": self.width,
            "intermediate_size": self.hidden,
            "max_position_embeddings": self.positions,
            "mlp_bias": False,
            "model_type": "llama",
            "num_attention_heads": self.heads,
            "num_hidden_layers": self.layers,
            "num_key_value_heads": self.kv_heads,
            "rms_norm_eps": self.epsilon,
            "rope_theta": self.rope_base,
            "tie_word_embeddings": False,
            "torch_dtype": "bfloat16",
            "vocab_size": self.vocabulary,
        }


def draw(sizes, generator):
    """Weights at the start of training, under Hugging Face's names for Llama."""
    weights = {}

    def matrix(name, outs, ins, gain=1.0):
        first = re.sub(r"(?<=layers\.)\d+", "0", name)
        if sizes.tied and first in weights:
            weights[name] = weights[first]
            return
        weights[name] = torch.randn(outs, ins, generator=generator) * gain / math.sqrt(ins)

    key_width = sizes.kv_heads * sizes.head
    into_stream = 1 / math.sqrt(2 * sizes.layers)
    matrix("model.embed_tokens.weight", sizes.vocabulary, sizes.width, math.sqrt(sizes.width))
    for layer in range(sizes.layers):
        at = f"model.layers.{layer}."
        weights[at + "input_layernorm.weight"] = torch.ones(sizes.width)
        if sizes.form == "serial":
            weights[at + "post_attention_layernorm.weight"] = torch.ones(sizes.width)
        matrix(at + "self_attn.q_proj.weight", sizes.width, sizes.width)
        matrix(at + "self_attn.k_proj.weight", key_width, sizes.width)
        matrix(at + "self_attn.v_proj.weight", key_width, sizes.width)
        matrix(at + "self_attn.o_proj.weight", sizes.width, sizes.width, into_stream)
        matrix(at + "mlp.gate_proj.weight", sizes.hidden, sizes.width)
        matrix(at + "mlp.up_proj.weight", sizes.hidden, sizes.width)
        matrix(at + "mlp.down_proj.weight", sizes.width, sizes.hidden, into_stream)
    weights["model.norm.weight"] = torch.ones(sizes.width)
    matrix("lm_head.weight", sizes.vocabulary, sizes.width, 0.2)
    return {name: weight.requires_grad_() for name, weight in weights.items()}


def rotation(sizes, length, dtype):
    """Cosine and sine of every position and channel of a head, halves side by side."""
    exponents = torch.arange(0, sizes.head, 2, dtype=torch.float64) / sizes.head
    angles = torch.outer(torch.arange(length, dtype=torch.float64), sizes.rope_base**-exponents)
    angles = torch.cat([angles, angles], dim=-1)
    return angles.cos().to(dtype), angles.sin().to(dtype)


def causal(length, dtype):
    """What to add to scores, so that no token looks at a later one."""
    return torch.full((length, length), -1e4, dtype=dtype).triu(1)


def merged(weights, at, names):
    return torch.cat([weights[at + name + ".weight"] for name in names])


def attention(sizes, weights, at, x, cosine, sine, before):
    batch, length, _ = x.shape
    heads, groups = sizes.heads, sizes.kv_heads
    projected = F.linear(x, merged(weights, at, ("q_proj", "k_proj", "v_proj")))
    projected = projected.view(batch, length, heads + 2 * groups, sizes.head).transpose(1, 2)
    turned, values = projected.split((heads + groups, groups), dim=1)
    left, right = turned.chunk(2, dim=-1)
    turned = turned * cosine + torch.cat((-right, left), dim=-1) * sine
    queries, keys = turned.split((heads, groups), dim=1)
    keys, values = (t.repeat_interleave(heads // groups, dim=1) for t in (keys, values))
    scores = queries * sizes.head**-0.5 @ keys.transpose(-1, -2) + before
    mixed = scores.softmax(dim=-1).to(values.dtype) @ values
    mixed = mixed.transpose(1, 2).reshape(batch, length, sizes.width)
    return F.linear(mixed, weights[at + "o_proj.weight"])


def mlp(sizes, weights, at, x):
    gate, up = F.linear(x, merged(weights, at, ("gate_proj", "up_proj"))).chunk(2, dim=-1)
    return F.linear(F.silu(gate) * up, weights[at + "down_proj.weight"])


def logits(sizes, weights, ids):
    """Logits [batch, length, vocabulary] for ids [batch, length]."""
    x = F.embedding(ids, weights["model.embed_tokens.weight"])
    dtype = torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else x.dtype
    positions = (*rotation(sizes, ids.shape[1], dtype), causal(ids.shape[1], dtype))

    def norm(name, x):
        return F.rms_norm(x, (sizes.width,), weights[name + ".weight"], sizes.epsilon)

    for layer in range(sizes.layers):
        at = f"model.layers.{layer}."
        first = norm(at + "input_layernorm", x)
        attended = attention(sizes, weights, at + "self_attn.", first, *positions)
        if sizes.form == "parallel":
            x = x + attended + mlp(sizes, weights, at + "mlp.", first)
        else:
            x = x + attended
            second = norm(at + "post_attention_layernorm", x)
            x = x + mlp(sizes, weights, at + "mlp.", second)
    return F.linear(norm("model.norm", x), weights["lm_head.weight"])
