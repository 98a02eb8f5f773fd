//===- MainFunction.cpp - the function that a report is about -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelCounts.h"

using namespace mlir;

FunctionOpInterface parablock::findMainFunction(Operation *root) {
  if (auto function = dyn_cast<FunctionOpInterface>(root))
    return function;
  SmallVector<FunctionOpInterface> functions;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      if (!function.isExternal())
        functions.push_back(function);
  for (FunctionOpInterface function : functions)
    if (function.getName() == "main")
      return function;
  if (functions.size() == 1)
    return functions.front();
  root->emitError()
      << "expected a function main or a single function to report, got "
      << functions.size() << " functions";
  return nullptr;
}
