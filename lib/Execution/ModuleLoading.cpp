//===- ModuleLoading.cpp - parses modules and finds functions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/ModuleLoading.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Execution/Engine.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"
#include "parablock/Support/SourceText.h"
#include "llvm/Support/SourceMgr.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::Expected;
using llvm::StringRef;

Expected<mlir::OwningOpRef<mlir::ModuleOp>>
runner::loadModule(StringRef path, mlir::MLIRContext &context) {
  Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readSourceText(path);
  if (!buffer)
    return buffer.takeError();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module || failed(hlo::readAsUpstream(*module)))
    return llvm::make_error<DiagnosedError>();
  return module;
}

Expected<mlir::func::FuncOp>
runner::findFunction(mlir::ModuleOp module, StringRef name, StringRef path) {
  Expected<mlir::FunctionOpInterface> found = findModelFunction(module, name);
  if (!found)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(found.takeError()));
  auto function = llvm::dyn_cast<mlir::func::FuncOp>(found->getOperation());
  if (function)
    return function;
  return llvm::createStringError(path + ": expected '" + found->getName() +
                                 "' to be a 'func.func', got '" +
                                 (*found)->getName().getStringRef() + "'");
}
