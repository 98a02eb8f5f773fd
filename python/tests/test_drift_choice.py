# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What drift chose and corrected is what optimize makes of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import parablock
import pytest
from parablock_studies.page.drift import draw_drift

TRAINED = Path(__file__).parents[2] / "examples" / "trained" / "model"
DATA = TRAINED / "small.safetensors"


@pytest.fixture(scope="module")
def serial() -> parablock.Model:
    return parablock.from_pretrained(TRAINED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("choice")


@pytest.fixture(scope="module")
def found(serial: parablock.Model, folder: Path) -> parablock.Drift:
    return serial.drift(
        DATA, pairing="shifted", correction="refit", choice=folder / "choice.json"
    )


def _get_loss(model: parablock.Model) -> float:
    from parablock.weights import read_safetensors

    ids = read_safetensors(DATA)["input_ids"].array[:8]
    logits = np.asarray(model.compile("cpu")(ids)["logits"], np.float64)
    logits -= logits.max(-1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
    return float(-np.take_along_axis(logits[:, :-1], ids[:, 1:, None], -1).mean())


def test_corrected_weights_come_along(
    serial: parablock.Model, found: parablock.Drift, folder: Path
) -> None:
    """Closer to the serial loss than the same pairs as they were, by far."""
    corrected = serial.optimize(parallel=found)
    assert corrected is not serial
    layers = corrected.count("sm_90a")["layers"]
    assert any(layer["form"] != "serial" for layer in layers)
    loss = _get_loss(serial)
    with pytest.warns(UserWarning, match=r"pairs without the weights.*'refit'"):
        bare = serial.optimize(parallel=found.chosen, pairing="shifted")
    gap = _get_loss(corrected) - loss
    assert gap < 0.3 * (_get_loss(bare) - loss)
    from_file = serial.optimize(parallel=f"@{folder / 'choice.json'}")
    assert _get_loss(from_file) == _get_loss(corrected)
    # The serial model, and what is made of a parallel one, begin anew.
    assert _get_loss(corrected.optimize()) == pytest.approx(loss, abs=1e-5)


@pytest.mark.usefixtures("found")
def test_paths(serial: parablock.Model, folder: Path) -> None:
    """A choice is a path as well, as text and as a Path."""
    path = folder / "choice.json"
    loss = _get_loss(serial.optimize(parallel=f"@{path}"))
    assert _get_loss(serial.optimize(parallel=path)) == loss
    assert _get_loss(serial.optimize(parallel=str(path))) == loss
    with pytest.raises(parablock.Error, match=r"cannot read the choice '.*none\.json'"):
        serial.optimize(parallel=folder / "none.json")


def test_page_shows_what_the_choice_used(
    serial: parablock.Model, found: parablock.Drift, folder: Path, tmp_path: Path
) -> None:
    data = found.to_dict()
    page = draw_drift(data, {})
    assert "<th scope=\"col\">KL alone, refit</th>" in page
    for layer in data["layers"]:
        assert f">{layer['kl_alone_corrected']:.3g}</span>" in page
    assert f"Perplexity: serial {data['perplexity']['serial']:.4g}, parallel" in page
    assert f"Same most likely token: {100 * data['top1']:.3g}%." in page
    total = sum(layer["kl_alone_corrected"] for layer in data["layers"])
    assert f"pairs cost {total:.3g} nats a token" in page
    assert "for 4 to 8 devices at small batches" in page
    assert "Not measured: tasks (--tasks)" in page and "Not measured" not in draw_drift({**data, "chosen": []}, {})
    ladder = draw_drift({**data, "pairing": "ladder", "tasks": {"kinds": []}}, {})
    assert "beside the next branch" in ladder and "Not measured" not in ladder
    again = parablock.from_pretrained(TRAINED).optimize(parallel=folder / "choice.json")
    text = again.report(tmp_path / "page.html").read_text()
    assert f"KL divergence {data['measured_kl']:.3g} nats a token" in text
    assert str(found).count("Perplexity: serial") == 1


@pytest.mark.usefixtures("found")
def test_weights_of_another_form(serial: parablock.Model, folder: Path, tmp_path: Path) -> None:
    """Fitted weights and the parallel model go together, wherever they are read."""
    fitted = folder / "choice.safetensors"
    shutil.copy(TRAINED / "config.json", tmp_path)
    shutil.copy(fitted, tmp_path / "model.safetensors")
    refused = r"expected original weights, got weights of the parallel form, fitted by correction=refit"
    with pytest.raises(parablock.Error, match=refused):
        parablock.from_pretrained(tmp_path)
    (tmp_path / "serial.mlir").write_text(str(serial))
    with pytest.raises(parablock.Error, match=refused):
        parablock.from_mlir(tmp_path / "serial.mlir", fitted)
    parallel = serial.optimize(parallel=folder / "choice.json")
    (tmp_path / "parallel.mlir").write_text(str(parallel))
    with pytest.raises(parablock.Error, match=r"expected weights of the parallel form.*got original"):
        parablock.from_mlir(tmp_path / "parallel.mlir", TRAINED / "model.safetensors")
    again = parablock.from_mlir(tmp_path / "parallel.mlir", fitted)
    assert _get_loss(again) == pytest.approx(_get_loss(parallel), abs=1e-5)
    # Without weights there is nothing to check yet.
    assert "parallel" in str(parablock.from_mlir(tmp_path / "parallel.mlir").explain())


@pytest.mark.usefixtures("found")
def test_fitted_weights_are_packed(serial: parablock.Model, folder: Path, tmp_path: Path) -> None:
    """Codes and packages of fitted weights keep what these say of themselves."""
    from parablock.weights import read_file

    path = folder / "choice.json"
    codes = serial.optimize(parallel=path, weights="int8")
    assert _get_loss(codes) == pytest.approx(_get_loss(serial.optimize(parallel=path)), rel=0.05)
    package = serial.optimize(parallel=path, chip="sm_90a").save(tmp_path / "m.pbk")
    metadata = read_file(package / "weights.safetensors")[1]
    assert metadata["parablock.form"] == "parallel"
    assert metadata["parablock.correction"] == "refit"


def test_names_stay(found: parablock.Drift, serial: parablock.Model) -> None:
    assert found.to_dict()["added_parameters"] == []
    before = serial._module.get_signature("main").parameters
    after = serial.optimize(parallel=found)._module.get_signature("main").parameters
    assert {info.name for info in before} == {info.name for info in after}


def test_added_biases_come_along(serial: parablock.Model) -> None:
    found = serial.drift(DATA, correction="refit", blocks="6", add_biases=True)
    names = [bias["name"] for bias in found.to_dict()["added_parameters"]]
    assert names
    model = serial.optimize(parallel=found)
    parameters = model._module.get_signature("main").parameters
    assert {*names} <= {info.name for info in parameters}
    assert np.isfinite(_get_loss(model))


def test_shared_matrices(tmp_path: Path) -> None:
    """Tied layers get changes of low rank, which the optimised model has."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 24, "vocab_size": 31, "num_hidden_layers": 2}
    config = transformers.LlamaConfig(**sizes, num_attention_heads=2, num_key_value_heads=2)
    module = transformers.LlamaForCausalLM(config).eval()
    for parameter in module.parameters():
        parameter.data.mul_(3 if parameter.dim() == 2 else 1)
    first, last = module.model.layers
    for projection in ("gate_proj", "up_proj", "down_proj"):
        getattr(last.mlp, projection).weight = getattr(first.mlp, projection).weight
    ids = torch.randint(0, 31, (256, 12))
    model = parablock.from_torch(module, (ids[:4],))
    with pytest.raises(parablock.Error, match=r"matrix '(up|gate)', too: low_rank=R beside correct"):
        model.drift(ids.numpy(), correction="refit", blocks="1")
    found = model.drift(ids.numpy(), correction="refit", blocks="1", low_rank=4)
    added = found.to_dict()["added_parameters"]
    operands = {f"{name}_{kind}" for name in ("gate", "up", "down") for kind in ("left", "right")}
    assert {each["operand"] for each in added} == operands
    assert all(each["rank"] == 4 for each in added)
    plain = model.drift(ids.numpy(), blocks="1").to_dict()["measured_kl"]
    assert found.to_dict()["measured_kl"] < plain
    converted = model.optimize(parallel=found)
    parameters = {info.name for info in converted._module.get_signature("main").parameters}
    assert {each["name"] for each in added} <= parameters
    with torch.no_grad():
        serial = module(ids[:4]).logits.log_softmax(-1).double()
    parallel = torch.as_tensor(np.asarray(converted.compile("cpu")(ids[:4]).logits))
    parallel = parallel.log_softmax(-1).double()
    kl = (serial.exp() * (serial - parallel)).sum(-1).mean().item()
    assert kl == pytest.approx(found.to_dict()["measured_kl"], rel=0.5)


def _change(folder: Path, name: str, **changes: Any) -> str:
    choice = json.loads((folder / "choice.json").read_text())
    (folder / name).write_text(json.dumps({**choice, **changes}))
    return f"@{folder / name}"


@pytest.mark.usefixtures("found")
def test_lost_weights(serial: parablock.Model, folder: Path) -> None:
    with pytest.raises(parablock.Error, match="does not say where they are"):
        serial.optimize(parallel=_change(folder, "a.json", weights_file=""))
    with pytest.raises(parablock.Error, match=r"in the folder of the choice, got '\.\./"):
        serial.optimize(parallel=_change(folder, "b.json", weights_file="../w"))
    with pytest.raises(parablock.Error, match=r"cannot read .*none\.safetensors"):
        lost = _change(folder, "c.json", weights_file="none.safetensors")
        serial.optimize(parallel=lost)
    with pytest.raises(parablock.Error, match=r"cannot read the choice .*none\.json"):
        serial.optimize(parallel=f"@{folder / 'none.json'}")


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("add_biases", "false", r"add_biases: expected true or false, got 'false'"),
        ("ridge", "much", r"drift: ridge: expected a number, got 'much'"),
        ("correction", "refti", r"drift: correction: expected none, mean-jacobian, output-"),
        ("pairing", "both", r"pairing: expected block, shifted, best, ladder or shortcut, got 'both'"),
        (
            "ad_biases",
            True,
            r"no option 'ad_biases', did you mean 'add_biases'\? There are engine "
            r"\(cpu or reference\); .*; add_biases \(true or false\)",
        ),
        ("colour", 3, r"drift: no option 'colour'. There are"),
    ],
)
def test_options(
    serial: parablock.Model, option: str, value: object, text: str
) -> None:
    """The option, what it takes, what it got."""
    with pytest.raises(parablock.Error, match=text):
        serial.drift(DATA, **{option: value})


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"budget_order": "top"}, r"(?<!-)budget_order: expected a budget that limits"),
        ({"budget_order": "cheapest"}, r"(?<!-)budget_order: expected a budget that limits"),
        ({"ridge": 1e-4}, r"(?<!-)ridge: expected a correction, which fits weights"),
        ({"add_biases": True}, r"(?<!-)add_biases: expected a correction, which fits weights"),
        ({"low_rank": 2}, r"(?<!-)low_rank: expected a rank from 1 to 65536, and correction="),
        (
            {"low_rank": 2, "correction": "refit"},
            r"(?<!-)low_rank: expected pairs of which other layers read a matrix",
        ),
        ({"heal_targets": "teacher"}, r"(?<!-)targets: expected a tokens=TOKENS beside it"),
    ],
)
def test_options_without_effect(serial: parablock.Model, options: dict[str, Any], text: str) -> None:
    """An option that nothing reads beside the others is an error with its default, too."""
    with pytest.raises(parablock.Error, match=text):
        serial.drift(DATA, **options)
