//===- ElementMoves.cpp - slices, concatenations, pads --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ElementMoves.h"

#include "ElementEmitter.h"
#include "ElementScalars.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace parablock;

Value ElementMoves::emit(TileCode code, Operation *op, ElementPosition &at) {
  Value result = op->getResult(0);
  // An op that keeps the order in memory keeps an element's number.
  auto keepOrder = [&](Value source) {
    return emitter.emit(
        code, source,
        ElementPosition::atFlat(places.getFlat(code, result, at)));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::EmptyOp) -> Value {
        // Its value is undefined; zero is the same every time.
        Type type = cast<RankedTensorType>(result.getType()).getElementType();
        return arith::ConstantOp::create(code.builder, code.loc,
                                         code.builder.getZeroAttr(type));
      })
      .Case([&](tensor::SplatOp splat) {
        return emitter.emitScalar(code, splat.getInput());
      })
      .Case([&](tensor::CastOp cast) {
        return emitter.emit(code, cast.getSource(), at);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return keepOrder(expand.getSrc());
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return keepOrder(collapse.getSrc());
      })
      .Case([&](tensor::ReshapeOp reshape) {
        return keepOrder(reshape.getSource());
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return emitExtractSlice(code, slice, at);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return emitInsertSlice(code, slice, at);
      })
      .Case([&](tensor::ConcatOp concat) {
        return emitConcat(code, concat, at, 0, code.index(0));
      })
      .Case([&](tensor::PadOp pad) { return emitPad(code, pad, at); })
      .Case([&](tensor::FromElementsOp elements) {
        return emitFromElements(code, elements, at);
      })
      .Case([&](tensor::GenerateOp generate) {
        return emitter.emitRegion(code, generate.getBody(),
                                  places.getIndices(code, result, at));
      })
      .Default([](Operation *other) -> Value {
        other->emitError() << "no GPU code for '" << other->getName()
                           << "' in a kernel of elements";
        return {};
      });
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Value ElementMoves::emitNumber(TileCode code, OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return code.index(*constant);
  return emitter.emitScalar(code, cast<Value>(number));
}

Value ElementMoves::emitExtractSlice(TileCode code, tensor::ExtractSliceOp op,
                                     ElementPosition &at) {
  ArrayRef<Value> indices = places.getIndices(code, op.getResult(), at);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Value> within;
  for (auto [dim, mixed] : llvm::enumerate(
           llvm::zip_equal(op.getMixedOffsets(), op.getMixedStrides()))) {
    auto [offset, stride] = mixed;
    Value first = emitNumber(code, offset);
    Value step = emitNumber(code, stride);
    Value size = places.emitSize(code, op.getSource(), dim);
    if (!first || !step || !size)
      return {};
    Value position = first;
    if (!dropped.test(dim)) {
      Value index = indices.front();
      indices = indices.drop_front();
      if (!isConstantIntValue(stride, 1))
        index = code.mulIndex(index, step);
      position =
          isConstantIntValue(offset, 0) ? index : code.addIndex(first, index);
    }
    // Values from data are unconstrained.
    bool isKnown = getConstantIntValue(offset) && getConstantIntValue(stride);
    within.push_back(isKnown ? position : createClamped(code, position, size));
  }
  return emitter.emit(code, op.getSource(), ElementPosition::at(within));
}

Value ElementMoves::emitInsertSlice(TileCode code, tensor::InsertSliceOp op,
                                    ElementPosition &at) {
  ArrayRef<Value> indices = places.getIndices(code, op.getResult(), at);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<Value> within;
  Value isInside = code.boolean(true);
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value holds =
        arith::CmpIOp::create(code.builder, code.loc, predicate, a, b);
    isInside = arith::AndIOp::create(code.builder, code.loc, isInside, holds);
  };
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value first = emitNumber(code, op.getMixedOffsets()[dim]);
    Value size = emitNumber(code, op.getMixedSizes()[dim]);
    OpFoldResult stride = op.getMixedStrides()[dim];
    Value step = emitNumber(code, stride);
    if (!first || !size || !step)
      return {};
    Value distance = code.subIndex(index, first);
    // Below the offset, the distance has its high bit.
    require(arith::CmpIPredicate::ult, distance, code.mulIndex(size, step));
    if (!isConstantIntValue(stride, 1)) {
      if (!getConstantIntValue(stride))
        step = code.maxIndex(step, code.index(1));
      require(arith::CmpIPredicate::eq, code.remIndex(distance, step),
              code.index(0));
      distance = code.divIndex(distance, step);
    }
    if (!dropped.test(dim))
      within.push_back(distance);
  }
  return emitEither(
      code, isInside, op.getType().getElementType(),
      [&](TileCode inner) {
        return emitter.emit(inner, op.getSource(), ElementPosition::at(within));
      },
      [&](TileCode inner) { return emitter.emit(inner, op.getDest(), at); });
}

//===----------------------------------------------------------------------===//
// One of several
//===----------------------------------------------------------------------===//

Value ElementMoves::emitEither(TileCode code, Value condition, Type type,
                               llvm::function_ref<Value(TileCode)> then,
                               llvm::function_ref<Value(TileCode)> other) {
  auto either = scf::IfOp::create(code.builder, code.loc, type, condition,
                                  /*withElseRegion=*/true);
  bool isWritten = true;
  auto write = [&](Block *block, llvm::function_ref<Value(TileCode)> side) {
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    ElementEmitter::Scope scope(emitter);
    Value value = side({inner, code.loc});
    isWritten &= static_cast<bool>(value);
    if (value)
      scf::YieldOp::create(inner, code.loc, value);
  };
  write(either.thenBlock(), then);
  write(either.elseBlock(), other);
  return isWritten ? either.getResult(0) : Value();
}

/// The operand `number` begins at `start`, those before are elsewhere.
Value ElementMoves::emitConcat(TileCode code, tensor::ConcatOp op,
                               ElementPosition &at, unsigned number,
                               Value start) {
  int64_t dim = op.getDim();
  SmallVector<Value> indices = places.getIndices(code, op.getResult(), at);
  Value index = indices[dim];
  Value part = op.getInputs()[number];
  auto take = [&](TileCode inner) {
    SmallVector<Value> within = indices;
    if (!isConstantIntValue(start, 0))
      within[dim] = inner.subIndex(index, start);
    return emitter.emit(inner, part, ElementPosition::at(within));
  };
  if (number + 1 == op.getInputs().size())
    return take(code);
  Value size = places.emitSize(code, part, dim);
  if (!size)
    return {};
  Value end = isConstantIntValue(start, 0) ? size : code.addIndex(start, size);
  return emitEither(code, code.lessIndex(index, end),
                    op.getType().getElementType(), take, [&](TileCode inner) {
                      return emitConcat(inner, op, at, number + 1, end);
                    });
}

Value ElementMoves::emitPad(TileCode code, tensor::PadOp op,
                            ElementPosition &at) {
  SmallVector<Value> indices = places.getIndices(code, op.getResult(), at);
  SmallVector<Value> within;
  Value isInside;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    OpFoldResult low = op.getMixedLowPad()[dim];
    within.push_back(index);
    if (isConstantIntValue(low, 0) &&
        isConstantIntValue(op.getMixedHighPad()[dim], 0))
      continue;
    Value first = emitNumber(code, low);
    Value size = places.emitSize(code, op.getSource(), dim);
    if (!first || !size)
      return {};
    within.back() = code.subIndex(index, first);
    Value holds = arith::CmpIOp::create(
        code.builder, code.loc, arith::CmpIPredicate::ult, within.back(), size);
    isInside = isInside ? arith::AndIOp::create(code.builder, code.loc,
                                                isInside, holds)
                        : holds;
  }
  auto take = [&](TileCode inner) {
    return emitter.emit(inner, op.getSource(), ElementPosition::at(within));
  };
  if (!isInside)
    return take(code);
  return emitEither(code, isInside, op.getType().getElementType(), take,
                    [&](TileCode inner) {
                      return emitter.emitRegion(inner, op.getRegion(), indices);
                    });
}

Value ElementMoves::emitFromElements(TileCode code, tensor::FromElementsOp op,
                                     ElementPosition &at) {
  Value flat = places.getFlat(code, op.getResult(), at);
  Value value;
  for (auto [number, element] : llvm::enumerate(op.getElements())) {
    Value next = emitter.emitScalar(code, element);
    if (!next)
      return {};
    Value isHere =
        arith::CmpIOp::create(code.builder, code.loc, arith::CmpIPredicate::eq,
                              flat, code.index(number));
    value = value ? code.select(isHere, next, value) : next;
  }
  return value;
}
