//===- VerifyLayer.cpp - verifiers of layers and embeddings ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TwinChecks.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace parablock::block;

LogicalResult LayerOp::verifyRegions() {
  // [LAYER-1]
  if (static_cast<int64_t>(getIndex()) < 0)
    return emitOpError() << "expected index to be at least 0, got "
                         << static_cast<int64_t>(getIndex());
  // [LAYER-3]
  if (getLabel().empty())
    return emitOpError() << "expected label not to be empty";
  // [LAYER-2]
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield)
    return emitOpError() << "expected the region to end with block.yield";
  if (yield.getOperandTypes() != getResultTypes()) {
    InFlightDiagnostic diag = emitOpError()
                              << "expected to yield " << getResultTypes()
                              << ", got " << TypeRange(yield.getOperandTypes());
    diag.attachNote(yield.getLoc()) << "yielded here";
    return diag;
  }
  return success();
}

LogicalResult ResidualOp::verify() {
  // [RESIDUAL-1]
  for (Value branch : getBranches())
    if (failed(
            checkSameShape(*this, {"branch", branch}, {"input", getInput()})))
      return failure();
  // [RESIDUAL-2]
  if (!getBranchScales().empty() &&
      getBranchScales().size() != getBranches().size())
    return emitOpError() << "expected branch_scales to have "
                         << getBranches().size()
                         << " entries (one per branch), got "
                         << getBranchScales().size();
  return success();
}

LogicalResult ScaleOp::verify() {
  // [SCALE-1]
  return checkOneOf(*this, {"gain", getGain()}, {1, getDim(getInput(), -1)},
                    "one, or one per channel");
}

LogicalResult ReparamOp::verify() {
  // [REPARAM-1]
  if (getInitial())
    return checkSameShape(*this, {"initial", getInitial()},
                          {"delta", getDelta()});
  // [REPARAM-2]
  return checkDim(*this, {"delta", getDelta()}, 1, getDim(getDelta(), 0),
                  "square, as there is no initial matrix");
}

LogicalResult EmbeddingOp::verify() {
  // [EMBEDDING-1]
  int64_t width = getDim(getResult(), -1);
  for (NamedValue table : {NamedValue{"table", getTable()},
                           NamedValue{"position_table", getPositionTable()},
                           NamedValue{"type_table", getTypeTable()}})
    if (failed(checkDim(*this, table, 1, width, "width of the result")))
      return failure();
  // [EMBEDDING-2]
  if (getPositionTable() && getSinusoid())
    return emitOpError() << "expected a position_table or a sinusoid, got both";
  // [EMBEDDING-3]
  if (getTypeIds() && !getTypeTable())
    return emitOpError() << "expected a type_table for the type ids, got none";
  // [EMBEDDING-4]
  if (failed(
          checkSameShape(*this, {"type_ids", getTypeIds()}, {"ids", getIds()})))
    return failure();
  for (int dim : {0, 1})
    if (failed(checkDim(*this, {"result", getResult()}, dim,
                        getDim(getIds(), dim), "that of the ids")))
      return failure();
  // [EMBEDDING-5]
  if (getPadId() && (!getPositionTable() || getOffset()))
    return emitOpError()
           << "expected a pad_id with a position_table and without an offset";
  // [EMBEDDING-6]
  return checkOffset(*this, getOffset(), getDim(getIds(), 0));
}

LogicalResult TakeRowsOp::verify() {
  // [TAKEROWS-1]
  int64_t sizes[] = {getDim(getInput(), 0), getDim(getRows(), 0),
                     getDim(getInput(), 2)};
  StringRef reasons[] = {"batch of the input", "one per number",
                         "width of the input"};
  for (int dim : {0, 1, 2})
    if (failed(checkDim(*this, {"result", getResult()}, dim, sizes[dim],
                        reasons[dim])))
      return failure();
  Type own = getElementTypeOrSelf(getResult()),
       wanted = getElementTypeOrSelf(getInput());
  if (own != wanted)
    return emitOpError() << "expected the result to have the input's elements, "
                         << wanted << ", got " << own;
  return success();
}

LogicalResult PatchEmbeddingOp::verify() {
  // [PATCH-1], [PATCH-2]
  uint64_t patches;
  if (failed(checkPatches(*this, patches)))
    return failure();
  // [PATCH-3]
  int64_t width = getDim(getWeight(), 0);
  if (failed(checkDim(*this, {"bias", getBias()}, 0, width,
                      "width of the weight")) ||
      failed(checkDim(*this, {"class_token", getClassToken()}, 0, width,
                      "width of the weight")) ||
      failed(checkDim(*this, {"position_table", getPositionTable()}, 1, width,
                      "width of the weight")) ||
      failed(checkDim(*this, {"result", getResult()}, 2, width,
                      "width of the weight")))
    return failure();
  // [PATCH-4]
  int64_t tokens = std::min<uint64_t>(patches, INT64_MAX - 1);
  tokens += getClassToken() ? 1 : 0;
  if (failed(checkDim(*this, {"result", getResult()}, 1, tokens,
                      "one row per token")) ||
      failed(checkDim(*this, {"position_table", getPositionTable()}, 0, tokens,
                      "one row per token")))
    return failure();
  return checkDim(*this, {"result", getResult()}, 0, getDim(getPixels(), 0),
                  "batch of the pixels");
}

LogicalResult HeadOp::verify() {
  // [HEAD-1]
  if (failed(checkDim(*this, {"weight", getWeight()}, 1, getDim(getInput(), -1),
                      "width of the input")))
    return failure();
  // [HEAD-2]
  int64_t vocabulary = getDim(getWeight(), 0);
  if (failed(checkDim(*this, {"bias", getBias()}, 0, vocabulary,
                      "size of the vocabulary")) ||
      failed(checkDim(*this, {"result", getResult()}, 2, vocabulary,
                      "size of the vocabulary")) ||
      failed(
          checkSameRows(*this, {"result", getResult()}, {"input", getInput()})))
    return failure();
  // [HEAD-3]
  if (getSoftcap() && !(getSoftcap()->convertToDouble() > 0))
    return emitOpError() << "expected softcap to be positive, got "
                         << getSoftcap()->convertToDouble();
  return success();
}
