//===- Launches.cpp - what of a model is launched -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Launches.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static LogicalResult packWeights(ModuleOp module, StringRef recipePath,
                                 StringRef function) {
  PassManager manager(module.getContext());
  manager.addPass(
      createBlockPrepack({recipePath.str(), /*unpack=*/true, function.str()}));
  return manager.run(module);
}

/// Moves work on weights out of each model but `last`, to a function of its
/// own: @prepack is that of `last`.
static LogicalResult packOthers(ModuleOp module, StringRef last) {
  for (FunctionOpInterface model : listModelFunctions(module)) {
    std::string name = model.getName().str();
    if (name == last || !isa<func::FuncOp>(model.getOperation()) ||
        !SymbolTable::symbolKnownUseEmpty(model, module))
      continue;
    std::string own = name + kPrepackSuffix.str();
    if (Operation *known = module.lookupSymbol(own))
      SymbolTable::setSymbolName(known, kPrepack);
    if (failed(packWeights(module, /*recipePath=*/"", name)))
      return failure();
    if (Operation *packing = module.lookupSymbol(kPrepack))
      SymbolTable::setSymbolName(packing, own);
  }
  return success();
}

LogicalResult parablock::formLaunches(ModuleOp module, StringRef recipePath,
                                      StringRef function) {
  llvm::Expected<FunctionOpInterface> found =
      findModelFunction(module, function);
  std::string last = found ? found->getName().str() : "";
  llvm::consumeError(found.takeError());
  bool isOfOne = !function.empty() || module.lookupSymbol(kPrepack);
  if (!isOfOne && failed(packOthers(module, last)))
    return failure();
  if ((isOfOne || !last.empty()) &&
      failed(packWeights(module, recipePath,
                         function.empty() ? StringRef(last) : function)))
    return failure();
  PassManager manager(module.getContext());
  manager.addPass(createBlockFormLeftovers());
  return manager.run(module);
}

void parablock::registerLaunchedDialects(DialectRegistry &registry) {
  OpPassManager passes(ModuleOp::getOperationName());
  passes.addPass(createBlockPrepack());
  passes.addPass(createBlockFormLeftovers());
  passes.getDependentDialects(registry);
}
