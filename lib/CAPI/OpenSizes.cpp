//===- OpenSizes.cpp - one function from two of its sizes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "parablock-c/Shapes.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Judges/Runner/Engine.h"
#include "parablock/Judges/Runner/ModuleLoading.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;
using llvm::Error;

namespace {
/// Walks two functions side by side. Everything but sizes has to be equal; the
/// first function gets `?` where sizes are not.
class SizeOpener {
public:
  SizeOpener(ArrayRef<const char *> names) : names(names) {}
  LogicalResult open(func::FuncOp function, func::FuncOp other);

private:
  LogicalResult openArgument(func::FuncOp function, BlockArgument argument,
                             BlockArgument other);
  LogicalResult openOp(Operation *op, Operation *other);
  bool openShape(tensor::ExtractSliceOp slice, tensor::ExtractSliceOp other);
  bool openShape(tensor::ExpandShapeOp expand, tensor::ExpandShapeOp other);
  void replace(Operation *op, Operation *other, Value open);
  LogicalResult openBody(Operation *op, Block &block, Block &other);
  LogicalResult openValue(Operation *op, Value value, Value other);
  StringAttr findName(MLIRContext *context, int64_t size, int64_t otherSize);

  ArrayRef<const char *> names;
  /// Pairs of sizes that arguments have, in the order of their names.
  SmallVector<std::pair<int64_t, int64_t>> pairs;
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

StringAttr SizeOpener::findName(MLIRContext *context, int64_t size,
                                int64_t otherSize) {
  auto *known = llvm::find(pairs, std::make_pair(size, otherSize));
  size_t index = known - pairs.begin();
  if (known == pairs.end())
    pairs.push_back({size, otherSize});
  return StringAttr::get(context, index < names.size()
                                      ? llvm::Twine(names[index])
                                      : "dim" + llvm::Twine(index));
}

LogicalResult SizeOpener::openArgument(func::FuncOp function,
                                       BlockArgument argument,
                                       BlockArgument other) {
  auto a = dyn_cast<RankedTensorType>(argument.getType());
  auto b = dyn_cast<RankedTensorType>(other.getType());
  unsigned index = argument.getArgNumber();
  if (function.getArgAttrDict(index) !=
      cast<func::FuncOp>(other.getOwner()->getParentOp()).getArgAttrDict(index))
    return function.emitError()
           << "argument " << index << " has other attributes";
  if (!a || !b || a.getRank() != b.getRank())
    return function.emitError() << "argument " << index << " has another type";
  SmallVector<Attribute> open;
  for (auto [size, otherSize] : llvm::zip(a.getShape(), b.getShape()))
    if (size != otherSize)
      open.push_back(findName(function.getContext(), size, otherSize));
  if (!open.empty())
    function.setArgAttr(index, block::kDimsAttr,
                        ArrayAttr::get(function.getContext(), open));
  return openValue(function, argument, other);
}

LogicalResult SizeOpener::openValue(Operation *op, Value value, Value other) {
  Type type = unify(value.getType(), other.getType());
  if (!type)
    return op->emitError() << "depends on sizes: " << value.getType() << " and "
                           << other.getType();
  counterparts.map(value, other);
  closedTypes[value] = value.getType();
  value.setType(type);
  return success();
}

/// Tables would fill pages.
static void describe(InFlightDiagnostic &error, Attribute value,
                     Attribute other) {
  if (isa<ElementsAttr>(value))
    error << "one table and another";
  else
    error << value << " and " << other;
}

/// An error that names what is not the same in both.
static LogicalResult emitAttributes(Operation *op, Operation *other) {
  InFlightDiagnostic error = op->emitOpError()
                             << "has attributes that depend on sizes";
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (Attribute counterpart = other->getAttr(attribute.getName());
        counterpart && counterpart != attribute.getValue())
      describe(error << ": '" << attribute.getName().getValue() << "' is ",
               attribute.getValue(), counterpart);
  return error;
}

void SizeOpener::replace(Operation *op, Operation *other, Value open) {
  Value closed = op->getResult(0);
  closedTypes[open] = closed.getType();
  counterparts.map(open, other->getResult(0));
  closed.replaceAllUsesWith(open);
  op->erase();
}

/// A slice that takes all of each dimension whose size differs takes as much as
/// there is. False where the two differ otherwise, or take a part.
bool SizeOpener::openShape(tensor::ExtractSliceOp slice,
                           tensor::ExtractSliceOp other) {
  if (slice.getStaticOffsets() != other.getStaticOffsets() ||
      slice.getStaticStrides() != other.getStaticStrides() ||
      !slice.getSizes().empty())
    return false;
  auto source = cast<RankedTensorType>(closedTypes.lookup(slice.getSource()));
  OpBuilder builder(slice);
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
  for (auto [d, size, otherSize] :
       llvm::enumerate(slice.getStaticSizes(), other.getStaticSizes())) {
    if (size == otherSize)
      continue;
    if (size != source.getDimSize(d) ||
        otherSize != other.getSourceType().getDimSize(d))
      return false;
    sizes[d] =
        tensor::DimOp::create(builder, slice.getLoc(), slice.getSource(), d)
            .getResult();
  }
  replace(slice, other,
          tensor::ExtractSliceOp::create(
              builder, slice.getLoc(),
              cast<RankedTensorType>(unify(slice.getType(), other.getType())),
              slice.getSource(), slice.getMixedOffsets(), sizes,
              slice.getMixedStrides()));
  return true;
}

/// A dimension whose size differs may get others of size 1 beside it. False
/// where the two differ otherwise.
bool SizeOpener::openShape(tensor::ExpandShapeOp expand,
                           tensor::ExpandShapeOp other) {
  if (expand.getReassociation() != other.getReassociation() ||
      !expand.getOutputShape().empty())
    return false;
  ArrayRef<int64_t> shape = expand.getStaticOutputShape();
  ArrayRef<int64_t> otherShape = other.getStaticOutputShape();
  OpBuilder builder(expand);
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(expand.getContext(), shape);
  for (auto [d, group] : llvm::enumerate(expand.getReassociationIndices())) {
    auto isOpen = [&](int64_t i) { return shape[i] != otherShape[i]; };
    if (llvm::none_of(group, isOpen))
      continue;
    if (llvm::count_if(group, [&](int64_t i) {
          return shape[i] != 1 || otherShape[i] != 1;
        }) != 1)
      return false;
    sizes[*llvm::find_if(group, isOpen)] =
        tensor::DimOp::create(builder, expand.getLoc(), expand.getSrc(), d)
            .getResult();
  }
  replace(expand, other,
          tensor::ExpandShapeOp::create(
              builder, expand.getLoc(),
              cast<RankedTensorType>(unify(expand.getType(), other.getType())),
              expand.getSrc(), expand.getReassociationIndices(), sizes));
  return true;
}

LogicalResult SizeOpener::openOp(Operation *op, Operation *other) {
  if (op->getName() != other->getName() ||
      op->getNumOperands() != other->getNumOperands() ||
      op->getNumResults() != other->getNumResults() ||
      op->getNumRegions() != other->getNumRegions())
    return op->emitError() << "depends on sizes: '" << other->getName()
                           << "' stands in its place for others";
  bool isOpen = op->getAttrDictionary() == other->getAttrDictionary();
  if (!isOpen && !isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp>(op))
    return emitAttributes(op, other);
  for (auto [operand, counterpart] :
       llvm::zip(op->getOperands(), other->getOperands()))
    if (counterparts.lookupOrNull(operand) != counterpart)
      return op->emitError() << "has operands that depend on sizes";
  if (!isOpen) {
    auto tryOpen = [&](auto shaped) {
      return openShape(shaped, cast<decltype(shaped)>(other));
    };
    bool opened =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case<tensor::ExtractSliceOp, tensor::ExpandShapeOp>(tryOpen);
    return opened ? success() : emitAttributes(op, other);
  }
  for (auto [region, counterpart] :
       llvm::zip(op->getRegions(), other->getRegions())) {
    if (region.empty() && counterpart.empty())
      continue;
    if (!region.hasOneBlock() || !counterpart.hasOneBlock())
      return op->emitError() << "has more than one basic block";
    if (failed(openBody(op, region.front(), counterpart.front())))
      return failure();
  }
  for (auto [result, counterpart] :
       llvm::zip(op->getResults(), other->getResults()))
    if (failed(openValue(op, result, counterpart)))
      return failure();
  return success();
}

LogicalResult SizeOpener::openBody(Operation *op, Block &block, Block &other) {
  if (block.getNumArguments() != other.getNumArguments() ||
      block.getOperations().size() != other.getOperations().size())
    return op->emitError() << "has contents that depend on sizes";
  bool isFunction = isa<func::FuncOp>(op);
  for (auto [argument, counterpart] :
       llvm::zip(block.getArguments(), other.getArguments()))
    if (failed(isFunction
                   ? openArgument(cast<func::FuncOp>(op), argument, counterpart)
                   : openValue(op, argument, counterpart)))
      return failure();
  // Opening may put another op in the place of one.
  SmallVector<Operation *> contents;
  for (Operation &inner : block)
    contents.push_back(&inner);
  for (auto [inner, counterpart] : llvm::zip(contents, other))
    if (failed(openOp(inner, &counterpart)))
      return failure();
  return success();
}

LogicalResult SizeOpener::open(func::FuncOp function, func::FuncOp other) {
  Block &body = function.front();
  if (failed(openBody(function, body, other.front())))
    return failure();
  function.setType(FunctionType::get(function.getContext(),
                                     body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
  return verify(function);
}

static Error openSizes(ParablockModule &module, ParablockModule &other,
                       ArrayRef<const char *> names) {
  if (module.owner != other.owner)
    return llvm::createStringError("the modules are of different contexts");
  llvm::Expected<func::FuncOp> function =
      runner::findFunction(*module.module, "main", "the module");
  if (!function)
    return function.takeError();
  llvm::Expected<func::FuncOp> otherFunction =
      runner::findFunction(*other.module, "main", "the other module");
  if (!otherFunction)
    return otherFunction.takeError();
  if (failed(SizeOpener(names).open(*function, *otherFunction)))
    return llvm::make_error<runner::DiagnosedError>();
  return Error::success();
}

ParablockStatus parablockModuleOpenSizes(ParablockModule *module,
                                         ParablockModule *other,
                                         const char *const *names,
                                         size_t numNames) {
  if (!module)
    return ParablockBadInput;
  module->owner->begin();
  if (!other || (numNames != 0 && !names))
    return module->owner->finish(capi::createNullError());
  return module->owner->finish(
      openSizes(*module, *other, ArrayRef(names, numNames)));
}
