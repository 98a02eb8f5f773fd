# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`parablock.Model`: a model with the operations of the layers above it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from parablock.arguments import read_path, read_size, read_text
from parablock.compiled import CompiledModel
from parablock.decoding.generator import Generator, make_generator
from parablock.decoding.page_tables import PagedDecoder, make_paged_decoder
from parablock.device_program import DeviceModel, DeviceProgram
from parablock.drift import Drift
from parablock.errors import Error
from parablock.exporting.onnx_file import write_onnx
from parablock.folder_writer import write_folder
from parablock.interrupts import call_interruptibly
from parablock.keeping import check_keeping
from parablock.measuring import measure_drift
from parablock.model import ModelValue
from parablock.native import get_core_module
from parablock.progress import show_progress
from parablock.rewriting import read_chip, read_first_layer
from parablock.saving import refuse_size_inputs, write_model
from parablock.target import CodeFolder, Target, make_target, read_mode, split_target
from parablock.training.budgets import read_budget
from parablock.training.reference import Gradients, Wanted, differentiate
from parablock.training.steps import (
    StepChoices,
    check_device_step,
    check_step_choices,
    choose_form,
)

if TYPE_CHECKING:
    from parablock.training.trained import TrainedModel

#: Chip of GPU code if the caller names none.
DEFAULT_CHIP = "sm_90a"

_ENGINES = ("cpu", "reference", "emulate", "cuda")
_TARGETS = (
    "'cpu', 'cpu:PROCESSOR', 'cuda', 'cuda:NUMBER', 'reference', 'emulate:sm_80', "
    "'emulate:sm_90a', 'sm_80' or 'sm_90a'"
)


class Model(ModelValue):
    """A model as IR. `from_torch`, `from_pretrained` and `from_mlir` return it."""

    def report(self, path: str | Path, chip: str | None = None) -> Path:
        """Writes one HTML page on the model (docs/use/Python.md) and returns its path.

            model.report("model.html")
        """
        from parablock_studies.page import PageData, write_page

        path = read_path("path", path)
        chip = read_chip(chip) or self._chip or DEFAULT_CHIP
        data = PageData(
            name=self.name,
            before=json.loads(self._original.report(chip)),
            after=json.loads(self._module.report(chip)),
            explanation=self.explain().to_dict(),
            drift=self._drift.to_dict() if self._drift else None,
            kernels=json.loads(self._module.count_kernels(chip)),
        )
        return write_page(data, path)

    def drift(
        self,
        data: Any = None,
        budget: float | None = None,
        *,
        choice: str | Path | None = None,
        **options: Any,
    ) -> Drift:
        """Measures how parallel layers change results on given inputs.

        `data` is the inputs by name, a tuple in the model's order, one array, or a
        safetensors file; without it a seed draws inputs. With a `budget`, in nats a
        token, the pairs that fit are chosen and written to the file `choice`. Further
        options are block-drift's: engine, pairing, from_layer, norm, router, scale,
        correction, low_rank (the rank of its changes of matrices that layers share), seed,
        budget_generation, budget_perplexity, budget_tasks, budget_order ("top" begins with
        the last layers), tasks (a file of `python -m parablock tasks`), generate and more.

            drift = model.drift(input_ids, budget=0.01, correction="refit")
            fast = model.optimize(parallel=drift)

        Corrected weights are written to `weights_out`, or else beside `choice`, as
        choice.safetensors beside choice.json.
        """
        refuse_size_inputs(self._original, "drift")
        request = {key.replace("_", "-"): value for key, value in options.items()}
        request["from"] = read_first_layer(request.pop("from-layer", None))
        request.update({"budget-kl": budget, "choice": choice})
        self._drift = measure_drift(
            self._original, self._original_weights, self.calling, data, request
        )
        return self._drift

    @overload
    def compile(
        self,
        target: Literal["cpu", "reference"] = "cpu",
        threads: int = 0,
        *,
        cache: CodeFolder = None,
        keep_weights: bool = False,
        mode: None = None,
    ) -> CompiledModel: ...
    @overload
    def compile(
        self,
        target: str,
        threads: int = 0,
        *,
        cache: CodeFolder = None,
        keep_weights: bool = False,
        mode: str | None = None,
    ) -> CompiledModel | DeviceModel: ...
    @overload
    def compile(
        self,
        target: str = "cpu",
        threads: int = 0,
        *,
        training: Literal[True],
        memory_budget: int | str | None = None,
        chunk_rows: int | None = None,
        reversible: bool = False,
        compute_type: str | None = None,
        cache: CodeFolder = None,
    ) -> TrainedModel: ...
    def compile(
        self,
        target: str = "cpu",
        threads: int = 0,
        *,
        training: bool = False,
        memory_budget: int | str | None = None,
        chunk_rows: int | None = None,
        reversible: bool = False,
        compute_type: str | None = None,
        cache: CodeFolder = None,
        keep_weights: bool = False,
        mode: str | None = None,
    ) -> CompiledModel | DeviceModel | TrainedModel:
        """Returns a callable for "cpu", "cuda", "reference" or "emulate:sm_90a".

        "cpu:x86-64-v3" compiles for that processor, "cuda:1" for that GPU, and "sm_90a" for
        the first GPU, which must be of that chip. The callable takes the arguments of the
        imported module and returns its structure. `threads` is all cores if 0.

            logits = model.compile(target="cpu")(input_ids)["logits"]

        Code for the CPU is kept for other processes, in the folder `cache` or that of the
        environment (docs/design/Cpu.md), unless `cache` is False. `keep_weights` also keeps
        a checkpoint's packed weights, which take as much space again.

        On a GPU, calls with mode="reduce-overhead" replay one CUDA graph for each choice of
        sizes, whatever memory their tensors have (docs/use/Gpu.md).

        With `training` results belong to PyTorch's autograd, and backward fills the
        gradients of the module's own parameters (docs/use/Training.md). `memory_budget` limits
        the bytes of a step: a number, "40%" or "min"; without it a step keeps what takes a
        product to compute. With `chunk_rows`, feed-forwards compute so many rows at a time. With
        `reversible` the step is one of another architecture, which must be trained as such:
        backward computes each layer's two streams again from those behind it. With
        `compute_type="bf16"` it computes as under torch.autocast, products in bf16 of
        parameters that stay what they are, as their gradients do.
        """
        check_step_choices(training, memory_budget, chunk_rows, reversible, compute_type)
        is_device = read_text("target", target, _TARGETS).startswith("sm_")
        engine, chip = (target, "") if is_device else split_target(target, _ENGINES, _TARGETS)
        check_keeping(keep_weights, "training" if training else target, cache)
        if training and (is_device or engine == "cuda"):
            check_device_step(target, memory_budget, mode)
        mode = read_mode(mode, target, is_device=is_device or engine == "cuda")
        if engine == "emulate":
            chip = chip or self._chip or DEFAULT_CHIP
        made = make_target("cuda" if is_device else engine, chip, threads, cache, keep_weights)
        if is_device:
            made = dataclasses.replace(made, chip=target)
        made = dataclasses.replace(made, mode=mode)
        if training:
            choices = StepChoices(read_budget(memory_budget), chunk_rows, reversible)
            return self._compile_step(made, choices, compute_type)
        with show_progress(f"compiling for {target}"):
            if made.engine == "cuda":
                return call_interruptibly(self._compile_for_device, made)
            return call_interruptibly(self._compile_for_host, made)

    def _compile_for_host(self, target: Target) -> CompiledModel:
        # Begun before they are read: what changes meanwhile is packed again.
        watch = self.watch_weights()
        weights = self.give_weights(target)
        signature = self._module.get_signature()
        function = target.create(self._module, signature, weights=weights)
        return CompiledModel(
            function, lambda: self.list_weights()[1], self.calling, watch
        )

    def _compile_for_device(self, target: Target) -> DeviceModel:
        """Returns a program that is on the device as long as the callable lives."""
        watch = self.watch_weights()
        _, program, _ = self.make_program(target)
        assert isinstance(program, DeviceProgram)
        return DeviceModel(program, lambda: self.give_weights(target), self.calling, watch)

    def generator(
        self,
        target: str = "cpu",
        threads: int = 0,
        *,
        weights: str | None = None,
        cache: CodeFolder = None,
        page_rows: int | None = None,
        pool_pages: int | None = None,
        keep_weights: bool = False,
    ) -> Generator:
        """Returns a generator of tokens that requires no PyTorch.

        `weights` is as in optimize(), `cache` and `keep_weights` are as in compile(). With
        `page_rows` caches consist of pages of that many tokens, at most `pool_pages`.

            tokens = model.generator().generate([[1, 2, 3]], max_new_tokens=8)
        """
        return make_generator(
            self, target, threads, weights, cache, page_rows, pool_pages, keep_weights
        )

    def paged_decoder(
        self,
        page_rows: int,
        target: str = "cpu",
        threads: int = 0,
        *,
        weights: str | None = None,
        cache: CodeFolder = None,
    ) -> PagedDecoder:
        """Returns a decoder over the caller's tables of pages of `page_rows` tokens
        (docs/use/Serving.md). The other options are those of generator().
        """
        return make_paged_decoder(self, page_rows, target, threads, weights, cache)

    def _compile_step(
        self, target: Target, choices: StepChoices, compute_type: str | None
    ) -> TrainedModel:
        from parablock.training.trained import TrainedModel, TrainingStep

        if compute_type is not None:
            self._get_narrow_import()
        for port in self._module.get_signature().inputs:
            if -1 in port.shape:
                size = port.dims[port.shape.index(-1)]
                raise Error(
                    f"compile(training=True) requires fixed sizes, got input '{port.name}' "
                    f"with the open size '{size}': import the module once for each size, "
                    "without dynamic_shapes"
                )

        def make_narrow() -> TrainingStep:
            return TrainingStep(choose_form(self._find_narrow(), choices), choices, target)

        step = TrainingStep(choose_form(self.find_unfused(), choices), choices, target)
        return TrainedModel(
            step, self._weights, self.calling, self._owner, make_narrow, compute_type
        )

    def gradients(
        self,
        *args: Any,
        loss: Callable[[Any], Any] | str | None = None,
        cotangents: Any = None,
        wrt: str | Sequence[str] = "params",
        **kwargs: Any,
    ) -> Gradients:
        """Returns the loss and gradients by name, in float64 without roundings.

        The arguments are those of the model. `loss` is a function of the results that
        returns a scalar of PyTorch, or the name of a result that is a scalar. `cotangents`
        are factors of the results, in their structure or by name, whose products are
        summed. `wrt` is "params", "inputs", "all", or names.

            loss, gradients = model.gradients(ids, loss=lambda r: r.logits.mean())

        It is slow; use compile(training=True) to train.
        """
        if self._exact is None:
            with show_progress("recognising blocks in float64"):
                self._exact = call_interruptibly(self._find_exact)
        parameters = {i.name: self._weights(i) for i in self._list_parameters()}
        return differentiate(
            self._exact,
            parameters,
            self.calling,
            (args, kwargs),
            Wanted(loss, cotangents, wrt),
            self._owner,
        )

    def save_pretrained(
        self, directory: str | Path, *, max_shard_size: int | str = "5GB"
    ) -> Path:
        """Writes a Hugging Face folder and returns its path (docs/use/Transformers.md).

        With parallel layers it has modelling code, so that transformers alone runs and
        trains it, with trust_remote_code=True; from_pretrained() reads it again as the
        parallel layers it has. Weights have transformers' names, in files of at most
        `max_shard_size`. Tokenizer and generation config are those of the checkpoint.

            model.optimize(parallel=drift).save_pretrained("parallel")
        """
        path = read_path("directory", directory)
        write_folder(self, path, read_size("max_shard_size", max_shard_size))
        return path

    def save_onnx(self, path: str | Path, *, max_inline_size: int | str = "1GB") -> Path:
        """Writes the model for runtimes of ONNX and returns the path (docs/use/Transformers.md).

        Operators are those of opset 23. Weights of more than `max_inline_size` together are
        in a file of their own, PATH.data. The model has no caches of keys and values.

            model.optimize(parallel=drift).save_onnx("model.onnx")
        """
        path = read_path("path", path)
        limit = read_size("max_inline_size", max_inline_size)
        write_onnx(self, path, limit, get_core_module().version)
        return path

    def save(self, path: str | Path, chips: str = DEFAULT_CHIP) -> Path:
        """Writes a package with its weights, which `parablock.load` runs.

        `chips` are one or more, as in "sm_80,sm_90a".

            model.optimize(chip="sm_90a").save("model.pbk")
        """
        path, chips = read_path("path", path), read_text("chips", chips)
        refuse_size_inputs(self._module, "a package")
        write_model(path, self._module, self._weights, chips)
        return path
