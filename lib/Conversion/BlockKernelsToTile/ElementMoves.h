//===- ElementMoves.h - elements of ops that move them ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTMOVES_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTMOVES_H

#include "ElementPlaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace parablock {

class ElementEmitter;

/// Generates elements of results of the tensor dialect, each of which is an
/// element that `emitter` generates at another place.
class ElementMoves {
public:
  using Value = mlir::Value;

  ElementMoves(ElementEmitter &emitter, ElementPlaces &places)
      : emitter(emitter), places(places) {}

  Value emit(TileCode code, mlir::Operation *op, ElementPosition &at);

private:
  Value emitExtractSlice(TileCode code, mlir::tensor::ExtractSliceOp op,
                         ElementPosition &at);
  Value emitInsertSlice(TileCode code, mlir::tensor::InsertSliceOp op,
                        ElementPosition &at);
  Value emitConcat(TileCode code, mlir::tensor::ConcatOp op,
                   ElementPosition &at, unsigned number, Value start);
  Value emitPad(TileCode code, mlir::tensor::PadOp op, ElementPosition &at);
  Value emitFromElements(TileCode code, mlir::tensor::FromElementsOp op,
                         ElementPosition &at);
  Value emitNumber(TileCode code, mlir::OpFoldResult number);
  /// Returns one of two values, each computed in a separate region.
  Value emitEither(TileCode code, Value condition, mlir::Type type,
                   llvm::function_ref<Value(TileCode)> then,
                   llvm::function_ref<Value(TileCode)> otherwise);

  ElementEmitter &emitter;
  ElementPlaces &places;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTMOVES_H
