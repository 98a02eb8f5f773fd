//===- ModelFunction.cpp - finds models, steps and their names ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Dialect/Block/ModelFunction.h"

#include "mlir/IR/SymbolTable.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

static constexpr StringLiteral kMain = "main";

static constexpr StringLiteral kSuffixes[] = {kStepSuffix, kForwardSuffix,
                                              kBackwardSuffix, kPrepackSuffix};

static SmallVector<FunctionOpInterface> listFunctions(Operation *module) {
  SmallVector<FunctionOpInterface> functions;
  for (Region &region : module->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      functions.push_back(function);
  return functions;
}

std::string parablock::getModelName(FunctionOpInterface step) {
  StringRef name = step.getName();
  for (StringRef suffix : kSuffixes)
    if (name.consume_back(suffix))
      break;
  return name.str();
}

static int64_t countResults(FunctionOpInterface function, StringRef attribute) {
  return llvm::count_if(
      llvm::seq(function.getNumResults()), [&](unsigned result) {
        return static_cast<bool>(function.getResultAttr(result, attribute));
      });
}

bool parablock::isTrainingFunction(FunctionOpInterface function) {
  return countResults(function, kGradAttr) > 0 ||
         countResults(function, kSavedAttr) > 0;
}

bool parablock::isInTrainingFunction(Operation *op) {
  auto function =
      op ? op->getParentOfType<FunctionOpInterface>() : FunctionOpInterface();
  return function && isTrainingFunction(function);
}

/// Returns whether a pass derived `function` from another one.
static bool isMadeOfModel(FunctionOpInterface function) {
  if (function.getName() == kPrepack || function.getName() == kUnpackGrads ||
      isTrainingFunction(function))
    return true;
  std::string model = getModelName(function);
  Operation *module = function->getParentOp();
  if (model == function.getName() || !module)
    return false;
  // Without their model, derived functions may exist next to its step.
  auto exists = [&](const Twine &name) {
    return llvm::any_of(listFunctions(module), [&](auto other) {
      return other != function && other.getName() == name.str();
    });
  };
  return exists(model) || exists(model + kStepSuffix);
}

SmallVector<FunctionOpInterface>
parablock::listModelFunctions(Operation *module) {
  auto models =
      llvm::filter_to_vector(listFunctions(module), [](auto function) {
        return !function.isExternal() && !isMadeOfModel(function);
      });
  auto isPublic = [](FunctionOpInterface function) {
    return function.isPublic() || function.getName() == kMain;
  };
  if (llvm::any_of(models, isPublic))
    llvm::erase_if(models, [&](FunctionOpInterface function) {
      return !isPublic(function);
    });
  return models;
}

static std::string listNames(ArrayRef<FunctionOpInterface> functions) {
  if (functions.empty())
    return "none";
  return llvm::join(llvm::map_range(functions,
                                    [](FunctionOpInterface function) {
                                      return function.getName().str();
                                    }),
                    ", ");
}

static llvm::Expected<FunctionOpInterface> findNamed(Operation *root,
                                                     StringRef name) {
  SmallVector<FunctionOpInterface> functions = listFunctions(root);
  if (auto function = dyn_cast<FunctionOpInterface>(root))
    functions = {function};
  for (FunctionOpInterface function : functions) {
    if (function.getName() != name)
      continue;
    if (function.isExternal())
      return llvm::createStringError("function '" + name + "' has no body");
    return function;
  }
  return llvm::createStringError("expected a function '" + name + "', got " +
                                 listNames(functions));
}

llvm::Expected<FunctionOpInterface>
parablock::findModelFunction(Operation *root, StringRef name) {
  if (!name.empty())
    return findNamed(root, name);
  if (auto function = dyn_cast<FunctionOpInterface>(root))
    return function;
  SmallVector<FunctionOpInterface> models = listModelFunctions(root);
  for (FunctionOpInterface function : models)
    if (function.getName() == kMain)
      return function;
  if (models.size() == 1)
    return models.front();
  // Without the model, its step; then a single function, such as @prepack.
  SmallVector<FunctionOpInterface> bodies =
      llvm::filter_to_vector(listFunctions(root), [](auto function) {
        return !function.isExternal();
      });
  if (models.empty() && llvm::count_if(bodies, isStepFunction) == 1)
    return *llvm::find_if(bodies, isStepFunction);
  if (bodies.size() == 1)
    return bodies.front();
  if (bodies.empty())
    return llvm::createStringError("expected a function with a body, got none");
  return llvm::createStringError(
      "expected a function 'main' or a single model, got " +
      listNames(models.empty() ? bodies : models) +
      ": choose one by 'function='");
}

FunctionOpInterface parablock::findMainFunction(Operation *root,
                                                StringRef name) {
  llvm::Expected<FunctionOpInterface> found = findModelFunction(root, name);
  if (found)
    return *found;
  root->emitError() << llvm::toString(found.takeError());
  return nullptr;
}

func::FuncOp parablock::findMainFuncOp(Operation *root, StringRef name) {
  FunctionOpInterface found = findMainFunction(root, name);
  auto function = dyn_cast_if_present<func::FuncOp>(found.getOperation());
  if (found && !function)
    found->emitError() << "expected a 'func.func', got '" << found->getName()
                       << "'";
  return function;
}

bool parablock::isStepFunction(FunctionOpInterface function) {
  if (function.isExternal() || !function.getFunctionBody().hasOneBlock())
    return false;
  int64_t gradients = countResults(function, kGradAttr);
  return gradients > 0 && gradients < function.getNumResults();
}

FunctionOpInterface parablock::findStep(FunctionOpInterface model) {
  if (isStepFunction(model))
    return model;
  Operation *module = model->getParentOp();
  if (!module)
    return nullptr;
  for (FunctionOpInterface function : listFunctions(module))
    if (isStepFunction(function) && getModelName(function) == model.getName())
      return function;
  return nullptr;
}

func::FuncOp parablock::findStepOrFail(Operation *root, StringRef name) {
  FunctionOpInterface model = findMainFunction(root, name);
  if (!model)
    return nullptr;
  FunctionOpInterface step = findStep(model);
  auto function = dyn_cast_if_present<func::FuncOp>(step.getOperation());
  if (!function)
    root->emitError() << "expected a function of one block with gradients and "
                         "other results, which block-differentiate makes of @"
                      << model.getName() << ", got none";
  return function;
}

static func::FuncOp findOwnPrepack(FunctionOpInterface model) {
  std::string name = model.getName().str() + kPrepackSuffix.str();
  return dyn_cast_if_present<func::FuncOp>(
      SymbolTable::lookupSymbolIn(model->getParentOp(), name));
}

func::FuncOp parablock::findPackingFunction(FunctionOpInterface model) {
  Operation *module = model->getParentOp();
  if (!module || !module->hasTrait<OpTrait::SymbolTable>())
    return nullptr;
  if (func::FuncOp own = findOwnPrepack(model))
    return own;
  return dyn_cast_if_present<func::FuncOp>(
      SymbolTable::lookupSymbolIn(module, kPrepack));
}

void parablock::eraseOtherModels(FunctionOpInterface kept) {
  Operation *module = kept->getParentOp();
  std::string model = getModelName(kept);
  func::FuncOp own = findOwnPrepack(kept);
  // Attributes tell a step, whether or not its model is there.
  bool needsModel = !isTrainingFunction(kept);
  SmallVector<FunctionOpInterface> others = listModelFunctions(module);
  module->walk([&](FunctionOpInterface function) {
    if (isTrainingFunction(function))
      others.push_back(function);
  });
  for (FunctionOpInterface function : others) {
    bool isOwn = function.getName() == model;
    if (function == kept || (isOwn && needsModel) ||
        !SymbolTable::symbolKnownUseEmpty(function, module))
      continue;
    if (func::FuncOp packing = findOwnPrepack(function); packing && !isOwn)
      packing.erase();
    function.erase();
  }
  if (!own)
    return;
  // One that is there packs parameters of a model that is gone.
  if (Operation *other = SymbolTable::lookupSymbolIn(module, kPrepack))
    other->erase();
  SymbolTable::setSymbolName(own, kPrepack);
}
