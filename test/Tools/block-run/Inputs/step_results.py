# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results of a printed step, to be replaced: no op of a step has to be known for that."""

import re


class Results:
    """Those of @main_step, from text with each op in one line (--unbroken-lines)."""

    def __init__(self, text):
        start = text.index("@main_step")
        begin = text.index("\n    return ", start)
        end = text.index("\n", begin + 1)
        self.before, self.after = text[:begin], text[end:]
        values, types = text[begin:end].split("return ")[1].split(" : ")
        self.values, self.types = values.split(", "), re.findall(r"tensor<[^>]*>", types)
        # Arguments have no block.grad.
        self.names = re.findall(r'block\.(?:output|grad) = "([^"]*)"', text[start : text.index(" {\n", start)])
        assert len(self.names) == len(self.values) == len(self.types), text[begin:end]

    def replace(self, changes):
        """The text with other values for some results: a name's value, and the lines that make it."""
        values, lines = list(self.values), []
        for name, (value, made) in changes.items():
            values[self.names.index(name)] = value
            lines += made
        lines.append(f"    return {', '.join(values)} : {', '.join(self.types)}")
        return "\n".join([self.before, *lines]) + self.after

    def combine(self, name, other, factor):
        """`name` plus `factor` times `other`, to replace something by."""
        i, j = self.names.index(name), self.names.index(other)
        assert self.types[i] == self.types[j], f"{name}, {other}"
        made = [
            f"    %by_{i} = arith.constant dense<{factor:e}> : {self.types[i]}",
            f"    %times_{i} = arith.mulf {self.values[j]}, %by_{i} : {self.types[i]}",
            f"    %plus_{i} = arith.addf {self.values[i]}, %times_{i} : {self.types[i]}",
        ]
        return f"%plus_{i}", made
