//===- Trace.h - sizes of stream and updates --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_TRACE_H
#define PARABLOCK_COMPARE_TRACE_H

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Execution/Engine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace parablock::runner {

/// Root mean squares of a layer; none if it lacks that part.
struct LayerTrace {
  std::string label;
  int64_t index = 0;
  /// The size of the layer's input, and of the updates that its attentions and
  /// MLPs add to the stream: the operands of its residuals, times their scales.
  /// Several updates of one kind are combined by root of the sum of squares.
  /// Without residuals, the result of the attention or MLP; if both were fused
  /// into one sum, neither has an update.
  std::optional<double> input, attention, mlp;
};

/// Observes a run of one function.
class Tracer {
public:
  Tracer(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments);

  /// Must be called after every op of the function.
  void observe(mlir::Operation *op, llvm::ArrayRef<Tensor> results);

  /// One entry per block.layer, in the order of the function.
  std::vector<LayerTrace> finish() const;

private:
  struct Update {
    mlir::Value value;
    double scale;
  };
  struct LayerPlan {
    block::LayerOp layer;
    mlir::Value input;
    std::vector<Update> attention, mlp;
  };
  void planLayer(block::LayerOp layer);
  std::optional<double> measure(llvm::ArrayRef<Update> updates) const;

  std::vector<LayerPlan> plans;
  /// Mean squares of the values that the plans need.
  llvm::DenseMap<mlir::Value, std::optional<double>> meanSquares;
};

void printTrace(llvm::raw_ostream &os, llvm::ArrayRef<LayerTrace> layers);
llvm::json::Array toJSON(llvm::ArrayRef<LayerTrace> layers);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_TRACE_H
