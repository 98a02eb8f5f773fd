//===- TileRegisters.cpp - verifiers of register ops ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "parablock/Dialect/Tile/TileOps.h"

using namespace mlir;
using namespace parablock::tile;

//===----------------------------------------------------------------------===//
// tile.mma
//===----------------------------------------------------------------------===//

namespace {
/// An operand of a product.
struct OperandShape {
  int64_t rows, depth;
};
} // namespace

static OperandShape getShape(Type type, bool isDepthFirst) {
  if (auto accumulator = dyn_cast<AccumulatorType>(type))
    return {accumulator.getRows(), accumulator.getColumns()};
  auto buffer = cast<BufferType>(type);
  if (isDepthFirst)
    return {buffer.getColumns(), buffer.getRows()};
  return {buffer.getRows(), buffer.getColumns()};
}

LogicalResult MmaOp::verify() {
  OperandShape left = getShape(getLeft().getType(), getLeftDepthFirst());
  OperandShape right = getShape(getRight().getType(), getRightDepthFirst());
  auto leftBuffer = dyn_cast<BufferType>(getLeft().getType());
  BufferType rightBuffer = getRight().getType();
  bool isOneType = !leftBuffer ||
                   leftBuffer.getElementType() == rightBuffer.getElementType();
  if (!isOneType || left.depth != right.depth) // [MMA-1]
    return emitOpError() << "expected operands of one element type and depth, "
                            "got "
                         << getLeft().getType() << " of depth " << left.depth
                         << " and " << rightBuffer << " of depth "
                         << right.depth;
  AccumulatorType accumulator = getAccumulator().getType();
  if (accumulator.getRows() != left.rows || // [MMA-2]
      accumulator.getColumns() > right.rows)
    return emitOpError() << "expected an accumulator of " << left.rows
                         << " rows and at most " << right.rows
                         << " columns, got " << accumulator;
  int64_t depth = getDepth().value_or(left.depth); // [MMA-3]
  if (depth < 1 || depth > left.depth)
    return emitOpError() << "expected a depth from 1 to " << left.depth
                         << ", got " << depth;
  if (!leftBuffer && getLeftDepthFirst()) // [MMA-4]
    return emitOpError() << "expected a buffer where the depth comes first, "
                            "got "
                         << getLeft().getType();
  if (getDeferred() && !llvm::all_of(getResult().getUsers(), // [MMA-5]
                                     llvm::IsaPred<YieldOp>))
    return emitOpError() << "expected a deferred product to be yielded only";
  if (!getLess())
    return success();
  auto values = RowValuesType::get(getContext(), accumulator.getRows(),
                                   accumulator.getColumns());
  if (!leftBuffer || !leftBuffer.getElementType().isF32() || // [MMA-6]
      getLess().getType() != values)
    return emitOpError() << "expected " << values
                         << " less than a buffer of f32, got "
                         << getLess().getType() << " less than "
                         << getLeft().getType();
  return success();
}

LogicalResult MmaCodesOp::verify() {
  BufferType left = getLeft().getType(), right = getRight().getType();
  Type element = right.getElementType();
  auto isSwizzled = [](BufferType type) {
    return type.getLayout() == BufferLayout::Swizzled;
  };
  int64_t depth = right.getColumns(), perByte = isPacked() ? 2 : 1;
  if (!isSwizzled(left) || !isSwizzled(right) || // [MMACODES-1]
      !left.getElementType().isInteger() ||
      (!element.isBF16() && !element.isF16()) ||
      depth * 2 != left.getColumns() * perByte)
    return emitOpError() << "expected swizzled codes of i8 and a buffer of "
                            "bf16 or f16 with a column for each of "
                         << left.getColumns() / 2 * perByte << ", got " << left
                         << " and " << right;
  AccumulatorType accumulator = getAccumulator().getType();
  if (accumulator.getRows() != 2 * left.getRows() || // [MMACODES-2]
      accumulator.getColumns() > right.getRows())
    return emitOpError() << "expected an accumulator of " << 2 * left.getRows()
                         << " rows and at most " << right.getRows()
                         << " columns, got " << accumulator;
  auto values = RowValuesType::get(getContext(), accumulator.getRows(),
                                   accumulator.getColumns());
  auto isLike = [&](Value value) { return value.getType() == values; };
  bool areAsMany = getScales().empty() || getZeros().empty() ||
                   getScales().size() == getZeros().size();
  if (!areAsMany || !llvm::all_of(getScales(), isLike) || // [MMACODES-3]
      !llvm::all_of(getZeros(), isLike))
    return emitOpError() << "expected as many scales as zero points of type "
                         << values << ", got " << getScales().size() << " and "
                         << getZeros().size();
  if (depth % (16 * getParts()) != 0) // [MMACODES-4]
    return emitOpError() << "expected parts of multiples of 16 columns, got "
                         << getParts() << " of " << depth;
  bool isWhole = getCodes() == Codes::Int8 || getCodes() == Codes::Int4;
  if (!getZeros().empty() && !isWhole) // [MMACODES-5]
    return emitOpError() << "expected no zero points of "
                         << stringifyCodes(getCodes());
  return success();
}

LogicalResult MmaScaledOp::verify() {
  BufferType left = getLeft().getType(), right = getRight().getType();
  constexpr int64_t depth = 128;
  auto holdsNumbers = [](BufferType type) {
    return type.getLayout() == BufferLayout::Swizzled &&
           type.getElementType().isInteger(8) && type.getColumns() == depth;
  };
  if (!holdsNumbers(left) || !holdsNumbers(right)) // [MMASCALED-1]
    return emitOpError() << "expected swizzled buffers of i8 with " << depth
                         << " columns, got " << left << " and " << right;
  AccumulatorType accumulator = getAccumulator().getType();
  if (accumulator.getRows() != left.getRows() || // [MMASCALED-2]
      accumulator.getColumns() != right.getRows())
    return emitOpError() << "expected an accumulator of " << left.getRows()
                         << " rows and " << right.getRows() << " columns, got "
                         << accumulator;
  auto values = RowValuesType::get(getContext(), accumulator.getRows(),
                                   accumulator.getColumns());
  if (getScales().getType() != values) // [MMASCALED-3]
    return emitOpError() << "expected scales of type " << values << ", got "
                         << getScales().getType();
  auto pieces = static_cast<int64_t>(getFirsts().size());
  if (!getColumns()) {
    if (getGroup() || pieces != 0) // [MMASCALED-4]
      return emitOpError() << "expected no columns of scales without a tensor";
    return success();
  }
  auto columns = cast<MemRefType>(getColumns().getType());
  if (!columns.getElementType().isF32() || !columns.hasStaticShape() ||
      columns.getRank() != 2 || !getGroup() || pieces == 0 ||
      accumulator.getColumns() % (8 * pieces) != 0)
    return emitOpError() << "expected a static tensor of f32, a group, and "
                            "pieces of multiples of 8 columns, got "
                         << columns << " and " << pieces << " pieces of "
                         << accumulator;
  return success();
}

LogicalResult SettleOp::verify() { // [SETTLE-1]
  if (static_cast<int64_t>(getPending()) < 0)
    return emitOpError() << "expected a number of products that may still "
                            "run, got "
                         << static_cast<int64_t>(getPending());
  return success();
}

//===----------------------------------------------------------------------===//
// tile.map and tile.combine
//===----------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  SmallVector<Type> types(getOperandTypes());
  llvm::append_range(types, getResultTypes());
  auto isAccumulator = llvm::IsaPred<AccumulatorType>;
  if (getNumResults() == 0 || // [MAP-2]
      (!llvm::all_of(getResultTypes(), isAccumulator) &&
       llvm::any_of(types, isAccumulator)))
    return emitOpError() << "expected results that are accumulators, or row "
                            "values and no accumulators at all";
  auto first = llvm::find_if(types, isAccumulator);
  auto shape =
      first == types.end() ? AccumulatorType() : cast<AccumulatorType>(*first);
  int64_t rows =
      shape ? shape.getRows() : cast<RowValuesType>(types.front()).getRows();
  for (Type type : types) { // [MAP-1]
    auto values = dyn_cast<RowValuesType>(type);
    if (values ? values.getRows() != rows : type != shape)
      return emitOpError() << "expected operands and results of " << rows
                           << " rows and one width, got " << type;
  }
  return success();
}

LogicalResult MapOp::verifyRegions() { // [MAP-3]
  Block &body = getBody().front();
  bool hasColumn = isa<AccumulatorType>(getResultTypes().front());
  size_t indices = hasColumn ? 2 : 1;
  auto isIndex = [](Type type) { return type.isIndex(); };
  auto isReal = [](Type type) { return type.isF32(); };
  TypeRange arguments = body.getArgumentTypes();
  if (arguments.size() != indices + getNumOperands() ||
      !llvm::all_of(arguments.take_front(indices), isIndex) ||
      !llvm::all_of(arguments.drop_front(indices), isReal))
    return emitOpError() << "expected a body with " << indices
                         << " arguments of type index and " << getNumOperands()
                         << " of f32";
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getValues().size() != getNumResults() ||
      !llvm::all_of(yield.getValues().getTypes(), isReal))
    return emitOpError() << "expected the body to yield " << getNumResults()
                         << " f32";
  return success();
}

LogicalResult CombineOp::verify() {
  auto accumulator = dyn_cast<AccumulatorType>(getAccumulator().getType());
  int64_t rows =
      accumulator ? accumulator.getRows()
                  : cast<RowValuesType>(getAccumulator().getType()).getRows();
  if (getResult().getType().getRows() != rows) // [COMBINE-1]
    return emitOpError() << "expected a result of " << rows << " rows, got "
                         << getResult().getType();
  if (getShares() && !accumulator) // [COMBINE-2]
    return emitOpError() << "expected shares of an accumulator, got "
                         << getAccumulator().getType();
  return success();
}
