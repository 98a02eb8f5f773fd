#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the small decoder of this folder; see README.md for what it needs.

    train.py [--form=serial|parallel] [--steps=N] [--out=FOLDER]

FOLDER gets model.safetensors, config.json (serial form only) and training.json.
With the same seed, steps, versions and number of threads it trains the same
weights again. An interrupted training goes on where --checkpoint left it.
"""

import argparse
import json
import math
import os
import pathlib
import sys
import time

import corpus
import decoder
import ngram
import torch
from safetensors.torch import save_file

PEAK, WARMUP, WEIGHT_DECAY, CLIP = 3e-3, 100, 0.1, 1.0


def parse():
    parser = argparse.ArgumentParser(description="trains a small Llama-form decoder")
    parser.add_argument("--form", choices=("serial", "parallel"), default="serial")
    parser.add_argument("--steps", type=int, default=1250)
    parser.add_argument("--falling", type=float, default=0.2, help="part of the steps at a falling rate")
    parser.add_argument("--batch", type=int, default=32, help="rows of a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("trained"))
    parser.add_argument("--checkpoint", type=pathlib.Path, help="state to go on from and to save")
    return parser.parse_args()


def rate(step, options):
    """Warm up, stay, then fall in a straight line to nothing."""
    falling = (options.steps - step) / max(options.falling * options.steps, 1)
    return PEAK * min(1.0, (step + 1) / WARMUP, falling)


def losses(sizes, weights, ids, dtype=torch.float32):
    """Negative log-likelihood of every token of `ids` after a row's first."""
    scores = decoder.logits(sizes, weights, ids[:, :-1])
    flat = torch.nn.functional.cross_entropy(
        scores.flatten(0, 1).to(dtype), ids[:, 1:].flatten(), reduction="none"
    )
    return flat.view(len(ids), -1)


def sample(stream, step, options, length):
    """The rows of a step: a function of seed and step alone."""
    draw = torch.Generator().manual_seed(options.seed * 1_000_003 + step)
    starts = torch.randint(0, len(stream) - length, (options.batch,), generator=draw)
    return torch.stack([stream[start : start + length] for start in starts]).long()


def held_out(sizes, weights, stream):
    """Mean loss over a held-out stream, and over the later half of each row."""
    length = sizes.positions + 1
    count = len(stream) // length
    rows = torch.from_numpy(stream[: count * length].reshape(count, length).copy()).long()
    with torch.no_grad():
        found = torch.cat([losses(sizes, weights, part) for part in rows.split(16)])
    return float(found.mean()), float(found[:, sizes.positions // 2 :].mean())


def train(options, sizes, tokens):
    weights = decoder.draw(sizes, torch.Generator().manual_seed(options.seed))
    groups = [
        {"params": [w for w in weights.values() if w.dim() == 2], "weight_decay": WEIGHT_DECAY},
        {"params": [w for w in weights.values() if w.dim() == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=PEAK, betas=(0.9, 0.98), fused=True)
    stream = torch.from_numpy(tokens["train"].copy())
    curve, first = [], 0
    if options.checkpoint and options.checkpoint.exists():
        state = torch.load(options.checkpoint)
        first, curve = state["step"], state["curve"]
        optimizer.load_state_dict(state["optimizer"])
        for name, weight in weights.items():
            weight.data.copy_(state["weights"][name])
    recent, started = [], time.monotonic()
    for step in range(first, options.steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, options)
        with torch.autocast("cpu", torch.bfloat16):
            loss = losses(sizes, weights, sample(stream, step, options, sizes.positions + 1)).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights.values(), CLIP)
        optimizer.step()
        optimizer.zero_grad()
        recent.append(loss.item())
        done = step + 1
        if done % 100 == 0 or done == options.steps:
            curve.append({"step": done, "loss": round(sum(recent) / len(recent), 4)})
            seconds = (time.monotonic() - started) / (done - first)
            print(f"{options.form} step {done} loss {curve[-1]['loss']} {seconds:.2f} s a step", flush=True)
            recent = []
        if options.checkpoint and done % 250 == 0:
            state = {"step": done, "curve": curve, "optimizer": optimizer.state_dict(),
                     "weights": {name: w.data for name, w in weights.items()}}
            torch.save(state, f"{options.checkpoint}.new")
            os.replace(f"{options.checkpoint}.new", options.checkpoint)
    return {name: weight.detach() for name, weight in weights.items()}, curve


def main():
    options = parse()
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(True)
    sizes = decoder.Sizes(form=options.form)
    tokens, facts = corpus.gather()
    weights, curve = train(options, sizes, tokens)

    # What is stored is what is measured.
    stored = {name: weight.to(torch.bfloat16) for name, weight in weights.items()}
    rounded = {name: weight.float() for name, weight in stored.items()}
    sets = {}
    for kind in ("calibration", "report"):
        mean, later = held_out(sizes, rounded, tokens[kind])
        trigram = ngram.loss(tokens["train"], tokens[kind], 3, corpus.VOCABULARY)
        sets[kind] = {"loss": mean, "loss_of_later_half": later, "trigram": trigram}
    record = {
        "form": options.form,
        "seed": options.seed,
        "steps": options.steps,
        "falling": options.falling,
        "rows": options.batch,
        "row_tokens": sizes.positions,
        "trained_on_tokens": options.steps * options.batch * sizes.positions,
        "parameters": sum(weight.numel() for weight in stored.values()),
        "corpus": facts,
        "held_out": sets,
        "curve": curve,
        "versions": {"torch": torch.__version__, "threads": options.threads},
    }
    options.out.mkdir(parents=True, exist_ok=True)
    save_file(stored, options.out / "model.safetensors")
    (options.out / "training.json").write_text(json.dumps(record, indent=1) + "\n")
    if options.form == "serial":
        text = json.dumps(sizes.hugging_face(), indent=1) + "\n"
        (options.out / "config.json").write_text(text)
    print(json.dumps(sets, indent=1))
    if not all(math.isfinite(s["loss"]) and s["loss"] < s["trigram"] for s in sets.values()):
        sys.exit("error: the model is no better than a trigram model")


if __name__ == "__main__":
    main()
