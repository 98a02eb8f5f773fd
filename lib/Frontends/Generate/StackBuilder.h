//===- StackBuilder.h - embedding, layers and head as IR --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_STACKBUILDER_H
#define PARABLOCK_LIB_GENERATE_STACKBUILDER_H

#include "LayerBuilder.h"
#include "parablock/Frontends/Generate/ModelSpec.h"

namespace parablock::generate {

/// Embeds `input`, ids or pixels, for the stack. `head` is the reader of the
/// same table at the other end, or null.
Stream buildEmbedding(mlir::OpBuilder &builder, FunctionArguments &arguments,
                      const StackSpec &stack, int64_t width,
                      const HeadSpec *head, mlir::Value input,
                      mlir::Value typeIds);

/// Adds the layers, numbered from `firstIndex`.
mlir::FailureOr<Stream> buildLayers(mlir::OpBuilder &builder,
                                    FunctionArguments &arguments,
                                    const StackSpec &stack, int64_t firstIndex,
                                    Stream input, LayerContext context);

/// Final norm and projection.
Stream buildEnd(mlir::OpBuilder &builder, FunctionArguments &arguments,
                const StackSpec &stack, Stream input);

/// The ids that logits are compared with, and the divisor of the loss; without
/// targets there is no loss, without a divisor it is their number.
struct LossInputs {
  mlir::Value targets, divisor;
};

/// The logits, or their loss where there are targets.
mlir::Value buildHead(mlir::OpBuilder &builder, FunctionArguments &arguments,
                      const HeadSpec &head, Stream input,
                      const LossInputs &lossInputs);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_STACKBUILDER_H
