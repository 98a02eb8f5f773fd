# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one does with a module of PyTorch, way by way, and the modules to do it with."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import transformers as hf
from families import FAMILIES, VOCABULARY, Family, forbid_caches, make_inputs, randomise
from oracle import get_distance, run_exactly
from torch.utils import _pytree as pytree

import parablock

_SIZES: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 72,
    "max_position_embeddings": 64,
}


def _make_headed(name: str, config: hf.PretrainedConfig) -> Family:
    def make() -> torch.nn.Module:
        torch.manual_seed(0)
        module: torch.nn.Module = getattr(hf, name)(config).eval()
        randomise(module)
        return module

    return Family(make, kind="pixels" if name.startswith("ViT") else "ids")


def _bert(head: str, **options: Any) -> Family:
    return _make_headed(f"Bert{head}", hf.BertConfig(**_SIZES, **options))


_GPT2 = hf.GPT2Config(
    vocab_size=VOCABULARY, n_embd=48, n_layer=2, n_head=4, n_positions=64, pad_token_id=3
)
_VIT = hf.ViTConfig(
    hidden_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=72,
    image_size=32,
    patch_size=8,
    num_labels=5,
)

#: Decoders, encoders with every kind of head, both at once, images, bare layers.
MODULES: dict[str, Family] = {
    "gpt2": FAMILIES["gpt2"],
    "gpt2-classes": _make_headed("GPT2ForSequenceClassification", _GPT2),
    "llama": FAMILIES["llama"],
    "qwen3": FAMILIES["qwen3"],
    "gemma2": FAMILIES["gemma2"],
    "gpt_neox": FAMILIES["gpt_neox"],
    "bert-pooler": _bert("Model"),
    "bert-masked-lm": FAMILIES["bert"],
    "bert-classes": _bert("ForSequenceClassification", num_labels=5),
    "bert-number": _bert("ForSequenceClassification", num_labels=1),
    "bert-tokens": _bert("ForTokenClassification", num_labels=5),
    "bert-answers": _bert("ForQuestionAnswering"),
    "t5-encoder": FAMILIES["t5-encoder"],
    "bart": FAMILIES["bart"],
    "vit-classes": _make_headed("ViTForImageClassification", _VIT),
    "nn-encoder": FAMILIES["nn-encoder-pre"],
}


@dataclasses.dataclass(frozen=True)
class Subject:
    """A module with a call, its exact results, and a folder for what is written."""

    module: torch.nn.Module
    inputs: tuple[Any, ...]
    folder: Path

    @functools.cached_property
    def exact(self) -> Any:
        return run_exactly(self.module, self.inputs)

    @functools.cached_property
    def model(self) -> parablock.Model:
        return parablock.from_torch(self.module, self.inputs)

    def compare(self, results: Any, exact: Any = None, limit: float = 1e-5) -> None:
        own = pytree.tree_leaves(results)
        expected = pytree.tree_leaves(self.exact if exact is None else exact)
        for values, reference in zip(own, expected, strict=True):
            assert get_distance(values, reference) < limit


def make_subject(name: str, folder: Path) -> Subject:
    family = MODULES[name]
    module = family.make()
    forbid_caches(module)
    return Subject(module, make_inputs(family, batch=4, tokens=7), folder)


def _import(subject: Subject) -> None:
    assert "block.attention" in str(subject.model)
    assert {layer["name"] for layer in subject.model.count("sm_90a")["layers"]}


def _explain(subject: Subject) -> None:
    told = subject.model.optimize().explain()
    assert told.to_dict()["recognised"]["attention"] >= 1
    assert all(layer["launches"]["before"] for layer in told.to_dict()["layers"])
    assert "recognised" in str(told)


def _run_on(subject: Subject, target: str) -> None:
    chip = target.partition(":")[2] or None
    compiled = subject.model.optimize(chip=chip).compile(target)
    subject.compare(compiled(*subject.inputs))


def _emulate(subject: Subject) -> None:
    for chip in ("sm_80", "sm_90a"):
        _run_on(subject, f"emulate:{chip}")


def _report(subject: Subject) -> None:
    page = subject.model.optimize().report(subject.folder / "page.html").read_text()
    assert "What a layer costs before" in page


def _save(subject: Subject) -> None:
    path = subject.model.optimize(chip="sm_90a").save(subject.folder / "model.pbk")
    assert {"manifest.json", "weights.safetensors"} <= {p.name for p in path.iterdir()}


def _drift(subject: Subject) -> None:
    drift = subject.model.drift(subject.inputs)
    layers = subject.model.count("sm_90a")["layers"]
    serial = [layer for layer in layers if layer["form"] == "serial"]
    assert len(drift.to_dict()["layers"]) >= len(serial)
    assert drift.to_dict()["floor"]


def _open_sizes(subject: Subject) -> None:
    batch = torch.export.Dim("batch", min=1, max=8)
    tokens = torch.export.Dim("tokens", min=2, max=60)
    others = torch.export.Dim("others", min=2, max=60)

    def open_shape(number: int, value: Any) -> Any:
        if value is None:
            return None
        if value.dim() == 4:
            return {0: batch}
        return {0: batch, 1: others if number else tokens}

    shapes = tuple(open_shape(i, value) for i, value in enumerate(subject.inputs))
    model = parablock.from_torch(subject.module, subject.inputs, dynamic_shapes=shapes)
    compiled = model.optimize().compile()
    for rows in (1, 3):
        inputs = tuple(None if v is None else v[:rows] for v in subject.inputs)
        subject.compare(compiled(*inputs), run_exactly(subject.module, inputs))


@torch.no_grad()
def _compile_with_mask(subject: Subject) -> None:
    torch.compiler.reset()
    before = parablock.stats()["compiled"]
    kwargs: dict[str, Any] = {}
    config = getattr(subject.module, "config", None)
    if config is not None and subject.inputs[0].dim() == 2:
        mask = torch.ones_like(subject.inputs[0])
        mask[1, 4:] = 0
        kwargs["attention_mask"] = mask
    names = ("input_ids", "attention_mask", "decoder_input_ids")
    call = dict(zip(names, subject.inputs, strict=False)) if kwargs else {}
    call = {**call, **kwargs}
    args = () if call else subject.inputs
    results = torch.compile(subject.module, backend="parablock")(*args, **call)
    exact = run_exactly(subject.module, args, call)
    real = kwargs.get("attention_mask")
    for own, expected in zip(
        pytree.tree_leaves(results), pytree.tree_leaves(exact), strict=True
    ):
        if real is not None and own.shape[:2] == real.shape:
            # What stands behind the real tokens is nobody's.
            own, expected = own[real.bool()], expected[real.bool()]
        assert get_distance(own, expected) < 1e-5
    assert parablock.stats()["compiled"] > before


WAYS: dict[str, Callable[[Subject], None]] = {
    "import": _import,
    "explain": _explain,
    "cpu": lambda subject: _run_on(subject, "cpu"),
    "reference": lambda subject: _run_on(subject, "reference"),
    "emulate": _emulate,
    "report": _report,
    "save": _save,
    "drift": _drift,
    "open-sizes": _open_sizes,
    "torch.compile": _compile_with_mask,
}
