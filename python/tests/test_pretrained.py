# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints and the page, without a line of PyTorch in them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from oracle import check_near

import parablock
from parablock.weights import Checkpoint, StoredTensor, write_safetensors


def test_sharded_checkpoint_runs(checkpoint: Path) -> None:
    expected = np.load(checkpoint / "expected.npz")
    assert (checkpoint / "model.safetensors.index.json").exists()
    model = parablock.from_pretrained(checkpoint)
    result = model.optimize().compile()(expected["ids"])
    check_near(result["logits"], expected["exact"])
    assert model.explain().to_dict()["recognised"]["attention"] == 2


def test_parallel_layers_are_marked(checkpoint: Path, tmp_path: Path) -> None:
    model = parablock.from_pretrained(checkpoint).optimize(parallel="all")
    layers = model.explain().to_dict()["layers"]
    assert {layer["exactness"] for layer in layers} == {"approximate"}
    page = model.report(tmp_path / "page.html").read_text()
    assert "Not exact" in page and "not exact" in page


def test_scales_of_branches(checkpoint: Path) -> None:
    """A branch has its own scale times that of both, and the stamp has all of them."""
    ids = np.load(checkpoint / "expected.npz")["ids"]
    model = parablock.from_pretrained(checkpoint)

    def run(**scales: float) -> tuple[str, np.ndarray]:
        made = model.optimize(parallel="all", **scales)
        return str(made), made.compile("reference")(ids)["logits"]

    text, both = run(scale=0.5)
    assert "attn-scale=0.5" not in text
    text, attention = run(attn_scale=0.5)
    assert "attn-scale=0.5" in text and "mlp-scale=0.5" not in text
    text, mlp = run(mlp_scale=0.5)
    assert "mlp-scale=0.5" in text and "attn-scale=0.5" not in text
    check_near(run(attn_scale=0.5, mlp_scale=0.5)[1], both)
    check_near(run(scale=0.5, attn_scale=0.5, mlp_scale=0.5)[1], run(scale=0.25)[1])
    plain = run()[1]
    found = [plain, both, attention, mlp]
    for i, one in enumerate(found):
        assert all(np.abs(one - other).max() > 1e-3 for other in found[:i])


@pytest.mark.parametrize(("weights", "limit"), [("int8", 0.05), ("int4", 0.5)])
def test_weights_of_codes(checkpoint: Path, weights: str, limit: float) -> None:
    expected = np.load(checkpoint / "expected.npz")
    model = parablock.from_pretrained(checkpoint)
    small = model.optimize(weights=weights)
    assert "block.unpack_weight" in str(small) and "@prepack" not in str(small)
    found = small.compile()(expected["ids"])["logits"]
    # The engine reads the codes that the reference reads.
    judged = small.compile("reference")(expected["ids"])["logits"]
    size = np.linalg.norm(expected["logits"])
    check_near(found, judged)
    assert 1e-5 * size < np.linalg.norm(found - expected["logits"]) < limit * size
    layers = small.explain().to_dict()["layers"]
    assert {layer["exactness"] for layer in layers} == {"approximate"}
    both = model.optimize(parallel="all", weights=weights)
    assert both.compile()(expected["ids"])["logits"].shape == found.shape
    with pytest.raises(parablock.Error, match="int8, int4-g128, int4-g32"):
        model.optimize(weights="int3")


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


def test_drift(checkpoint: Path) -> None:
    expected = np.load(checkpoint / "expected.npz")
    model = parablock.from_pretrained(checkpoint)
    ids = np.tile(expected["ids"], (16, 1))
    drift = model.drift({"input_ids": ids}, budget=100.0)
    assert drift.chosen and len(drift.to_dict()["layers"]) == 2
    assert drift.to_dict()["engines"]["model"] == "cpu"
    judged = model.drift({"input_ids": ids}, engine="reference").to_dict()
    assert judged["engines"]["model"] == "reference"
    by_order = model.drift((ids,), budget=100.0)
    assert by_order.chosen == drift.chosen
    model = model.optimize(parallel=drift.chosen)
    forms = [layer["form"] for layer in model.count("sm_90a")["layers"]]
    assert forms.count("parallel") == len(drift.chosen)


def _write_changed(
    checkpoint: Path, folder: Path, changes: dict[str, StoredTensor | None]
) -> Path:
    """The checkpoint in one file, with other tensors or without some."""
    tensors: dict[str, StoredTensor | None] = dict(Checkpoint(checkpoint)._tensors)
    tensors.update(changes)
    folder.mkdir()
    shutil.copy(checkpoint / "config.json", folder)
    write_safetensors(
        folder / "model.safetensors",
        [
            (name, tensor.array, tensor.kind)
            for name, tensor in tensors.items()
            if tensor is not None
        ],
    )
    return folder


_NORM = "model.norm.weight"


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (None, f"expected tensor '{_NORM}', got none"),
        (StoredTensor(np.ones(47, np.float32), "f32"), r"to be \[48\], got \[47\]"),
        (StoredTensor(np.ones(48, np.int8), "i8"), "to be f32, got i8"),
    ],
)
def test_weights_that_do_not_fit(
    checkpoint: Path, tmp_path: Path, tensor: StoredTensor | None, message: str
) -> None:
    folder = _write_changed(checkpoint, tmp_path / "changed", {_NORM: tensor})
    with pytest.raises(parablock.Error, match=message):
        parablock.from_pretrained(folder).compile()


def test_tensors_that_nobody_wants(
    checkpoint: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Extra tensors are named in the log, whatever their type is."""
    extra = StoredTensor(np.ones(4, np.uint8), "ui8")
    folder = _write_changed(checkpoint, tmp_path / "extra", {"extra.scales": extra})
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes().replace(b'"U8"', b'"F4"'))
    with caplog.at_level("INFO", logger="parablock"):
        model = parablock.from_pretrained(folder)
    assert "not used: extra.scales" in caplog.text
    expected = np.load(checkpoint / "expected.npz")
    logits = model.compile()(expected["ids"])["logits"]
    check_near(logits, expected["exact"])


def test_index_without_its_parts(checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    shutil.copytree(checkpoint, folder)
    missing = sorted(folder.glob("model-*.safetensors"))[0]
    missing.unlink()
    with pytest.raises(parablock.Error, match=missing.name):
        parablock.from_pretrained(folder)
    (folder / "model.safetensors.index.json").write_text('{"weight_map": []}')
    with pytest.raises(parablock.Error, match="is not an index of weights"):
        parablock.from_pretrained(folder)


def test_config_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(parablock.Error, match=r"config\.json"):
        parablock.from_pretrained(tmp_path)


def test_conversion_to_other_types(checkpoint: Path) -> None:
    expected = np.load(checkpoint / "expected.npz")
    compiled = parablock.from_pretrained(checkpoint, dtype="bf16").compile()
    logits = compiled(expected["ids"])["logits"]
    assert logits.dtype.name == "bfloat16"
    distance = np.abs(logits.astype(np.float32) - expected["logits"]).max()
    assert 0 < distance < 0.5
    with pytest.raises(parablock.Error, match="f8"):
        parablock.from_pretrained(checkpoint, dtype="f8")
