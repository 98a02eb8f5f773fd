//===- AddLengths.cpp - attentions that know how long rows are ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "parablock-c/Shapes.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Judges/Runner/ModuleLoading.h"

using namespace mlir;
using namespace parablock;
using llvm::Error;

/// An argument with one number for each row of the first one.
static BlockArgument addArgument(func::FuncOp function, StringRef name) {
  MLIRContext *context = function.getContext();
  auto first = cast<RankedTensorType>(function.getArgument(0).getType());
  int64_t batch = first.getDimSize(0);
  NamedAttrList attributes;
  attributes.set(block::kInputAttr, StringAttr::get(context, name));
  if (ShapedType::isDynamic(batch)) {
    auto names = function.getArgAttrOfType<ArrayAttr>(0, block::kDimsAttr);
    attributes.set(block::kDimsAttr,
                   ArrayAttr::get(context, names.getValue().take_front()));
  }
  unsigned index = function.getNumArguments();
  // Any argument list without a memory of sparsity can grow.
  (void)function.insertArgument(
      index, RankedTensorType::get({batch}, IntegerType::get(context, 64)),
      attributes.getDictionary(context), function.getLoc());
  return function.getArgument(index);
}

static Error addLengths(ParablockModule &module, StringRef name,
                        ArrayRef<size_t> numbers) {
  llvm::Expected<func::FuncOp> function =
      runner::findFunction(*module.module, "main", "the module");
  if (!function)
    return function.takeError();
  if (function->getNumArguments() == 0 ||
      !isa<RankedTensorType>(function->getArgument(0).getType()))
    return llvm::createStringError("the function has no input to measure");
  SmallVector<block::AttentionOp> attentions;
  function->walk([&](block::AttentionOp op) { attentions.push_back(op); });
  for (size_t number : numbers)
    if (number >= attentions.size() || attentions[number].getLengths())
      return llvm::createStringError(
          "expected an attention without lengths, got number " +
          llvm::Twine(number) + " of " + llvm::Twine(attentions.size()));
  BlockArgument lengths = addArgument(*function, name);
  for (size_t number : numbers)
    attentions[number].getLengthsMutable().assign(lengths);
  return Error::success();
}

ParablockStatus parablockModuleAddLengths(ParablockModule *module,
                                          const char *name,
                                          const size_t *attentions,
                                          size_t numAttentions) {
  if (!module)
    return ParablockBadInput;
  module->owner->begin();
  if (!name || (numAttentions != 0 && !attentions))
    return module->owner->finish(capi::createNullError());
  return module->owner->finish(
      addLengths(*module, name, ArrayRef(attentions, numAttentions)));
}
