#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a small decoder to solve tasks: to close brackets, and to copy.

    train_tasks.py [--form=serial|parallel] [--tied] [--steps=N] [--kinds=A,B] [--seed=N] [--out=FOLDER]

FOLDER gets model.safetensors (bf16), training.json, and for block-drift
    config.json          of the serial form alone
    text.safetensors     input_ids [512, 48]: rows of tasks that were not trained on
    more.safetensors     input_ids [2048, 48]: such rows to heal on (--more alone)
    tasks.safetensors    200 tasks of each kind, those of `python -m parablock tasks`
With the same seed, steps and version of PyTorch it trains the same weights again.
"""

import argparse
import json
import pathlib
import random
import sys
import time

import corpus
import decoder
import torch
from safetensors.torch import save_file

PEAK, WARMUP, WEIGHT_DECAY, CLIP = 3e-3, 100, 0.1, 1.0
#: Weight in the loss of tokens that are drawn, beside 1 of those of answers.
PROMPT = 0.1
TEXT_ROWS, MORE_ROWS, TASKS = 512, 2048, 200

tasks = corpus.load("tasks/drawing.py")


def encode(text):
    return list(text.encode())


def draw_rows(sizes, kinds, name, count):
    """Ids [count, positions + 1], and which of them are of answers."""
    draw = random.Random(name)
    rows = [tasks.draw_row(draw, kinds, sizes.positions) for _ in range(count)]
    ids = torch.tensor([[0, *encode(text)] for text, _ in rows])
    return ids, torch.tensor([[False, *answers] for _, answers in rows])


def rate(step, steps):
    """Warm up, stay, then fall in a straight line to nothing."""
    return PEAK * min(1.0, (step + 1) / WARMUP, (steps - step) / (0.3 * steps))


def train(options, sizes, kinds):
    weights = decoder.draw(sizes, torch.Generator().manual_seed(options.seed))
    trained = list({id(weight): weight for weight in weights.values()}.values())
    optimizer = torch.optim.AdamW(
        [
            {"params": [w for w in trained if w.dim() == 2], "weight_decay": WEIGHT_DECAY},
            {"params": [w for w in trained if w.dim() == 1], "weight_decay": 0.0},
        ],
        lr=PEAK, betas=(0.9, 0.98), fused=True,
    )
    curve, started = [], time.monotonic()
    for step in range(options.steps):
        for group in optimizer.param_groups:
            group["lr"] = rate(step, options.steps)
        ids, answers = draw_rows(sizes, kinds, f"train {options.seed} {step}", options.batch)
        with torch.autocast("cpu", torch.bfloat16):
            scores = decoder.logits(sizes, weights, ids[:, :-1])
        wanted, answers = ids[:, 1:], answers[:, 1:]
        loss = torch.nn.functional.cross_entropy(scores.float().flatten(0, 1), wanted.flatten(), reduction="none")
        shares = torch.where(answers, 1.0, PROMPT).flatten()
        ((loss * shares).sum() / shares.sum()).backward()
        torch.nn.utils.clip_grad_norm_(trained, CLIP)
        optimizer.step()
        optimizer.zero_grad()
        done = step + 1
        if done % 100 == 0 or done == options.steps:
            right = (scores.argmax(-1) == wanted)[answers].float().mean()
            curve.append({"step": done, "loss_of_answers": round(loss[answers.flatten()].mean().item(), 4),
                          "right_tokens_of_answers": round(right.item(), 4)})
            print(json.dumps(curve[-1]), f"{(time.monotonic() - started) / done:.2f} s a step", flush=True)
    return {name: weight.detach() for name, weight in weights.items()}, curve


def solved(sizes, weights, rows, spans):
    """Number of tasks whose tokens of the answer are each the most likely one."""
    with torch.no_grad():
        chosen = decoder.logits(sizes, weights, rows[:, :-1]).argmax(-1)
    return sum(bool((chosen[i, begin - 1 : end - 1] == rows[i, begin:end]).all())
               for i, (begin, end) in enumerate(spans.tolist()))


def report_perplexity(sizes, weights, text):
    """Perplexity of the quarter of the rows that block-drift reports on."""
    rows = text[-(len(text) // 4) :]
    with torch.no_grad():
        scores = decoder.logits(sizes, weights, rows[:, :-1])
    return torch.nn.functional.cross_entropy(scores.flatten(0, 1), rows[:, 1:].flatten()).exp().item()


def main():
    parser = argparse.ArgumentParser(description="trains a small decoder on tasks")
    parser.add_argument("--form", choices=("serial", "parallel"), default="serial")
    parser.add_argument("--tied", action="store_true", help="all layers have the matrices of the first one")
    parser.add_argument("--more", action="store_true", help="write more.safetensors alone")
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--kinds", default="brackets,copying", help=f"some of {','.join(tasks.KINDS)}")
    parser.add_argument("--batch", type=int, default=64, help="rows of a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tasks"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    sizes = decoder.Sizes(options.form, layers=6, width=96, heads=4, kv_heads=2, hidden=256, positions=48,
                          tied=options.tied)
    kinds = options.kinds.split(",")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.more:
        more = draw_rows(sizes, kinds, f"more {options.seed}", MORE_ROWS)[0][:, : sizes.positions]
        save_file({"input_ids": more.contiguous()}, options.out / "more.safetensors")
        return
    weights, curve = train(options, sizes, kinds)

    # What is stored is what is measured; tied matrices are stored for each layer.
    numbers = sum(weight.numel() for weight in {each.data_ptr(): each for each in weights.values()}.values())
    stored = {name: weight.to(torch.bfloat16) for name, weight in weights.items()}
    rounded = {name: weight.double() for name, weight in stored.items()}
    judged, record = {}, {}
    for kind in kinds:
        drawn = tasks.draw_tasks(kind, 0, TASKS)
        ids, spans = map(torch.tensor, tasks.encode_tasks(drawn, encode, [0]))
        judged.update({f"{kind}.input_ids": ids, f"{kind}.answers": spans})
        record[kind] = {"tasks": TASKS, "solved": solved(sizes, rounded, ids, spans)}
    text = draw_rows(sizes, kinds, "held out", TEXT_ROWS)[0][:, : sizes.positions].contiguous()
    training = {
        "form": options.form,
        **({"tied": True} if options.tied else {}),
        "seed": options.seed,
        "steps": options.steps,
        "rows": options.batch,
        "row_tokens": sizes.positions,
        "parameters": numbers,
        "trained_on_tokens": options.steps * options.batch * sizes.positions,
        "perplexity": report_perplexity(sizes, rounded, text),
        "tasks": record,
        "curve": curve,
        "versions": {"torch": torch.__version__, "threads": 1},
    }
    save_file(stored, options.out / "model.safetensors")
    save_file(judged, options.out / "tasks.safetensors")
    save_file({"input_ids": text}, options.out / "text.safetensors")
    (options.out / "training.json").write_text(json.dumps(training, indent=1) + "\n")
    print(json.dumps(record, indent=1))
    if options.form == "parallel":
        return
    (options.out / "config.json").write_text(json.dumps(sizes.hugging_face(), indent=1) + "\n")
    if any(each["solved"] < 0.95 * TASKS for each in record.values()):
        sys.exit("error: the model does not solve 95 % of each kind of task")


if __name__ == "__main__":
    main()
