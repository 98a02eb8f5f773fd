//===- Unrecognised.cpp - what is left in upstream ops --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "parablock-c/Module.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/FindOperand.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace parablock;

/// True of constants, sizes and moves of whole tensors, which engines take.
static bool isTakenByEngines(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<tosa::ConstShapeOp, linalg::TransposeOp, tensor::EmptyOp,
             tensor::DimOp, tensor::SplatOp, tensor::ExtractSliceOp,
             tensor::ConcatOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
      op);
}

/// True of what holds blocks.
static bool isOurs(Operation *op) {
  return isa<ModuleOp>(op) ||
         isa_and_nonnull<block::BlockDialect, func::FuncDialect>(
             op->getDialect());
}

static bool isUpstream(Operation *op) {
  if (isTakenByEngines(op))
    return false;
  // Arithmetic of scalars is about sizes.
  bool hasTensor = llvm::any_of(
      op->getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  return hasTensor || !isa_and_nonnull<arith::ArithDialect>(op->getDialect());
}

/// True of masks, lengths and tables of rotations, as attention takes them.
static bool isBeside(OpOperand &use) {
  using Operand = block::AttentionOperand;
  static constexpr Operand beside[] = {Operand::ScoreBias, Operand::Lengths,
                                       Operand::CuSeqlens, Operand::RopeCos,
                                       Operand::RopeSin};
  return llvm::any_of(beside, [&](Operand which) {
    return use.get() == block::findOperand(use.getOwner(), which);
  });
}

/// True of what makes only such operands, by way of whatever else is left.
static bool prepares(Operation *op) {
  auto visit = [](OpOperand &use) {
    if (isBeside(use))
      return WalkResult::skip();
    return isOurs(use.getOwner()) || use.getOwner()->use_empty()
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return !op->use_empty() && llvm::none_of(op->getResults(), [&](Value result) {
    return walkUses(result, visit).wasInterrupted();
  });
}

ParablockStatus parablockModuleListUnrecognised(ParablockModule *module,
                                                char **json) {
  return capi::run(module, {json}, [&]() -> llvm::Error {
    llvm::json::Array found;
    module->module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isOurs(op))
        return WalkResult::advance();
      // Scalar work inside an op belongs to it.
      if (!isUpstream(op))
        return WalkResult::skip();
      llvm::json::Object entry{{"op", op->getName().getStringRef()},
                               {"prepares", prepares(op)}};
      if (auto place = dyn_cast<FileLineColLoc>(op->getLoc())) {
        entry["file"] = place.getFilename().str();
        entry["line"] = place.getLine();
      }
      found.push_back(std::move(entry));
      return WalkResult::skip();
    });
    *json = capi::copyJSON(std::move(found));
    return llvm::Error::success();
  });
}
