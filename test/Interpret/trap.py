# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A choice that is easily confused, as one change of IR text."""

import dataclasses


@dataclasses.dataclass
class Trap:
    """What is confused, in which IR, and the texts that are replaced at once.

    `source` is a file of Inputs/ or the name of a family. `before` is replaced in
    both versions, to give one IR several traps. Without `exact` both run with
    rounding, and then it is enough that they differ.
    """

    name: str
    source: str
    change: dict
    before: dict = dataclasses.field(default_factory=dict)
    exact: bool = True
