//===- RowFlow.cpp - ops that compute rows one by one ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RowFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Leftovers/Leftovers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

void RowFlow::start(Value value, const DenseSet<Value> &depending) {
  tokens = value;
  varying = &depending;
  joined.clear();
  uniform.clear();
  single.clear();
  lastEach = nullptr;
}

bool RowFlow::isUniform(Value value, int64_t dims) const {
  return uniform.lookup(value) >= dims;
}

bool RowFlow::isNumbered(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 1 && isVarying(value) &&
         isUniform(value, 1) && !isUniform(value, 2);
}

bool RowFlow::followOurs(Operation *op) {
  if (llvm::any_of(op->getOperands(),
                   [&](Value value) { return single.contains(value); })) {
    single.insert(op->result_begin(), op->result_end());
    return isa<RouteOp>(op);
  }
  if (llvm::none_of(op->getOperands(),
                    [&](Value value) { return isJoined(value); }))
    return true;
  // The second dimension is no sequence, and layers give values other names.
  if (isa<AttentionOpInterface, RopeOp, EmbeddingOp, YieldOp>(op))
    return false;
  auto step = dyn_cast<StepOpInterface>(op);
  SmallVector<Value> read;
  for (OpOperand &operand : op->getOpOperands())
    if (!step || step.getOperandRole(operand) != OperandRole::Weight)
      read.push_back(operand.get());
  return noteJoined(op, read);
}

bool RowFlow::follow(Operation *op) {
  bool readsSingle = llvm::any_of(
      op->getOperands(), [&](Value value) { return single.contains(value); });
  if (readsSingle && !isa<tensor::CollapseShapeOp>(op))
    return false;
  bool readsJoined = llvm::any_of(op->getOperands(),
                                  [&](Value value) { return isJoined(value); });
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    if (followGeneric(generic, 1) || followGeneric(generic, 2))
      return true;
  if (noteUniform(op))
    return true;
  auto join = dyn_cast<tensor::CollapseShapeOp>(op);
  if (readsJoined || (join && joinRows(join)))
    return followJoined(op);
  lastEach = op;
  return followEach(op);
}

//===----------------------------------------------------------------------===//
// Rows [B, T, ..]
//===----------------------------------------------------------------------===//

bool RowFlow::isWholeSize(OpFoldResult size, Value source, int64_t dim) const {
  auto open = dyn_cast_if_present<Value>(size);
  auto read = open ? open.getDefiningOp<tensor::DimOp>() : nullptr;
  auto type = cast<RankedTensorType>(source.getType());
  return read ? (read.getSource() == source || read.getSource() == tokens) &&
                    read.getConstantIndex() == dim
              : !type.isDynamicDim(dim) &&
                    getConstantIntValue(size) == type.getDimSize(dim);
}

/// Returns whether no size from dimension `first` on depends on how many rows
/// a call has: a reduction along it would, too.
static bool hasClosedColumns(Operation *op, int64_t first) {
  auto isClosed = [&](Type type) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    return !shaped || shaped.getRank() <= first ||
           !ShapedType::isDynamicShape(shaped.getShape().drop_front(first));
  };
  return llvm::all_of(op->getOperandTypes(), isClosed) &&
         llvm::all_of(op->getResultTypes(), isClosed);
}

bool RowFlow::isEachElement(Operation *op) const {
  // A number of another row may choose what all of them are.
  auto isOfAll = [&](Value value) {
    return !isa<ShapedType>(value.getType()) && isVarying(value);
  };
  bool makesTensors =
      llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  return isElementwise(op) &&
         !(makesTensors && llvm::any_of(op->getOperands(), isOfAll));
}

bool RowFlow::followEach(Operation *op) {
  if (!hasClosedColumns(op, 2))
    return false;
  auto reducesColumns = [](auto reduction) {
    int64_t rank = cast<ShapedType>(reduction.getInput().getType()).getRank();
    return rank > 2 && static_cast<int64_t>(reduction.getAxis()) == rank - 1;
  };
  // Columns of each row take another shape.
  auto reshapesColumns = [](auto reshape) {
    auto groups = reshape.getReassociationIndices();
    return groups.size() > 2 && groups[0].size() == 1 && groups[1].size() == 1;
  };
  auto takesColumns = [&](tensor::ExtractSliceOp slice) {
    for (int64_t dim : {0, 1})
      if (!isWholeSize(slice.getMixedSizes()[dim], slice.getSource(), dim) ||
          !isConstantIntValue(slice.getMixedOffsets()[dim], 0) ||
          !isConstantIntValue(slice.getMixedStrides()[dim], 1))
        return false;
    auto isKnown = [](OpFoldResult number) {
      return getConstantIntValue(number).has_value();
    };
    for (const auto &numbers : {slice.getMixedOffsets(), slice.getMixedSizes(),
                                slice.getMixedStrides()})
      if (!llvm::all_of(ArrayRef(numbers).drop_front(2), isKnown))
        return false;
    return slice.getSourceType().getRank() > 2 &&
           slice.getType().getRank() == slice.getSourceType().getRank();
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp>(
          reducesColumns)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reshapesColumns)
      .Case(takesColumns)
      .Case([](linalg::TransposeOp move) {
        ArrayRef<int64_t> order = move.getPermutation();
        return order.size() > 2 && order[0] == 0 && order[1] == 1;
      })
      .Default([&](Operation *other) { return isEachElement(other); });
}

//===----------------------------------------------------------------------===//
// Joined rows
//===----------------------------------------------------------------------===//

/// Returns the product of known sizes, or nothing.
static std::optional<int64_t> multiplySizes(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (ShapedType::isDynamic(size))
      return std::nullopt;
    product *= size;
  }
  return product;
}

/// Joins the rows of all sequences, or also columns of each with them.
bool RowFlow::joinRows(tensor::CollapseShapeOp op) {
  ReassociationIndices group = op.getReassociationIndices().front();
  Value source = op.getSrc();
  auto type = op.getSrcType();
  bool wasJoined = isJoined(source);
  size_t rows = wasJoined ? 1 : 2;
  if (single.contains(source) && group.size() < 2)
    return false;
  if (group.size() < rows ||
      (!wasJoined && (type.getRank() <= 2 || !isVarying(source))))
    return false;
  std::optional<int64_t> each =
      multiplySizes(type.getShape().take_front(group.size()).drop_front(rows));
  if (!each || isUniform(source, 1))
    return false;
  joined[op.getResult()] = *each * (wasJoined ? joined.lookup(source) : 1);
  return true;
}

/// Divides joined rows as those of the tokens are, or elements of each row.
bool RowFlow::divideRows(tensor::ExpandShapeOp op) {
  auto groups = op.getReassociationIndices();
  int64_t each = joined.lookup(op.getSrc());
  ArrayRef<int64_t> sizes =
      op.getResultType().getShape().take_front(groups.front().size());
  SmallVector<OpFoldResult> given = op.getMixedOutputShape();
  auto isOfTokens = [&](int64_t dim) {
    return isWholeSize(given[dim], tokens, dim);
  };
  if (sizes.size() >= 2 && isOfTokens(0) && isOfTokens(1))
    return multiplySizes(sizes.drop_front(2)) == each;
  if (sizes.size() >= 2 && sizes.front() == 1) {
    single.insert(op.getResult());
    return multiplySizes(sizes.drop_front(2)) == each;
  }
  std::optional<int64_t> apart = multiplySizes(sizes.drop_front());
  if (!apart || each % *apart != 0)
    return false;
  joined[op.getResult()] = each / *apart;
  return true;
}

bool RowFlow::keepsRows(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return isJoined(value) || isUniform(value, 1) ||
         (!isVarying(value) &&
          (!type || type.getRank() == 0 || type.getDimSize(0) == 1));
}

bool RowFlow::noteJoined(Operation *op, ValueRange read) {
  std::optional<int64_t> each;
  for (Value value : read) {
    if (!keepsRows(value))
      return false;
    if (isJoined(value) &&
        joined.lookup(value) != each.value_or(joined.lookup(value)))
      return false;
    if (isJoined(value))
      each = joined.lookup(value);
  }
  if (!each)
    return false;
  for (Value made : op->getResults())
    joined[made] = *each;
  return true;
}

bool RowFlow::followJoined(Operation *op) {
  if (isa<tensor::CollapseShapeOp>(op))
    return isJoined(op->getResult(0)) ||
           joinRows(cast<tensor::CollapseShapeOp>(op));
  if (auto divide = dyn_cast<tensor::ExpandShapeOp>(op))
    return divideRows(divide);
  bool isKept =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
                tosa::ConcatOp>([](auto each) { return each.getAxis() != 0; })
          .Case([](linalg::TransposeOp move) {
            return move.getPermutation().front() == 0;
          })
          .Default([&](Operation *other) { return isEachElement(other); });
  return isKept && hasClosedColumns(op, 1) && noteJoined(op, op->getOperands());
}

//===----------------------------------------------------------------------===//
// linalg.generic
//===----------------------------------------------------------------------===//

bool RowFlow::hasRows(Value value, int64_t dims) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isVarying(value) || uniform.contains(value))
    return false;
  return dims == 1 ? isJoined(value) : !isJoined(value) && type.getRank() > 2;
}

/// Returns how many of the first results of a map are its first loops, and
/// none of these elsewhere; `limit` at most.
static int64_t countOwnLoops(AffineMap map, int64_t limit) {
  int64_t count = 0;
  while (count < limit && count < map.getNumResults() &&
         map.getResult(count) == getAffineDimExpr(count, map.getContext()))
    ++count;
  for (AffineExpr result : map.getResults().drop_front(count))
    for (int64_t loop = 0; loop < count; ++loop)
      if (result.isFunctionOfDim(loop))
        return 0;
  return count;
}

static bool readsLoops(AffineMap map, int64_t loops) {
  return llvm::any_of(llvm::seq<int64_t>(0, loops),
                      [&](int64_t loop) { return map.isFunctionOfDim(loop); });
}

/// Returns whether the body reads numbers of rows, and other values of inputs,
/// only to read elements of its own row.
bool RowFlow::readsOwnRows(linalg::GenericOp op, int64_t dims) const {
  auto isRowNumber = [&](Value value) {
    auto index = value.getDefiningOp<linalg::IndexOp>();
    return index && static_cast<int64_t>(index.getDim()) < dims;
  };
  auto check = [&](Operation *inner) {
    auto read = dyn_cast<tensor::ExtractOp>(inner);
    bool isOwn = read && hasRows(read.getTensor(), dims);
    for (auto [place, value] : llvm::enumerate(inner->getOperands())) {
      auto dim = static_cast<int64_t>(place) - 1;
      if (isOwn && dim >= 0 && dim < dims) {
        auto index = value.getDefiningOp<linalg::IndexOp>();
        if (!index || static_cast<int64_t>(index.getDim()) != dim)
          return WalkResult::interrupt();
      } else if (isRowNumber(value) ||
                 (isVarying(value) && !(isOwn && place == 0))) {
        return WalkResult::interrupt();
      }
    }
    return WalkResult::advance();
  };
  return !op.getRegion().walk(check).wasInterrupted();
}

bool RowFlow::followGeneric(linalg::GenericOp op, int64_t dims) {
  if (op.getNumLoops() < dims || !readsOwnRows(op, dims) ||
      ShapedType::isDynamicShape(
          ArrayRef(op.getStaticLoopRanges()).drop_front(dims)))
    return false;
  std::optional<int64_t> each;
  Value own;
  for (int64_t loop = 0; loop < dims; ++loop)
    if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
      return false;
  // A value that is read by numbers has a row for each number.
  auto noteEach = [&](Value value) {
    auto getRows = [&](Value rows) {
      return cast<RankedTensorType>(rows.getType()).getShape().take_front(dims);
    };
    own = own ? own : value;
    each = joined.lookup(own);
    return joined.lookup(value) == *each && getRows(value) == getRows(own);
  };
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isRows = hasRows(value, dims);
    bool isOwn =
        countOwnLoops(map, dims) == dims && (isRows || isUniform(value, dims));
    bool isFixed = !op.isDpsInit(&operand) && !readsLoops(map, dims) &&
                   (!isVarying(value) || uniform.contains(value));
    if (!isOwn && !isFixed)
      return false;
    if (isRows && !noteEach(value))
      return false;
  }
  bool isSame = own != nullptr;
  op.getRegion().walk([&](tensor::ExtractOp read) {
    isSame &=
        !own || !hasRows(read.getTensor(), dims) || noteEach(read.getTensor());
  });
  if (!isSame)
    return false;
  if (dims == 1)
    for (Value made : op->getResults())
      joined[made] = *each;
  return true;
}

/// Notes what is the same for all rows although it has their number of rows.
bool RowFlow::noteUniform(Operation *op) {
  int64_t dims = 0;
  SplatElementsAttr splat;
  auto fill = dyn_cast<linalg::FillOp>(op);
  if (isa<tensor::EmptyOp>(op) || (fill && !isVarying(fill.value()))) {
    dims = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  } else if (matchPattern(op, m_Constant(&splat))) {
    dims = splat.getType().getShape().size();
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op);
             generic && generic->getNumResults() == 1) {
    // A reduction of as many elements as there are rows tells how many.
    for (auto [kind, size] : llvm::zip_equal(generic.getIteratorTypesArray(),
                                             generic.getStaticLoopRanges()))
      if (kind == utils::IteratorType::reduction && ShapedType::isDynamic(size))
        return false;
    AffineMap result = generic.getIndexingMapsArray().back();
    dims = countOwnLoops(result, result.getNumResults());
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = generic.getMatchingIndexingMap(&operand);
      bool isKnown = !isVarying(operand.get());
      int64_t own = countOwnLoops(map, uniform.lookup(operand.get()));
      if (!isKnown && !uniform.contains(operand.get()))
        return false;
      for (int64_t loop = own; loop < dims; ++loop)
        if (map.isFunctionOfDim(loop))
          dims = loop;
    }
    generic.getRegion().walk([&](Operation *inner) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        dims = std::min<int64_t>(dims, index.getDim());
      for (Value value : inner->getOperands())
        if (isVarying(value))
          dims = 0;
    });
  }
  if (dims > 0)
    uniform[op->getResult(0)] = dims;
  return dims > 0;
}
