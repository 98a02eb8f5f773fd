//===- BlockDialect.td - the block dialect itself ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKDIALECT_TD
#define PARABLOCK_IR_BLOCKDIALECT_TD

include "mlir/IR/DialectBase.td"

def Block_Dialect : Dialect {
  let name = "block";
  let cppNamespace = "::parablock::block";
  let summary = "Transformer blocks: what people draw, and the steps it is made of";
  let description = [{
    The dialect holds two levels of the same model. Level 1 is what people draw
    on a whiteboard: `block.layer` regions with `block.attention`, `block.mlp`,
    `block.norm` and `block.residual`. Level 2 says one mathematical step per
    op: `block.linear`, `block.sdpa`, `block.rope`, `block.activation` and so
    on. `block-expand` leads from the first to the second.

    Conventions of every op, unless it says otherwise:

    * Hidden states are `[batch, sequence, width]`. Heads lie side by side in
      the last dimension: head `h` of a `[B, T, H*D]` tensor owns the columns
      `h*D` to `h*D + D - 1`.
    * A weight matrix is `[out, in]`. Checkpoints that keep another layout are
      read through ordinary `tensor` and `linalg` ops.
    * Sums are accumulated in f32 or wider and rounded once, to the element
      type of the result; an op with further rounding points names them.
    * Padding is on the right: `lengths[b]` tokens of batch row `b` are real.
      What an op computes in padded rows is unspecified but finite, and never
      reaches a real row.
    * A query row with no allowed key attends to nothing: its result is 0.

    Functions name what goes in and out: arguments carry `block.input` or
    `block.param`, results `block.output`; `block.dims` names the dynamic
    dimensions of an argument, `block.init` says how `--seed` draws it. A result with
    `block.grad` is the gradient by the input or parameter of that name; the function's
    `block.loss` names the result that it is the gradient of, where that is one number.

    Constraints: [FUNC-1] names are strings that are not empty; [FUNC-2]
    block.dims is a list of strings, one per dynamic dimension; [FUNC-3] block.init
    is a `#block.init`; [FUNC-5] `block.loss` names a result
    of the function; [FUNC-4] no other attribute of the dialect is known there,
    and none elsewhere; [VERSION-1] bytecode of a newer major version is refused.
  }];
  // Its casts are steps of kernels.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 0;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Suggests an op for a name that is near to it.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
    /// Registers what BlockAttrs.td defines.
    void registerAttributes();
  }];
}

#endif // PARABLOCK_IR_BLOCKDIALECT_TD
