# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models with what stands around blocks: embeddings, masks, poolers, heads."""

import torch
from torch import nn
from torch.nn import functional as F

from torch_parts import Block, MLP, RMSNorm, Attention

WIDTH, TOKENS, VOCABULARY = 32, 8, 61


class Stack(nn.Module):
    def __init__(self, layers=2, final=True, **block):
        super().__init__()
        self.layers = nn.ModuleList(Block(**block) for _ in range(layers))
        self.norm = nn.LayerNorm(WIDTH) if final else nn.Identity()

    def forward(self, x, bias=None):
        for layer in self.layers:
            x = layer(x, bias)
        return self.norm(x)


class Language(nn.Module):
    def __init__(self, tied=False, cap=0.0, **block):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(TOKENS, WIDTH)
        self.stack = Stack(**block)
        self.head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        if tied:
            self.head.weight = self.tokens.weight
        self.cap = cap

    def forward(self, ids):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))
        x = self.head(self.stack(x))
        return torch.tanh(x / self.cap) * self.cap if self.cap else x


class Encoder(nn.Module):
    """BERT with a mask in arithmetic; `end` is what stands behind it."""

    def __init__(self, end="pooler", **block):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(TOKENS, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.stack = Stack(final=False, order="post", **block)
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.classes = nn.Linear(WIDTH, 3)
        self.end = end

    def forward(self, ids, mask, types):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1])) + self.types(types)
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        x = self.stack(self.norm(x), bias)
        if self.end == "pooler":
            return x, torch.tanh(self.dense(x[:, 0]))
        if self.end == "classes":
            return self.classes(torch.tanh(self.dense(x[:, 0]))).softmax(-1)
        if self.end == "tokens":
            return self.classes(x)
        if self.end == "spans":
            return self.classes(x)[..., :2].split(1, dim=-1)
        weight = mask[..., None].to(x.dtype)
        mean = (x * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
        return F.normalize(mean, dim=-1)


class Vision(nn.Module):
    def __init__(self, pool="class", conv=True, **block):
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, 4, 4) if conv else nn.Linear(48, WIDTH)
        self.first = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.places = nn.Parameter(torch.randn(1, 17 if pool == "class" else 16, WIDTH))
        self.stack = Stack(**block)
        self.head = nn.Linear(WIDTH, 5)
        self.pool, self.conv = pool, conv

    def forward(self, image):
        if self.conv:
            x = self.patches(image).flatten(2).transpose(1, 2)
        else:
            x = image.reshape(image.shape[0], 3, 4, 4, 4, 4).permute(0, 2, 4, 3, 5, 1)
            x = self.patches(x.reshape(image.shape[0], 16, 48))
        if self.pool == "class":
            x = torch.cat((self.first.expand(x.shape[0], -1, -1), x), dim=1)
        x = self.stack(x + self.places)
        return self.head(x[:, 0] if self.pool == "class" else x.mean(1))


class Text(nn.Module):
    """The text half of CLIP: the row of the largest id goes out."""

    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Parameter(torch.randn(TOKENS, WIDTH))
        self.stack = Stack(form="added", activation="quick")
        self.out = nn.Parameter(torch.randn(WIDTH, 16))

    def forward(self, ids):
        x = self.stack(self.tokens(ids) + self.places)
        x = x[torch.arange(ids.shape[0]), ids.argmax(-1)]
        x = x @ self.out
        return x / x.norm(dim=-1, keepdim=True)


class Sound(nn.Module):
    """Whisper's encoder: two convolutions over time in front."""

    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(6, WIDTH, 3, padding=1)
        self.second = nn.Conv1d(WIDTH, WIDTH, 3, stride=2, padding=1)
        self.places = nn.Parameter(torch.randn(TOKENS, WIDTH))
        self.stack = Stack()

    def forward(self, frames):
        x = F.gelu(self.second(F.gelu(self.first(frames)))).transpose(1, 2)
        return self.stack(x + self.places)


class Mixer(nn.Module):
    """No attention: tokens are mixed by an MLP."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.tokens, self.channels = MLP(TOKENS, 16), MLP(WIDTH, 64)

    def forward(self, x):
        x = x + self.tokens(self.norm1(x).transpose(1, 2)).transpose(1, 2)
        return x + self.channels(self.norm2(x))


class Prefix(nn.Module):
    """Tokens of its own in front, and a gate of what comes out."""

    def __init__(self):
        super().__init__()
        self.prefix = nn.Parameter(torch.randn(2, WIDTH))
        self.stack = Stack()
        self.gate = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        both = torch.cat((self.prefix.expand(x.shape[0], -1, -1), x), 1)
        y = self.stack(both)[:, 2:]
        return torch.where(y > 0, y, 0.1 * y) * torch.sigmoid(self.gate(x))


class Decoder(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(WIDTH, 4, 64, dropout=0.0, batch_first=True,
                                                **options)

    def forward(self, x, memory):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.layer(x, memory, tgt_mask=mask)


class Padded(nn.Module):
    """PyTorch's own layer with its mask of padding."""

    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(WIDTH, 4, 64, dropout=0.0, batch_first=True)

    def forward(self, x, padding):
        return self.layer(x, src_key_padding_mask=padding)


class Relative(nn.Module):
    """T5: a table of distances, no scale, no biases."""

    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(WIDTH), RMSNorm(WIDTH)
        self.attn = Attention(WIDTH, 4, bias=False, scaled=False)
        self.mlp = MLP(WIDTH, 64, "relu", bias=False)
        self.table = nn.Embedding(2 * TOKENS - 1, 4)

    def forward(self, x):
        place = torch.arange(x.shape[1])
        distance = place[None, :] - place[:, None] + TOKENS - 1
        bias = self.table(distance).permute(2, 0, 1)[None]
        x = x + self.attn(self.norm1(x), bias)
        return x + self.mlp(self.norm2(x))


def stream(batch=2, tokens=TOKENS):
    return torch.randn(batch, tokens, WIDTH)


def ids(batch=2, tokens=TOKENS):
    return torch.randint(1, VOCABULARY, (batch, tokens))


def padding(batch=2, tokens=TOKENS):
    return (torch.arange(tokens)[None] < torch.tensor([tokens, tokens - 3])[:, None]).long()


def encoder_inputs():
    return ids(), padding(), torch.randint(0, 2, (2, TOKENS))


# name -> (what makes the model, what makes its inputs)
MODELS = {
    "gpt2": (lambda: Language(form="tril", fused=True, activation="tanh"), lambda: (ids(),)),
    "gpt_tied_cap": (lambda: Language(tied=True, cap=30.0, form="lowest"), lambda: (ids(),)),
    "nano_gpt": (lambda: Language(form="causal", sdpa=True, fused=True, bias=False,
                                  mlp_bias=False), lambda: (ids(),)),
    "llama": (lambda: Stack(norm="rms", gated=True, activation="silu", bias=False, mlp_bias=False,
                            kv_heads=2, rope="half", form="added"), lambda: (stream(),)),
    "llama_sdpa": (lambda: Stack(norm="rms", gated=True, activation="silu", bias=False,
                                 mlp_bias=False, rope="half", form="causal", sdpa=True),
                   lambda: (stream(),)),
    "gemma": (lambda: Stack(norm="rms", offset=1.0, gated=True, activation="tanh", bias=False,
                            mlp_bias=False, kv_heads=1, rope="half", form="lowest", cap=20.0),
              lambda: (stream(),)),
    "gptj": (lambda: Stack(order="parallel", rope="pairs partial", form="lowest", bias=False,
                           activation="tanh"), lambda: (stream(),)),
    "neox": (lambda: Stack(rope="half partial", form="tril", fused=True), lambda: (stream(),)),
    "bloom": (lambda: Stack(form="alibi", activation="tanh"), lambda: (stream(),)),
    "mistral": (lambda: Stack(norm="rms", gated=True, activation="silu", bias=False,
                              mlp_bias=False, kv_heads=2, rope="half", form="window"),
                lambda: (stream(),)),
    "qwen3": (lambda: Stack(norm="rms", gated=True, activation="silu", bias=False, mlp_bias=False,
                            rope="half", form="added", qk_norm=True), lambda: (stream(),)),
    "primer": (lambda: Stack(activation="relu2", form="tril", bias=False), lambda: (stream(),)),
    "layer_scale": (lambda: Stack(scale=True), lambda: (stream(),)),
    "plain_encoder": (lambda: Stack(), lambda: (stream(),)),
    "post_encoder": (lambda: Stack(order="post", final=False), lambda: (stream(),)),
    "bert_pooler": (lambda: Encoder("pooler"), encoder_inputs),
    "bert_classes": (lambda: Encoder("classes"), encoder_inputs),
    "bert_tokens": (lambda: Encoder("tokens"), encoder_inputs),
    "bert_spans": (lambda: Encoder("spans"), encoder_inputs),
    "bert_mean": (lambda: Encoder("mean"), encoder_inputs),
    "vit_class": (lambda: Vision(), lambda: (torch.randn(2, 3, 16, 16),)),
    "vit_mean": (lambda: Vision(pool="mean"), lambda: (torch.randn(2, 3, 16, 16),)),
    "vit_linear": (lambda: Vision(pool="mean", conv=False), lambda: (torch.randn(2, 3, 16, 16),)),
    "clip_text": (Text, lambda: (ids(),)),
    "whisper_encoder": (Sound, lambda: (torch.randn(2, 6, 2 * TOKENS),)),
    "mixer": (Mixer, lambda: (stream(),)),
    "prefix": (Prefix, lambda: (stream(),)),
    "t5": (Relative, lambda: (stream(),)),
    "torch_post_relu": (lambda: nn.TransformerEncoderLayer(WIDTH, 4, 64, 0.0, batch_first=True),
                        lambda: (stream(),)),
    "torch_pre_gelu": (lambda: nn.TransformerEncoderLayer(WIDTH, 4, 64, 0.0, F.gelu,
                                                          batch_first=True, norm_first=True),
                       lambda: (stream(),)),
    "torch_tokens_first": (lambda: nn.TransformerEncoderLayer(WIDTH, 4, 64, 0.0, norm_first=True),
                           lambda: (stream(TOKENS, 2),)),
    "torch_padding": (Padded, lambda: (stream(), padding() == 0)),
    "torch_decoder": (Decoder, lambda: (stream(), stream(tokens=6))),
    "torch_decoder_pre": (lambda: Decoder(norm_first=True), lambda: (stream(), stream(tokens=6))),
}

# Also in bfloat16.
NARROW = ("gpt2", "llama", "gemma", "bert_pooler", "vit_class", "torch_pre_gelu", "mistral", "t5")
# Also with the number of rows, or of tokens, left open.
OPEN = {"gpt2": "batch", "llama": "batch", "bert_pooler": "batch", "bert_mean": "batch",
        "torch_pre_gelu": "batch", "nano_gpt": "batch", "vit_class": "batch"}
