# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in files of IR, those of other tools among them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from build_tree import BIN

import parablock
from parablock.__main__ import main
from parablock.weights import read_safetensors, write_tensors

_SIZES = "--family=gpt2 --layers=2 --width=32 --heads=2 --vocab=31 --positions=16"


def _run(tool: str, *arguments: object) -> str:
    command = [BIN / tool, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model in TOSA, its weights, and results for some ids."""
    folder = tmp_path_factory.mktemp("foreign")
    path = folder / "m.mlir"
    sizes = [*_SIZES.split(), "--batch=1", "--seq=5"]
    path.write_text(_run("block-gen", *sizes, "--level=tosa").replace("@main", "@f"))
    module = parablock.from_mlir(path)._module
    generator = np.random.default_rng(0)
    weights = {
        info.name: generator.standard_normal(info.shape).astype(np.float32) / 8
        for info in module.get_signature().parameters
    }
    with open(folder / "w.safetensors", "wb") as file:
        write_tensors(file, ((name, a, "f32") for name, a in weights.items()))
    return folder


def test_misspelt_op(tmp_path: Path) -> None:
    path = tmp_path / "m.mlir"
    path.write_text("func.func @f(%x: tensor<2xf32>) {\n  %0 = block.sdpaa %x\n}")
    with pytest.raises(parablock.Error, match=r"m\.mlir:2:.*did you mean 'block.sdpa'"):
        parablock.from_mlir(path)


def test_save(folder: Path, tmp_path: Path) -> None:
    """In one step, and with right numbers on the emulator."""
    model = parablock.from_mlir(folder / "m.mlir", folder / "w.safetensors")
    package = model.save(tmp_path / "m.pbk")
    assert (package / "sm_90a.ptx").is_file()
    packed = read_safetensors(package / "weights.safetensors")
    assert packed
    ids = np.array([[3, 1, 4, 1, 5]])
    expected = model.compile("reference")(ids)["logits"]
    result = model.compile("emulate:sm_90a")(ids)["logits"]
    assert np.abs(result - expected).max() < 1e-4 * np.abs(expected).max()


def test_options_and_explanation(folder: Path) -> None:
    model = parablock.from_mlir(folder / "m.mlir")
    assert "recognised: 2 attention, 2 mlp, 4 norm" in str(model.explain())
    assert "leftovers" not in str(model.explain())
    with pytest.raises(parablock.Error, match="colour"):
        parablock.from_mlir(folder / "m.mlir", options="colour=red")
    with pytest.raises(parablock.Error, match="in --weights, got no such file"):
        model.compile("cpu")


def test_leftovers_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "left.mlir"
    path.write_text(
        "func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {\n"
        "  %y = tosa.sin %x : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
        "  return %y : tensor<4x8xf32>\n}\n"
    )
    text = str(parablock.from_mlir(path).explain())
    assert "recognised: 0 attention, 0 mlp, 0 norm" in text
    assert "leftovers: 1 op in no block or kernel: tosa.sin" in text


def test_command(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`explain` and `report` say the same of a file as of its blocks."""
    path = str(folder / "m.mlir")
    weights = ["--weights", str(folder / "w.safetensors")]
    assert main(["explain", path, *weights]) == 0
    said = capsys.readouterr().out
    assert "recognised: 2 attention, 2 mlp, 4 norm" in said
    raised = tmp_path / "raised.mlir"
    raised.write_text(_run("block-opt", path, "--block-raise"))
    assert main(["explain", str(raised), *weights]) == 0
    assert capsys.readouterr().out == said
    page = tmp_path / "r.html"
    assert main(["report", path, "--chip=sm_90a", *weights, "-o", str(page)]) == 0
    assert "block-form-kernels" in page.read_text()
    assert main(["explain", path, "--raise=colour=red"]) == 1
    assert "colour" in capsys.readouterr().err
    assert main(["explain", str(folder), "--raise=colour=red"]) == 1
    assert "--raise is for a file" in capsys.readouterr().err


def test_weights_of_which_nothing_is_used(folder: Path) -> None:
    """They are an error: the model would have other numbers, or none."""
    other = folder / "other.safetensors"
    with open(other, "wb") as file:
        write_tensors(file, [("nothing", np.zeros(3, np.float32), "f32")])
    message = "with the names of the model's parameters, got 'nothing'; the model has '.*more"
    with pytest.raises(parablock.Error, match=message):
        parablock.from_mlir(folder / "m.mlir", other)


def test_a_function_of_another_name(tmp_path: Path) -> None:
    """Models are found whatever they are called; of several, one is chosen."""
    body = "{ %y = arith.addf %x, %x : tensor<2xf32> return %y : tensor<2xf32> }"
    double = f"(%x: tensor<2xf32>) -> tensor<2xf32> {body}"
    triple = double.replace("%y =", "%d = arith.addf %x, %x : tensor<2xf32> %y =")
    triple = triple.replace("%y = arith.addf %x, %x", "%y = arith.addf %d, %x")
    one, two = tmp_path / "one.mlir", tmp_path / "two.mlir"
    one.write_text(f"func.func @forward{double}")
    two.write_text(f"func.func @double{double}\nfunc.func @triple{triple}")
    x = np.array([1, -2], np.float32)
    (given,) = parablock.from_mlir(one).inputs

    def run(model: parablock.Model) -> list[float]:
        (result,) = model.compile("cpu")(**{given.name: x}).values()
        return list(result)

    assert run(parablock.from_mlir(one)) == [2, -4]
    assert run(parablock.from_mlir(two, function="double")) == [2, -4]
    assert run(parablock.from_mlir(two, function="triple")) == [3, -6]
    with pytest.raises(parablock.Error, match="got double, triple: choose one"):
        parablock.from_mlir(two)
    with pytest.raises(parablock.Error, match="expected a function 'half', got double, triple"):
        parablock.from_mlir(two, function="half")
