# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of save_onnx in onnxruntime, against the reference engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
import transformers as hf
from families import FAMILIES, make_inputs
from oracle import check_near

import parablock
from parablock.weights import write_safetensors

hf.utils.logging.disable_progress_bar()

#: Families whose ops all have a form.
NAMES = (
    "llama gpt2 bert gemma2 qwen3 mistral qwen2 opt gpt_neox gpt_neox-serial gptj codegen falcon-7b falcon-40b bloom mpt "
    "phi phi3 gemma gemma3_text olmo2 granite cohere cohere-qk-norm stablelm stablelm-parallel"
).split()
PARALLEL: tuple[dict[str, Any], ...] = (
    {"parallel": "all", "pairing": "shifted", "attn_scale": 0.8},
    {"parallel": "1", "scale": 0.7, "norm": "shared-lossy"},
)


def _load(name: str, folder: Path) -> parablock.Model:
    FAMILIES[name].make().save_pretrained(folder)
    return parablock.from_pretrained(folder)


def _run(path: Path, feeds: dict[str, Any]) -> Any:
    return onnxruntime.InferenceSession(path).run(None, feeds)[0]


def _list_stamps(path: Path) -> dict[str, str]:
    loaded = onnx.load(path, load_external_data=False)
    found = {each.key: each.value for each in loaded.metadata_props}
    stamps: dict[str, str] = json.loads(found.get("parablock.approximate", "{}"))
    return stamps


@pytest.mark.parametrize("name", NAMES)
def test_logits(name: str, tmp_path: Path) -> None:
    """Serial and parallel, with weights inside and beside, of other sizes than those of an example."""
    model = _load(name, tmp_path / "source")
    ids = make_inputs(FAMILIES[name])[0].numpy()
    parallel = PARALLEL[NAMES.index(name) % 2]
    for options, limit in (({"parallel": "none"}, "1GB"), (parallel, "10KB")):
        made = model.optimize(**options)
        path = made.save_onnx(tmp_path / "model.onnx", max_inline_size=limit)
        onnx.checker.check_model(str(path))
        assert path.with_name("model.onnx.data").exists() == (limit == "10KB")
        names = {info.name for info in made.inputs}
        for rows in (ids, ids[:1, :5]):
            feeds: dict[str, Any] = {"input_ids": rows}
            if "token_type_ids" in names:
                feeds["token_type_ids"] = rows % 2
            exact = made.compile("reference")(**feeds)["logits"]
            if "lengths" in names:
                feeds["lengths"] = np.full(len(rows), rows.shape[1])
            check_near(_run(path, feeds), exact)
    stamps = _list_stamps(path)
    assert len(stamps) == sum(layer["approx"] is not None for layer in made.count()["layers"])


def test_operators(tmp_path: Path) -> None:
    path = _load("llama", tmp_path / "source").save_onnx(tmp_path / "model.onnx")
    loaded = onnx.load(path)
    assert [(each.domain, each.version) for each in loaded.opset_import] == [("", 23)]
    kinds = [node.op_type for node in loaded.graph.node]
    assert (kinds.count("Attention"), kinds.count("RMSNormalization")) == (2, 5)
    # Queries and keys of two layers, by the tables of all of them.
    assert (kinds.count("RotaryEmbedding"), kinds.count("Cos")) == (4, 1)
    sizes = [dim.dim_param for dim in loaded.graph.input[0].type.tensor_type.shape.dim]
    assert sizes == ["batch", "seq"]


@pytest.mark.parametrize("name", ["bert", "gemma2-lengths"])
def test_padding(name: str, tmp_path: Path) -> None:
    """Rows that see no key are 0, so that they change no other one."""
    if name == "bert":
        model = _load(name, tmp_path / "source")
        ids = make_inputs(FAMILIES[name], batch=3)[0].numpy()
        feeds: dict[str, Any] = {"input_ids": ids, "token_type_ids": ids * 0}
        counts = np.array([11, 4, 0])
        mask = np.arange(11)[None] < counts[:, None]
        model.save_onnx(tmp_path / "model.onnx")
        found = _run(tmp_path / "model.onnx", {**feeds, "lengths": counts})
        exact = np.asarray(model.compile("reference")(**feeds, attention_mask=mask)["logits"])
        for row, count in enumerate(counts[:2]):
            check_near(found[row, :count], exact[row, :count])
        assert np.isfinite(found).all()
        return
    model = _read_attention(tmp_path, "softcap = 5.0, window = 2", "lengths %n")
    model.save_onnx(tmp_path / "model.onnx")
    feeds = {"x": np.random.default_rng(0).normal(size=(2, 6, 8)).astype(np.float32), "n": np.array([6, 2])}
    exact = model.compile("reference")(**feeds)["y"]
    # Rows 3 to 5 of the second sequence see no key.
    check_near(_run(tmp_path / "model.onnx", feeds), exact)


def _read_attention(
    folder: Path, scores: str = "", operands: str = "", forms: str = "", types: str = "tensor<8x8xf32>"
) -> parablock.Model:
    """Returns a model of one attention op."""
    body = (
        f"block.attention %x q %q k %q v %q o %q {operands} {{heads = 2 : i64, kv_heads = 2 : i64, "
        f"scores = #block.scores<scale = 0.5, causal = false{', ' * bool(scores)}{scores}>{forms}}} "
        f": tensor<?x?x8xf32>, {types}"
    )
    return _read_body(folder, body)


def _read_body(folder: Path, body: str) -> parablock.Model:
    """Returns a model of one op on a stream, with some weights that it may read."""
    sizes = {"q": "8x8", "t": "32x2", "s": "2", "g": "8", "h": "4"}
    weights = "".join(f', %{name}: tensor<{size}xf32> {{block.param = "{name}"}}' for name, size in sizes.items())
    text = (
        f'func.func @f(%x: tensor<?x?x8xf32> {{block.input = "x"}}, %n: tensor<?xi64> {{block.input = "n"}}{weights}) '
        f'-> (tensor<?x?x8xf32> {{block.output = "y"}}) {{\n%y = {body}\nreturn %y : tensor<?x?x8xf32>\n}}'
    )
    (folder / "model.mlir").write_text(text)
    generator = np.random.default_rng(1)
    arrays = [
        (name, generator.normal(size=[int(each) for each in size.split("x")]).astype(np.float32), "f32")
        for name, size in sizes.items()
    ]
    write_safetensors(folder / "model.safetensors", arrays)
    return parablock.from_mlir(folder / "model.mlir", folder / "model.safetensors")


def test_module(tmp_path: Path) -> None:
    """A module of PyTorch whose ops are raised."""
    module = FAMILIES["gpt2"].make()
    (ids,) = make_inputs(FAMILIES["gpt2"])
    model = parablock.from_torch(module, (ids,))
    path = model.save_onnx(tmp_path / "model.onnx")
    with torch.no_grad():
        expected = module(ids).logits
    feeds = {model.inputs[0].name: ids.numpy()}
    check_near(_run(path, feeds), expected)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda f: _read_attention(f, "alibi_max = 8.0, order = bias_scale_cap"), "the order 'bias_scale_cap'"),
        (lambda f: _read_attention(f, "alibi_max = 8.0, softcap = 2.0"), "scores"),
        (
            lambda f: _read_attention(
                *(f, "", "relative %t", ", buckets = #block.buckets<bidirectional = true>"),
                types="tensor<8x8xf32>, tensor<32x2xf32>",
            ),
            "the operand 'relative'",
        ),
        (lambda f: _read_attention(f, "", "sinks %s"), "the operand 'sinks'"),
        (lambda f: _read_attention(f, "", "", ", rope = #block.rope<style = half, dim = 4, table_type = bf16>"), "table_type"),
        (
            lambda f: _read_attention(
                f, "", "", ", qk_norm = #block.qk_norm<form = <kind = rms, eps = 1.0e-05>, place = after_rope>"
            ),
            "behind the rotation",
        ),
        (
            lambda f: _read_attention(f, "", "", ", qk_norm = #block.qk_norm<form = <kind = rms, eps = 1.0e-05>>"),
            "without a gain",
        ),
        (
            lambda f: _read_attention(f, "", "memory %x", types="tensor<?x?x8xf32>, tensor<8x8xf32>"),
            "the operand 'memory'",
        ),
        (
            lambda f: _read_body(f, "block.norm %x {form = #block.norm<kind = l2, eps = 1.0e-05>} : tensor<?x?x8xf32>"),
            "kind 'l2'",
        ),
        (
            lambda f: _read_body(
                f,
                "block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-05, eps_form = clamp>} : tensor<?x?x8xf32>",
            ),
            "'eps_form = clamp' of 'form'",
        ),
        (
            lambda f: _read_body(
                f, "block.norm %x {form = #block.norm<kind = rms, eps = 1.0e-05>, groups = 2 : i64} : tensor<?x?x8xf32>"
            ),
            "2 groups",
        ),
        (
            lambda f: _read_body(f, "block.activation %x {kind = #block.activation<leaky_relu>} : tensor<?x?x8xf32>"),
            "the activation 'leaky_relu'",
        ),
        (lambda f: _read_body(f, "block.clamp %x {limit = 2.0 : f64} : tensor<?x?x8xf32>"), "operation 'block.clamp'"),
    ],
)
def test_forms_that_are_missing(make: Callable[[Path], parablock.Model], message: str, tmp_path: Path) -> None:
    with pytest.raises(parablock.Error, match="save_onnx has no form of") as caught:
        make(tmp_path).save_onnx(tmp_path / "m.onnx")
    assert message in str(caught.value)
    assert not (tmp_path / "m.onnx").exists()


def test_refusals(tmp_path: Path) -> None:
    model = _load("llama", tmp_path / "source")
    with pytest.raises(parablock.Error, match="codes of the form 'int8': omit weights="):
        model.optimize(weights="int8").save_onnx(tmp_path / "m.onnx")
    with pytest.raises(parablock.Error, match="requires f32, got .* of bf16: import the model with"):
        parablock.from_pretrained(tmp_path / "source", dtype="bf16").save_onnx(tmp_path / "m.onnx")
    with pytest.raises(parablock.Error, match="'max_inline_size' requires at most 20.*, got 3000000000"):
        model.save_onnx(tmp_path / "m.onnx", max_inline_size="3GB")
    with pytest.raises(parablock.Error, match="'max_inline_size' requires a number of bytes"):
        model.save_onnx(tmp_path / "m.onnx", max_inline_size="many")
    with pytest.raises(parablock.Error, match=r"cannot write '.*none/m.onnx': No such file"):
        model.save_onnx(tmp_path / "none" / "m.onnx")
    assert not (tmp_path / "m.onnx").exists()
