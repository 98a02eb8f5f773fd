//===- JoinSizes.cpp - joins two copies by their sizes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Block ops, arithmetic and structured ops follow the types of their operands.
// Ops with explicit sizes get those of an argument, an expression of these that
// the function lists, or those of their operand.
//
//===----------------------------------------------------------------------===//

#include "JoinSizes.h"
#include "SizeNeeds.h"
#include "SizePairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

namespace {
/// Walks two functions in parallel. Everything except sizes must be equal; the
/// first function gets `?` where sizes differ.
class Joiner {
public:
  Joiner(FunctionOpInterface function, ArrayRef<std::string> names)
      : function(function), names(names), builder(function.getContext()) {}
  LogicalResult join(FunctionOpInterface other);
  std::optional<Difference> difference;

private:
  LogicalResult joinArgument(FunctionOpInterface other, unsigned index);
  LogicalResult joinOp(Operation *op, Operation *other);
  LogicalResult joinBody(Operation *op, Block &block, Block &other);
  LogicalResult joinValue(Operation *op, Value value, Value other);
  /// Returns the result of the replacement of an op with explicit sizes, or
  /// null if the two ops differ otherwise.
  Value open(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp other);
  Value open(tensor::ExpandShapeOp expand, tensor::ExpandShapeOp other);
  Value open(arith::ConstantOp constant, arith::ConstantOp other);
  Value open(tosa::ConstOp constant, tosa::ConstOp other);
  Value open(tensor::EmptyOp empty, tensor::EmptyOp other);
  Value open(tosa::ReshapeOp reshape, tosa::ReshapeOp other);
  Value open(tosa::TileOp tile, tosa::TileOp other);
  Value openSplat(Operation *op, Attribute value, Attribute other);
  Value makeEmpty(Location location, Type type, Type other);
  Value expand(Location location, Value source,
               ArrayRef<ReassociationIndices> groups, ShapePair shapes);
  StringAttr findName(std::pair<int64_t, int64_t> sizes);
  Value getSize(std::pair<int64_t, int64_t> sizes, bool isOffset = false);
  Value computeSize(std::pair<int64_t, int64_t> sizes, bool isOffset);
  Value applyMap(AffineMap map);
  std::optional<AffineMap> findProduct(std::pair<int64_t, int64_t> numbers);
  LogicalResult differ(Operation *op, const Twine &what) {
    if (!difference)
      difference = Difference{findPlace(op), what.str()};
    return failure();
  }

  FunctionOpInterface function;
  ArrayRef<std::string> names;
  OpBuilder builder;
  /// An open size of arguments, in the order of the names.
  struct Size {
    std::pair<int64_t, int64_t> numbers;
    /// The first argument that has it, and its dimension there.
    BlockArgument argument;
    unsigned dim;
    Value value;
  };
  SmallVector<Size> sizes;
  /// Sizes and offsets that are expressions of those, as far as they are used.
  DenseMap<std::pair<std::pair<int64_t, int64_t>, unsigned>, Value> computed;
  IRMapping counterparts;
  /// The types that values had before they were opened.
  DenseMap<Value, Type> closedTypes;
};
} // namespace

/// Returns the type with `?` if two types have different sizes; null if they
/// differ otherwise.
static Type unify(Type type, Type other) {
  if (type == other)
    return type;
  auto a = dyn_cast<RankedTensorType>(type);
  auto b = dyn_cast<RankedTensorType>(other);
  if (!a || !b || a.getRank() != b.getRank() ||
      a.getElementType() != b.getElementType())
    return {};
  SmallVector<int64_t> shape;
  for (auto [size, otherSize] : llvm::zip(a.getShape(), b.getShape()))
    shape.push_back(size == otherSize ? size : ShapedType::kDynamic);
  return RankedTensorType::get(shape, a.getElementType());
}

/// Returns whether result types follow from operand types, in any way.
static bool followsOperands(Operation *op) {
  bool isTosa = isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
                op->getNumOperands() > 0 &&
                llvm::none_of(op->getOperandTypes(), [](Type type) {
                  return isa<tosa::shapeType>(type);
                });
  return isTosa || isa_and_nonnull<block::BlockDialect>(op->getDialect()) ||
         isa<linalg::LinalgOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             linalg::YieldOp>(op) ||
         OpTrait::hasElementwiseMappableTraits(op);
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

StringAttr Joiner::findName(std::pair<int64_t, int64_t> numbers) {
  size_t index =
      llvm::find_if(sizes,
                    [&](const Size &size) { return size.numbers == numbers; }) -
      sizes.begin();
  return builder.getStringAttr(index < names.size() ? Twine(names[index])
                                                    : "dim" + Twine(index));
}

/// Returns a size of the arguments, or one computed from them, as a value; null
/// if none has these numbers.
Value Joiner::getSize(std::pair<int64_t, int64_t> numbers, bool isOffset) {
  for (Size &size : sizes) {
    if (size.numbers != numbers)
      continue;
    if (!size.value) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.getFunctionBody().front());
      size.value = tensor::DimOp::create(builder, size.argument.getLoc(),
                                         size.argument, size.dim);
    }
    return size.value;
  }
  return computeSize(numbers, isOffset);
}

/// Computes a size of open ones, which are the symbols of `map` in order.
Value Joiner::applyMap(AffineMap map) {
  SmallVector<Value> symbols;
  for (size_t i = 0; i < map.getNumSymbols(); ++i)
    symbols.push_back(getSize(sizes[i].numbers));
  OpBuilder::InsertionGuard guard(builder);
  Operation *last = symbols.front().getDefiningOp();
  for (Value symbol : symbols)
    if (last->isBeforeInBlock(symbol.getDefiningOp()))
      last = symbol.getDefiningOp();
  builder.setInsertionPointAfter(last);
  return raise::computeSize(builder, function.getLoc(), map.getResult(0),
                            symbols);
}

/// Returns an expression of the list, or a product of sizes, with these
/// numbers: shapes are collapsed to products, and no slice begins
/// there.
Value Joiner::computeSize(std::pair<int64_t, int64_t> numbers, bool isOffset) {
  auto found = computed.find({numbers, unsigned(isOffset)});
  if (found != computed.end())
    return found->second;
  SmallVector<AffineMap> maps;
  if (auto list = function->getAttrOfType<ArrayAttr>(kSizesAttr))
    llvm::append_range(maps, list.getAsValueRange<AffineMapAttr>());
  if (!isOffset)
    if (std::optional<AffineMap> product = findProduct(numbers))
      maps.push_back(*product);
  for (AffineMap map : maps) {
    if (map.getNumSymbols() == 0 || map.getNumSymbols() > sizes.size())
      continue;
    auto evaluate = [&](bool isFirst) {
      SmallVector<Attribute> given;
      for (const Size &size : ArrayRef(sizes).take_front(map.getNumSymbols()))
        given.push_back(builder.getIndexAttr(isFirst ? size.numbers.first
                                                     : size.numbers.second));
      SmallVector<int64_t> results;
      map.partialConstantFold(given, &results);
      return results.empty() ? std::nullopt : std::optional(results.front());
    };
    if (evaluate(true) == numbers.first && evaluate(false) == numbers.second)
      return computed[{numbers, unsigned(isOffset)}] = applyMap(map);
  }
  return {};
}

/// Finds dynamic sizes whose product is the same part of both numbers, each as
/// often as it divides both. Numbers near a size are ambiguous, since they may
/// be sums.
std::optional<AffineMap>
Joiner::findProduct(std::pair<int64_t, int64_t> numbers) {
  auto isPositive = [](std::pair<int64_t, int64_t> pair) {
    return pair.first > 0 && pair.second > 0;
  };
  if (!isPositive(numbers) || llvm::any_of(sizes, [&](const Size &size) {
        return !isPositive(size.numbers) ||
               numbers.first - size.numbers.first ==
                   numbers.second - size.numbers.second;
      }))
    return std::nullopt;
  AffineExpr product = builder.getAffineConstantExpr(1);
  for (auto [i, size] : llvm::enumerate(sizes))
    while (numbers.first % size.numbers.first == 0 &&
           numbers.second % size.numbers.second == 0) {
      numbers.first /= size.numbers.first;
      numbers.second /= size.numbers.second;
      product = product * builder.getAffineSymbolExpr(i);
    }
  if (numbers.first != numbers.second)
    return std::nullopt;
  return AffineMap::get(0, sizes.size(), product * numbers.first);
}

LogicalResult Joiner::joinArgument(FunctionOpInterface other, unsigned index) {
  BlockArgument argument = function.getArgument(index);
  auto a = dyn_cast<RankedTensorType>(argument.getType());
  auto b = dyn_cast<RankedTensorType>(other.getArgument(index).getType());
  // A null list is empty.
  auto getAttributes = [index](FunctionOpInterface of) {
    return NamedAttrList(of.getArgAttrs(index));
  };
  if (getAttributes(function) != getAttributes(other))
    return differ(function,
                  "argument " + Twine(index) + " has other attributes");
  bool isSame = argument.getType() == other.getArgument(index).getType();
  if (!isSame && (!a || !b || a.getRank() != b.getRank()))
    return differ(function, "argument " + Twine(index) + " has another type");
  SmallVector<Attribute> open;
  for (unsigned d = 0; !isSame && d < a.getRank(); ++d) {
    std::pair numbers(a.getDimSize(d), b.getDimSize(d));
    if (numbers.first == numbers.second)
      continue;
    if (llvm::none_of(
            sizes, [&](const Size &size) { return size.numbers == numbers; }))
      sizes.push_back({numbers, argument, d, {}});
    open.push_back(findName(numbers));
  }
  if (!open.empty())
    function.setArgAttr(index, block::kDimsAttr, builder.getArrayAttr(open));
  return joinValue(function, argument, other.getArgument(index));
}

LogicalResult Joiner::joinValue(Operation *op, Value value, Value other) {
  Type type = unify(value.getType(), other.getType());
  if (!type)
    return differ(op, "depends on sizes: " + print(value.getType()) + " and " +
                          print(other.getType()));
  counterparts.map(value, other);
  closedTypes[value] = value.getType();
  value.setType(type);
  return success();
}

/// A slice takes a whole dimension, or starts and ends at known
/// sizes.
Value Joiner::open(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp other) {
  if (slice.getStaticStrides() != other.getStaticStrides() ||
      !slice.getSizes().empty() || !slice.getOffsets().empty())
    return {};
  auto source = cast<RankedTensorType>(closedTypes.lookup(slice.getSource()));
  SmallVector<OpFoldResult> taken = slice.getMixedSizes();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  ShapePair shapes{slice.getStaticSizes(), other.getStaticSizes()};
  ShapePair starts{slice.getStaticOffsets(), other.getStaticOffsets()};
  for (size_t d = 0; d < shapes.size(); ++d) {
    if (starts[d].first != starts[d].second) {
      offsets[d] = getSize(starts[d], /*isOffset=*/true);
      if (!offsets[d])
        return {};
    }
    if (shapes[d].first == shapes[d].second)
      continue;
    Value size = getSize(shapes[d]);
    bool isWhole = shapes[d].first == source.getDimSize(d) &&
                   shapes[d].second == other.getSourceType().getDimSize(d);
    if (!size && isWhole)
      size =
          tensor::DimOp::create(builder, slice.getLoc(), slice.getSource(), d);
    if (!size)
      return {};
    taken[d] = size;
  }
  return tensor::ExtractSliceOp::create(
      builder, slice.getLoc(),
      cast<RankedTensorType>(unify(slice.getType(), other.getType())),
      slice.getSource(), offsets, taken, slice.getMixedStrides());
}

/// A dimension with two sizes is a known dynamic one. One in each group may be
/// another: the quotient of the source and the others.
Value Joiner::expand(Location location, Value source,
                     ArrayRef<ReassociationIndices> groups, ShapePair shapes) {
  SmallVector<OpFoldResult> opened =
      getAsIndexOpFoldResult(builder.getContext(), shapes.first);
  SmallVector<int64_t> shape(shapes.first);
  for (auto [d, group] : llvm::enumerate(groups)) {
    std::optional<int64_t> rest;
    int64_t known = 1;
    Value others;
    for (int64_t i : group) {
      if (shapes[i].first == shapes[i].second) {
        known *= shapes[i].first;
        continue;
      }
      shape[i] = ShapedType::kDynamic;
      Value size = getSize(shapes[i]);
      if (!size && rest)
        return {};
      if (!size) {
        rest = i;
        continue;
      }
      opened[i] = size;
      others = others ? arith::MulIOp::create(builder, location, others, size)
                      : size;
    }
    if (!rest)
      continue;
    Value size = tensor::DimOp::create(builder, location, source, d);
    auto divide = [&](Value by) {
      size = arith::DivSIOp::create(builder, location, size, by);
    };
    if (others)
      divide(others);
    if (known != 1)
      divide(arith::ConstantIndexOp::create(builder, location, known));
    opened[*rest] = size;
  }
  auto type = RankedTensorType::get(
      shape, cast<RankedTensorType>(source.getType()).getElementType());
  return tensor::ExpandShapeOp::create(builder, location, type, source, groups,
                                       opened);
}

Value Joiner::open(tensor::ExpandShapeOp expand, tensor::ExpandShapeOp other) {
  if (expand.getReassociation() != other.getReassociation() ||
      !expand.getOutputShape().empty())
    return {};
  return this->expand(
      expand.getLoc(), expand.getSrc(), expand.getReassociationIndices(),
      {expand.getStaticOutputShape(), other.getStaticOutputShape()});
}

/// Collapses runs of dimensions, and expands them to others.
Value Joiner::open(tosa::ReshapeOp reshape, tosa::ReshapeOp other) {
  Value source = reshape.getInput1();
  auto from = dyn_cast<RankedTensorType>(closedTypes.lookup(source));
  auto otherFrom = cast<RankedTensorType>(other.getInput1().getType());
  auto to = cast<RankedTensorType>(reshape.getType());
  auto otherTo = cast<RankedTensorType>(other.getType());
  SmallVector<ReassociationIndices> sources, results;
  if (!from || !from.hasStaticShape() || !otherFrom.hasStaticShape() ||
      !pairDimensions({from.getShape(), otherFrom.getShape()},
                      {to.getShape(), otherTo.getShape()}, sources, results))
    return {};
  auto isMoved = [](const ReassociationIndices &group) {
    return group.size() > 1;
  };
  if (llvm::any_of(sources, isMoved))
    source = tensor::CollapseShapeOp::create(builder, reshape.getLoc(), source,
                                             sources);
  if (llvm::any_of(results, isMoved))
    source = expand(reshape.getLoc(), source, results,
                    {to.getShape(), otherTo.getShape()});
  return source;
}

/// Repeats dimensions of one element.
Value Joiner::open(tosa::TileOp tile, tosa::TileOp other) {
  auto from = dyn_cast<RankedTensorType>(closedTypes.lookup(tile.getInput1()));
  auto otherFrom = cast<RankedTensorType>(other.getInput1().getType());
  ShapePair shapes{cast<RankedTensorType>(tile.getType()).getShape(),
                   cast<RankedTensorType>(other.getType()).getShape()};
  if (!from)
    return {};
  Value empty = makeEmpty(tile.getLoc(), tile.getType(), other.getType());
  if (!empty)
    return {};
  SmallVector<AffineExpr> places;
  for (size_t d = 0; d < shapes.size(); ++d) {
    std::pair<int64_t, int64_t> own(from.getDimSize(d),
                                    otherFrom.getDimSize(d));
    if (own != shapes[d] && own != std::pair<int64_t, int64_t>(1, 1))
      return {};
    places.push_back(own == shapes[d] ? builder.getAffineDimExpr(d)
                                      : builder.getAffineConstantExpr(0));
  }
  unsigned rank = shapes.size();
  AffineMap maps[] = {AffineMap::get(rank, 0, places, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, tile.getLoc(), empty.getType(), tile.getInput1(), empty, maps,
      loops, [](OpBuilder &inner, Location location, ValueRange elements) {
        linalg::YieldOp::create(inner, location, elements.front());
      });
  return generic.getResult(0);
}

Value Joiner::makeEmpty(Location location, Type type, Type other) {
  auto a = cast<RankedTensorType>(type), b = cast<RankedTensorType>(other);
  auto both = cast<RankedTensorType>(unify(a, b));
  SmallVector<Value> open;
  for (unsigned d = 0; d < a.getRank(); ++d)
    if (both.isDynamicDim(d)) {
      open.push_back(getSize({a.getDimSize(d), b.getDimSize(d)}));
      if (!open.back())
        return {};
    }
  return tensor::EmptyOp::create(builder, location, both.getShape(),
                                 both.getElementType(), open);
}

Value Joiner::open(tensor::EmptyOp empty, tensor::EmptyOp other) {
  return empty.getDynamicSizes().empty()
             ? makeEmpty(empty.getLoc(), empty.getType(), other.getType())
             : Value();
}

/// A table of one number is that number, so often.
Value Joiner::openSplat(Operation *op, Attribute value, Attribute other) {
  auto a = dyn_cast<DenseElementsAttr>(value);
  auto b = dyn_cast<DenseElementsAttr>(other);
  if (!a || !b || !a.isSplat() || !b.isSplat() ||
      a.getSplatValue<Attribute>() != b.getSplatValue<Attribute>())
    return {};
  Value empty = makeEmpty(op->getLoc(), a.getType(), b.getType());
  if (!empty)
    return {};
  Value number = arith::ConstantOp::create(builder, op->getLoc(),
                                           a.getSplatValue<TypedAttr>());
  return linalg::FillOp::create(builder, op->getLoc(), number, empty)
      .getResult(0);
}

Value Joiner::open(arith::ConstantOp constant, arith::ConstantOp other) {
  return openSplat(constant, constant.getValue(), other.getValue());
}

Value Joiner::open(tosa::ConstOp constant, tosa::ConstOp other) {
  return openSplat(constant, constant.getValues(), other.getValues());
}

/// Returns whether a list of sizes differs, whose readers get other operands.
static bool isOpenShape(Operation *op, Operation *other) {
  auto shape = dyn_cast<tosa::ConstShapeOp>(op);
  return shape &&
         shape.getValues() != cast<tosa::ConstShapeOp>(other).getValues() &&
         llvm::all_of(op->getUsers(),
                      llvm::IsaPred<tosa::ReshapeOp, tosa::TileOp>);
}

LogicalResult Joiner::joinOp(Operation *op, Operation *other) {
  if (op->getName() != other->getName() ||
      op->getNumOperands() != other->getNumOperands() ||
      op->getNumResults() != other->getNumResults() ||
      op->getNumRegions() != other->getNumRegions())
    return differ(op, "depends on sizes: '" + other->getName().getStringRef() +
                          "' stands in its place for others");
  for (auto [operand, counterpart] :
       llvm::zip(op->getOperands(), other->getOperands()))
    if (counterparts.lookupOrNull(operand) != counterpart)
      return differ(op, "has operands that depend on sizes");
  bool isSame = op->getAttrDictionary() == other->getAttrDictionary();
  if (isOpenShape(op, other))
    return joinValue(op, op->getResult(0), other->getResult(0));
  bool saysSizes =
      isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp, arith::ConstantOp,
          tosa::ConstOp, tensor::EmptyOp, tosa::ReshapeOp, tosa::TileOp>(op);
  if (saysSizes && op->getResultTypes() != other->getResultTypes() &&
      unify(op->getResult(0).getType(), other->getResult(0).getType())) {
    builder.setInsertionPoint(op);
    Value opened = llvm::TypeSwitch<Operation *, Value>(op)
                       .Case<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                             arith::ConstantOp, tosa::ConstOp, tensor::EmptyOp,
                             tosa::ReshapeOp, tosa::TileOp>([&](auto own) {
                         return open(own, cast<decltype(own)>(other));
                       });
    if (opened) {
      Value closed = op->getResult(0);
      closedTypes[opened] = closed.getType();
      counterparts.map(opened, other->getResult(0));
      closed.replaceAllUsesWith(opened);
      op->erase();
      return success();
    }
    if (isSame)
      return differ(op, "has a size that is none of an argument");
  }
  if (!isSame)
    return differ(op, describeAttributes(op, other));
  for (auto [region, counterpart] :
       llvm::zip(op->getRegions(), other->getRegions())) {
    if (region.empty() && counterpart.empty())
      continue;
    if (!region.hasOneBlock() || !counterpart.hasOneBlock())
      return differ(op, "has more than one basic block");
    if (failed(joinBody(op, region.front(), counterpart.front())))
      return failure();
  }
  bool isFree = followsOperands(op);
  for (auto [result, counterpart] :
       llvm::zip(op->getResults(), other->getResults())) {
    if (!isFree && result.getType() != counterpart.getType())
      return differ(op, "'" + op->getName().getStringRef() +
                            "' is left, whose sizes are not known");
    if (failed(joinValue(op, result, counterpart)))
      return failure();
  }
  return success();
}

LogicalResult Joiner::joinBody(Operation *op, Block &block, Block &other) {
  if (block.getNumArguments() != other.getNumArguments() ||
      block.getOperations().size() != other.getOperations().size())
    return differ(op, "has contents that depend on sizes");
  if (op != function.getOperation())
    for (auto [argument, counterpart] :
         llvm::zip(block.getArguments(), other.getArguments()))
      if (failed(joinValue(op, argument, counterpart)))
        return failure();
  // Opening may replace an op by another.
  SmallVector<Operation *> contents;
  for (Operation &inner : block)
    contents.push_back(&inner);
  for (auto [inner, counterpart] : llvm::zip(contents, other))
    if (failed(joinOp(inner, &counterpart)))
      return failure();
  return success();
}

LogicalResult Joiner::join(FunctionOpInterface other) {
  if (!function.getFunctionBody().hasOneBlock() ||
      !other.getFunctionBody().hasOneBlock())
    return differ(function, "has more than one basic block");
  if (function.getNumArguments() != other.getNumArguments())
    return differ(function, "has contents that depend on sizes");
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (failed(joinArgument(other, i)))
      return failure();
  Block &body = function.getFunctionBody().front();
  if (failed(joinBody(function, body, other.getFunctionBody().front())))
    return failure();
  function->removeAttr(kSizesAttr);
  // Lists of sizes whose readers got other operands.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isa<tosa::ConstShapeOp>(op) && op.use_empty())
      op.erase();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  ScopedDiagnosticHandler keep(function.getContext(), [&](Diagnostic &error) {
    if (!difference)
      difference = Difference{error.getLocation(), error.str()};
    return success();
  });
  return success(
      llvm::all_of(body, [](Operation &op) { return succeeded(verify(&op)); }));
}

std::optional<Difference>
parablock::raise::joinSizes(FunctionOpInterface function,
                            FunctionOpInterface other,
                            ArrayRef<std::string> names) {
  Joiner joiner(function, names);
  (void)joiner.join(other);
  return std::move(joiner.difference);
}
