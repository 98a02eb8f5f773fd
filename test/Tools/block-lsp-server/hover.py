#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hovers over ops in a language server, as an editor does, and reads what it says."""

import subprocess
import sys

from diagnostics import diagnostics_of, receive_until, send

TEXT = """func.func @f(%x: tensor<2x5x8xf32>) -> tensor<2x5x8xf32> {
  %y = block.clamp %x {limit = 1.0 : f64} : tensor<2x5x8xf32>
  %z = arith.addf %y, %y : tensor<2x5x8xf32>
  %l = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {
    block.yield %z : tensor<2x5x8xf32>
  }
  return %l : tensor<2x5x8xf32>
}
"""
URI = "file:///hover.mlir"


class Session:
    def __init__(self, command):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0

    def ask(self, method, params):
        self.count += 1
        send(self.server, method, params, self.count)
        return receive_until(self.server, lambda m: m.get("id") == self.count)["result"]

    def hover(self, line, character):
        place = {"line": line, "character": character}
        found = self.ask("textDocument/hover", {"textDocument": {"uri": URI}, "position": place})
        return found["contents"]["value"]


def main():
    session = Session(sys.argv[1:])
    session.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    send(session.server, "initialized", {})
    assert diagnostics_of(session.server, URI, TEXT) == []

    clamp = session.hover(1, 10)
    assert clamp.startswith('"block.clamp"'), clamp
    assert "_Bounds every element to [-limit, limit]_" in clamp, clamp
    assert "[CLAMP-1] the limit is positive" in clamp, clamp
    # An op as it is written, not the name of the function that parses its types.
    assert "Example:\n\n```mlir\n%1 = block.clamp %0 {" in clamp, clamp
    assert "custom<" not in clamp and "operation ::=" not in clamp, clamp
    assert "Traits:" not in clamp and "####" not in clamp, clamp
    layer = session.hover(3, 10)
    assert 'Example:\n\n```mlir\n%0 = block.layer "h.0" at 0 -> tensor<2x5x8xf32> {\n  %2 = ' in layer, layer
    assert "\n  block.yield %2 : tensor<2x5x8xf32>\n}\n```\n" in layer, layer
    other = session.hover(2, 10)
    assert other.startswith('"arith.addf"') and "Syntax:" not in other, other
    # A value has no description.
    assert "Syntax:" not in session.hover(1, 3)

    session.ask("shutdown", None)
    send(session.server, "exit", None)
    session.server.stdin.close()
    code = session.server.wait(timeout=30)
    assert code == 0, f"exit code {code}"


if __name__ == "__main__":
    main()
