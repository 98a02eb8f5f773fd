# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers as a serving engine has them, whose attention is an operation of its own.

It keeps keys and values in pages that no graph has among its inputs, and writes into a
tensor that it is given; what is around it goes to `torch.compile(backend="parablock")`
(docs/use/Serving.md).
"""

import dataclasses

import torch

PAGE = 16


@dataclasses.dataclass
class Pages:
    """Keys and values of a layer, and which pages have those of the text at hand."""

    keys: torch.Tensor
    values: torch.Tensor
    used: torch.Tensor
    held: int = 0

    def append(self, key: torch.Tensor, value: torch.Tensor) -> None:
        """Writes rows [tokens, heads, size] behind those that are there."""
        places = self.held + torch.arange(len(key))
        self.keys[self.used[places // PAGE], places % PAGE] = key
        self.values[self.used[places // PAGE], places % PAGE] = value
        self.held += len(key)

    def read(self, pages: torch.Tensor) -> torch.Tensor:
        """All rows [heads, tokens, size] of the text."""
        return pages[self.used].flatten(0, 1)[: self.held].transpose(0, 1)


#: What an engine knows of its layers, by their names.
LAYERS: dict[str, Pages] = {}


@torch.library.custom_op("serving_example::paged_attention", mutates_args=("output",))
def paged_attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, output: torch.Tensor, layer: str
) -> None:
    """Attention of new tokens [tokens, heads * size] to all that their layer holds."""
    pages = LAYERS[layer]
    shape = (len(query), *pages.keys.shape[2:])
    pages.append(key.view(shape), value.view(shape))
    positions = pages.held - len(query) + torch.arange(len(query))
    seen = torch.arange(pages.held) <= positions[:, None]
    result = torch.nn.functional.scaled_dot_product_attention(
        query.view(shape).transpose(0, 1),
        pages.read(pages.keys),
        pages.read(pages.values),
        attn_mask=seen,
    )
    output.copy_(result.transpose(0, 1).reshape(output.shape))


@paged_attention.register_fake
def _(query, key, value, output, layer):
    return None


class Layer(torch.nn.Module):
    """A block of Llama's kind, without rotations."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        self.name = name
        self.norm_1 = torch.nn.RMSNorm(width, eps=1e-6)
        self.norm_2 = torch.nn.RMSNorm(width, eps=1e-6)
        self.qkv = torch.nn.Linear(width, 3 * width, bias=False)
        self.out = torch.nn.Linear(width, width, bias=False)
        self.gate_up = torch.nn.Linear(width, 4 * width, bias=False)
        self.down = torch.nn.Linear(2 * width, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = (t.contiguous() for t in self.qkv(self.norm_1(x)).chunk(3, -1))
        attended = torch.empty_like(query)
        torch.ops.serving_example.paged_attention(query, key, value, attended, self.name)
        x = x + self.out(attended)
        gate, up = self.gate_up(self.norm_2(x)).chunk(2, -1)
        return x + self.down(torch.nn.functional.silu(gate) * up)


class Layers(torch.nn.Module):
    """What an engine calls with the new tokens of a step."""

    def __init__(self, count: int, width: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer(f"layers.{n}", width) for n in range(count))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x


def make_pages(layers: Layers, heads: int, size: int, used: torch.Tensor) -> None:
    """Gives each layer pages of its own, for one text."""
    shape = (int(used.max()) + 1, PAGE, heads, size)
    for layer in layers.layers:
        LAYERS[layer.name] = Pages(torch.zeros(shape), torch.zeros(shape), used)
