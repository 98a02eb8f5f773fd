//===- VjpModels.cpp - what models of gradients share ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "VjpModels.h"

using namespace mlir;
using namespace parablock::block;

#include "parablock/Transforms/Differentiate/VjpInterface.cpp.inc"

WantedGradients::WantedGradients(Adjoints &adjoints,
                                 ArrayRef<NamedOperand> operands) {
  for (auto [name, value] : operands) {
    if (!adjoints.isActive(value))
      continue;
    names.push_back(name);
    values.push_back(value);
    types.push_back(adjoints.getType(value));
  }
}

void WantedGradients::add(Adjoints &adjoints, ValueRange results) const {
  for (auto [value, result] : llvm::zip_equal(values, results))
    adjoints.add(value, result);
}

void parablock::block::registerVjpModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BlockDialect *) {
    attachAttentionVjps(*context);
    attachElementwiseVjps(*context);
    attachEmbeddingVjps(*context);
    attachFoldedVjps(*context);
    attachLinearVjps(*context);
    attachNormVjps(*context);
  });
  registerLookupVjps(registry);
  registerTosaVjps(registry);
  registerUpstreamVjps(registry);
}
