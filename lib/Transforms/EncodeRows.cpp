//===- EncodeRows.cpp - rounds rows of products to codes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EncodeRows.h"

#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/LaneCodes.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "parablock/Transforms/RewriteHelpers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

/// Returns what a product lacks for rows in codes; empty if nothing.
static StringRef findRefusal(StepOpInterface step) {
  auto linear = dyn_cast<LinearOp>(step.getOperation());
  if (!linear)
    return "experts multiply rows of numbers";
  auto unpack = linear.getWeight().getDefiningOp<UnpackWeightOp>();
  if (!unpack || unpack.getForm() != CodeForm::Fp8)
    return "the weight is not codes of FP8";
  if (unpack.getGroup() % kEncodedColumns != 0)
    return "a scale of the weight does not apply to whole groups of 128 "
           "columns";
  if (getDim(linear.getInput(), -1) % kEncodedColumns != 0)
    return "rows are no whole groups of 128 columns";
  return {};
}

/// Creates the numbers of the codes of `rows`.
static Value createRounded(OpBuilder &builder, Value rows) {
  Location loc = rows.getLoc();
  int64_t width = getDim(rows, -1);
  Value scales = GroupScalesOp::create(
      builder, loc,
      withWidth(rows, width / kEncodedColumns, builder.getF32Type()), rows,
      kEncodedColumns);
  Value codes = EncodeGroupsOp::create(
      builder, loc, withElementType(rows, builder.getI8Type()), rows, scales);
  return DecodeGroupsOp::create(builder, loc, rows.getType(), codes, scales);
}

unsigned block::encodeRows(LayerOp layer, StringRef pass) {
  llvm::DenseMap<Value, Value> known;
  unsigned count = 0;
  layer->walk([&](StepOpInterface step) {
    bool isExperts = isa<ExpertsOp>(step.getOperation());
    if (!isa<LinearOp>(step.getOperation()) && !isExperts)
      return;
    StringRef refusal = findRefusal(step);
    if (!refusal.empty()) {
      recordMissed(step, pass, Reason::RowsNotEncoded, refusal);
      return;
    }
    auto linear = cast<LinearOp>(step.getOperation());
    Value rows = linear.getInput();
    if (rows.getDefiningOp<DecodeGroupsOp>())
      return;
    Value &rounded = known[rows];
    if (!rounded) {
      OpBuilder builder(linear);
      rounded = createRounded(builder, rows);
    }
    linear.getInputMutable().assign(rounded);
    ++count;
  });
  return count;
}
