# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints of experts in MXFP4 and in blocks of FP8, beside modules of the numbers that they stand for."""

import json
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch as safetensors
import torch
from oracle import check_near, get_distance

import parablock

transformers = pytest.importorskip("transformers")

import experts  # noqa: E402  (requires transformers)
from checkpoint_tools import refuse_tools, run_tools  # noqa: E402

_ROWS, _COLUMNS = 16, 20
_MXFP4 = {
    "quant_method": "mxfp4",
    "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"],
}
_FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3", "weight_block_size": [_ROWS, _COLUMNS]}
_MAGNITUDES = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6], dtype=torch.float64)
Tensors = dict[str, torch.Tensor]


def _describe(folder: Path, described: dict[str, Any]) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "quantization_config": described}))


def _draw_mxfp4(out: int, columns: int, count: int, random: torch.Generator) -> tuple[Tensors, torch.Tensor]:
    """Blocks and scales of stacked matrices, and their numbers, as [experts, in, out]."""
    groups = columns // 32
    blocks = torch.randint(0, 256, (count, out, groups, 16), dtype=torch.uint8, generator=random)
    scales = torch.randint(119, 123, (count, out, groups), dtype=torch.uint8, generator=random)
    codes = torch.stack([blocks & 15, blocks >> 4], -1).reshape(count, out, groups, 32).long()
    numbers = _MAGNITUDES[codes & 7] * (1 - 2 * (codes >> 3)) * 2.0 ** (scales.double() - 127)[..., None]
    return {"blocks": blocks, "scales": scales}, numbers.reshape(count, out, columns).mT


def _write_mxfp4(folder: Path) -> Any:
    """Writes a small model, and returns its module."""
    model = experts.make("gpt_oss", hidden_size=64, intermediate_size=96)
    model.config.use_cache = False
    random = torch.Generator().manual_seed(3)
    state = {name: tensor.contiguous() for name, tensor in model.state_dict().items()}
    for name in [*state]:
        if name.endswith(("gate_up_proj", "down_proj")):
            count, columns, out = state.pop(name).shape
            stored, numbers = _draw_mxfp4(out, columns, count, random)
            state |= {f"{name}_{kind}": tensor for kind, tensor in stored.items()}
            model.get_parameter(name).data = numbers.float().contiguous()
    model.config.save_pretrained(folder)
    safetensors.save_file(state, folder / "model.safetensors")
    _describe(folder, _MXFP4)
    return model


def _to_fp8(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Codes, scales of blocks, and the numbers that they stand for."""
    rows, columns = weight.shape
    scales = torch.empty(-(-rows // _ROWS), -(-columns // _COLUMNS))
    codes, numbers = torch.empty_like(weight, dtype=torch.float8_e4m3fn), torch.empty_like(weight)
    for i in range(scales.shape[0]):
        for j in range(scales.shape[1]):
            place = slice(i * _ROWS, (i + 1) * _ROWS), slice(j * _COLUMNS, (j + 1) * _COLUMNS)
            scales[i, j] = weight[place].abs().max() / 448
            codes[place] = (weight[place] / scales[i, j]).to(torch.float8_e4m3fn)
            numbers[place] = codes[place].float() * scales[i, j]
    return codes, scales, numbers


def _write_fp8(folder: Path) -> Any:
    """Writes a small model, and returns its module."""
    experts.make("deepseek_v3", first_k_dense_replace=1).save_pretrained(folder)
    path = folder / "model.safetensors"
    plain = safetensors.load_file(path)
    stored = dict(plain)
    for name, weight in plain.items():
        if name.endswith("_proj.weight") or "_proj_with_mqa.weight" in name:
            stored[name], stored[f"{name}_scale_inv"], plain[name] = _to_fp8(weight)
    safetensors.save_file(plain, path, {"format": "pt"})
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    model.config.use_cache = False
    safetensors.save_file(stored, path)
    _describe(folder, _FP8)
    return model


_WRITERS = {"mxfp4": _write_mxfp4, "fp8": _write_fp8}


@pytest.mark.parametrize("form", _WRITERS)
def test_codes_of_a_checkpoint(form: str, tmp_path: Path) -> None:
    """They stay codes, and the model is the module of their numbers, for Python and for the tools."""
    model, ids = _WRITERS[form](tmp_path), experts.draw_ids()
    made = parablock.from_pretrained(tmp_path)
    found = made.optimize().compile(threads=1)(ids.numpy())["logits"]
    assert experts.get_distance(torch.as_tensor(found), model, ids) < 2e-6
    assert experts.get_distance(run_tools(tmp_path, ids), model, ids) < 2e-6
    stored = [info for info in made.list_weights()[0] if info.type == "i8"]
    assert len(stored) > 2 and not any(info.name.endswith("experts.gate_up_proj") and info.type != "i8"
                                       for info in made.list_weights()[0])


@pytest.mark.parametrize(
    ("form", "missing"),
    [
        ("mxfp4", "model.layers.1.mlp.experts.down_proj_scales"),
        ("fp8", "model.layers.1.mlp.experts.3.up_proj.weight_scale_inv"),
        ("fp8", "model.layers.0.mlp.gate_proj.weight_scale_inv"),
    ],
)
def test_missing_scales(form: str, missing: str, tmp_path: Path) -> None:
    _WRITERS[form](tmp_path)
    tensors = safetensors.load_file(tmp_path / "model.safetensors")
    del tensors[missing]
    safetensors.save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(parablock.Error, match=f"expected tensor '{missing}', got none"):
        parablock.from_pretrained(tmp_path)
    assert f"'{missing}'" in refuse_tools(tmp_path)


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("mxfp4", "model.layers.1.mlp.experts.gate_up_proj_blocks"),
        ("fp8", "model.layers.0.self_attn.o_proj.weight_scale_inv"),
    ],
)
def test_other_shapes(form: str, name: str, tmp_path: Path) -> None:
    _WRITERS[form](tmp_path)
    tensors = safetensors.load_file(tmp_path / "model.safetensors")
    tensors[name] = tensors[name][:-1].clone()
    safetensors.save_file(tensors, tmp_path / "model.safetensors")
    with pytest.raises(parablock.Error, match=f"expected '{name}' to be"):
        parablock.from_pretrained(tmp_path).compile(threads=1)
    assert f"'{name}'" in refuse_tools(tmp_path)


@pytest.mark.parametrize(("family", "form"), [("mixtral", "int8"), ("gpt_oss", "int4")])
def test_codes_on_request(family: str, form: str) -> None:
    """All matrices of experts become codes, and the CPU computes what the reference does with them."""
    model, ids = experts.make(family), experts.draw_ids()
    model.config.use_cache = False
    made = parablock.from_torch(model, (ids,))
    codes = made.optimize(weights=form)
    names = {info.name for info in codes.list_weights()[0] if info.type == "i8"}
    assert sum("experts" in name for name in names) == 4
    found = codes.compile("cpu", threads=1)(ids).logits
    expected = codes.compile("reference")(ids).logits
    assert get_distance(found, expected) < 1e-5
    plain = made.optimize().compile("cpu", threads=1)(ids).logits
    assert 1e-4 < get_distance(found, plain) < 0.5


@pytest.mark.usefixtures("fake_driver")
def test_codes_on_a_gpu(tmp_path: Path) -> None:
    """Kernels read a checkpoint's codes of experts: what is uploaded for them is codes and scales."""
    _write_mxfp4(tmp_path)
    ids = experts.draw_ids().numpy()
    model = parablock.from_pretrained(tmp_path, dtype="bf16")
    codes = model.optimize(chip="sm_90a").count("sm_90a")["model"]["codes"]
    assert codes["weights"] == 4 and codes["read_number_bytes"] == 0
    on_device, own, exact = (model.compile(each) for each in ("cuda", "cpu", "reference"))
    # Optimised for a CPU: stacks that are transposed there are read as they are.
    plain = model.optimize(weights="numbers").compile("cuda")
    found, numbers, of_cpu, expected = (
        torch.from_numpy(each(ids)["logits"].astype("float32")).bfloat16() for each in (on_device, plain, own, exact)
    )
    check_near(found, expected, of_cpu)
    check_near(numbers, expected, of_cpu)
    saved = codes["unpacked_bytes"] - codes["read_bytes"]
    assert plain.memory()["weights"] - on_device.memory()["weights"] == saved


@pytest.mark.parametrize("form", _WRITERS)
def test_numbers_on_request(form: str, tmp_path: Path) -> None:
    """Codes of a checkpoint become numbers, and the model stays what it was."""
    model, ids = _WRITERS[form](tmp_path), experts.draw_ids()
    made = parablock.from_pretrained(tmp_path).optimize(weights="numbers")
    assert not [info for info in made.list_weights()[0] if info.type != "f32"]
    assert "unpack_weight" not in str(made)
    found = made.compile(threads=1)(ids.numpy())["logits"]
    assert experts.get_distance(torch.as_tensor(found), model, ids) < 2e-6


def test_numbers_without_codes() -> None:
    model, ids = experts.make("mixtral"), experts.draw_ids()
    model.config.use_cache = False
    made = parablock.from_torch(model, (ids,))
    with pytest.raises(parablock.Error, match="requires a model with codes for 'numbers', got one without"):
        made.optimize(weights="numbers")
