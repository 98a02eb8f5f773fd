# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of codes on target 'cuda', on a driver that runs kernels on the emulator."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from generating import draw_prompt, make_llama
from oracle import check_near

import parablock
from parablock.__main__ import main
from parablock.errors import Error

pytestmark = pytest.mark.usefixtures("fake_driver")
DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
#: Bytes of a matrix that runs as codes and scales.
READ: dict[str, Callable[[int, int], int]] = {
    "int8": lambda rows, columns: rows * (columns + 4),
    "int4-g128": lambda rows, columns: rows * (columns // 2 + columns // 128 * 4),
    "int4": lambda rows, columns: rows * (columns // 2 + columns // 32 * 4),
    "mxfp4": lambda rows, columns: rows * (columns // 2 + columns // 32),
    "fp8": lambda rows, columns: rows * (columns + 4),
}
CASES = [("bf16", "int8"), ("f16", "int4-g128"), ("bf16", "int4-g128"), ("f16", "int8")]
FORMS = [("bf16", "int4"), ("f16", "mxfp4"), ("bf16", "fp8"), ("f16", "int4"), ("bf16", "mxfp4")]
#: Likeliest tokens nearer than that may be exchanged by rounding.
TIED = {"bf16": 0.1, "f16": 0.01}


def _make(dtype: str, **options: Any) -> Any:
    """Its widths are whole cells of codes."""
    sizes = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 1}
    return make_llama(eos_token_id=None, **sizes, **options).to(DTYPES[dtype])


def _take_turns(cases: list[Any], first: int) -> list[Any]:
    """All but the first ones are for full runs."""
    return cases[:first] + [pytest.param(*each, marks=pytest.mark.full) for each in cases[first:]]


def _list_matrices(module: Any) -> tuple[list[Any], int]:
    """Matrices of layers, and the bytes of all else."""
    layers = [p for p in module.model.layers.parameters() if p.dim() == 2]
    size = sum(p.nbytes for p in module.parameters()) - sum(p.nbytes for p in layers)
    return layers, size


@pytest.mark.parametrize(("dtype", "form"), _take_turns([*FORMS, *CASES], 4))
def test_codes_are_uploaded(
    dtype: str, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    module, ids = _make(dtype, use_cache=False), torch.tensor([[5, 7, 11], [13, 17, 19]])
    model = parablock.from_torch(module, (ids,)).optimize(weights=form)
    on_device, on_cpu, exactly = (model.compile(each) for each in ("cuda", "cpu", "reference"))
    found, own, exact = (each(ids).logits for each in (on_device, on_cpu, exactly))
    check_near(found, exact)
    check_near(found, own)
    # Codes are not the model's numbers.
    assert float((own - module(ids).logits).detach().abs().max()) > 0.02
    layers, others = _list_matrices(module)
    assert on_device.memory()["weights"] == others + sum(READ[form](*p.shape) for p in layers)
    assert "codes" not in caplog.text


@pytest.mark.parametrize(("dtype", "form"), [("f32", "int4"), ("f32", "int8")])
def test_other_codes_are_unpacked(
    dtype: str, form: str, caplog: pytest.LogCaptureFixture
) -> None:
    """They take the memory of numbers, which is logged."""
    module, ids = _make(dtype, use_cache=False), torch.tensor([[5, 7, 11]])
    model = parablock.from_torch(module, (ids,)).optimize(weights=form)
    compiled = model.compile("cuda")
    check_near(compiled(ids).logits, model.compile("cpu")(ids).logits)
    layers, others = _list_matrices(module)
    size = sum(p.nbytes for p in layers)
    assert compiled.memory()["weights"] == others + size
    said = f"codes of '{form}' take the memory of the model's type on 'cuda:0', {size} bytes: "
    assert said in caplog.text


@pytest.mark.parametrize(("dtype", "form"), _take_turns([("bf16", "int4"), *CASES], 2))
def test_decoders(dtype: str, form: str) -> None:
    """They give the tokens of the CPU's codes, also after weights have changed."""
    module, prompt = _make(dtype), draw_prompt()
    on_device, on_cpu, exactly = (
        parablock.generation(module, target=each, weights=form)
        for each in ("cuda", "cpu", "reference")
    )
    layers, others = _list_matrices(module)
    for sign in (1, -1):
        with torch.no_grad():
            layers[-1].mul_(sign)
        options = {"max_new_tokens": 4, "do_sample": False}
        wanted = on_cpu.generate(
            **prompt, **options, output_logits=True, return_dict_in_generate=True
        )
        first, second = torch.stack(wanted.logits, 1).float().topk(2, -1).values.unbind(-1)
        # A tie decides the tokens behind it, too.
        is_clear = (first - second > TIED[dtype]).cumprod(1).bool()
        assert is_clear.sum() >= 5
        tokens = on_device.generate(**prompt, **options)
        assert torch.equal(tokens[:, -4:][is_clear], wanted.sequences[:, -4:][is_clear])
        assert on_device.report()["loop"] == "compiled"
        real = prompt["attention_mask"].bool()
        engines = (on_device, exactly, on_cpu)
        found, exact, own = (each(**prompt).logits[real] for each in engines)
        # Rounding to 16 bits in each op may go as far as it does on the CPU.
        check_near(found, exact, own)
    report = on_device.report()
    codes = sum(READ[form](*p.shape) for p in layers)
    assert (report["engine"], report["weights_bytes"]) == ("cuda", others + codes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("codes")
    _make("f32").save_pretrained(path)
    return path


def test_decoders_of_checkpoints(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The generator, pages, a model that has codes, and the command are the CPU's."""
    form, ids = "int4-g128", [[5, 7, 11]]
    model = parablock.from_pretrained(folder, dtype="bf16")
    wanted = model.generator(weights=form).generate(ids, 4).tolist()
    for made in (
        model.generator(target="cuda", weights=form, page_rows=4),
        model.optimize(weights=form).generator(target="cuda"),
    ):
        assert made.generate(ids, 4).tolist() == wanted
    command = ["generate", str(folder), "--ids=5,7,11", "--max-new-tokens=4", "--dtype=bf16"]
    assert main([*command, "--target=cuda", f"--weights={form}"]) == 0
    assert capfd.readouterr().out == ",".join(map(str, wanted[0][3:])) + "\n"


@pytest.mark.parametrize(("dtype", "form"), [("f32", "int4"), ("f32", "int8"), ("f32", "mxfp4")])
def test_decoders_reject_other_codes(
    folder: Path, dtype: str, form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    model = parablock.from_pretrained(folder, dtype=dtype)
    wanted = (
        f"option 'weights' requires codes that kernels of a GPU read, got '{form}' and 'cuda:0', .* "
        "bf16 and f16 as codes: .*: give another form, a model of bf16 .* or omit weights="
    )
    given = {"target": "cuda", "weights": form}
    calls: list[Callable[[], Any]] = [
        lambda: model.generator(**given),
        lambda: model.paged_decoder(4, **given),
        lambda: model.optimize(weights=form).generator(target="cuda"),
    ]
    if form == "int4":
        calls.append(lambda: parablock.generation(_make(dtype), **given))
        command = ["generate", str(folder), "--ids=5", f"--dtype={dtype}", "--target=cuda"]
        assert main([*command, f"--weights={form}"]) == 1
        assert re.search(wanted, capfd.readouterr().err)
    for call in calls:
        with pytest.raises(Error, match=wanted):
            call()
