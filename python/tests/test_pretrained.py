# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints, the command line and the page, without a line of PyTorch in them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import torch
from families import FAMILIES, make_inputs

import parablock
from parablock.__main__ import main
from parablock.weights import read_safetensors, write_safetensors


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("llama")
    module = FAMILIES["llama"].make()
    module.save_pretrained(folder, max_shard_size="40KB")
    (ids,) = make_inputs(FAMILIES["llama"])
    with torch.no_grad():
        logits = module(ids).logits
    np.savez(folder / "expected.npz", ids=ids.numpy(), logits=logits.numpy())
    return folder


def test_sharded_checkpoint_runs(checkpoint: Path) -> None:
    expected = np.load(checkpoint / "expected.npz")
    assert (checkpoint / "model.safetensors.index.json").exists()
    model = parablock.from_pretrained(checkpoint)
    result = model.optimize().compile()(expected["ids"])
    assert np.abs(result["logits"] - expected["logits"]).max() < 1e-4
    assert model.explain().to_dict()["recognised"]["attention"] == 2


def test_parallel_layers_are_marked(checkpoint: Path, tmp_path: Path) -> None:
    model = parablock.from_pretrained(checkpoint).optimize(parallel="all")
    layers = model.explain().to_dict()["layers"]
    assert {layer["exactness"] for layer in layers} == {"approximate"}
    page = model.report(tmp_path / "page.html").read_text()
    assert "Not exact" in page and "not exact" in page


def test_unmet_requirement_is_an_error(checkpoint: Path) -> None:
    model = parablock.from_pretrained(checkpoint)
    with pytest.raises(parablock.Error) as caught:
        model.optimize(require=["block-fuse-output-projections"])
    assert caught.value.exit_code == 1
    assert caught.value.diagnostics


def test_no_torch_is_imported(checkpoint: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None; import numpy, parablock; "
        f"f = parablock.from_pretrained({str(checkpoint)!r}).compile(); "
        "print(f(numpy.ones((1, 3), numpy.int64))['logits'].shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "(1, 3, 97)", done.stderr


class _Checker(HTMLParser):
    """Elements are closed in order, ids exist once, links lead somewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in ("meta", "line", "path", "rect", "circle", "polyline"):
            self.open.append(tag)
        if values.get("id"):
            self.ids.append(str(values["id"]))
        if tag == "a":
            self.links.append(str(values["href"]))
        if tag == "svg":
            assert values["role"] == "img" and values["aria-label"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        return

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_stands_alone(checkpoint: Path, tmp_path: Path) -> None:
    model = parablock.from_pretrained(checkpoint).optimize()
    page = model.report(tmp_path / "page.html").read_text()
    checker = _Checker()
    checker.feed(page)
    assert not checker.open
    assert len(set(checker.ids)) == len(checker.ids)
    assert all(link[1:] in checker.ids for link in checker.links)
    assert not re.search(r"(src|href)=\"(https?:)?//", page)
    assert "prefers-color-scheme: dark" in page


def test_commands(
    checkpoint: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = np.load(checkpoint / "expected.npz")
    write_safetensors(
        tmp_path / "in.safetensors", [("input_ids", expected["ids"], "i64")]
    )
    where = str(checkpoint)
    assert main(["import", where, "-o", str(tmp_path / "m.mlir")]) == 0
    assert "block.layer" in (tmp_path / "m.mlir").read_text()
    assert main(["explain", where, "--json", str(tmp_path / "e.json")]) == 0
    assert json.loads((tmp_path / "e.json").read_text())["recognised"]["mlp"] == 2
    outputs = tmp_path / "out.safetensors"
    files = ["--inputs", str(tmp_path / "in.safetensors"), "--outputs", str(outputs)]
    assert main(["run", where, *files]) == 0
    logits = read_safetensors(outputs)["logits"].array
    assert np.abs(logits - expected["logits"]).max() < 1e-4
    assert "2 attention" in capsys.readouterr().out


def test_command_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "m.mlir"
    assert main(["import", str(tmp_path / "none"), "-o", str(output)]) == 1
    assert "none" in capsys.readouterr().err
    assert not output.exists()
    with pytest.raises(SystemExit) as caught:
        main(["import"])
    assert caught.value.code == 1


def test_drift(checkpoint: Path) -> None:
    expected = np.load(checkpoint / "expected.npz")
    model = parablock.from_pretrained(checkpoint)
    ids = np.tile(expected["ids"], (16, 1))
    drift = model.drift({"input_ids": ids}, budget=100.0)
    assert drift.chosen and len(drift.to_dict()["layers"]) == 2
    assert drift.to_dict()["engines"]["model"] == "cpu"
    judged = model.drift({"input_ids": ids}, engine="reference").to_dict()
    assert judged["engines"]["model"] == "reference"
