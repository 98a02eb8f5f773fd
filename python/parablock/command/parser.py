# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the command line."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn, TypeAlias

import parablock
from parablock.arguments import CODE_FORMS
from parablock.command import actions
from parablock.command.convert import run_convert
from parablock.command.generate import run_generate
from parablock.errors import Error
from parablock_studies.bench.command import run_bench
from parablock_studies.bench.peers import PEERS
from parablock_studies.tasks.command import run_tasks
from parablock_studies.tasks.drawing import KINDS
from parablock_studies.trainer.command import run_train


#: Those of block-parallelize and block-drift.
_PAIRINGS = ("block", "shifted", "best", "ladder", "shortcut")


class _Parser(argparse.ArgumentParser):
    """Wrong usage ends with 1, as it does with the tools."""

    def error(self, message: str) -> NoReturn:
        print(f"error: {message}", file=sys.stderr)
        sys.exit(Error.exit_code)


def make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m parablock",
        description="Transformer blocks, rewritten, explained and compiled. "
        "Exit codes: 0 fine, 1 bad input, 3 numbers out of tolerance, 4 something "
        "optional is missing.",
    )
    parser.add_argument(
        "--version", action="version", version=f"parablock {parablock.__version__}"
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_import(commands)
    _add_optimize(commands)
    _add_explain(commands)
    _add_report(commands)
    _add_drift(commands)
    _add_convert(commands)
    _add_tasks(commands)
    _add_run(commands)
    _add_bench(commands)
    _add_train(commands)
    _add_generate(commands)
    return parser


def _read_count(text: str) -> int:
    """
    >>> _read_count("3")
    3
    """
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got '{text}'")
    return int(text)


def _read_number(text: str) -> float:
    """
    >>> _read_number("1e-3")
    0.001
    """
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number from 0 on, got '{text}'")
    return number


def _read_share(text: str) -> float:
    """
    >>> _read_share("0.05")
    0.05
    """
    if _read_number(text) >= 1:
        raise argparse.ArgumentTypeError(f"expected a share below 1, got '{text}'")
    return float(text)


def _read_ids(text: str) -> list[int]:
    """
    >>> _read_ids("1,2,3")
    [1, 2, 3]
    """
    parts = text.split(",")
    if not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"expected numbers such as 1,2,3, got '{text}'")
    return [int(part) for part in parts]


def _read_dims(text: str) -> dict[str, int]:
    """
    >>> _read_dims("batch=2,seq=9")
    {'batch': 2, 'seq': 9}
    """
    dims = {}
    for part in text.split(","):
        name, equals, size = part.partition("=")
        if not name or not equals:
            raise argparse.ArgumentTypeError(f"expected name=size, got '{part}'")
        dims[name] = _read_count(size)
    return dims


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", help="a folder with config.json and weights, or a file of model IR"
    )
    parser.add_argument("--weights", help="safetensors file, for a file of model IR")
    parser.add_argument(
        "--raise",
        dest="raise_options",
        default="",
        help="options of block-raise, for a file of model IR",
    )
    parser.add_argument(
        "--function",
        default="",
        help="the model, for a file of model IR; main or the only one",
    )
    parser.add_argument(
        "--dtype", choices=["f32", "bf16", "f16"], help="of a folder's model; f32"
    )
    parser.add_argument(
        "--padding", action="store_true", help="take the lengths of padded rows"
    )


def _add_rewrites(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--parallel",
        default="none",
        help="layers to run attention and MLP side by side in: none, all, 0,2-5 or "
        "@choice.json; not exact",
    )
    parser.add_argument("--pairing", choices=_PAIRINGS)
    parser.add_argument("--from", dest="from_layer", help="first layer: an index, or half")
    parser.add_argument("--norm", choices=["separate", "shared", "shared-lossy"])
    parser.add_argument("--router", choices=["parallel", "serial"], help="stream of routers")
    parser.add_argument("--chip", help="such as sm_90a")
    parser.add_argument("--require", default="", help="fusions that must happen: a,b")


def _add_import(commands: _Commands) -> None:
    parser = commands.add_parser("import", help="write a checkpoint's model IR")
    _add_model(parser)
    parser.add_argument("-o", "--output", default="-")
    parser.set_defaults(run=actions.run_import)


def _add_optimize(commands: _Commands) -> None:
    parser = commands.add_parser("optimize", help="rewrite a model and write its IR")
    _add_model(parser)
    _add_rewrites(parser)
    parser.add_argument("-o", "--output", default="-")
    parser.set_defaults(run=actions.run_optimize)


def _add_explain(commands: _Commands) -> None:
    parser = commands.add_parser("explain", help="print what was rewritten, and reasons for the rest")
    _add_model(parser)
    _add_rewrites(parser)
    parser.add_argument("--json", help="write the explanation here")
    parser.set_defaults(run=actions.run_explain)


def _add_report(commands: _Commands) -> None:
    parser = commands.add_parser("report", help="write one HTML page about a model")
    _add_model(parser)
    _add_rewrites(parser)
    parser.add_argument("-o", "--output", default="report.html")
    parser.add_argument("--data", help="inputs to measure drift on, as safetensors")
    parser.add_argument("--budget-kl", type=float, help="nats a token; measures drift")
    parser.set_defaults(run=actions.run_report)


def _add_drift(commands: _Commands) -> None:
    parser = commands.add_parser(
        "drift", help="measure what parallel layers would change"
    )
    _add_model(parser)
    parser.add_argument("--data", help="inputs, as safetensors; drawn without")
    parser.add_argument("--budget-kl", type=float, help="nats a token")
    parser.add_argument(
        "--budget-generation", type=float, help="share of greedy continuations, 0 to 1"
    )
    parser.add_argument(
        "--budget-perplexity", type=float, help="factor of the perplexity, such as 1.01"
    )
    parser.add_argument(
        "--budget-tasks", type=float, help="share of the tasks that the serial model solves, 0 to 1"
    )
    parser.add_argument(
        "--budget-order", choices=["cheapest", "top"], help="cheapest pairs first, or the last layers"
    )
    parser.add_argument("--tasks", help="tasks for both models, as the command tasks writes them")
    parser.add_argument("--generate", type=int, help="tokens of a continuation")
    parser.add_argument("--from", dest="from_layer", help="first layer: an index, or half")
    parser.add_argument("--engine", choices=["cpu", "reference"])
    parser.add_argument("--pairing", choices=_PAIRINGS)
    parser.add_argument("--norm", choices=["separate", "shared", "shared-lossy"])
    parser.add_argument("--router", choices=["parallel", "serial"], help="stream of routers")
    parser.add_argument("--correction", help="correction of block-drift")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--choice", help="write the choice here")
    parser.add_argument("--json", help="write the report here")
    parser.set_defaults(run=actions.run_drift)


def _add_convert(commands: _Commands) -> None:
    parser = commands.add_parser(
        "convert", help="convert a checkpoint, and write a folder for transformers with a card of one page"
    )
    add = parser.add_argument
    add("model", help="a folder with config.json and weights")
    add("-o", "--output", required=True, help="the folder to write")
    add("--data", required=True, help="a text for the folder's tokenizer, or input_ids as safetensors")
    add("--seq", type=_read_count, default=128, help="tokens of a row of the text; %(default)s")
    add("--rows", type=_read_count, default=512, help="most rows of the text; %(default)s")
    add("--dtype", choices=["f32", "bf16", "f16"], help="of the model; f32")
    add("--pairing", choices=_PAIRINGS, default="shifted", help="%(default)s")
    add("--from", dest="from_layer", help="first layer: an index, or half")
    add("--correction", default="refit", help="correction of block-drift; %(default)s")
    add("--heal", type=_read_count, metavar="TOKENS", help="train on as many tokens after the correction")
    add("--budget-kl", type=float, help="nats a token")
    add("--budget-generation", type=float, help="share of greedy continuations, 0 to 1")
    add("--budget-perplexity", type=float, help="factor of the perplexity, such as 1.01")
    add("--budget-tasks", type=float, help="share of the tasks that the serial model solves, 0 to 1")
    add("--budget-order", choices=["cheapest", "top"], help="cheapest pairs first, or the last layers")
    add("--tasks", help="tasks for both models, as the command tasks writes them")
    add("--generate", type=int, help="tokens of a continuation")
    add("--weights", choices=CODE_FORMS, help="codes for the layers' weights")
    add("--seed", type=int)
    add("--json", help="write block-drift's report here")
    parser.set_defaults(run=run_convert)


def _add_tasks(commands: _Commands) -> None:
    parser = commands.add_parser("tasks", help="write tasks to measure drift on")
    add = parser.add_argument
    add("model", nargs="?", help="a folder with tokenizer.json; one token a byte, behind 0, without")
    add("--kind", default=",".join(KINDS), help="one or more of %(default)s")
    add("--count", type=_read_count, default=200, help="of each kind; %(default)s")
    add("--seed", type=int, default=0)
    add("-o", "--output", required=True, help="where to write them, as safetensors")
    parser.set_defaults(run=run_tasks)


def _add_run(commands: _Commands) -> None:
    parser = commands.add_parser("run", help="compute a model's results")
    _add_model(parser)
    _add_rewrites(parser)
    parser.add_argument(
        "--target",
        default="cpu",
        help="cpu, cpu:x86-64-v3, cuda, cuda:1, reference, emulate:sm_90a, sm_90a",
    )
    parser.add_argument("--inputs", required=True, help="safetensors file")
    parser.add_argument("--outputs", required=True, help="safetensors file")
    parser.set_defaults(run=actions.run_run)


def _add_bench(commands: _Commands) -> None:
    parser = commands.add_parser(
        "bench", help="time a checkpoint here and with installed peers"
    )
    parser.add_argument("model", help="a folder with config.json and weights")
    parser.add_argument("--batch", type=_read_count, default=1)
    parser.add_argument("--seq", type=_read_count, default=128)
    parser.add_argument(
        "--dims",
        type=_read_dims,
        default={},
        metavar="NAME=SIZE,..",
        help="sizes of open dimensions by name, as in block-run",
    )
    parser.add_argument("--repeat", type=_read_count, default=5)
    parser.add_argument("--target", default="cpu", help="cpu, cpu:x86-64-v3, cuda, cuda:1")
    parser.add_argument("--threads", type=int, default=0, help="all cores if 0")
    parser.add_argument(
        "--peers", default="", help=f"some of {', '.join(PEERS)}; all otherwise"
    )
    parser.add_argument("--json", help="write the numbers here")
    parser.add_argument("--plot", help="write a picture here, as SVG")
    parser.set_defaults(run=run_bench)


def _add_train(commands: _Commands) -> None:
    parser = commands.add_parser("train", help="train forms of blocks side by side")
    add = parser.add_argument
    add(
        "--form",
        default="nanogpt-modern,nanogpt-palm",
        help="one or more of nanogpt-modern (serial), nanogpt-palm (parallel), pre-ln, sas, "
        "sas-p, no-norm; %(default)s",
    )
    add(
        "--parallel-layers",
        action="append",
        metavar="all|upper|0,2-3",
        help="parallel layers of nanogpt-palm and sas-p, by default all; if it is given "
        "again, each is trained; upper is the upper half",
    )
    add("--engine", default="parablock", help="one or more of parablock, torch, torch-compile")
    add("--device", default="cpu", help="of the engine parablock: %(default)s, cuda or cuda:N")
    add("--data", help="a text; its last tenth is held out. Python's own library without")
    add("--layers", type=_read_count, default=6)
    add("--width", type=_read_count, default=384)
    add("--heads", type=_read_count, default=6)
    add("--tokens", type=_read_count, default=256, help="of a row; %(default)s")
    add("--batch", type=_read_count, default=8, help="rows of a step; %(default)s")
    add("--steps", type=_read_count, default=500)
    add("--learning-rate", type=_read_number, default=1e-3)
    add("--warmup", type=_read_share, default=0.05, help="share of the steps; %(default)s")
    add("--weight-decay", type=_read_number, default=0.1, help="of matrices; %(default)s")
    add("--clip", type=_read_number, default=1.0, help="largest norm of gradients; %(default)s")
    add("--seed", default="1", help="one or more, as 1,2,3; statistics need two")
    add("--threads", type=_read_count, default=1)
    add("--memory-budget", help="of a step: bytes, a share such as 40%%, or min")
    add("--held-out-rows", type=_read_count, default=64, help="%(default)s")
    add("--save-every", type=_read_count, help="steps between checkpoints; at the end alone")
    add("--stop", type=_read_count, help="leave off at this step, to --resume later")
    add("--resume", action="store_true", help="go on from the checkpoints in --out")
    add("--no-memory", action="store_true", help="measure no peaks of memory")
    add("-o", "--out", default="trained", help="folder of checkpoints and results; %(default)s")
    parser.set_defaults(run=run_train)


def _add_generate(commands: _Commands) -> None:
    parser = commands.add_parser("generate", help="continue a text, as it comes")
    add = parser.add_argument
    add("model", help="a folder with config.json, weights and tokenizer.json, or a GGUF file")
    add("--prompt", help="the text to continue, by the folder's tokenizer")
    add("--ids", type=_read_ids, metavar="1,2,3", help="numbers of tokens instead of a text")
    add("--max-new-tokens", type=_read_count, default=128, help="%(default)s")
    add("--temperature", type=_read_number, default=0.0, help="0: the likeliest tokens")
    add("--top-k", type=int, default=0, help="draw of that many likeliest tokens; of all if 0")
    add("--top-p", type=float, default=1.0, help="draw of the likeliest tokens of that mass")
    add("--min-p", type=float, default=0.0, help="least chance, as a share of the likeliest's")
    add("--repetition-penalty", type=float, default=1.0, help="of tokens there were before")
    add("--seed", type=int, help="draws the same tokens again")
    add(
        "--stop",
        action="append",
        default=[],
        help="a text that ends it, with --ids the number of a token instead of the folder's "
        "own; may be given again",
    )
    add("--weights", choices=CODE_FORMS, help="codes for the layers' weights; not exact")
    add("--dtype", choices=["f32", "bf16", "f16"], help="of the model; f32")
    add("--threads", type=int, default=0, help="all cores if 0")
    add("--target", default="cpu", help="cpu, cpu:x86-64-v3, cuda, cuda:1, reference")
    parser.set_defaults(run=run_generate)
