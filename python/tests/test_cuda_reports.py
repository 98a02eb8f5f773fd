# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that kernels of target 'cuda' reject, as the engine of target 'cpu' does, and bytes of decoders."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import experts
import numpy as np
import pytest
import torch
import transformers as hf
from fake_cuda import FakeCuda, bring_back
from generating import make_llama

import parablock
from parablock.errors import Error

LOGIT = "'block.route' expected logits without NaN, got one for expert 2 in row 0"


def _make(layer: int = 1) -> tuple[Any, torch.Tensor]:
    """Returns a model, and the row of a router's weights that makes logits NaN."""
    model = experts.make("mixtral")
    return model, model.model.layers[layer].mlp.gate.weight[2]


@pytest.mark.parametrize("optimize", [{}, {"parallel": "all"}])
def test_calls(fake_driver: ctypes.CDLL, optimize: dict[str, str]) -> None:
    """The call that has a NaN is an error, and the next one is right."""
    model, row = _make()
    ids = experts.draw_ids()
    model.config.use_cache = False
    compiled = parablock.from_torch(model, (ids,)).optimize(**optimize).compile("cuda")
    wanted = compiled(ids).logits
    with torch.no_grad():
        kept = row.clone()
        row.fill_(float("nan"))
    with pytest.raises(Error, match=rf"^kernel 'route_\d' of layer 1: {LOGIT}$"):
        compiled(ids)
    with torch.no_grad():
        row.copy_(kept)
    assert torch.equal(compiled(ids).logits, wanted)


def test_calls_on_a_device(fake_driver: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that waits for nothing leaves its error to the next one."""
    model, row = _make()
    ids = experts.draw_ids()
    model.config.use_cache = False
    compiled = parablock.from_torch(model, (ids,)).optimize().compile("cuda")
    with FakeCuda(monkeypatch) as cuda:
        placed = cuda.place(ids)
        wanted = bring_back(compiled(placed).logits)
        with torch.no_grad():
            kept = row.clone()
            row.fill_(float("nan"))
        assert bring_back(compiled(placed).logits).isnan().any()
        earlier = f"^an earlier launch: kernel 'route_0' of layer 1: {LOGIT}$"
        with pytest.raises(Error, match=earlier):
            compiled(placed)
        with torch.no_grad():
            row.copy_(kept)
        assert torch.equal(bring_back(compiled(placed).logits), wanted)


def test_bytes_of_decoders(fake_driver: ctypes.CDLL, tmp_path: Path) -> None:
    """All doors return them; one of two programs, those of both."""
    module = make_llama(num_hidden_layers=1)
    module.save_pretrained(tmp_path)
    model = parablock.from_pretrained(tmp_path)
    config = hf.T5Config(
        vocab_size=61, d_model=32, d_kv=16, d_ff=48, num_layers=1, num_heads=2, dropout_rate=0.0
    )
    pair = hf.T5ForConditionalGeneration(config).eval()
    for make, source in (
        (model.generator, module),
        (lambda target: model.paged_decoder(4, target), module),
        (lambda target: parablock.generation(module, target=target), module),
        (lambda target: parablock.generation(pair, target=target), pair.decoder),
    ):
        memory = make(target="cuda").memory()
        matrices = sum(weight.nbytes for weight in source.parameters() if weight.dim() == 2)
        assert matrices <= memory["weights"] < 1.2 * matrices
        assert memory["total"] > memory["free"] and memory["originals"] == 0
        with pytest.raises(Error, match="'memory' requires target 'cuda', got 'cpu'"):
            make(target="cpu").memory()


@pytest.mark.parametrize("loop", ["generator", "generate", "own"])
def test_tokens(fake_driver: ctypes.CDLL, tmp_path: Path, loop: str) -> None:
    """Loops of graphs end with the error, where the device or, in transformers' own loop, the host chooses tokens."""
    model, ids = experts.make("mixtral"), torch.tensor([[3, 5, 7, 11]])
    with torch.no_grad():
        model.model.embed_tokens.weight[7].fill_(float("nan"))
    # Without a wait for the prompt's logits, the first token's launch is behind it.
    earlier = "" if loop == "own" else "an earlier launch: "
    found = pytest.raises(Error, match=rf"^{earlier}kernel 'route_0' of layer 0: .* for expert 0 in row 0$")
    if loop == "generator":
        model.save_pretrained(tmp_path)
        generator = parablock.from_pretrained(tmp_path).generator(target="cuda")
        with found:
            generator.generate(np.asarray(ids), 4, stop=())
    else:
        generation = parablock.generation(model, target="cuda")
        with found:
            generation.generate(ids, max_new_tokens=4, do_sample=loop == "own")
