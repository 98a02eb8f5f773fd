//===- ElementEmitter.cpp - emits element values on demand ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementEmitter.h"

#include "ElementMoves.h"
#include "ElementScalars.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace parablock;

/// Largest number of elements of one kernel; more would take too long to
/// compile.
static constexpr unsigned maxElements = 4096;

//===----------------------------------------------------------------------===//
// Known values
//===----------------------------------------------------------------------===//

ElementEmitter::Key ElementEmitter::makeKey(Value tensor,
                                            const ElementPosition &at) {
  Key key{tensor.getAsOpaquePointer(), {}};
  auto add = [&](Value value) {
    // Equal constants are one place; values have no odd addresses.
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      key.second.push_back(number.getZExtValue() * 2 + 1);
    else
      key.second.push_back(
          reinterpret_cast<uintptr_t>(value.getAsOpaquePointer()));
  };
  if (at.flat)
    add(at.flat);
  else
    llvm::for_each(*at.indices, add);
  return key;
}

Value ElementEmitter::lookup(const Key &key) const {
  for (const std::map<Key, Value> &scope : llvm::reverse(scopes))
    if (auto found = scope.find(key); found != scope.end())
      return found->second;
  return {};
}

Value ElementEmitter::emit(TileCode code, Value tensor,
                           const ElementPosition &at) {
  Key key = makeKey(tensor, at);
  if (Value known = lookup(key))
    return known;
  if (++numElements > maxElements) {
    emitError(tensor.getLoc())
        << "no GPU code for a kernel of elements that needs more than "
        << maxElements << " different elements for one";
    return {};
  }
  Value value = emitNew(code, tensor, at);
  if (value)
    remember(std::move(key), value);
  return value;
}

Value ElementEmitter::emitNew(TileCode code, Value tensor, ElementPosition at) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return emitLoad(code, argument, at);
  Operation *op = tensor.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return emitConstant(code, constant, at);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return emitStructured(code, structured, cast<OpResult>(tensor), at);
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return ElementMoves(*this, places).emit(code, op, at);
  if (op->hasTrait<OpTrait::Elementwise>())
    return emitElementwise(code, op, at);
  op->emitError() << "no GPU code for '" << op->getName()
                  << "' in a kernel of elements";
  return {};
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Value ElementEmitter::emitLoad(TileCode code, BlockArgument tensor,
                               ElementPosition &at) {
  Value source = shell.lookupInput(tensor);
  Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
  return tile::LoadOp::create(code.builder, code.loc, type, source,
                              places.getFlat(code, tensor, at));
}

/// Loads from a table, which stores floats as f32 and truth values as bytes,
/// both exactly.
static Value createTableLoad(TileCode code, DenseElementsAttr values,
                             Value flat) {
  OpBuilder &b = code.builder;
  Type type = values.getElementType();
  bool isNarrow = type.isBF16() || type.isF16();
  Type stored = isNarrow            ? Type(b.getF32Type())
                : type.isInteger(1) ? Type(b.getI8Type())
                                    : type;
  int64_t size = values.getNumElements();
  values = values.reshape(RankedTensorType::get({size}, type));
  if (isNarrow)
    values = cast<DenseElementsAttr>(
        values.mapValues(stored, [](const APFloat &value) {
          APFloat wide = value;
          bool losesInfo;
          wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                       &losesInfo);
          return wide.bitcastToAPInt();
        }));
  else if (stored != type)
    values = cast<DenseElementsAttr>(values.mapValues(
        stored, [](const APInt &value) { return value.zext(8); }));
  Value table = tile::TableOp::create(b, code.loc,
                                      MemRefType::get({size}, stored), values);
  Value element = tile::LoadOp::create(b, code.loc, stored, table, flat);
  if (isNarrow)
    return arith::TruncFOp::create(b, code.loc, type, element);
  return stored == type ? element
                        : arith::TruncIOp::create(b, code.loc, type, element);
}

Value ElementEmitter::emitConstant(TileCode code, arith::ConstantOp op,
                                   ElementPosition &at) {
  auto values = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!values) {
    op.emitError("no GPU code for a constant of this kind in a kernel of "
                 "elements: expected dense values");
    return {};
  }
  if (values.isSplat())
    return arith::ConstantOp::create(
        code.builder, code.loc,
        cast<TypedAttr>(values.getSplatValue<Attribute>()));
  return createTableLoad(code, values,
                         places.getFlat(code, op.getResult(), at));
}

Value ElementEmitter::emitElementwise(TileCode code, Operation *op,
                                      ElementPosition &at) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value element = isa<RankedTensorType>(operand.getType())
                        ? emit(code, operand, at)
                        : emitScalar(code, operand);
    if (!element)
      return {};
    operands.push_back(element);
  }
  return createScalar(code, op, operands);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value ElementEmitter::emitExtract(TileCode code, tensor::ExtractOp op) {
  SmallVector<Value> indices;
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    Value position = emitScalar(code, index);
    Value size = places.emitSize(code, op.getTensor(), dim);
    if (!position || !size)
      return {};
    indices.push_back(createClamped(code, position, size));
  }
  return emit(code, op.getTensor(), ElementPosition::at(indices));
}

ElementEmitter::Body *ElementEmitter::findBody(Region *region) {
  auto found = llvm::find_if(
      bodies, [&](const Body *body) { return body->region == region; });
  return found == bodies.end() ? nullptr : *found;
}

Value ElementEmitter::emitScalar(TileCode code, Value scalar) {
  // A number in a region has a value for each run of it.
  Body *body = findBody(scalar.getParentRegion());
  Key key{scalar.getAsOpaquePointer(), {}};
  if (Value known = body ? body->known.lookup(scalar) : lookup(key))
    return known;
  auto argument = dyn_cast<BlockArgument>(scalar);
  Value value = argument ? emitArgument(code, argument, *body)
                         : emitNewScalar(code, scalar.getDefiningOp());
  if (!value)
    return {};
  if (body)
    body->known[scalar] = value;
  else
    remember(std::move(key), value);
  return value;
}

Value ElementEmitter::emitNewScalar(TileCode code, Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return arith::ConstantOp::create(code.builder, code.loc,
                                     constant.getValue());
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return emitExtract(code, extract);
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return findBody(op->getParentRegion())->loops[index.getDim()];
  if (auto dim = dyn_cast<tensor::DimOp>(op); dim && dim.getConstantIndex())
    return places.emitSize(code, dim.getSource(), *dim.getConstantIndex());
  if (op->getNumRegions() > 0 || op->getNumOperands() == 0) {
    op->emitError() << "no GPU code for '" << op->getName()
                    << "' in a kernel of elements";
    return {};
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(emitScalar(code, operand));
    if (!operands.back())
      return {};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return applyMap(code, apply.getAffineMap(), operands).front();
  return createScalar(code, op, operands);
}

SmallVector<Value> ElementEmitter::applyMap(TileCode code, AffineMap map,
                                            ArrayRef<Value> operands) {
  SmallVector<Value> results;
  for (AffineExpr expr : map.getResults())
    results.push_back(affine::expandAffineExpr(
        code.builder, code.loc, expr, operands.take_front(map.getNumDims()),
        operands.drop_front(map.getNumDims())));
  return results;
}
