# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks with one right answer each, drawn from a seed.

A task is a prompt and its answer, both text. A model solves it if its greedy
continuation of the prompt begins with the answer, the final `;` included.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

Task = tuple[str, str]

_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DEEPEST = 5


def _draw_sum(draw: random.Random) -> Task:
    """Returns a sum of two numbers of three digits; the units of the result come first."""
    left, right = draw.randrange(1000), draw.randrange(1000)
    return f"{left:03}+{right:03}=", f"{left + right:04}"[::-1] + ";"


def _draw_brackets(draw: random.Random) -> Task:
    """Returns brackets, some of which are open, and those that close them."""
    opened = [draw.choice("([{<")]
    text = opened[0]
    for _ in range(draw.randint(2, 7)):
        if len(opened) > 1 and (len(opened) == _DEEPEST or draw.random() < 0.4):
            text += _PAIRS[opened.pop()]
        else:
            opened.append(draw.choice("([{<"))
            text += opened[-1]
    return f"{text}:", "".join(_PAIRS[each] for each in reversed(opened)) + ";"


def _draw_copy(draw: random.Random) -> Task:
    """Returns letters to repeat."""
    text = "".join(draw.choices(_LETTERS, k=draw.randint(4, 8)))
    return f"{text}|", f"{text};"


#: Kinds of tasks by name.
KINDS: dict[str, Callable[[random.Random], Task]] = {
    "sums": _draw_sum,
    "brackets": _draw_brackets,
    "copying": _draw_copy,
}


def draw_tasks(kind: str, seed: int, count: int) -> list[Task]:
    """Returns tasks of a kind: a function of the arguments alone.

    >>> draw_tasks("sums", 1, 1)
    [('652+597=', '9421;')]
    """
    draw = random.Random(f"{kind} {seed}")
    return [KINDS[kind](draw) for _ in range(count)]


def draw_row(
    draw: random.Random, kinds: Sequence[str], length: int
) -> tuple[str, list[bool]]:
    """Returns tasks of some kinds behind each other, and which characters are answers."""
    text, is_answer = "", []
    while len(text) < length:
        prompt, answer = KINDS[draw.choice(kinds)](draw)
        text += prompt + answer
        is_answer += [False] * len(prompt) + [True] * len(answer)
    return text[:length], is_answer[:length]


def _encode_behind(
    prompt: str, answer: str, encode: Callable[[str], Sequence[int]]
) -> list[int]:
    """Returns the ids of an answer in the middle of a text.

    Some tokenizers put a space in front of every text. If a token is of both the prompt
    and the answer, the ids are those behind a line break.
    """
    for before in (prompt, "\n"):
        head, whole = [*encode(before)], [*encode(before + answer)]
        if whole[: len(head)] == head:
            return whole[len(head) :]
    return [*encode(answer)]


def encode_tasks(
    tasks: Sequence[Task], encode: Callable[[str], Sequence[int]], start: Sequence[int] = ()
) -> tuple[list[list[int]], list[list[int]]]:
    """Returns rows of ids of one length, and where the answer of each begins and ends.

    Rows are `start`, prompt and answer, then zeros.

    >>> encode_tasks([("1+1=", "2;"), ("a|", "a;")], lambda text: text.encode(), [0])
    ([[0, 49, 43, 49, 61, 50, 59], [0, 97, 124, 97, 59, 0, 0]], [[5, 7], [3, 5]])
    """
    rows, spans = [], []
    for prompt, answer in tasks:
        before, after = [*start, *encode(prompt)], _encode_behind(prompt, answer, encode)
        rows.append(before + after)
        spans.append([len(before), len(before) + len(after)])
    length = max(map(len, rows), default=0)
    return [row + [0] * (length - len(row)) for row in rows], spans
