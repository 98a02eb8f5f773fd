//===- EmitViews.h - layouts as slices and reshapes -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_RAISE_EMITVIEWS_H
#define PARABLOCK_LIB_RAISE_EMITVIEWS_H

#include "Layout.h"
#include "mlir/IR/Builders.h"

namespace parablock::raise {

/// Emits a layout as slices, transpositions, broadcasts and
/// reshapes.
class ViewEmitter {
public:
  ViewEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Returns `source`, read by `layout` in row-major order, as `shape`; a null
  /// value if no such ops compute it.
  mlir::Value emit(mlir::Value source, const Layout &layout,
                   llvm::ArrayRef<int64_t> shape);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);

private:
  struct View;
  mlir::Value regroup(mlir::Value from, mlir::RankedTensorType to);
  mlir::Value slice(mlir::Value source, const View &view);
  mlir::Value transpose(mlir::Value source, const View &view);
  mlir::Value broadcast(mlir::Value source, const View &view);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace parablock::raise

#endif // PARABLOCK_LIB_RAISE_EMITVIEWS_H
