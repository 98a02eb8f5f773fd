//===- RewriteCalls.cpp - rewrites composites and custom calls ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "Rewrites.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::hlo;

/// A function of one basic block that the module has.
static func::FuncOp getCallee(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && callee.getBody().hasOneBlock() ? callee : func::FuncOp();
}

bool hlo::isNamed(StringAttr symbol, ModuleOp module) {
  return module
      .walk([&](Operation *op) {
        return op->getAttrDictionary()
                       .walk([&](SymbolRefAttr name) {
                         return name.getRootReference() == symbol
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void hlo::inlineCalls(ModuleOp module) {
  SmallVector<func::CallOp> calls;
  module.walk([&](func::CallOp call) { calls.push_back(call); });
  int64_t ops = 0;
  while (!calls.empty()) {
    func::CallOp call = calls.pop_back_val();
    func::FuncOp callee = getCallee(call);
    if (!callee || callee->isAncestor(call))
      continue;
    OpBuilder builder(call);
    IRMapping mapping;
    Block &body = callee.getBody().front();
    ops += std::distance(body.begin(), body.end());
    if (ops > kMostOps)
      return;
    mapping.map(body.getArguments(), call.getOperands());
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping)->walk([&](func::CallOp nested) {
        calls.push_back(nested);
      });
    for (auto [result, value] : llvm::zip_equal(
             call.getResults(), body.getTerminator()->getOperands()))
      result.replaceAllUsesWith(mapping.lookupOrDefault(value));
    call.erase();
  }
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPrivate() && !isNamed(function.getSymNameAttr(), module))
      function.erase();
}

static void rewriteComposite(Operation *op) {
  auto callee =
      dyn_cast_or_null<FlatSymbolRefAttr>(Conversion(op).get("decomposition"));
  if (!callee)
    return;
  OpBuilder builder(op);
  auto call = func::CallOp::create(builder, op->getLoc(), callee,
                                   op->getResultTypes(), op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
}

/// Turns an assertion about shapes into a cf.assert; its message is for the
/// exporting tool.
static void rewriteAssertion(Operation *op) {
  auto type = op->getNumOperands() == 0 ? RankedTensorType()
                                        : Conversion::typeOf(op->getOperand(0));
  if (!type || type.getRank() != 0 || !type.getElementType().isInteger(1))
    return;
  OpBuilder builder(op);
  auto message =
      dyn_cast_or_null<StringAttr>(Conversion(op).get("error_message"));
  Value truth =
      tensor::ExtractOp::create(builder, op->getLoc(), op->getOperand(0));
  cf::AssertOp::create(builder, op->getLoc(), truth,
                       message ? message.getValue() : "shape assertion");
  op->erase();
}

static void rewriteCustomCall(Operation *op) {
  auto target =
      dyn_cast_or_null<StringAttr>(Conversion(op).get("call_target_name"));
  StringRef name = target ? target.getValue() : StringRef();
  if (name == "shape_assertion" && op->getNumResults() == 0)
    return rewriteAssertion(op);
  if (op->getNumResults() != 1 || op->getNumOperands() != 1)
    return;
  // Annotations for devices only.
  if (name == "Sharding" || name == "annotate_device_placement" ||
      name == "LayoutConstraint") {
    if (op->getOperand(0).getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(op->getOperand(0));
      op->erase();
    }
    return;
  }
  StringRef made = llvm::StringSwitch<StringRef>(name)
                       .Case("mhlo.erf", "chlo.erf")
                       .Case("mhlo.erfc", "chlo.erfc")
                       .Default("");
  if (made.empty())
    return;
  OpBuilder builder(op);
  OperationState state(op->getLoc(), made, op->getOperands(),
                       op->getResultTypes());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
}

void hlo::rewriteCalls(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == "stablehlo.composite" || name == "stablehlo.custom_call")
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (op->getName().stripDialect() == "composite")
      rewriteComposite(op);
    else
      rewriteCustomCall(op);
  }
}
