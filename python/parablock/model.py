# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models: IR, its weights, and the operations on both."""

from __future__ import annotations

import functools
import json
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from parablock.arguments import read_flag, read_names, read_path, read_text, read_whole
from parablock.calling import Calling, CallingByName
from parablock.compiled import CompiledModel, GivenWeights
from parablock.copying import NotCopied
from parablock.drift import Choice, Drift
from parablock.errors import Error, name_files
from parablock.explanation import Explanation, name_left
from parablock.interrupts import call_interruptibly
from parablock.keeping import check_keeping, check_stored, identify_stored
from parablock.measuring import measure_drift
from parablock.native import get_core_module
from parablock.origin import check_origin
from parablock.output import make_scratch
from parablock.package import DeviceModel, load
from parablock.progress import show_progress
from parablock.rewriting import (
    Imports,
    WeightSource,
    check_options,
    list_pairs,
    parallelize_layers,
    quantise,
    quote,
    read_chip,
    read_form,
    spell,
)
from parablock.saving import refuse_size_inputs, write_model
from parablock.special_tokens import SpecialTokens
from parablock.target import CodeFolder, Target, make_target, split_target
from parablock.training.budgets import read_budget
from parablock.training.reference import Gradients, Wanted, differentiate
from parablock.training.steps import check_step_choices

if TYPE_CHECKING:
    from torch.nn import Module as TorchModule

    from parablock._core import Module, Program, Signature, TensorInfo
    from parablock.decoding.generator import Generator
    from parablock.decoding.page_tables import PagedDecoder
    from parablock.training.trained import TrainedModel
    from parablock.weight_watch import WeightWatch

#: What code for GPUs is made for where nothing else is said.
DEFAULT_CHIP = "sm_90a"

_ENGINES = ("cpu", "reference", "emulate")
_TARGETS = (
    "'cpu', 'cpu:PROCESSOR', 'reference', 'emulate:sm_80', 'emulate:sm_90a', 'sm_80' or 'sm_90a'"
)


class Model(NotCopied):
    """A model as IR. `from_torch`, `from_pretrained` and `from_mlir` return it."""

    _instead = "import it again, or keep a package by save()"

    def __init__(
        self,
        module: Module,
        weights: WeightSource,
        calling: Calling | None = None,
        name: str = "model",
        owner: TorchModule | None = None,
        imports: Imports | None = None,
    ) -> None:
        check_origin(module, weights)
        self._module = module
        self._weights = weights
        # What rewriting and measuring begin with.
        self._original = module.clone()
        self._original_weights = weights
        # What gradients are taken of: its layers, before anything is fused.
        self._unfused: Module | None = self._original
        # The same, their weights, and the codes that these become.
        self._layers: tuple[Module, WeightSource, str | None]
        self._layers = (self._original, weights, None)
        self._owner = owner
        # The same layers with the numbers of f64, and what makes such of the model.
        self._exact: Module | None = None
        self._imports = imports or Imports(self._original.clone)
        self._parallelize: Callable[[Module], None] | None = None
        self.calling = calling or CallingByName(
            {i.name: len(i.shape) for i in module.get_signature().inputs}, {}
        )
        self.name = name
        self._chip = ""
        self._drift: Drift | None = None
        #: What ends a text, and what stands where there is none.
        self.special_tokens = SpecialTokens()

    def __str__(self) -> str:
        """The IR as text."""
        return self._module.print()

    def __repr__(self) -> str:
        found = self.explain().to_dict()["recognised"]
        counts = ", ".join(f"{count} {kind}" for kind, count in found.items())
        return f"<{type(self).__name__} {self.name!r}: {counts}>"

    @property
    def inputs(self) -> list[TensorInfo]:
        """Inputs by name, type and shape; -1 is any size."""
        return list(self._module.get_signature().inputs)

    def keep_owner(self, owner: TorchModule, imports: Imports) -> None:
        """Sets the module of the model, and how it is imported again."""
        self._owner, self._imports = owner, imports

    # Rewriting ------------------------------------------------------------------

    def optimize(
        self,
        parallel: str | PathLike[str] | Sequence[str] | Drift = "none",
        *,
        pairing: str | None = None,
        norm: str | None = None,
        scale: float | None = None,
        attn_scale: float | None = None,
        mlp_scale: float | None = None,
        chip: str | None = None,
        weights: str | None = None,
        require: Sequence[str] = (),
    ) -> Model:
        """Returns a new model: the imported one after block-optimize.

        `parallel` selects the layers that become parallel, which is not exact: "none",
        "all", "0,2-5", a list of pairs, the result of `drift`, or the path of a choice
        ("choice.json" or a Path). The last two also bring the weights that a correction
        fitted. `weights` is the form of codes that stores the weights of layers, which is
        not exact either: "int8", "int4" (groups of 32), or another form of docs/use/Quantise.md.
        A fusion in `require` that does not happen is an error.

            fast = model.optimize(parallel="0,2-5", require=["block-form-kernels"])
            small = model.optimize(weights="int8")
        """
        options: dict[str, object] = {
            "pairing": pairing,
            "norm": norm,
            "scale": scale,
            "attn-scale": attn_scale,
            "mlp-scale": mlp_scale,
            "chip": chip,
        }
        check_options(options)
        required, weights = read_names("require", require), read_form(weights)
        module = self._original.clone()
        source = self._original_weights
        unfused, parallelize = self._original, None
        with make_scratch() as folder:
            choice = self._read_choice(parallel)
            if choice:
                source = choice.correct(source)
                options["parallel"] = f"@{choice.write(Path(folder, 'choice.json'))}"
            else:
                assert not isinstance(parallel, Drift | PathLike)
                options["parallel"] = list_pairs(parallel)
            with name_files({f"{folder}/": ""}):
                if options["parallel"] != "none":
                    parallelize = functools.partial(parallelize_layers, dict(options), choice)
                    unfused = module.clone()
                    parallelize(unfused)
                plain = source
                if weights is not None:
                    # Layers as they were measured become parallel first.
                    module = unfused.clone()
                    source = quantise(module, source, weights, Path(folder))
                    options = {"chip": chip}
                call_interruptibly(module.run_passes, spell("block-optimize", options))
        if required:
            module.run_passes(f"block-require{{fusions={quote(','.join(required))}}}")
        made = Model(module, source, self.calling, self.name, self._owner)
        made._unfused = None if weights is not None else unfused
        made._layers = (unfused, plain, weights)
        made._imports, made._parallelize = self._imports, parallelize
        made._original, made._original_weights = self._original, self._original_weights
        made._chip = chip or ""
        made._drift, made.special_tokens = self._drift, self.special_tokens
        return made

    def _read_choice(
        self, parallel: str | PathLike[str] | Sequence[str] | Drift
    ) -> Choice | None:
        """Returns the choice of `parallel`, or None if it is not one."""
        if isinstance(parallel, Drift):
            return parallel.choice
        if isinstance(parallel, PathLike):
            return Choice.read(Path(parallel))
        if isinstance(parallel, str) and (
            parallel.startswith("@") or parallel.endswith(".json")
        ):
            return Choice.read(Path(parallel.removeprefix("@")))
        found = self._drift and self._drift.choice
        is_list = isinstance(parallel, Sequence)
        if found and found.is_corrected and is_list and list(parallel) == found.pairs:
            warnings.warn(
                f"parallel={found.pairs} are pairs without the weights that "
                f"correction='{found.correction}' fitted for them; the result of "
                "drift() itself, as parallel=, brings both",
                stacklevel=3,
            )
        return None

    # Reports --------------------------------------------------------------------

    def explain(self) -> Explanation:
        """Returns what was recognised, rewritten and declined, with reasons.

            print(model.explain())
            model.explain().to_dict()["recognised"]["attention"]
        """
        return Explanation(json.loads(self._module.explain()))

    def count(self, chip: str | None = None) -> dict[str, Any]:
        """Returns the JSON of block-report: parameters, launches, FLOPs and bytes.

            model.count("sm_90a")["model"]["params"]["total"]
        """
        chip = read_chip(chip) or self._chip
        report: dict[str, Any] = json.loads(self._module.report(chip))
        return report

    def report(self, path: str | Path, chip: str | None = None) -> Path:
        """Writes one HTML page on the model (docs/use/Python.md) and returns its path.

            model.report("model.html")
        """
        from parablock.page import PageData, write_page

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
        options are block-drift's: engine, pairing, norm, scale, correction, seed and
        more.

            drift = model.drift(input_ids, budget=0.01, correction="refit")
            fast = model.optimize(parallel=drift)

        Corrected weights are written to `weights_out`, or else beside `choice`, as
        choice.safetensors beside choice.json.
        """
        refuse_size_inputs(self._original, "drift")
        request = {key.replace("_", "-"): value for key, value in options.items()}
        request.update({"budget-kl": budget, "choice": choice})
        self._drift = measure_drift(
            self._original, self._original_weights, self.calling, data, request
        )
        return self._drift

    # Running --------------------------------------------------------------------

    @overload
    def compile(
        self,
        target: Literal["cpu", "reference"] = "cpu",
        threads: int = 0,
        *,
        cache: CodeFolder = None,
        keep_weights: bool = False,
    ) -> CompiledModel: ...
    @overload
    def compile(
        self, target: str, threads: int = 0, *, cache: CodeFolder = None, keep_weights: bool = False
    ) -> CompiledModel | DeviceModel: ...
    @overload
    def compile(
        self,
        target: str = "cpu",
        threads: int = 0,
        *,
        training: Literal[True],
        memory_budget: int | str | None = None,
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
        compute_type: str | None = None,
        cache: CodeFolder = None,
        keep_weights: bool = False,
    ) -> CompiledModel | DeviceModel | TrainedModel:
        """Returns a callable for "cpu", "reference", "emulate:sm_90a" or a GPU, "sm_90a".

        "cpu:x86-64-v3" compiles for that processor. The callable takes the arguments of
        the imported module and returns its structure. `threads` is all cores if 0.

            logits = model.compile(target="cpu")(input_ids)["logits"]

        Code for the CPU is kept for other processes, in the folder `cache` or that of the
        environment (docs/design/Cpu.md), unless `cache` is False. `keep_weights` also keeps
        a checkpoint's packed weights, which take as much space again.

        With `training` results belong to PyTorch's autograd, and backward fills the
        gradients of the module's own parameters (docs/use/Training.md). `memory_budget` limits
        the bytes of a step: a number, "40%" or "min"; without it a step keeps what takes a
        product to compute. With
        `compute_type="bf16"` it computes as under torch.autocast, products in bf16 of
        parameters that stay what they are, as their gradients do.
        """
        check_step_choices(training, memory_budget, compute_type)
        is_device = read_text("target", target, _TARGETS).startswith("sm_")
        engine, chip = (target, "") if is_device else split_target(target, _ENGINES, _TARGETS)
        check_keeping(keep_weights, "training" if training else target, cache)
        if is_device:
            if training:
                raise Error(f"option 'training' requires target 'cpu', got '{target}'")
            make_target("plan", engine, threads, cache, keep_weights)
            return self._compile_for_device(engine)
        if engine == "emulate":
            chip = chip or self._chip or DEFAULT_CHIP
        made = make_target(engine, chip, threads, cache, keep_weights)
        if training:
            return self._compile_step(made, memory_budget, compute_type)
        with show_progress(f"compiling for {target}"):
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

    def list_weights(self) -> tuple[list[TensorInfo], list[Any]]:
        """Returns descriptions of the weights, and the weights, in the model's order."""
        infos = list(self._module.get_signature().parameters)
        return infos, [self._weights(info) for info in infos]

    def watch_weights(self) -> WeightWatch | None:
        """Returns a watch on weights of a module; None for weights that do not change."""
        watch = getattr(self._weights, "watch", None)
        infos = self._module.get_signature().parameters
        made: WeightWatch | None = watch(infos) if watch else None
        return made

    def identify_weights(self) -> str | None:
        """Returns a text that identifies the weights, or None if they have no identity."""
        return identify_stored(self._weights, self._module.get_signature().parameters)

    def give_weights(self, target: Target) -> GivenWeights:
        """Returns the weights for a program."""
        infos, arrays = self.list_weights()
        check_stored(target.keeps_weights, self._weights, infos)
        return GivenWeights(infos, arrays, self.identify_weights)

    def make_program(self, target: Target) -> tuple[Signature, Program, GivenWeights]:
        """Returns the signature, the compiled program and its weights."""
        weights = self.give_weights(target)
        signature = self._module.get_signature()
        program = target.compile(self._module, signature, target.engine, weights=weights)
        return signature, program, weights

    def add_caches(
        self,
        weights: str | None = None,
        *,
        rings: bool = True,
        counts_padding: bool = False,
        has_memory: bool = False,
        page_rows: int | None = None,
    ) -> tuple[Model, str | None]:
        """Returns the unfused layers with caches of keys and values, and the form of codes.

        `weights` is the form of codes if optimize() has not chosen one. With
        `counts_padding` learned positions count padding in front. With `rings` caches of
        windows have their own size. With `has_memory` keys and values of cross-attention
        are inputs, which compute_memory() returns. With `page_rows` caches are pools of
        pages of that many rows, without rings.
        """
        module, source, codes = self._layers
        weights = read_form(weights)
        if page_rows is not None:
            page_rows = read_whole("page_rows", page_rows, 1)
        if weights is not None and codes is not None and weights != codes:
            raise Error(f"weights: expected '{codes}', which they are already, got {weights!r}")
        module = module.clone()
        chosen = {
            "rings": read_flag("rings", rings) and page_rows is None,
            "count-padding": read_flag("counts_padding", counts_padding),
            "memory": read_flag("has_memory", has_memory),
        }
        options = {name: str(value).lower() for name, value in chosen.items()}
        module.run_passes(spell("block-add-caches", {**options, "page-rows": page_rows}))
        return Model(module, source, name=self.name), weights or codes

    def compute_memory(self) -> Model:
        """Returns the model that computes keys and values of cross-attention alone."""
        module, source, _ = self._layers
        module = module.clone()
        module.run_passes("block-compute-memory")
        return Model(module, source, name=self.name)

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
        from parablock.decoding.generator import make_generator

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
        from parablock.decoding.page_tables import make_paged_decoder

        return make_paged_decoder(self, page_rows, target, threads, weights, cache)

    def _compile_step(
        self, target: Target, budget: int | str | None, compute_type: str | None
    ) -> TrainedModel:
        from parablock.training.trained import TrainedModel, TrainingStep

        def make_narrow() -> TrainingStep:
            return TrainingStep(self._find_narrow(), read_budget(budget), target)

        step = TrainingStep(self.find_unfused(), read_budget(budget), target)
        return TrainedModel(
            step, self._weights, self.calling, self._owner, make_narrow, compute_type
        )

    def find_unfused(self) -> Module:
        """Returns the unfused layers, whose gradients are by the model's own weights."""
        if self._unfused is None:
            raise Error("weights of codes have no gradients: omit weights=")
        if self._weights is not self._original_weights:
            raise Error(
                "gradients require the module's own weights, got weights that a correction "
                "fitted: use optimize(parallel=drift.choice.pairs)"
            )
        return self._unfused

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

    def _find_exact(self) -> Module:
        """Returns the layers for gradients, with numbers that f32 has not rounded."""
        return self._change(self._imports.exactly())

    def _find_narrow(self) -> Module:
        """Returns the layers for gradients as autocast computes them."""
        if self._imports.narrowly is None:
            raise Error(
                "compute_type and torch.autocast require a model of from_torch, got one "
                "without a module"
            )
        return self._change(self._imports.narrowly())

    def _change(self, module: Module) -> Module:
        """Applies to `module` the rewrites of this model."""
        self.find_unfused()
        if self._parallelize:
            self._parallelize(module)
        return module

    def _list_parameters(self) -> list[TensorInfo]:
        return list(self.find_unfused().get_signature().parameters)

    def list_left(
        self, *, beside_blocks: bool = True, without: Collection[int] = ()
    ) -> list[str]:
        """Returns operations that belong to no block, by name and place.

        Engines run them as kernels of their own, or refuse them by name. Those
        `beside_blocks` prepare nothing but masks and tables of attention. Those
        that importing numbered as one of `without` are not among them.
        """
        found = self._original.list_unrecognised()
        return name_left(json.loads(found), beside_blocks, without)

    def _compile_for_device(self, chip: str) -> DeviceModel:
        """Returns a package that is on the device as long as the callable lives."""
        with make_scratch() as folder:
            path = Path(folder, "model.pbk")
            write_model(path, self._module, self._weights, chip)
            return DeviceModel(load(path), self.calling)

    def save(self, path: str | Path, chips: str = DEFAULT_CHIP) -> Path:
        """Writes a package with its weights, which `parablock.load` runs.

        `chips` are one or more, as in "sm_80,sm_90a".

            model.optimize(chip="sm_90a").save("model.pbk")
        """
        path, chips = read_path("path", path), read_text("chips", chips)
        refuse_size_inputs(self._module, "a package")
        write_model(path, self._module, self._weights, chips)
        return path
