//===- OptimizeModule.cpp - runs LLVM's pass builder ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/OptimizeModule.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace parablock;

/// Runs the passes that `build` adds to a builder.
template <typename Build>
static void run(llvm::Module &module, llvm::TargetMachine &machine,
                Build build) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  build(builder).run(module, modules);
}

void parablock::optimizeModule(llvm::Module &module,
                               llvm::TargetMachine &machine,
                               llvm::OptimizationLevel level) {
  run(module, machine, [&](llvm::PassBuilder &builder) {
    return builder.buildPerModuleDefaultPipeline(level);
  });
}

void parablock::optimizeModule(llvm::Module &module,
                               llvm::TargetMachine &machine,
                               llvm::StringRef passes) {
  run(module, machine, [&](llvm::PassBuilder &builder) {
    llvm::ModulePassManager manager;
    // The text is a constant of the caller's.
    llvm::cantFail(builder.parsePassPipeline(manager, passes));
    return manager;
  });
}
