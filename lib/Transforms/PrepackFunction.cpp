//===- PrepackFunction.cpp - finds, creates and checks @prepack -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PrepackFunction.h"

#include "RecipeWork.h"
#include "mlir/IR/Builders.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/ModelFunction.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

BitVector block::collectParameters(func::FuncOp function) {
  BitVector parameters(function.getNumArguments());
  for (unsigned i = 0, e = parameters.size(); i < e; ++i)
    if (function.getArgAttr(i, kParamAttr))
      parameters.set(i);
  return parameters;
}

/// Returns whether `prepack` computes all arguments of `main`.
static bool makesAll(func::FuncOp prepack, func::FuncOp main) {
  if (prepack.isExternal())
    return false;
  llvm::DenseSet<Attribute> made;
  for (unsigned i = 0, e = prepack.getNumResults(); i < e; ++i)
    made.insert(prepack.getResultAttr(i, kOutputAttr));
  BitVector parameters = collectParameters(main);
  return llvm::all_of(parameters.set_bits(), [&](unsigned i) {
    return made.contains(main.getArgAttr(i, kParamAttr));
  });
}

/// Checks that files can hold the parameters and that names identify tensors.
static LogicalResult checkParameters(func::FuncOp main) {
  BitVector parameters = collectParameters(main);
  for (unsigned i : parameters.set_bits())
    if (!main.getArgAttrOfType<StringAttr>(i, kParamAttr) ||
        !isStored(main.getArgument(i).getType()))
      return main.emitError()
             << "expected parameter " << main.getArgAttr(i, kParamAttr)
             << " to be a tensor of static shape, got "
             << main.getArgument(i).getType();
  return success();
}

/// A @prepack that returns the parameters of `main` as they are.
static func::FuncOp makeIdentity(func::FuncOp main) {
  OpBuilder builder(main->getContext());
  builder.setInsertionPointAfter(main);
  SmallVector<Type> types;
  SmallVector<Location> locations;
  SmallVector<DictionaryAttr> arguments, results;
  BitVector parameters = collectParameters(main);
  for (unsigned i : parameters.set_bits()) {
    types.push_back(main.getArgument(i).getType());
    locations.push_back(main.getArgument(i).getLoc());
    arguments.push_back(main.getArgAttrDict(i));
    results.push_back(builder.getDictionaryAttr(
        builder.getNamedAttr(kOutputAttr, main.getArgAttr(i, kParamAttr))));
  }
  auto prepack = func::FuncOp::create(builder, main.getLoc(), kPrepack,
                                      builder.getFunctionType(types, types));
  prepack.setAllArgAttrs(arguments);
  prepack.setAllResultAttrs(results);
  Block *body = builder.createBlock(&prepack.getBody(), {}, types, locations);
  func::ReturnOp::create(builder, main.getLoc(), body->getArguments());
  return prepack;
}

FailureOr<func::FuncOp> block::findPrepack(func::FuncOp main) {
  Operation *taken = main->getParentOfType<ModuleOp>().lookupSymbol(kPrepack);
  auto prepack = dyn_cast_or_null<func::FuncOp>(taken);
  if (taken && (!prepack || !makesAll(prepack, main)))
    return taken->emitError()
           << "expected the name @prepack to be free, or a function that makes "
              "every parameter of @"
           << main.getName();
  return prepack;
}

FailureOr<func::FuncOp> block::makePrepack(func::FuncOp main) {
  if (failed(checkParameters(main)))
    return failure();
  return makeIdentity(main);
}

IRMapping block::mapParameters(func::FuncOp prepack, func::FuncOp main) {
  DenseMap<Attribute, Value> made;
  for (OpOperand &result : prepack.front().getTerminator()->getOpOperands())
    made[prepack.getResultAttr(result.getOperandNumber(), kOutputAttr)] =
        result.get();
  IRMapping mapping;
  BitVector parameters = collectParameters(main);
  for (unsigned i : parameters.set_bits())
    mapping.map(main.getArgument(i),
                made.lookup(main.getArgAttr(i, kParamAttr)));
  return mapping;
}

Value block::cloneWork(OpBuilder &builder, IRMapping &mapping, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : findReads(op))
    cloneWork(builder, mapping, operand);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}
