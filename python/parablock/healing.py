# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training of converted layers towards the serial model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parablock.arguments import make_error, read_whole
from parablock.drift import Drift
from parablock.public import Model
from parablock.rewriting import get_form, read_form


def heal(
    model: Model,
    data: Any,
    tokens: int,
    *,
    training_data: Any = None,
    rate: float | None = None,
    targets: str | None = None,
    streams: float | None = None,
    lora: int | None = None,
    codes: str | None = None,
    checkpoint: str | Path | None = None,
    stop: int | None = None,
    **options: Any,
) -> Drift:
    """Converts layers, corrects them, and trains them towards the serial model.

    `data` is as in `Model.drift`, whose options are accepted too; the correction is
    "refit" unless another is given. Training reads `tokens` tokens of `training_data`,
    or else of the half of `data` that is for fitting. `rate` is the largest learning
    rate, `targets` "teacher" or "text". `streams` is the factor of the error of streams
    beside KL, `lora` the rank of a change of each matrix that is trained in place of the
    matrix if it has fewer numbers, `codes` a form such as "int4" that trained matrices
    are rounded to. A `checkpoint` is written while the model heals, and continued from if
    it exists; `stop` is the step to stop at.

        healed = parablock.heal(model, input_ids, tokens=1_000_000, pairing="shifted")
        fast = model.optimize(parallel=healed)
    """
    if not isinstance(model, Model):
        raise make_error("model", "a model of from_pretrained or from_torch", model)
    if "blocks" not in options or not str(options["blocks"]).startswith("@"):
        options.setdefault("correction", "refit")
    return model.drift(
        data,
        heal=read_whole("tokens", tokens, 1, (1 << 63) - 1),
        heal_data=training_data,
        heal_rate=rate,
        heal_targets=targets,
        heal_streams=streams,
        heal_lora=None if lora is None else read_whole("lora", lora, 1, 1 << 16),
        heal_codes=get_form(form) if (form := read_form(codes, "codes")) else None,
        heal_checkpoint=checkpoint,
        heal_stop=stop,
        **options,
    )
