# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server with block tables of its own, which a compiled model writes and reads by.

Requests come and go between two steps (continuous batching), each with pages of one pool,
of which there are fewer than all of them need; those that begin with the same text share the
pages of it (docs/use/Serving.md). NumPy alone.
"""

import dataclasses

import numpy as np

PAGE = 16


@dataclasses.dataclass
class Request:
    prompt: list[int]
    count: int
    pages: list[int] = dataclasses.field(default_factory=list)
    new: list[int] = dataclasses.field(default_factory=list)

    @property
    def most_pages(self) -> int:
        return -(-(len(self.prompt) + self.count - 1) // PAGE)


class Server:
    """Likeliest tokens for requests, with so many pages for all of them."""

    def __init__(self, model, pages: int) -> None:
        self.decoder = model.paged_decoder(page_rows=PAGE)
        self.pools = self.decoder.allocate(pages)
        self.free = list(range(pages))[::-1]
        #: How many requests have a page.
        self.users = [0] * pages
        #: Pages that are full of prompts, by all the text up to their end.
        self.known: dict[tuple[int, ...], int] = {}
        self.waiting: list[Request] = []
        self.running: list[Request] = []
        self.shared = self.most_running = 0

    def serve(self, requests: list[Request]) -> None:
        self.waiting = list(requests)
        while self.waiting or self.running:
            while self.waiting and self.admit(self.waiting[0]):
                self.waiting.pop(0)
            self.most_running = max(self.most_running, len(self.running))
            if self.running:
                self.step()
            elif self.waiting:
                raise MemoryError("a request needs more pages than there are")

    def admit(self, request: Request) -> bool:
        """Gives a request all pages that it may come to need, and runs its prompt."""
        text, shared = request.prompt, []
        # The last token is always run: its logits are the first that are wanted.
        for end in range(PAGE, len(text), PAGE):
            if tuple(text[:end]) not in self.known:
                break
            shared.append(self.known[tuple(text[:end])])
        if request.most_pages - len(shared) > len(self.free):
            return False
        own = [self.free.pop() for _ in range(request.most_pages - len(shared))]
        request.pages = shared + own
        for page in request.pages:
            self.users[page] += 1
        self.shared += len(shared)
        held = PAGE * len(shared)
        logits = self.decoder.run([text[held:]], self.pools, [request.pages], [held])
        request.new.append(int(logits[0, -1].argmax()))
        for number in range(len(text) // PAGE):
            self.known.setdefault(tuple(text[: PAGE * (number + 1)]), request.pages[number])
        self.running.append(request)
        self.retire()
        return True

    def step(self) -> None:
        """The next token of every request, whatever their lengths are."""
        rows = self.running
        tables = np.full((len(rows), max(len(row.pages) for row in rows)), -1)
        for table, row in zip(tables, rows):
            table[: len(row.pages)] = row.pages
        lengths = [len(row.prompt) + len(row.new) - 1 for row in rows]
        logits = self.decoder.run([row.new[-1:] for row in rows], self.pools, tables, lengths)
        for row, token in zip(rows, logits[:, 0].argmax(1)):
            row.new.append(int(token))
        self.retire()

    def retire(self) -> None:
        """Takes back the pages of requests that have all their tokens."""
        for request in [row for row in self.running if len(row.new) == row.count]:
            self.running.remove(request)
            for page in request.pages:
                self.users[page] -= 1
                if not self.users[page]:
                    self.free.append(page)
        self.known = {text: page for text, page in self.known.items() if self.users[page]}
