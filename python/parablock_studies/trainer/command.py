# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training of forms of blocks side by side, and their differences."""

from __future__ import annotations

import argparse
import dataclasses
import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parablock.errors import Error, MissingError
from parablock.output import write_output

if TYPE_CHECKING:
    from parablock_studies.trainer.settings import Settings

_NEEDS = ("torch", "transformers", "safetensors")


def run_train(arguments: argparse.Namespace) -> None:
    """Trains, with a checkpoint of each run, and writes results beside them."""
    missing = [name for name in _NEEDS if not importlib.util.find_spec(name)]
    if missing:
        raise MissingError(f"train requires {', '.join(missing)}: pip install {' '.join(missing)}")
    from parablock_studies.trainer.experiment import Experiment
    from parablock_studies.trainer.results import collect, describe
    from parablock_studies.trainer.text import read_text

    wanted = _list_settings(arguments)
    data = Path(arguments.data) if arguments.data else None
    text = read_text(data, arguments.tokens)
    out = Path(arguments.out)
    experiment = Experiment(
        text,
        out,
        resume=arguments.resume,
        every=arguments.save_every,
        rows=arguments.held_out_rows,
        stop=arguments.stop,
    )
    experiment.check(wanted)
    records = []
    for seed in dict.fromkeys(each.seed for each in wanted):
        runs = experiment.open([each for each in wanted if each.seed == seed])
        experiment.train(runs)
        records += [describe(run) for run in runs]
    memory = {} if arguments.no_memory else _measure(wanted, data)
    _write(collect(records, wanted[0], text, memory), out)


def _list_settings(arguments: argparse.Namespace) -> list[Settings]:
    """Returns the runs in the order of seeds, each form on each engine."""
    from parablock_studies.trainer.settings import ENGINES, MIXED, Settings

    common = {
        name: getattr(arguments, name)
        for name in (
            *("layers", "width", "heads", "tokens", "batch", "steps", "learning_rate"),
            *("warmup", "weight_decay", "clip", "threads", "device"),
        )
    }
    engines = _split(arguments.engine)
    for engine in engines:
        if engine not in ENGINES:
            raise Error(f"--engine: expected some of {', '.join(ENGINES)}, got '{engine}'")
    if arguments.memory_budget and "parablock" not in engines:
        raise Error("--memory-budget: expected the engine parablock, others have none")
    forms = _split(arguments.form)
    parts = arguments.parallel_layers or ["all"]
    if parts != ["all"] and not any(form in MIXED for form in forms):
        # Settings rejects the form with a message.
        Settings(form=forms[0], parallel_layers=parts[0])
    return [
        Settings(
            form=form,
            engine=engine,
            seed=seed,
            parallel_layers=part,
            memory_budget=arguments.memory_budget if engine == "parablock" else None,
            **common,
        )
        for seed in _read_seeds(arguments.seed)
        for form in forms
        for part in (parts if form in MIXED else ["all"])
        for engine in engines
    ]


def _split(text: str) -> list[str]:
    return list(dict.fromkeys(text.split(",")))


def _read_seeds(text: str) -> list[int]:
    """
    >>> _read_seeds("1,2,3")
    [1, 2, 3]
    """
    seeds = _split(text)
    for seed in seeds:
        if not seed.isdecimal() or int(seed) >= 1 << 32:
            raise Error(f"--seed: expected numbers such as 1,2,3, got '{text}'")
    return [int(seed) for seed in seeds]


def _measure(wanted: list[Settings], data: Path | None) -> dict[str, dict[str, int | None]]:
    """Returns the memory peaks of each form and engine, which do not depend on seeds."""
    from parablock_studies.trainer.memory import measure_memory

    found = {}
    for each in wanted:
        key = f"{each.label} {each.engine}"
        if key not in found:
            print(f"measuring the memory of {key}", file=sys.stderr, flush=True)
            found[key] = measure_memory(dataclasses.replace(each, seed=wanted[0].seed), data)
    return found


def _write(results: dict[str, Any], out: Path) -> None:
    """Writes the files of numbers, tables and pictures."""
    from parablock_studies.trainer.plots import draw_all
    from parablock_studies.trainer.tables import write_tables

    tables = write_tables(results)
    write_output(str(out / "results.json"), json.dumps(results, indent=1) + "\n")
    write_output(str(out / "results.md"), tables + "\n")
    for name, drawing in draw_all(results).items():
        write_output(str(out / name), drawing)
    print(tables)
