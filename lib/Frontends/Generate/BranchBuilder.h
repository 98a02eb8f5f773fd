//===- BranchBuilder.h - branches of layers as IR ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_BRANCHBUILDER_H
#define PARABLOCK_LIB_GENERATE_BRANCHBUILDER_H

#include "LayerBuilder.h"

namespace parablock::generate {

mlir::Value buildAttention(mlir::OpBuilder &builder, WeightReader &weights,
                           const AttentionSpec &spec, const BranchPlan &plan,
                           mlir::Value input, const LayerContext &context);

/// Builds attention whose spec has a latent.
mlir::Value buildLatentAttention(mlir::OpBuilder &builder,
                                 WeightReader &weights,
                                 const AttentionSpec &spec,
                                 const BranchPlan &plan, mlir::Value input,
                                 const LayerContext &context);

mlir::Value buildMlp(mlir::OpBuilder &builder, WeightReader &weights,
                     const MlpSpec &spec, const BranchPlan &plan,
                     mlir::Value input);

mlir::Value buildExperts(mlir::OpBuilder &builder, WeightReader &weights,
                         const ExpertsSpec &spec, const BranchPlan &plan,
                         mlir::Value input);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_BRANCHBUILDER_H
