//===- RewriteHelpers.cpp - what several rewrites need --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/RewriteHelpers.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "parablock/Dialect/Block/BlockDialect.h"

using namespace mlir;

namespace parablock::block {

RankedTensorType withElementType(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

RankedTensorType withWidth(Value value, int64_t width, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = width;
  return RankedTensorType::get(shape, element);
}

Value castElements(OpBuilder &builder, Location loc, Value value,
                   Type element) {
  Type from = cast<RankedTensorType>(value.getType()).getElementType();
  if (from == element)
    return value;
  RankedTensorType type = withElementType(value, element);
  if (from.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

bool isWeightOnly(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return function && function.getArgAttr(argument.getArgNumber(), kParamAttr);
  }
  Operation *op = value.getDefiningOp();
  // The region of a transposition only says that elements are moved.
  bool isPlain = op->getNumRegions() == 0 || isa<linalg::TransposeOp>(op);
  return isPlain && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), isWeightOnly);
}

void restoreDominance(mlir::Block &block) { mlir::sortTopologically(&block); }

} // namespace parablock::block
