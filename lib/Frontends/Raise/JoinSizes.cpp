//===- JoinSizes.cpp - one function from two of its sizes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Block ops, arithmetic and structured ops follow the types of their operands.
// Ops that say sizes themselves are given those of an argument, or of their
// operand.
//
//===----------------------------------------------------------------------===//

#include "JoinSizes.h"

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

/// Gives the place of an op, which constants lose where several become one: of
/// those that of what reads them first.
static Location findPlace(Operation *op) {
  while (isa<UnknownLoc>(op->getLoc()) && !op->use_empty())
    op = *llvm::min_element(op->getUsers(), [](Operation *a, Operation *b) {
      return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
    });
  return op->getLoc();
}

namespace {
/// Walks two functions side by side. Everything but sizes has to be equal; the
/// first function gets `?` where sizes are not.
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
  /// Gives the result of what stands in the place of an op that says sizes, or
  /// null where the two differ otherwise.
  Value open(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp other);
  Value open(tensor::ExpandShapeOp expand, tensor::ExpandShapeOp other);
  Value open(arith::ConstantOp constant, arith::ConstantOp other);
  Value open(tensor::EmptyOp empty, tensor::EmptyOp other);
  Value makeEmpty(Location location, Type type, Type other);
  StringAttr findName(std::pair<int64_t, int64_t> sizes);
  Value getSize(std::pair<int64_t, int64_t> sizes);
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
  IRMapping counterparts;
  /// The types that values had before they were opened.
  DenseMap<Value, Type> closedTypes;
};
} // namespace

/// The type with `?` where two types have different sizes; null where they
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

/// True where the types of results are those of operands, in whatever way.
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

/// Gives a value as messages have it; tables would fill pages.
static std::string print(Attribute value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// Gives a shape's sizes, or what stands for all of a table.
static std::string print(ElementsAttr table, bool isFirst) {
  auto sizes = dyn_cast<DenseIntElementsAttr>(table);
  if (!sizes || !sizes.getElementType().isIndex())
    return isFirst ? "one table" : "another";
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(sizes.getValues<APInt>(), stream << '[');
  stream << ']';
  return text;
}

/// Says what is not the same in both.
static std::string describeAttributes(Operation *op, Operation *other) {
  std::string text = ("'" + op->getName().getStringRef() +
                      "' op has attributes that depend on sizes")
                         .str();
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    Attribute value = attribute.getValue();
    Attribute counterpart = other->getAttr(attribute.getName());
    if (!counterpart || counterpart == value)
      continue;
    auto table = dyn_cast<ElementsAttr>(value);
    auto otherTable = dyn_cast<ElementsAttr>(counterpart);
    text += ": '" + attribute.getName().str() + "' is " +
            (table && otherTable
                 ? print(table, true) + " and " + print(otherTable, false)
                 : print(value) + " and " + print(counterpart));
  }
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

/// Gives a size of the arguments as a value; null where they do not have it.
Value Joiner::getSize(std::pair<int64_t, int64_t> numbers) {
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
  return {};
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

/// A slice that takes all of each dimension whose size differs takes as much as
/// there is.
Value Joiner::open(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp other) {
  if (slice.getStaticOffsets() != other.getStaticOffsets() ||
      slice.getStaticStrides() != other.getStaticStrides() ||
      !slice.getSizes().empty())
    return {};
  auto source = cast<RankedTensorType>(closedTypes.lookup(slice.getSource()));
  SmallVector<OpFoldResult> taken = slice.getMixedSizes();
  for (auto [d, size, otherSize] :
       llvm::enumerate(slice.getStaticSizes(), other.getStaticSizes())) {
    if (size == otherSize)
      continue;
    if (size != source.getDimSize(d) ||
        otherSize != other.getSourceType().getDimSize(d))
      return {};
    Value whole = getSize({size, otherSize});
    taken[d] = whole ? whole
                     : tensor::DimOp::create(builder, slice.getLoc(),
                                             slice.getSource(), d)
                           .getResult();
  }
  return tensor::ExtractSliceOp::create(
      builder, slice.getLoc(),
      cast<RankedTensorType>(unify(slice.getType(), other.getType())),
      slice.getSource(), slice.getMixedOffsets(), taken,
      slice.getMixedStrides());
}

/// A dimension whose size differs is one of the arguments', or has but others
/// of size 1 beside it.
Value Joiner::open(tensor::ExpandShapeOp expand, tensor::ExpandShapeOp other) {
  if (expand.getReassociation() != other.getReassociation() ||
      !expand.getOutputShape().empty())
    return {};
  ArrayRef<int64_t> shape = expand.getStaticOutputShape();
  ArrayRef<int64_t> otherShape = other.getStaticOutputShape();
  SmallVector<OpFoldResult> opened =
      getAsIndexOpFoldResult(expand.getContext(), shape);
  for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices()))
    for (int64_t i : group) {
      if (shape[i] == otherShape[i])
        continue;
      Value size = getSize({shape[i], otherShape[i]});
      bool isAlone = llvm::all_of(group, [&](int64_t k) {
        return k == i || (shape[k] == 1 && otherShape[k] == 1);
      });
      if (!size && isAlone)
        size =
            tensor::DimOp::create(builder, expand.getLoc(), expand.getSrc(), d);
      if (!size)
        return {};
      opened[i] = size;
    }
  return tensor::ExpandShapeOp::create(
      builder, expand.getLoc(),
      cast<RankedTensorType>(unify(expand.getType(), other.getType())),
      expand.getSrc(), expand.getReassociationIndices(), opened);
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
Value Joiner::open(arith::ConstantOp constant, arith::ConstantOp other) {
  auto a = dyn_cast<DenseElementsAttr>(constant.getValue());
  auto b = dyn_cast<DenseElementsAttr>(other.getValue());
  if (!a || !b || !a.isSplat() || !b.isSplat() ||
      a.getSplatValue<Attribute>() != b.getSplatValue<Attribute>())
    return {};
  Value empty = makeEmpty(constant.getLoc(), a.getType(), b.getType());
  if (!empty)
    return {};
  Value number = arith::ConstantOp::create(builder, constant.getLoc(),
                                           a.getSplatValue<TypedAttr>());
  return linalg::FillOp::create(builder, constant.getLoc(), number, empty)
      .getResult(0);
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
  bool saysSizes = isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                       arith::ConstantOp, tensor::EmptyOp>(op);
  if (saysSizes && op->getResultTypes() != other->getResultTypes() &&
      unify(op->getResult(0).getType(), other->getResult(0).getType())) {
    builder.setInsertionPoint(op);
    Value opened = llvm::TypeSwitch<Operation *, Value>(op)
                       .Case<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                             arith::ConstantOp, tensor::EmptyOp>([&](auto own) {
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
  // Opening may put another op in the place of one.
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
