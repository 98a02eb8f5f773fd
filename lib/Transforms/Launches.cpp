//===- Launches.cpp - packs weights and counts launches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Launches.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "parablock/Dialect/Block/ExpandStreams.h"
#include "parablock/Dialect/Block/ExpandWeightOps.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Dialect/Block/SinkCodes.h"
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

/// Returns the steps of a module, and their halves.
static SmallVector<FunctionOpInterface> listSteps(ModuleOp module) {
  return llvm::filter_to_vector(module.getOps<FunctionOpInterface>(),
                                isTrainingFunction);
}

/// Moves weight-only work out of each model and step except `last` into a
/// separate function; that of `last` is @prepack.
static LogicalResult packOthers(ModuleOp module, StringRef last) {
  SmallVector<FunctionOpInterface> models = listModelFunctions(module);
  llvm::append_range(models, listSteps(module));
  for (FunctionOpInterface model : models) {
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

/// Forms the launches of a step. No function packs its work on gradients by
/// weights before.
static LogicalResult formStep(FunctionOpInterface step, ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateExpandWeightOpsPatterns(patterns);
  SmallVector<Operation *> ops;
  step->walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Kernels read codes themselves.
    if (isa<block::KernelOp>(op) || block::isReadAsCodes(op))
      return WalkResult::skip();
    if (op != step)
      ops.push_back(op);
    return WalkResult::advance();
  });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableFolding(false);
  if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
    return failure();
  PassManager manager(module.getContext());
  manager.addPass(createBlockFormLeftovers({step.getName().str()}));
  return manager.run(module);
}

/// Transposes stacks of experts that other engines read as they are stored, as
/// kernels of GPUs do not.
static LogicalResult turnStacks(ModuleOp module) {
  bool isTurned = module
                      .walk([](ExpertsOp op) {
                        return op.getForm().getTransposed()
                                   ? WalkResult::interrupt()
                                   : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (!isTurned)
    return success();
  PassManager manager(module.getContext());
  manager.addPass(createBlockExpandExperts({/*keep=*/true}));
  return manager.run(module);
}

LogicalResult parablock::formLaunches(ModuleOp module, StringRef recipePath,
                                      StringRef function) {
  llvm::Expected<FunctionOpInterface> found =
      findModelFunction(module, function);
  std::string last = found ? found->getName().str() : "";
  llvm::consumeError(found.takeError());
  if (failed(turnStacks(module)))
    return failure();
  block::sinkLaneCodes(module);
  block::expandStreams(module);
  bool isOfOne = !function.empty() || module.lookupSymbol(kPrepack);
  if (!isOfOne && failed(packOthers(module, last)))
    return failure();
  if ((isOfOne || !last.empty()) &&
      failed(packWeights(module, recipePath,
                         function.empty() ? StringRef(last) : function)))
    return failure();
  for (FunctionOpInterface step : listSteps(module))
    if ((function.empty() || step.getName() == function) &&
        failed(formStep(step, module)))
      return failure();
  PassManager manager(module.getContext());
  manager.addPass(createBlockFormLeftovers());
  return manager.run(module);
}

/// Counts `function` in a copy of its module in which all leftovers have
/// kernels.
static FailureOr<ModelCounts> countFormed(FunctionOpInterface function,
                                          ModuleOp module) {
  // The passes report ops without kernels to the compiling caller.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  std::string name = function.getName().str();
  auto find = [&] { return copy->lookupSymbol<FunctionOpInterface>(name); };
  if (!find())
    return failure();
  eraseOtherModels(find());
  if (failed(formLaunches(*copy, /*recipePath=*/"", name)))
    return failure();
  // Equal launches are one.
  PassManager manager(module.getContext());
  manager.addPass(createCSEPass());
  if (failed(manager.run(*copy)))
    return failure();
  FailureOr<ModelCounts> counts = countModel(find());
  // Layers are ops of the copy.
  if (succeeded(counts))
    for (LayerCounts &layer : counts->layers)
      layer.layer = {};
  return counts;
}

FailureOr<ModelCounts> parablock::countLaunched(FunctionOpInterface function) {
  FailureOr<ModelCounts> counts = countModel(function);
  auto module = function->getParentOfType<ModuleOp>();
  if (failed(counts) || counts->level < 3 || counts->leftovers.outside == 0 ||
      !module)
    return counts;
  FailureOr<ModelCounts> formed = countFormed(function, module);
  if (failed(formed) || formed->layers.size() != counts->layers.size())
    return counts;
  counts->steps.launches = formed->steps.launches;
  for (auto [layer, own] : llvm::zip_equal(counts->layers, formed->layers))
    layer.steps.launches = own.steps.launches;
  return counts;
}

void parablock::registerLaunchedDialects(DialectRegistry &registry) {
  OpPassManager passes(ModuleOp::getOperationName());
  passes.addPass(createBlockPrepack());
  passes.addPass(createBlockFormLeftovers());
  passes.getDependentDialects(registry);
}
