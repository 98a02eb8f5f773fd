//===- ConvertSorted.cpp - converts sorts, scatters and ragged products ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Upstream dialects have no sort and no scatter. Each is a reduction over all
// pairs of elements and places, in the forms that block-raise reads experts in:
// see MatchSorted.cpp. Nothing of that is computed once experts are recognised.
//
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;
using arith::CmpIPredicate;

namespace {
class Sorted : public Conversion {
public:
  using Conversion::Conversion;
  SmallVector<Value> convertSort();
  Value convertScatter();
  Value convertRaggedDot();
  Value convertCumulative();

private:
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;
  /// Reduces along the last of `loops` dimensions. `reads` has the loops that
  /// each operand is read by; the body returns the value to join.
  Value reduce(ValueRange operands, ArrayRef<SmallVector<int64_t>> reads,
               int64_t loops, RankedTensorType type, TypedAttr start,
               Body body);
  Value loopNumber(OpBuilder &body, int64_t loop) {
    Value number = linalg::IndexOp::create(body, loc, loop);
    return arith::IndexCastOp::create(body, loc, body.getI64Type(), number);
  }
  Value number(OpBuilder &body, int64_t value) {
    return arith::ConstantIntOp::create(body, loc, value, 64);
  }
  Value compare(OpBuilder &body, CmpIPredicate how, Value a, Value b) {
    return arith::CmpIOp::create(body, loc, how, a, b);
  }
  Value asNumber(OpBuilder &body, Value condition) {
    return arith::ExtUIOp::create(body, loc, body.getI64Type(), condition);
  }
  Value toI64(Value x);
  Value findPlaces(Value numbers, int64_t count);
  Value takeRows(Value table, Value rows);
  /// Returns the dimension of the matrices that `ragged_dot` sums over; none
  /// for an op that is not a product of rows by the matrix of their group.
  std::optional<int64_t> readRaggedDepth();
  /// Returns the group of each of `count` rows, by the sizes of the groups.
  Value findGroups(Value sizes, int64_t count);
  /// Multiplies rows by the matrix of their group in elements of `wide`.
  Value multiplyByGroup(Value group, RankedTensorType type, int64_t depth);
  std::optional<unsigned> readComparator(bool &isDescending);
};
} // namespace

static constexpr int64_t kNone = -1;

Value Sorted::reduce(ValueRange operands, ArrayRef<SmallVector<int64_t>> reads,
                     int64_t loops, RankedTensorType type, TypedAttr start,
                     Body body) {
  SmallVector<AffineMap> maps;
  for (ArrayRef<int64_t> own : reads) {
    SmallVector<AffineExpr> places;
    for (int64_t loop : own)
      places.push_back(builder.getAffineDimExpr(loop));
    maps.push_back(AffineMap::get(loops, 0, places, builder.getContext()));
  }
  SmallVector<AffineExpr> outer;
  for (int64_t loop = 0; loop + 1 < loops; ++loop)
    outer.push_back(builder.getAffineDimExpr(loop));
  maps.push_back(AffineMap::get(loops, 0, outer, builder.getContext()));
  SmallVector<utils::IteratorType> kinds(loops, utils::IteratorType::parallel);
  kinds.back() = utils::IteratorType::reduction;
  Value begin = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<Attribute>(start)));
  bool isMaximum = start == builder.getI64IntegerAttr(kNone);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), operands, begin, maps, kinds,
             [&](OpBuilder &at, Location, ValueRange x) {
               Value joined = body(at, x);
               Value total =
                   isMaximum ? Value(arith::MaxSIOp::create(at, loc, x.back(),
                                                            joined))
                   : isa<FloatType>(type.getElementType())
                       ? Value(arith::AddFOp::create(at, loc, x.back(), joined))
                       : Value(
                             arith::AddIOp::create(at, loc, x.back(), joined));
               linalg::YieldOp::create(at, loc, total);
             })
      .getResult(0);
}

Value Sorted::toI64(Value x) {
  auto type = typeOf(x).clone(builder.getI64Type());
  return type == x.getType()
             ? x
             : Value(arith::ExtSIOp::create(builder, loc, type, x));
}

/// The last place at which a vector has each of the numbers 0, 1, ..; or kNone.
Value Sorted::findPlaces(Value numbers, int64_t count) {
  auto type = RankedTensorType::get({count}, builder.getI64Type());
  return reduce(numbers, {{1}}, 2, type, builder.getI64IntegerAttr(kNone),
                [&](OpBuilder &body, ValueRange x) {
                  Value is = compare(body, CmpIPredicate::eq, x[0],
                                     loopNumber(body, 0));
                  return Value(arith::SelectOp::create(
                      body, loc, is, loopNumber(body, 1), number(body, kNone)));
                });
}

/// Rows of a table, by a vector of their numbers.
Value Sorted::takeRows(Value table, Value rows) {
  SmallVector<int64_t> shape(typeOf(table).getShape());
  shape[0] = typeOf(rows).getDimSize(0);
  RankedTensorType type = typeOf(table).clone(shape);
  int64_t rank = type.getRank();
  AffineMap maps[] = {AffineMap::get(rank, 0, builder.getAffineDimExpr(0)),
                      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::GenericOp::create(
             builder, loc, TypeRange(type), rows, empty, maps, kinds,
             [&](OpBuilder &body, Location, ValueRange x) {
               SmallVector<Value> places = {arith::IndexCastOp::create(
                   body, loc, body.getIndexType(), x[0])};
               for (int64_t d = 1; d < rank; ++d)
                 places.push_back(linalg::IndexOp::create(body, loc, d));
               Value element =
                   tensor::ExtractOp::create(body, loc, table, places);
               linalg::YieldOp::create(body, loc, element);
             })
      .getResult(0);
}

/// Returns the operand that a sort compares, if that is all that it does.
std::optional<unsigned> Sorted::readComparator(bool &isDescending) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return std::nullopt;
  Block &block = op->getRegion(0).front();
  Operation *end = &block.back();
  Operation *compared =
      end->getNumOperands() == 1 ? end->getOperand(0).getDefiningOp() : nullptr;
  if (!compared || compared->getName().stripDialect() != "compare" ||
      block.getOperations().size() != 2)
    return std::nullopt;
  Conversion comparison(compared);
  StringRef direction = comparison.getDirection();
  auto a = dyn_cast<BlockArgument>(compared->getOperand(0));
  auto b = dyn_cast<BlockArgument>(compared->getOperand(1));
  if (!a || !b || (direction != "LT" && direction != "GT") ||
      comparison.hasCompareType("UNSIGNED") ||
      a.getArgNumber() / 2 != b.getArgNumber() / 2 ||
      a.getArgNumber() == b.getArgNumber())
    return std::nullopt;
  isDescending = (direction == "GT") != (a.getArgNumber() % 2 == 1);
  return a.getArgNumber() / 2;
}

/// Sorts vectors by one of signed integers; equal ones keep their order.
SmallVector<Value> Sorted::convertSort() {
  bool isDescending = false;
  std::optional<unsigned> key = readComparator(isDescending);
  if (!key || *key >= op->getNumOperands())
    return {};
  RankedTensorType type = typeOf(operand(*key));
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (type.getRank() != 1 || !type.hasStaticShape() || !element ||
      !element.isSignless() || element.getWidth() < 8)
    return {};
  if (!llvm::all_of(op->getOperands(), [&](Value x) {
        return typeOf(x).getShape() == type.getShape();
      }))
    return refuse("vectors of one size"), SmallVector<Value>();
  int64_t count = type.getDimSize(0);
  if (count <= 1)
    return llvm::to_vector(op->getOperands());
  Value keys = operand(*key);
  auto ranks = RankedTensorType::get({count}, builder.getI64Type());
  Value rank = reduce(
      {keys, keys}, {{1}, {0}}, 2, ranks, builder.getI64IntegerAttr(0),
      [&](OpBuilder &body, ValueRange x) {
        Value isFirst = compare(body, CmpIPredicate::slt, loopNumber(body, 1),
                                loopNumber(body, 0));
        Value isLess = compare(
            body, isDescending ? CmpIPredicate::sgt : CmpIPredicate::slt, x[0],
            x[1]);
        Value isEqual = compare(body, CmpIPredicate::eq, x[0], x[1]);
        Value isTie = arith::AndIOp::create(body, loc, isEqual, isFirst);
        return asNumber(body, arith::OrIOp::create(body, loc, isLess, isTie));
      });
  Value order = findPlaces(rank, count);
  return llvm::map_to_vector(op->getOperands(),
                             [&](Value x) { return takeRows(x, order); });
}

/// Puts rows at places of the first dimension, or adds them; what is outside is
/// left out.
Value Sorted::convertScatter() {
  auto numbers =
      dyn_cast_or_null<DictionaryAttr>(get("scatter_dimension_numbers"));
  if (!numbers || op->getNumOperands() != 3 || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return {};
  RankedTensorType type = typeOf(operand(0)), places = typeOf(operand(1)),
                   rows = typeOf(operand(2));
  auto read = [&](StringRef key) { return readNumbers(numbers.get(key)); };
  SmallVector<int64_t> window = read("update_window_dims");
  SmallVector<int64_t> vector = read("index_vector_dim");
  int64_t rank = type.getRank();
  bool isOfRows =
      rank > 0 && read("inserted_window_dims") == SmallVector<int64_t>{0} &&
      read("scatter_dims_to_operand_dims") == SmallVector<int64_t>{0} &&
      read("input_batching_dims").empty() &&
      window == llvm::to_vector(llvm::seq<int64_t>(1, rank)) &&
      rows.getRank() == rank && places.getRank() <= 2 &&
      (vector.empty() ? 0 : vector.front()) == 1 &&
      (places.getRank() == 1 || places.getDimSize(1) == 1) &&
      type.hasStaticShape() && places.hasStaticShape() &&
      rows.hasStaticShape() && isa<IntegerType>(places.getElementType()) &&
      type.getShape().drop_front() == rows.getShape().drop_front();
  Block &block = op->getRegion(0).front();
  Operation *end = &block.back();
  if (!isOfRows || block.getNumArguments() != 2 || end->getNumOperands() != 1)
    return {};
  Operation *joined = end->getOperand(0).getDefiningOp();
  bool isAdded = joined && joined->getName().stripDialect() == "add" &&
                 llvm::equal(block.getArguments(), joined->getOperands());
  if (!isAdded && end->getOperand(0) != block.getArgument(1))
    return {};
  if (places.getDimSize(0) != rows.getDimSize(0))
    return refuse("as many places as rows");
  if (rows.getDimSize(0) == 0)
    return operand(0);
  Value to = toI64(operand(1));
  if (places.getRank() == 2)
    to = tensor::CollapseShapeOp::create(
        builder, loc, to, SmallVector<ReassociationIndices>{{0, 1}});
  Type element = type.getElementType();
  bool isFloat = isa<FloatType>(element);
  if (!isAdded) {
    Value found = findPlaces(to, type.getDimSize(0));
    Value zero = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(found.getType())));
    Value has =
        arith::CmpIOp::create(builder, loc, CmpIPredicate::sge, found, zero);
    Value put = takeRows(
        operand(2), arith::SelectOp::create(builder, loc, has, found, zero));
    Value spread = broadcast(has, type.clone(builder.getI1Type()), {0},
                             getSizes(operand(0)));
    return arith::SelectOp::create(builder, loc, spread, put, operand(0));
  }
  if (isFloat && !element.isF32() && !element.isF64())
    return {};
  SmallVector<int64_t> own = {rank};
  for (int64_t d = 1; d < rank; ++d)
    own.push_back(d);
  auto zero = cast<TypedAttr>(builder.getZeroAttr(element));
  Value added =
      reduce({operand(2), to}, {own, {rank}}, rank + 1, type, zero,
             [&](OpBuilder &body, ValueRange x) {
               Value is =
                   compare(body, CmpIPredicate::eq, x[1], loopNumber(body, 0));
               Value none = arith::ConstantOp::create(body, loc, zero);
               return Value(arith::SelectOp::create(body, loc, is, x[0], none));
             });
  return isFloat
             ? Value(arith::AddFOp::create(builder, loc, operand(0), added))
             : Value(arith::AddIOp::create(builder, loc, operand(0), added));
}

std::optional<int64_t> Sorted::readRaggedDepth() {
  auto numbers =
      dyn_cast_or_null<DictionaryAttr>(get("ragged_dot_dimension_numbers"));
  if (!numbers || op->getNumOperands() != 3)
    return std::nullopt;
  auto inner = numbers.getAs<DictionaryAttr>("dot_dimension_numbers");
  auto read = [&](StringRef key) {
    return readNumbers((inner ? inner : numbers).get(key));
  };
  auto isOnly = [](ArrayRef<int64_t> list, int64_t d) {
    return list.size() == 1 && list.front() == d;
  };
  RankedTensorType rows = typeOf(operand(0)), stack = typeOf(operand(1)),
                   counts = typeOf(operand(2));
  SmallVector<int64_t> summed = read("rhs_contracting_dimensions");
  Type element = rows.getElementType();
  bool isKnown =
      rows.getRank() == 2 && stack.getRank() == 3 && counts.getRank() == 1 &&
      read("lhs_batching_dimensions").empty() &&
      isOnly(read("lhs_contracting_dimensions"), 1) &&
      (isOnly(summed, 1) || isOnly(summed, 2)) &&
      isOnly(readNumbers(numbers.get("lhs_ragged_dimensions")), 0) &&
      isOnly(readNumbers(numbers.get("rhs_group_dimensions")), 0) &&
      rows.hasStaticShape() && stack.hasStaticShape() &&
      counts.hasStaticShape() && element == stack.getElementType() &&
      isa<FloatType>(element) && isa<IntegerType>(counts.getElementType());
  return isKnown ? std::optional(summed.front()) : std::nullopt;
}

Value Sorted::findGroups(Value sizes, int64_t count) {
  Value numbers = toI64(sizes);
  TypedAttr zero = builder.getI64IntegerAttr(0);
  Value ends =
      reduce(numbers, {{1}}, 2, typeOf(numbers), zero,
             [&](OpBuilder &body, ValueRange x) {
               Value is = compare(body, CmpIPredicate::sle, loopNumber(body, 1),
                                  loopNumber(body, 0));
               return Value(arith::SelectOp::create(body, loc, is, x[0],
                                                    number(body, 0)));
             });
  auto type = RankedTensorType::get({count}, builder.getI64Type());
  return reduce(ends, {{1}}, 2, type, zero, [&](OpBuilder &body, ValueRange x) {
    return asNumber(
        body, compare(body, CmpIPredicate::sle, x[0], loopNumber(body, 0)));
  });
}

Value Sorted::multiplyByGroup(Value group, RankedTensorType type,
                              int64_t depth) {
  Type wide = type.getElementType();
  auto none = cast<TypedAttr>(builder.getZeroAttr(wide));
  int64_t groups = typeOf(operand(1)).getDimSize(0);
  return reduce(
      {operand(0), group}, {{0, 2}, {0}}, 3, type, none,
      [&](OpBuilder &body, ValueRange x) {
        Value is =
            compare(body, CmpIPredicate::slt, x[1], number(body, groups));
        Value own =
            arith::MinSIOp::create(body, loc, x[1], number(body, groups - 1));
        SmallVector<Value> places(3);
        places[0] =
            arith::IndexCastOp::create(body, loc, body.getIndexType(), own);
        places[3 - depth] = linalg::IndexOp::create(body, loc, 1);
        places[depth] = linalg::IndexOp::create(body, loc, 2);
        Value a = x[0],
              b = tensor::ExtractOp::create(body, loc, operand(1), places);
        if (wide != a.getType()) {
          a = arith::ExtFOp::create(body, loc, wide, a);
          b = arith::ExtFOp::create(body, loc, wide, b);
        }
        Value both = arith::MulFOp::create(body, loc, a, b);
        return Value(arith::SelectOp::create(
            body, loc, is, both, arith::ConstantOp::create(body, loc, none)));
      });
}

/// Products of rows by the matrix of their group; rows behind all groups give
/// 0.
Value Sorted::convertRaggedDot() {
  std::optional<int64_t> depth = readRaggedDepth();
  if (!depth)
    return {};
  RankedTensorType rows = typeOf(operand(0)), stack = typeOf(operand(1)),
                   type = getResultType();
  int64_t groups = stack.getDimSize(0);
  if (typeOf(operand(2)).getDimSize(0) != groups ||
      rows.getDimSize(1) != stack.getDimSize(*depth))
    return refuse("as many sizes as groups, and rows as long as columns");
  int64_t sizes[] = {rows.getDimSize(0), stack.getDimSize(3 - *depth)};
  if (groups == 0)
    return arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(builder.getZeroAttr(type.clone(sizes))));
  Value group = findGroups(operand(2), rows.getDimSize(0));
  Type element = rows.getElementType();
  Type wide = element.isF64() ? element : builder.getF32Type();
  Value product =
      multiplyByGroup(group, RankedTensorType::get(sizes, wide), *depth);
  if (type.getElementType() == wide)
    return product;
  return type.getElementType() == element
             ? Value(arith::TruncFOp::create(builder, loc, type, product))
             : Value();
}

/// Sums of the integers of a vector up to each of them.
Value Sorted::convertCumulative() {
  if (op->getNumOperands() != 2 || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return {};
  RankedTensorType type = getResultType(), given = typeOf(operand(0));
  Block &block = op->getRegion(0).front();
  Operation *end = &block.back(), *joined = &block.front();
  auto padding = dyn_cast_or_null<DenseIntElementsAttr>(get("padding"));
  auto isOnes = [&](StringRef key) {
    return !get(key) || llvm::all_of(readNumbers(get(key)),
                                     [](int64_t step) { return step == 1; });
  };
  auto element = dyn_cast<IntegerType>(type.getElementType());
  bool isKnown =
      type == given && type.getRank() == 1 && type.hasStaticShape() &&
      element && element.getWidth() <= 64 && element.getWidth() > 1 &&
      padding && block.getNumArguments() == 2 &&
      joined->getName().getStringRef() == "stablehlo.add" &&
      llvm::equal(block.getArguments(), joined->getOperands()) &&
      joined->getNextNode() == end && end->getNumOperands() == 1 &&
      end->getOperand(0) == joined->getResult(0) && isOnes("window_strides") &&
      isOnes("base_dilations") && isOnes("window_dilations");
  if (!isKnown)
    return {};
  int64_t size = type.getDimSize(0);
  if (readNumbers(get("window_dimensions")) != SmallVector<int64_t>{size} ||
      !llvm::equal(padding.getValues<int64_t>(),
                   ArrayRef<int64_t>{size - 1, 0}) ||
      size == 0)
    return {};
  // Places beyond the vector are the start, and each window adds it once more.
  RankedTensorType wide = type.clone(builder.getI64Type());
  Value start = toI64(operand(1));
  Value sums =
      reduce({toI64(operand(0)), start}, {{1}, {}}, 2, wide,
             builder.getI64IntegerAttr(0), [&](OpBuilder &body, ValueRange x) {
               Value is = compare(body, CmpIPredicate::sle, loopNumber(body, 1),
                                  loopNumber(body, 0));
               return Value(arith::SelectOp::create(body, loc, is, x[0], x[1]));
             });
  Value total = arith::AddIOp::create(
      builder, loc, sums, broadcast(start, wide, {}, getSizes(operand(0))));
  return wide == type
             ? total
             : Value(arith::TruncIOp::create(builder, loc, type, total));
}

SmallVector<Value> hlo::convertSort(Operation *op) {
  return Sorted(op).convertSort();
}

Value hlo::convertScatter(Operation *op) { return Sorted(op).convertScatter(); }

Value hlo::convertRaggedDot(Operation *op) {
  return Sorted(op).convertRaggedDot();
}

Value hlo::convertCumulative(Operation *op) {
  return Sorted(op).convertCumulative();
}
