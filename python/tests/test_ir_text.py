# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reader of printed IR."""

from __future__ import annotations

import pytest

from parablock.errors import Error
from parablock.exporting.ir_text import read_function

TEXT = """module {
  func.func @f(%arg0: tensor<?x?x8xf32> {block.dims = ["batch", "seq"], block.input = "x"},
      %arg1: tensor<8xf32> {block.param = "g"}) -> (tensor<?x?x8xf32> {block.output = "y"}) {
    %0 = block.layer "layers.0" at 0 -> tensor<?x?x8xf32>
        attributes {log = [#block.decision<pass = "block-shift", outcome = passed>]} {
      %1 = block.one %arg0 gamma %arg1 centered
          {form = #block.norm<kind = rms, eps = 1.0e-05, inv_freq = 0.5, 0.25, inner = <size = -3>>,
          scales = [1.0, 2.5], kind = #block.activation<silu>} : tensor<?x?x8xf32>
      block.yield %1 : tensor<?x?x8xf32>
    }
    %2 = block.layer "layers.1" at 1 -> tensor<?x?x8xf32> {
      %1 = tensor.cut %0[0, 4] [8, 2] [1, 1] : tensor<?x?x8xf32> to tensor<8x2xf32>
      %3 = tensor.join dim(1) %1, %1 : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
      block.yield %3 : tensor<?x?x8xf32>
    }
    return %2 : tensor<?x?x8xf32>
  }
}
"""


def test_ops() -> None:
    function = read_function(TEXT)
    assert function.arguments["%arg0"] == {"block.dims": ["batch", "seq"], "block.input": "x"}
    assert function.results == [{"block.output": "y"}]
    one, two, three = function.ops
    assert (one.name, one.operands, one.named) == ("block.one", ["%arg0"], {"gamma": "%arg1"})
    assert one.attributes == {
        "centered": True,
        "form": {"kind": "rms", "eps": 1e-5, "inv_freq": [0.5, 0.25], "inner": {"size": -3}},
        "scales": [1.0, 2.5],
        "kind": {"kind": "#block.activation", "value": "silu"},
    }
    # Values of layers have the same names, and are told apart.
    assert two.operands == one.results != two.results == three.operands[:1]
    assert (three.attributes, three.results) == ({"dim": 1}, function.returned)
    assert two.lists == [[0, 4], [8, 2], [1, 1]]
    assert two.types.endswith("tensor < 8x2xf32 >;")


@pytest.mark.parametrize("text", ["", "module {}", TEXT[:300], TEXT.replace("return", "stay")])
def test_text_that_is_no_function(text: str) -> None:
    with pytest.raises(Error, match="the model's IR cannot be read: "):
        read_function(text)
