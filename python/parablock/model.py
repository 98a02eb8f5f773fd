# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model as a value: IR, its weights, and rewrites of both."""

from __future__ import annotations

import functools
import json
import logging
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from parablock.arguments import read_flag, read_names, read_whole
from parablock.calling import Calling, CallingByName
from parablock.compiled import GivenWeights
from parablock.copying import NotCopied
from parablock.drift import Choice, Drift
from parablock.errors import Error, name_files
from parablock.explanation import Explanation, name_left
from parablock.hugging_face import Source, make_section
from parablock.interrupts import call_interruptibly
from parablock.keeping import check_stored, identify_stored
from parablock.origin import check_origin
from parablock.output import make_scratch
from parablock.rewriting import (
    Imports,
    WeightSource,
    check_options,
    list_pairs,
    make_codes,
    parallelize_layers,
    quantise,
    quote,
    read_activations,
    read_chip,
    read_first_layer,
    read_form,
    spell,
)
from parablock.special_tokens import SpecialTokens
from parablock.target import Target

if TYPE_CHECKING:
    from torch.nn import Module as TorchModule

    from parablock._core import Module, Program, Signature, TensorInfo
    from parablock.device_program import DeviceProgram
    from parablock.weight_watch import WeightWatch

_log = logging.getLogger("parablock")
# Codes that kernels of GPUs read.
_GPU_CODES = (
    "weights of bf16 and f16 as codes: rows in multiples of 16"
)


class ModelValue(NotCopied):
    """A model as IR and weights, which imports make, rewrites return and engines compile.

    `parablock.Model` adds compiling, measuring and running (parablock/public.py).
    """

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
        # The imported form, from which rewriting and measuring start.
        self._original = module.clone()
        self._original_weights = weights
        # The form that gradients are computed of: layers before any fusion.
        self._unfused: Module | None = self._original
        # The same layers, their weights, and the codes that these become.
        self._layers: tuple[Module, WeightSource, str | None]
        self._layers = (self._original, weights, None)
        # The form of codes that rows of products are rounded to.
        self._activations: str | None = None
        self._owner = owner
        # The same layers with the numbers of f64, and the functions that import them.
        self._exact: Module | None = None
        self._imports = imports or Imports(self._original.clone)
        self._parallelize: Callable[[Module], None] | None = None
        self.calling = calling or CallingByName(
            {i.name: len(i.shape) for i in module.get_signature().inputs}, {}
        )
        self.name = name
        self._chip = ""
        self._drift: Drift | None = None
        #: Tokens that end a text, and the token of padding.
        self.special_tokens = SpecialTokens()
        #: The checkpoint that the model was read from, if it was.
        self.source: Source | None = None
        # The conversion of this model and of the original, as config.json has it.
        self._section: dict[str, Any] | None = None
        self._original_section: dict[str, Any] | None = None
        # Pairs were asked for, and none became parallel.
        self._is_in_vain = False
        # The checkpoint has codes of a converted model.
        self._has_stored_codes = False

    def __str__(self) -> str:
        """Returns the IR as text."""
        return self._module.print()

    def __repr__(self) -> str:
        counts = self.explain().describe_counts()
        return f"<{type(self).__name__} {self.name!r}: {counts}>"

    @property
    def inputs(self) -> list[TensorInfo]:
        """Inputs by name, type and shape; -1 is any size."""
        return list(self._module.get_signature().inputs)

    def keep_owner(self, owner: TorchModule, imports: Imports) -> None:
        """Sets the module of the model, and how it is imported again."""
        self._owner, self._imports = owner, imports

    def keep_source(self, source: Source) -> None:
        """Sets the checkpoint of the model."""
        self.source = source

    def keep_section(self, section: dict[str, Any]) -> None:
        """Sets the conversion that the model has in its checkpoint."""
        self._section = self._original_section = section

    def keep_codes(self, form: str) -> None:
        """Sets the form of the codes that the checkpoint has."""
        self._layers = (*self._layers[:2], form)
        self._has_stored_codes = True

    def get_section(self) -> dict[str, Any] | None:
        """Returns the conversion of the model; None if it is serial."""
        if self._is_in_vain:
            raise Error(
                "save_pretrained requires a model with the parallel layers that optimize() was asked "
                "for, got one without any; explain() has the reasons: omit parallel= to save the "
                "model as it is"
            )
        if self._has_stored_codes:
            raise Error(
                "save_pretrained requires a model of numbers, or codes that optimize() made of them, got "
                "codes of a folder that was saved before: copy that folder"
            )
        first, last = self._original_section, self._section
        if last is not None and last.get("router") == "serial":
            raise Error(
                "save_pretrained requires routers that read what experts read, got "
                "router='serial', which its modelling code does not have: convert with "
                "router='parallel'"
            )
        if first is not None and last is not None and first["chosen"] != last["chosen"]:
            raise Error(
                "save_pretrained requires a model that was converted once: its checkpoint has the "
                f"pairs {','.join(first['chosen'])}, and optimize(parallel=...) made "
                f"{','.join(last['chosen'])} of them: convert the serial checkpoint"
            )
        return first or last

    def get_drift_of(self, section: Mapping[str, Any]) -> dict[str, Any] | None:
        """Returns the report of the measurement that a conversion is of, if it was made here."""
        drift = self._drift.to_dict() if self._drift else {}
        keys = ("model_hash", "chosen", "correction")
        return drift if drift and all(drift.get(key) == section.get(key) for key in keys) else None

    def report_layers(self, chip: str, passes: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Returns block-report's JSON of the serial and the converted layers after block-optimize and `passes`."""
        reports = []
        for layers in (self._original, self._layers[0]):
            module = layers.clone()
            module.run_passes(f"block-optimize{passes}")
            reports.append(json.loads(module.report(chip)))
        return reports[0], reports[1]

    def get_layers(self) -> tuple[Module, WeightSource, str | None]:
        """Returns the unfused layers, their weights, and the form of codes of the model."""
        return self._layers

    def get_serial(self) -> tuple[Module, WeightSource]:
        """Returns the imported model and its weights."""
        return self._original, self._original_weights

    # Rewriting ------------------------------------------------------------------

    def optimize(
        self,
        parallel: str | PathLike[str] | Sequence[str] | Drift = "none",
        *,
        pairing: str | None = None,
        from_layer: int | str | None = None,
        norm: str | None = None,
        router: str | None = None,
        scale: float | None = None,
        attn_scale: float | None = None,
        mlp_scale: float | None = None,
        chip: str | None = None,
        weights: str | None = None,
        activations: str | None = None,
        require: Sequence[str] = (),
    ) -> Self:
        """Returns a new model: the imported one after block-optimize.

        `parallel` selects the layers that become parallel, which is not exact: "none",
        "all", "0,2-5", a list of pairs, the result of `drift`, or the path of a choice
        ("choice.json" or a Path). The last two also bring the weights that a correction
        fitted. `from_layer` leaves lower layers in series: an index, or "half". With
        `router="serial"` routers of experts read what they do in series. `weights` is the
        form of codes that stores the weights of layers, which is not exact either:
        "int8", "int4" (groups of 32), or another form of docs/use/Quantise.md; "numbers"
        unpacks the codes of a quantised checkpoint. `activations="fp8"` beside weights of
        "fp8" also rounds the rows that products multiply, with a scale for 128 columns: for
        products of many rows on sm_90a, at an error that block-drift measures.
        A fusion in `require` that does not happen is an error.

            fast = model.optimize(parallel="0,2-5", require=["block-form-kernels"])
            small = model.optimize(weights="int8")
            fast = model.optimize(weights="fp8", activations="fp8").compile("cuda:sm_90a")
        """
        options: dict[str, object] = {
            "pairing": pairing,
            "from": read_first_layer(from_layer),
            "norm": norm,
            "router": router,
            "scale": scale,
            "attn-scale": attn_scale,
            "mlp-scale": mlp_scale,
            "chip": chip,
        }
        check_options(options)
        required, weights = read_names("require", require), read_form(weights)
        activations = read_activations(activations, weights)
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
                plain, options_of_pairs = source, options
                if weights is not None:
                    # Layers as they were measured become parallel first.
                    module = unfused.clone()
                    source = quantise(module, source, weights, Path(folder), activations)
                    options = {"chip": chip}
                call_interruptibly(module.run_passes, spell("block-optimize", options))
        if required:
            module.run_passes(f"block-require{{fusions={quote(','.join(required))}}}")
        made = type(self)(module, source, self.calling, self.name, self._owner)
        made._unfused = None if weights is not None else unfused
        made._layers = (unfused, plain, weights)
        made._activations = activations
        made._imports, made._parallelize = self._imports, parallelize
        made._original, made._original_weights = self._original, self._original_weights
        made._chip = chip or ""
        made.source, made._original_section = self.source, self._original_section
        if parallelize:
            section = make_section(options_of_pairs, choice, unfused)
            made._section = section if section["chosen"] else None
            made._is_in_vain = not section["chosen"] and choice is None
        else:
            made._section = self._original_section
        made._drift, made.special_tokens = self._drift, self.special_tokens
        made._has_stored_codes = self._has_stored_codes
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

    # Compiling ------------------------------------------------------------------

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
        infos = self._module.get_signature().parameters
        check_stored(target.keeps_weights, self._weights, infos)
        return GivenWeights(infos, self._weights, self.identify_weights)

    def make_program(
        self, target: Target
    ) -> tuple[Signature, Program | DeviceProgram, GivenWeights]:
        """Returns the signature, the compiled program and its weights."""
        weights = self.give_weights(target)
        signature = self._module.get_signature()
        form = self._layers[2]
        if target.engine == "cuda" and form is not None:
            codes = self.count(target.chip)["model"]["codes"]
            if codes and codes["read_number_bytes"]:
                _log.warning(
                    "codes of '%s' take the memory of the model's type on '%s', %d bytes: kernels "
                    "of a GPU read %s",
                    form,
                    target,
                    codes["read_number_bytes"],
                    _GPU_CODES,
                )
        program: Program | DeviceProgram
        if target.engine == "cuda":
            program = target.create_on_device(self._module, signature, weights)
        else:
            program = target.compile(self._module, signature, target.engine, weights=weights)
        return signature, program, weights

    def check_codes(self, form: str, target: Target) -> None:
        """Rejects codes of weights if kernels of the target's GPU read none of them."""
        if form == "numbers":
            return
        module = self._module.clone()
        make_codes(module, form)
        codes = json.loads(module.report(target.chip))["model"]["codes"]
        if codes and not codes["read_bytes"]:
            raise Error(
                f"option 'weights' requires codes that kernels of a GPU read, got '{form}' and "
                f"'{target}', whose kernels read {_GPU_CODES}: give another form, a model of "
                "bf16 (dtype=), target 'cpu', or omit weights="
            )

    def add_caches(
        self,
        weights: str | None = None,
        *,
        rings: bool = True,
        counts_padding: bool = False,
        has_memory: bool = False,
        page_rows: int | None = None,
        chooses_tokens: bool = False,
    ) -> tuple[Self, str | None]:
        """Returns the unfused layers with caches of keys and values, and the form of codes.

        `weights` is the form of codes if optimize() has not chosen one. With
        `counts_padding` learned positions count padding in front. With `rings` caches of
        windows have their own size. With `has_memory` keys and values of cross-attention
        are inputs, which compute_memory() returns. With `page_rows` caches are pools of
        pages of that many rows, without rings. With `chooses_tokens` the function also
        chooses the next tokens, which code for GPUs alone can do.
        """
        if self._activations is not None:
            raise Error(
                "caches of keys and values require rows of numbers, got "
                f"activations='{self._activations}': omit activations= in optimize()"
            )
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
            "sampling": read_flag("chooses_tokens", chooses_tokens),
        }
        options = {name: str(value).lower() for name, value in chosen.items()}
        module.run_passes(spell("block-add-caches", {**options, "page-rows": page_rows}))
        return type(self)(module, source, name=self.name), weights or codes

    def compute_memory(self) -> Self:
        """Returns the model that computes keys and values of cross-attention alone."""
        module, source, _ = self._layers
        module = module.clone()
        module.run_passes("block-compute-memory")
        return type(self)(module, source, name=self.name)

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

    def _find_exact(self) -> Module:
        """Returns the layers for gradients, with numbers that f32 has not rounded."""
        return self._change(self._imports.exactly())

    def _get_narrow_import(self) -> Callable[[], Module]:
        """Returns the import under autocast; rejects models that have none."""
        if self._imports.narrowly is None:
            raise Error(
                "compute_type and torch.autocast require a model of from_torch, got one "
                "without a module"
            )
        return self._imports.narrowly

    def _find_narrow(self) -> Module:
        """Returns the layers for gradients as autocast computes them."""
        return self._change(self._get_narrow_import()())

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

