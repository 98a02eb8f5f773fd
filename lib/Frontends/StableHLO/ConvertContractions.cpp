//===- ConvertContractions.cpp - converts products and reductions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

namespace {
class Contraction : public Conversion {
public:
  using Conversion::Conversion;
  Value convertDotGeneral();
  Value convertReduce();
};
} // namespace

namespace {
/// The dimension numbers of both operands.
struct DotDimensions {
  SmallVector<int64_t> leftBatch, rightBatch, leftSummed, rightSummed;
};
} // namespace

static DotDimensions readDimensions(const Conversion &from) {
  DotDimensions dims;
  auto readPair = [](Attribute attribute, SmallVector<int64_t> &left,
                     SmallVector<int64_t> &right) {
    auto pair = dyn_cast_or_null<ArrayAttr>(attribute);
    if (!pair || pair.size() != 2)
      return;
    left = Contraction::readNumbers(pair[0]);
    right = Contraction::readNumbers(pair[1]);
  };
  if (auto generic =
          dyn_cast_or_null<DictionaryAttr>(from.get("dot_dimension_numbers"))) {
    auto read = [&](StringRef key) {
      return Contraction::readNumbers(generic.get(key));
    };
    return {read("lhs_batching_dimensions"), read("rhs_batching_dimensions"),
            read("lhs_contracting_dimensions"),
            read("rhs_contracting_dimensions")};
  }
  readPair(from.get("batching_dims"), dims.leftBatch, dims.rightBatch);
  readPair(from.get("contracting_dims"), dims.leftSummed, dims.rightSummed);
  return dims;
}

/// Builds one generic: loops over the batch, the remaining dimensions of both
/// operands, and the summed dimensions.
Value Contraction::convertDotGeneral() {
  if (op->getNumOperands() != 2)
    return {};
  DotDimensions dims = readDimensions(*this);
  RankedTensorType left = typeOf(operand(0)), right = typeOf(operand(1));
  if (op->getName().stripDialect() == "dot")
    dims = {{}, {}, {left.getRank() - 1}, {0}};
  SmallVector<int64_t> leftLoop(left.getRank(), -1);
  SmallVector<int64_t> rightLoop(right.getRank(), -1);
  int64_t loops = 0;
  auto differ = [](int64_t a, int64_t b) {
    return a != b && !ShapedType::isDynamic(a) && !ShapedType::isDynamic(b);
  };
  auto tie = [&](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    if (a.size() != b.size())
      return false;
    for (auto [x, y] : llvm::zip(a, b)) {
      if (x >= left.getRank() || y >= right.getRank() ||
          differ(left.getDimSize(x), right.getDimSize(y)))
        return false;
      leftLoop[x] = rightLoop[y] = loops++;
    }
    return true;
  };
  constexpr StringLiteral kAlike =
      "as many dimensions of either operand that are one, of equal sizes";
  if (!tie(dims.leftBatch, dims.rightBatch))
    return refuse(kAlike);
  for (SmallVector<int64_t> *side : {&leftLoop, &rightLoop})
    for (auto [d, loop] : llvm::enumerate(*side)) {
      ArrayRef<int64_t> summed =
          side == &leftLoop ? dims.leftSummed : dims.rightSummed;
      if (loop < 0 && !llvm::is_contained(summed, static_cast<int64_t>(d)))
        loop = loops++;
    }
  int64_t results = loops;
  if (results != getResultType().getRank())
    return refuse("a result of " + Twine(results) + " dimensions");
  if (!tie(dims.leftSummed, dims.rightSummed))
    return refuse(kAlike);
  auto getMap = [&](ArrayRef<int64_t> numbers) {
    return AffineMap::get(
        loops, 0,
        llvm::map_to_vector(
            numbers,
            [&](int64_t loop) { return builder.getAffineDimExpr(loop); }),
        builder.getContext());
  };
  AffineMap maps[] = {getMap(leftLoop), getMap(rightLoop),
                      getMap(llvm::to_vector(llvm::seq<int64_t>(0, results)))};
  SmallVector<OpFoldResult> sizes(results);
  auto setSizes = [&](ArrayRef<int64_t> side, Value from) {
    for (auto [loop, size] : llvm::zip_equal(side, getSizes(from)))
      if (loop < results)
        sizes[loop] = size;
  };
  setSizes(leftLoop, operand(0));
  setSizes(rightLoop, operand(1));
  return sumProducts({operand(0), operand(1)}, maps, sizes);
}

/// The one op that a reduction applies.
static StringRef getApplied(const Conversion &from, Operation *op) {
  if (auto applied = dyn_cast_or_null<StringAttr>(from.get("applies")))
    return applied.getValue().split('.').second;
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return {};
  Block &body = op->getRegion(0).front();
  if (body.getOperations().size() != 2 || body.getNumArguments() != 2)
    return {};
  Operation &applied = body.front(), &last = body.back();
  bool isPlain = applied.getNumOperands() == 2 &&
                 llvm::all_of(applied.getOperands(), [](Value value) {
                   return isa<BlockArgument>(value);
                 });
  if (!isPlain || applied.getOperand(0) == applied.getOperand(1) ||
      last.getNumOperands() != 1 ||
      last.getOperand(0).getDefiningOp() != &applied)
    return {};
  return applied.getName().stripDialect();
}

Value Contraction::convertReduce() {
  StringRef applied = getApplied(*this, op);
  SmallVector<int64_t> dims = getNumbers("dimensions");
  RankedTensorType from = typeOf(operand(0)), type = getResultType();
  // Other results would depend on an order that the op does not define.
  bool hasNoOrder = llvm::is_contained(
      {"add", "multiply", "maximum", "minimum", "and", "or", "xor"}, applied);
  if (!hasNoOrder || op->getNumOperands() != 2)
    return {};
  unsigned rank = from.getRank();
  SmallVector<AffineExpr> kept;
  SmallVector<OpFoldResult> sizes, all = getSizes(operand(0));
  SmallVector<utils::IteratorType> loops;
  for (unsigned d = 0; d < rank; ++d) {
    bool isReduced = llvm::is_contained(dims, d);
    loops.push_back(isReduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (isReduced)
      continue;
    kept.push_back(builder.getAffineDimExpr(d));
    sizes.push_back(all[d]);
  }
  AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, kept, builder.getContext())};
  Value number = tensor::ExtractOp::create(builder, loc, operand(1));
  if (TypedAttr constant; matchPattern(operand(1), m_Constant(&constant)))
    if (auto dense = dyn_cast<DenseElementsAttr>(constant))
      number = arith::ConstantOp::create(builder, loc,
                                         dense.getSplatValue<TypedAttr>());
  Value empty = makeEmpty(type, sizes);
  Value init = linalg::FillOp::create(builder, loc, number, empty).getResult(0);
  bool isKnown = true;
  auto generic = linalg::GenericOp::create(
      builder, loc, TypeRange(type), operand(0), init, maps, loops,
      [&](OpBuilder &body, Location at, ValueRange x) {
        Value combined = convertBinary(op, body, applied, x[0], x[1]);
        isKnown = static_cast<bool>(combined);
        linalg::YieldOp::create(body, at, isKnown ? combined : x[1]);
      });
  return isKnown ? generic.getResult(0) : Value();
}

Value hlo::convertDotGeneral(Operation *op) {
  return Contraction(op).convertDotGeneral();
}

Value hlo::convertReduce(Operation *op) {
  return Contraction(op).convertReduce();
}
