//===- Checkpoints.cpp - list of checkpoints as JSON ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Differentiate/Checkpoints.h"
#include "Handles.h"
#include "parablock-c/Module.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Transforms/StepHalves.h"
#include "llvm/Support/JSON.h"

using namespace parablock;
using llvm::Expected;

static Expected<std::vector<block::Checkpoint>> list(mlir::ModuleOp module,
                                                     size_t most) {
  if (most < 2)
    return llvm::createStringError("expected at least 2 checkpoints, got " +
                                   llvm::Twine(most));
  Expected<mlir::FunctionOpInterface> model = findModelFunction(module);
  if (!model)
    return model.takeError();
  mlir::FunctionOpInterface step = findStep(*model);
  if (!step)
    return llvm::createStringError("expected a function '" + model->getName() +
                                   kStepSuffix + "' with gradients");
  return block::listCheckpoints(step, most);
}

ParablockStatus parablockModuleListCheckpoints(ParablockModule *module,
                                               size_t most, char **json) {
  return capi::run(module, {json}, [&]() -> llvm::Error {
    Expected<std::vector<block::Checkpoint>> found =
        list(*module->module, most);
    if (!found)
      return found.takeError();
    llvm::json::Array array;
    for (const block::Checkpoint &each : *found)
      array.push_back(llvm::json::Object{{"layers", each.layers},
                                         {"kept_bytes", each.keptBytes},
                                         {"recompute_flops", each.flops}});
    *json = capi::copyJSON(std::move(array));
    return llvm::Error::success();
  });
}
