//===- Rows.cpp - opens rows of modules and loads data --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "parablock/Dialect/Block/BlockOps.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Checks that marks give each argument's role: nothing else distinguishes
/// weights and inputs.
static Error checkArguments(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!function.getArgAttr(i, block::kParamAttr) &&
        !function.getArgAttr(i, block::kInputAttr))
      return llvm::createStringError(
          "function '" + function.getName() + "': expected argument " +
          Twine(i) +
          " to be marked as block.param or block.input, got neither");
  return Error::success();
}

/// Returns the first op with an open result whose sizes are numbers in TOSA's
/// shapes, or none. Its verifier accepts one beside the other.
static Operation *findFixedShape(func::FuncOp function) {
  Operation *fixed = nullptr;
  function.walk([&](Operation *op) {
    bool hasShape = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return isa<tosa::shapeType>(type);
    });
    bool isOpen = llvm::any_of(op->getResultTypes(), [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return shaped && !shaped.hasStaticShape();
    });
    if (!hasShape || !isOpen)
      return WalkResult::advance();
    fixed = op;
    return WalkResult::interrupt();
  });
  return fixed;
}

/// Why `function` does not hold, or nothing.
static std::string findFault(func::FuncOp function) {
  if (Operation *op = findFixedShape(function))
    return ("'" + op->getName().getStringRef() + "' has a shape of numbers")
        .str();
  std::string fault;
  ScopedDiagnosticHandler quiet(function.getContext(),
                                [&](Diagnostic &diagnostic) {
                                  if (fault.empty())
                                    fault = diagnostic.str();
                                  return success();
                                });
  return succeeded(verify(function)) ? "" : fault;
}

/// Requires the batches and sequences of `function`.
static Error fixRows(func::FuncOp function, DataRequest &data) {
  auto layers = function.getBody().getOps<block::LayerOp>();
  auto stream = layers.empty() ? RankedTensorType()
                               : dyn_cast<RankedTensorType>(
                                     (*layers.begin()).getResult(0).getType());
  if (!stream || !stream.hasStaticShape() || stream.getRank() != 3)
    return llvm::createStringError(
        "function '" + function.getName() +
        "': expected layers of [batch, sequence, width], open or fixed alike");
  data.batch = stream.getDimSize(0);
  bool isRead = llvm::any_of(function.getArguments(), [&](BlockArgument input) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    return type && type.getRank() != 0 && type.getDimSize(0) == data.batch &&
           !function.getArgAttr(input.getArgNumber(), block::kParamAttr);
  });
  if (!isRead)
    return llvm::createStringError(
        "function '" + function.getName() +
        "': expected an input of as many rows as layers have, " +
        Twine(data.batch));
  data.sequence = stream.getDimSize(1);
  data.defaultDims = {{"batch", data.batch}};
  return Error::success();
}

/// Returns the first input that is not rows, or none: its leading dimension is
/// not one of the stream's.
static std::string findWholeInput(func::FuncOp function) {
  auto layers = function.getBody().getOps<block::LayerOp>();
  if (layers.empty())
    return "";
  auto stream =
      dyn_cast<RankedTensorType>((*layers.begin()).getResult(0).getType());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      block::kInputAttr);
    if (name && type && type.getRank() != 0 && stream &&
        !stream.isDynamicDim(0) && type.getDimSize(0) != stream.getDimSize(0))
      return ("input '" + name.getValue() + "' is no batch of so many").str();
  }
  return "";
}

Expected<Dataset> drift::loadRows(OwningOpRef<ModuleOp> &module,
                                  func::FuncOp &function, DataRequest request,
                                  llvm::raw_ostream &remarks) {
  if (Error error = checkArguments(function))
    return error;
  request.defaultDims = getRowSizes(function);
  OwningOpRef<ModuleOp> opened = module->clone();
  auto open = opened->lookupSymbol<func::FuncOp>(function.getName());
  makeRowsDynamic(open);
  std::string fault = findWholeInput(function);
  if (fault.empty())
    fault = findFault(open);
  if (fault.empty()) {
    module = std::move(opened);
    function = open;
    return Dataset::create(function, request, remarks);
  }
  if (Error error = fixRows(function, request))
    return error;
  remarks << "remark: batches of " << request.batch
          << ", as ops of the model fix them: " << fault << "\n";
  opened = module->clone();
  open = opened->lookupSymbol<func::FuncOp>(function.getName());
  declareBatches(open, request.batch);
  return Dataset::create(open, request, remarks);
}
