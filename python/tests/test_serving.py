# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/use/Serving.md, in this process, without the servers."""

from __future__ import annotations

import copy
import importlib.util
import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from generating import make_llama

import parablock

EXAMPLES = Path(__file__).parents[2] / "examples" / "serving"


class _Tensor:
    """As the server hands them over."""

    def __init__(self, name: str, array: np.ndarray) -> None:
        self._name, self._array = name, array

    def name(self) -> str:
        return self._name

    def as_numpy(self) -> np.ndarray:
        return self._array


class _Response:
    def __init__(self, output_tensors: list[_Tensor], error: Any = None) -> None:
        self.outputs = {t.name(): t.as_numpy() for t in output_tensors}
        self.error = error


class _Request(dict[str, np.ndarray]):
    """Inputs by name, with a dimension of batches in front."""

    def __init__(self, ids: list[int], count: int | None = None) -> None:
        super().__init__(ids=np.array([ids], np.int64))
        if count is not None:
            self["max_new_tokens"] = np.array([[count]], np.int64)


def _find(request: _Request, name: str) -> _Tensor | None:
    return _Tensor(name, request[name]) if name in request else None


@pytest.fixture
def triton(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The model's source, over as much of the server's module as it uses."""
    server = types.ModuleType("triton_python_backend_utils")
    server.Tensor, server.InferenceResponse = _Tensor, _Response  # type: ignore[attr-defined]
    server.TritonError, server.get_input_tensor_by_name = str, _find  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, server.__name__, server)
    spec = importlib.util.spec_from_file_location(
        "triton_model", EXAMPLES / "triton_model/1/model.py"
    )
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_triton(triton: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_llama(num_hidden_layers=1).save_pretrained(tmp_path)
    parameters = {"folder": str(tmp_path), "dtype": "f32", "threads": "1"}
    config = {"parameters": {k: {"string_value": v} for k, v in parameters.items()}}
    model = triton.TritonPythonModel()
    model.initialize({"model_config": json.dumps(config)})
    calls: list[int] = []
    before = model.generator.generate

    def count(rows: list[Any], *given: Any) -> Any:
        calls.append(len(rows))
        return before(rows, *given)

    monkeypatch.setattr(model.generator, "generate", count)
    requests = [_Request([7, 11, 13], 6), _Request([17], 9), _Request([19, 23])]
    responses = model.execute(requests)
    # One call for all of them, whatever their lengths.
    assert calls == [3]
    plain = parablock.from_pretrained(tmp_path).generator()
    for request, response in zip(requests, responses, strict=True):
        new = request.get("max_new_tokens", np.array([[64]]))[0, 0]
        alone = plain.generate(request["ids"], int(new))[:, request["ids"].shape[1] :]
        found = response.outputs["tokens"]
        assert response.error is None and np.array_equal(found[:, : alone.shape[1]], alone)
        assert found.shape[1] <= new
    # One that is wrong fails alone.
    responses = model.execute([_Request([7, 11, 13], 6), _Request([970], 2)])
    assert responses[0].error is None
    assert np.array_equal(
        responses[0].outputs["tokens"][:, :6], plain.generate([[7, 11, 13]], 6)[:, 3:]
    )
    assert responses[1].error == "ids: expected tokens below 97, got 970 in row 0"


def test_triton_names_its_tensors() -> None:
    """What the model reads and writes is what the config says."""
    config = (EXAMPLES / "triton_model/config.pbtxt").read_text()
    source = (EXAMPLES / "triton_model/1/model.py").read_text()
    declared = set(re.findall(r'name: "(\w+)", data_type', config))
    assert declared == set(re.findall(r'(?:_read\(request|Tensor\()[, ]*"(\w+)"', source))
    keys = set(re.findall(r'key: "(\w+)"', config))
    assert keys <= set(re.findall(r'given(?:\[|\.get\()"(\w+)"', source))


@pytest.mark.full
def test_layers_around_attention_of_others() -> None:
    """Norms and MLPs run here, and an operation that nobody knows stays PyTorch's."""
    spec = importlib.util.spec_from_file_location("own", EXAMPLES / "own_attention.py")
    assert spec and spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    torch.manual_seed(0)
    layers = example.Layers(2, 48).eval()
    pages = torch.tensor([3, 1, 4])
    steps = [torch.randn(count, 48) for count in (17, 1, 1, 1, 9)]
    torch._dynamo.reset()
    before = parablock.stats()["recognised"]
    results = []
    with torch.no_grad():
        for call in (torch.compile(layers, backend="parablock", dynamic=False), layers):
            example.make_pages(layers, 4, 12, pages)
            results.append(torch.cat([call(step) for step in steps]))
            assert example.LAYERS["layers.1"].held == 29
    torch.testing.assert_close(*results)
    after = parablock.stats()
    recognised = {
        kind: after["recognised"][kind] - before.get(kind, 0) for kind in ("mlp", "norm")
    }
    # Three numbers of tokens, two layers.
    assert recognised == {"mlp": 6, "norm": 6}
    assert "no rule for the operation 'auto_functionalized_v2'" in after["fallbacks"]
