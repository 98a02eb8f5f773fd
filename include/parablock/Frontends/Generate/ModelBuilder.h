//===- ModelBuilder.h - builder of model IR ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_GENERATE_MODELBUILDER_H
#define PARABLOCK_GENERATE_MODELBUILDER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "parablock/Frontends/Generate/ModelSpec.h"

namespace parablock::generate {

enum class Scope {
  Model, // from ids to logits
  Block  // the layers alone, from hidden states to hidden states
};

enum class FloatKind { F32, BF16, F16 };

/// Sizes and types of generated IR. A size of none is `?`.
struct BuildOptions {
  Scope scope = Scope::Model;
  FloatKind dtype = FloatKind::F32;
  std::optional<int64_t> batch = 1;
  std::optional<int64_t> sequence = 1;
  std::optional<int64_t> encoderSequence = 1;
  bool padding = false; // adds `lengths` and `encoder_lengths`
  bool packed = false;  // adds `cu_seqlens`
  std::optional<int64_t> packedSequences = 1; // that share the batch row
  bool loss = false;    // adds `targets`, and returns `loss` in place of logits
  bool divisor = false; // adds `loss_divisor`
};

/// Returns whether a layer of `stack` attends to the states of an encoder.
bool hasCrossAttention(const StackSpec &stack);

/// Registers and loads the dialects that generated IR uses.
void loadDialects(mlir::MLIRContext &context);

/// Builds a module with one function @main at level 1, verified. Returns null,
/// after a diagnostic, if the description is inconsistent.
mlir::OwningOpRef<mlir::ModuleOp> buildModel(mlir::MLIRContext &context,
                                             const ModelSpec &spec,
                                             const BuildOptions &options);

} // namespace parablock::generate

#endif // PARABLOCK_GENERATE_MODELBUILDER_H
