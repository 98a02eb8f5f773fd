//===- LayerBuilder.h - one layer as IR -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_LAYERBUILDER_H
#define PARABLOCK_LIB_GENERATE_LAYERBUILDER_H

#include "FunctionArguments.h"
#include "StepPlan.h"
#include "WeightReader.h"
#include "mlir/IR/Builders.h"

namespace parablock::generate {

/// A value and the root mean square it is expected to have.
struct Stream {
  mlir::Value value;
  double rms = 1;
};

/// Facts that the layers of a stack have in common.
struct LayerContext {
  int64_t width = 0;
  double updateRatio = 1;
  mlir::Value lengths;   // null: no padding
  mlir::Value cuSeqlens; // null: one sequence in each batch row
  Stream memory;         // input of cross-attentions
  mlir::Value memoryLengths;
  const PackedSpec *packed = nullptr; // null: matrices are stored unquantised
};

/// Adds `norm` of `input`; gain and bias are drawn so that the result has
/// approximately that size.
Stream buildNorm(mlir::OpBuilder &builder, WeightReader &weights,
                 const NormSpec &norm, Stream input, double size = 1);

/// Adds the block.layer of `spec`; fails with a diagnostic at `function`.
mlir::FailureOr<Stream> buildLayer(mlir::OpBuilder &builder,
                                   FunctionArguments &arguments,
                                   const LayerSpec &spec, int64_t index,
                                   Stream input, const LayerContext &context);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_LAYERBUILDER_H
