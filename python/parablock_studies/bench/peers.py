# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other frameworks that run the same checkpoint, where they are installed."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from parablock.output import make_scratch

Array = np.ndarray[Any, Any]
Run = Callable[[], Array]


@dataclasses.dataclass(frozen=True)
class Problem:
    """A checkpoint, what it is called with, and on how many threads."""

    folder: Path
    inputs: Mapping[str, Array]
    threads: int
    #: PyTorch's name of the device.
    device: str = "cpu"


@dataclasses.dataclass(frozen=True)
class Peer:
    """A framework that runs a problem, and the packages that it requires."""

    needs: tuple[str, ...]
    make: Callable[[Problem], Run]
    runs_on_gpus: bool = False

    def find_reason(self, problem: Problem) -> str | None:
        """Returns why the framework does not run a problem, or None."""
        missing = [name for name in self.needs if not _is_installed(name)]
        if missing:
            return f"not installed: {', '.join(missing)}"
        if problem.device != "cpu" and not self.runs_on_gpus:
            return "runs on the CPU here"
        return None


def _is_installed(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _load_module(problem: Problem) -> Any:
    import torch
    import transformers

    if problem.threads:
        torch.set_num_threads(problem.threads)
    transformers.utils.logging.disable_progress_bar()
    config = json.loads((problem.folder / "config.json").read_text())
    name = (config.get("architectures") or ["AutoModelForCausalLM"])[0]
    model = getattr(transformers, name).from_pretrained(
        problem.folder, dtype=torch.float32
    )
    for inner in model.modules():
        if hasattr(getattr(inner, "config", None), "use_cache"):
            inner.config.use_cache = False
    return model.eval().to(problem.device)


def _get_tensors(problem: Problem) -> dict[str, Any]:
    import torch

    return {
        name: torch.from_numpy(array).to(problem.device)
        for name, array in problem.inputs.items()
    }


def _run_torch(function: Any, problem: Problem) -> Run:
    import torch

    tensors = _get_tensors(problem)

    def run() -> Array:
        with torch.inference_mode():
            result: Array = function(**tensors)[0].cpu().numpy()
        return result

    return run


def _make_eager(problem: Problem) -> Run:
    return _run_torch(_load_module(problem), problem)


def _make_compiled(problem: Problem) -> Run:
    import torch

    return _run_torch(torch.compile(_load_module(problem)), problem)


def _write_onnx(problem: Problem, folder: str) -> Path:
    import torch

    path = Path(folder, "model.onnx")
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with torch.no_grad():
        program = torch.onnx.export(
            _load_module(problem),
            (),
            kwargs=_get_tensors(problem),
            dynamo=True,
            verbose=False,
        )
    program.save(str(path))  # type: ignore[union-attr]
    return path


def _make_onnxruntime(problem: Problem) -> Run:
    runtime = importlib.import_module("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = problem.threads
    options.log_severity_level = 3
    with make_scratch() as folder:
        path = _write_onnx(problem, folder)
        session = runtime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
    feeds = {entry.name: problem.inputs[entry.name] for entry in session.get_inputs()}

    def run() -> Array:
        result: Array = session.run(None, feeds)[0]
        return result

    return run


def _make_iree(problem: Problem) -> Run:
    runtime = importlib.import_module("iree.runtime")
    with make_scratch() as folder:
        source = _write_onnx(problem, folder)
        _call("iree.compiler.tools.import_onnx", source, "-o", f"{folder}/model.mlir")
        _call(
            "iree.compiler.tools.scripts.iree_compile",
            f"{folder}/model.mlir",
            "--iree-hal-target-device=local",
            "--iree-hal-local-target-device-backends=llvm-cpu",
            "--iree-llvmcpu-target-cpu=host",
            "-o",
            f"{folder}/model.vmfb",
        )
        code = Path(folder, "model.vmfb").read_bytes()
    threads = problem.threads or os.cpu_count() or 1
    runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
    config = runtime.Config("local-sync" if threads == 1 else "local-task")
    code_module = runtime.VmModule.copy_buffer(config.vm_instance, code)
    names = [n for n in code_module.function_names if not n.startswith("__")]
    function = runtime.load_vm_module(code_module, config)[
        next(name for name in names if not name.endswith("$async"))
    ]
    values = [
        runtime.asdevicearray(config.device, array) for array in problem.inputs.values()
    ]

    def run() -> Array:
        results = function(*values)
        first = results[0] if isinstance(results, tuple | list) else results
        return np.asarray(first)

    return run


def _call(module: str, *arguments: object) -> None:
    """Runs a tool that is a module; its output is the error."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise RuntimeError(f"{module.rpartition('.')[2]}: {lines[-1]}")


_TORCH = ("torch", "transformers")
_ONNX = (*_TORCH, "onnx", "onnxscript")

#: The first one's numbers are the measure of the others'.
PEERS: dict[str, Peer] = {
    "torch": Peer(_TORCH, _make_eager, runs_on_gpus=True),
    "torch.compile": Peer(_TORCH, _make_compiled, runs_on_gpus=True),
    "onnxruntime": Peer((*_ONNX, "onnxruntime"), _make_onnxruntime),
    "iree": Peer((*_ONNX, "iree.compiler", "iree.runtime"), _make_iree),
}
