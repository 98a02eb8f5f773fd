//===- ElementEmitter.h - elements of values --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Code is generated from results to operands: an element of a value is computed
// on demand, from elements of the op's operands.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_ELEMENTEMITTER_H
#define PARABLOCK_LIB_CONVERSION_ELEMENTEMITTER_H

#include "ElementPlaces.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <map>

namespace parablock {

/// Returns whether distributing the sums of `op` over the lanes of a warp is
/// possible and profitable.
bool isSharedReduction(mlir::linalg::LinalgOp op);

/// Generates elements of the values in a kernel's body. Returns null, with an
/// error at the op, for an unsupported op.
class ElementEmitter {
public:
  using Value = mlir::Value;

  ElementEmitter(KernelShell &shell, ElementSizes &sizes)
      : shell(shell), places(shell, sizes) {
    scopes.emplace_back();
  }

  Value emit(TileCode code, Value tensor, const ElementPosition &at);
  /// A number that belongs to no tensor.
  Value emitScalar(TileCode code, Value scalar);
  /// Returns what a region yields for `indices`, its arguments.
  Value emitRegion(TileCode code, mlir::Region &region,
                   llvm::SmallVector<Value> indices);

  /// A region of an op: values computed there are reused only there. In
  /// `lanes`, each lane has its own element.
  class Scope {
  public:
    Scope(ElementEmitter &emitter, bool lanes = false)
        : emitter(emitter), wereShared(emitter.areShared) {
      emitter.scopes.emplace_back();
      emitter.areShared &= !lanes;
    }
    ~Scope() {
      emitter.scopes.pop_back();
      emitter.areShared = wereShared;
    }

  private:
    ElementEmitter &emitter;
    bool wereShared;
  };

private:
  /// A region that is being written.
  struct Body {
    Body(mlir::Region &region, llvm::SmallVector<Value> loops)
        : region(&region), loops(std::move(loops)) {}

    mlir::Region *region;
    /// The loops of a structured op; else the region's arguments.
    llvm::SmallVector<Value> loops;
    /// Numbers of the region, for this run of it.
    llvm::DenseMap<Value, Value> known;
  };
  using Key = std::pair<const void *, llvm::SmallVector<uintptr_t, 4>>;

  Value emitNew(TileCode code, Value tensor, ElementPosition at);
  Value emitLoad(TileCode code, mlir::BlockArgument tensor,
                 ElementPosition &at);
  Value emitConstant(TileCode code, mlir::arith::ConstantOp op,
                     ElementPosition &at);
  Value emitElementwise(TileCode code, mlir::Operation *op,
                        ElementPosition &at);

  Value emitExtract(TileCode code, mlir::tensor::ExtractOp op);

  // Structured ops, in ElementLoops.cpp.
  Value emitStructured(TileCode code, mlir::linalg::LinalgOp op,
                       mlir::OpResult result, ElementPosition &at);
  /// Elements of all results, at the loops' values in `body`.
  llvm::SmallVector<Value> emitReduction(TileCode code,
                                         mlir::linalg::LinalgOp op, Body body);
  Value emitShared(TileCode code, mlir::linalg::LinalgOp op, Body body,
                   mlir::ArrayRef<unsigned> dims);
  llvm::SmallVector<Value> emitSerial(TileCode code, mlir::linalg::LinalgOp op,
                                      Body body, mlir::ArrayRef<unsigned> dims,
                                      mlir::ValueRange carried);
  /// The bound of a loop.
  Value emitExtent(TileCode code, mlir::linalg::LinalgOp op, unsigned dim);
  /// Returns an element of an operand of a structured op.
  Value emitOperand(TileCode code, mlir::OpOperand &operand, const Body &body);
  Value emitArgument(TileCode code, mlir::BlockArgument argument, Body &body);
  /// Returns the values that the region of `body` yields.
  llvm::SmallVector<Value> emitYielded(TileCode code, Body &body,
                                       mlir::ValueRange yielded);
  /// The innermost region being written, if it is `region`.
  Body *findBody(mlir::Region *region);
  Value emitNewScalar(TileCode code, mlir::Operation *op);
  llvm::SmallVector<Value> applyMap(TileCode code, mlir::AffineMap map,
                                    mlir::ArrayRef<Value> dims);

  static Key makeKey(Value tensor, const ElementPosition &at);
  Value lookup(const Key &key) const;
  void remember(Key key, Value value) { scopes.back()[std::move(key)] = value; }

  KernelShell &shell;
  ElementPlaces places;
  llvm::SmallVector<std::map<Key, Value>> scopes;
  /// Outermost first.
  llvm::SmallVector<Body *> bodies;
  /// True where all lanes of a warp compute the same.
  bool areShared = true;
  unsigned numElements = 0;
};

} // namespace parablock

#endif // PARABLOCK_LIB_CONVERSION_ELEMENTEMITTER_H
