//===- LlamaParts.h - parts of llama-like families --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_GENERATE_LLAMAPARTS_H
#define PARABLOCK_LIB_GENERATE_LLAMAPARTS_H

#include "FamilyParts.h"

namespace parablock::generate {

/// RMSNorm that rounds before the gain.
NormSpec llamaNorm(const std::string &name, double eps);

/// self_attn.{q,k,v,o}_proj.
std::vector<StoredLinear> llamaProjections(bool qkvBias = false);

/// mlp.{gate,up,down}_proj.
MlpSpec llamaMlp(const Sizes &sizes,
                 block::Activation activation = block::Activation::Silu);

/// Two pre-norm steps with llama's norm names.
std::vector<StepSpec> serialLlamaSteps(AttentionSpec attention, MlpSpec mlp,
                                       double eps);

/// Embedding, layers, final norm and head under llama's names.
ModelSpec
makeLlamaLike(const Sizes &sizes, NormSpec finalNorm, bool tied,
              llvm::function_ref<std::vector<StepSpec>(int64_t)> makeSteps);

} // namespace parablock::generate

#endif // PARABLOCK_LIB_GENERATE_LLAMAPARTS_H
