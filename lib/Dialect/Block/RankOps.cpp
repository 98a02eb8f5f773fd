//===- RankOps.cpp - exchanges of rows between ranks ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/BlockRankOps.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "parablock/Dialect/Block/ShapeChecks.h"

using namespace mlir;
using namespace parablock::block;

#define GET_OP_CLASSES
#include "parablock/Dialect/Block/BlockRankOps.cpp.inc"

/// Returns the ranks of the grid, or an error.
static FailureOr<int64_t> checkGrid(Operation *op, FlatSymbolRefAttr name,
                                    int64_t experts) {
  auto grid = SymbolTable::lookupNearestSymbolFrom<shard::GridOp>(op, name);
  if (!grid)
    return op->emitOpError() << "expected " << name << " to be a 'shard.grid'";
  // [TOEXPERTS-1], [FROMEXPERTS-1]
  if (ShapedType::isDynamicShape(grid.getShape()))
    return op->emitOpError() << "expected " << name << " of known ranks";
  if (experts < 1)
    return op->emitOpError() << "expected at least one expert, got " << experts;
  int64_t ranks = llvm::product_of(grid.getShape());
  if (failed(
          checkDivides(op, "ranks", ranks, "the number of experts", experts)))
    return failure();
  return ranks;
}

/// A move of bits changes no type.
static LogicalResult checkElementType(Operation *op, Value input,
                                      Value result) {
  Type from = getElementTypeOrSelf(input), to = getElementTypeOrSelf(result);
  if (from == to)
    return success();
  return op->emitOpError() << "expected a result of the input's elements, "
                           << from << ", got " << to;
}

static int64_t multiply(int64_t size, int64_t factor) {
  return ShapedType::isDynamic(size) ? size : size * factor;
}

LogicalResult RowsToExpertsOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> ranks = checkGrid(*this, getGridAttr(), getExperts());
  if (failed(ranks))
    return failure();
  // [TOEXPERTS-2]
  if (failed(checkDim(*this, {"choices", getChoices()}, 0,
                      getDim(getInput(), 0), "sequences of the input")) ||
      failed(checkDim(*this, {"choices", getChoices()}, 1,
                      multiply(getDim(getInput(), 1), *ranks),
                      "rows of all ranks")))
    return failure();
  // [TOEXPERTS-3]
  if (failed(checkElementType(*this, getInput(), getResult())) ||
      failed(checkSameRows(*this, {"result", getResult()},
                           {"choices", getChoices()})))
    return failure();
  return checkDim(*this, {"result", getResult()}, 2, getDim(getInput(), 2),
                  "width of the input");
}

LogicalResult RowsFromExpertsOp::verifySymbolUses(SymbolTableCollection &) {
  FailureOr<int64_t> ranks = checkGrid(*this, getGridAttr(), getExperts());
  if (failed(ranks))
    return failure();
  // [FROMEXPERTS-2]
  if (failed(checkSameRows(*this, {"choices", getChoices()},
                           {"input", getInput()})))
    return failure();
  // [FROMEXPERTS-3]
  if (failed(checkElementType(*this, getInput(), getResult())) ||
      failed(checkDim(*this, {"result", getResult()}, 0, getDim(getInput(), 0),
                      "sequences of the input")))
    return failure();
  int64_t rows = multiply(getDim(getResult(), 1), *ranks);
  if (!areCompatible(rows, getDim(getInput(), 1)))
    return emitOpError() << "expected dimension 1 of result to be a share of "
                         << getDim(getInput(), 1) << " rows of the input, got "
                         << getDim(getResult(), 1) << " on " << *ranks
                         << " ranks";
  return checkDim(*this, {"result", getResult()}, 2,
                  getDim(getInput(), 2) * *ranks,
                  "width of the input for each rank");
}
