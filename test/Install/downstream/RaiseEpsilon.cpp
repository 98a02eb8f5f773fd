//===- RaiseEpsilon.cpp - a pass of another project -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RaiseEpsilon.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace {
using namespace parablock::block;

/// Gives every norm an epsilon of at least 1e-3.
struct RaiseEpsilon
    : public mlir::PassWrapper<RaiseEpsilon,
                               mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaiseEpsilon)

  llvm::StringRef getArgument() const final {
    return "downstream-raise-epsilon";
  }
  llvm::StringRef getDescription() const final {
    return "gives every norm an epsilon of at least 1e-3";
  }

  void runOnOperation() final {
    getOperation()->walk([&](NormOp norm) {
      NormAttr form = norm.getForm();
      if (form.getEpsValue() >= 1e-3)
        return;
      norm.setFormAttr(NormAttr::get(
          &getContext(), form.getKind(), getReal(&getContext(), 1e-3),
          form.getEpsForm(), form.getGammaForm(), form.getRounding()));
    });
  }
};
} // namespace

void downstream::registerRaiseEpsilonPass() {
  mlir::PassRegistration<RaiseEpsilon>();
}
