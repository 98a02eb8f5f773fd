//===- DeviceForm.cpp - extracts the program of one packed tensor ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/DeviceForm.h"

#include "Evaluate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::recipe;

/// True for an op whose bits are the same wherever it runs.
static bool isExact(Operation *op) {
  if (auto product = dyn_cast<tosa::MulOp>(op))
    return matchPattern(product.getShift(), m_Zero());
  return isa<arith::AddFOp, arith::AddIOp, arith::AndIOp, arith::CmpFOp,
             arith::CmpIOp, arith::ConstantOp, arith::DivFOp, arith::DivUIOp,
             arith::ExtFOp, arith::ExtSIOp, arith::IndexCastOp, arith::MulFOp,
             arith::MulIOp, arith::NegFOp, arith::OrIOp, arith::RemUIOp,
             arith::SIToFPOp, arith::SelectOp, arith::ShLIOp, arith::ShRSIOp,
             arith::SubFOp, arith::TruncFOp, arith::TruncIOp, arith::XOrIOp,
             linalg::GenericOp, linalg::IndexOp, linalg::TransposeOp,
             linalg::YieldOp, tensor::CollapseShapeOp, tensor::ConcatOp,
             tensor::EmptyOp, tensor::ExpandShapeOp, tensor::ExtractOp,
             tensor::ExtractSliceOp, tosa::AddOp, tosa::ConcatOp, tosa::ConstOp,
             tosa::ConstShapeOp, tosa::ReshapeOp, tosa::SubOp,
             tosa::TransposeOp>(op);
}

/// Devices compute with floats of 16 bits in f32, which has bf16's exponents:
/// a small product would be rounded twice.
static bool roundsTwice(Operation *op) {
  return isa<arith::MulFOp, arith::DivFOp, tosa::MulOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isBF16();
}

/// The evaluator rounds a sum once, at its end.
static bool roundsSums(linalg::GenericOp op) {
  return op.getNumReductionLoops() > 0 &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           return !getElementTypeOrSelf(type).isF64();
         });
}

/// Returns why an op, or one within it, has no code of the same bits; empty if
/// it has.
static std::string findReason(Operation *root) {
  std::string reason;
  root->walk([&](Operation *op) {
    auto structured = dyn_cast<linalg::GenericOp>(op);
    std::string name = "'" + op->getName().getStringRef().str() + "'";
    if (!isExact(op))
      reason = name + " may round differently on a device";
    else if (roundsTwice(op))
      reason = name + " of bf16 may round differently on a device";
    else if (structured && roundsSums(structured))
      reason = name + " rounds its sums, which a device does at each step";
    return reason.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return reason;
}

/// Returns the ops that a value depends on, in program order.
static SmallVector<Operation *> collectWork(func::FuncOp prepack, Value value) {
  llvm::SetVector<Operation *> found;
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    op = op ? prepack.front().findAncestorOpInBlock(*op) : nullptr;
    if (!op || !found.insert(op))
      continue;
    op->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
  SmallVector<Operation *> work = found.takeVector();
  llvm::sort(work,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return work;
}

DeviceForm recipe::makeDeviceForm(const Recipe &recipe, unsigned result) {
  func::FuncOp prepack = recipe.prepack;
  Value value = prepack.front().getTerminator()->getOperand(result);
  SmallVector<Operation *> work = collectWork(prepack, value);
  for (Operation *op : work)
    if (std::string reason = findReason(op); !reason.empty())
      return {"", reason};
  bool readsConstants = false;
  forEachRead(value, [&](BlockArgument argument) {
    readsConstants |= getArgName(prepack, argument.getArgNumber()).empty();
  });
  if (readsConstants)
    return {"", "it depends on a constant of the package"};

  SmallVector<BlockArgument> originals = findOriginals(recipe, result);
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(prepack.getContext()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  SmallVector<Type> types;
  for (BlockArgument original : originals)
    types.push_back(original.getType());
  auto function =
      func::FuncOp::create(builder, module->getLoc(), "pack",
                           builder.getFunctionType(types, value.getType()));
  Block *body = function.addEntryBlock();
  IRMapping mapping;
  for (auto [original, argument] :
       llvm::zip_equal(originals, body->getArguments()))
    mapping.map(original, argument);
  builder.setInsertionPointToStart(body);
  for (Operation *op : work)
    builder.clone(*op, mapping);
  func::ReturnOp::create(builder, module->getLoc(), mapping.lookup(value));
  DeviceForm form;
  llvm::raw_string_ostream os(form.module);
  module->print(os);
  return form;
}
