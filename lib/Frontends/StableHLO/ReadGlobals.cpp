//===- ReadGlobals.cpp - globals of ml_program as constants ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file reads the globals that torch-mlir and others write next to
// functions. A global without stores is a constant; one with stores is state,
// which functions here can only have in arguments and results.
//
//===----------------------------------------------------------------------===//

#include "Rewrites.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace parablock;
using ml_program::GlobalOp;

bool hlo::hasGlobals(ModuleOp module) {
  return !module.getOps<GlobalOp>().empty();
}

/// Fails, with an error, unless `user` reads `global`.
static LogicalResult checkUser(GlobalOp global, Operation *user) {
  if (isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(user))
    return success();
  if (isa<ml_program::GlobalStoreOp, ml_program::GlobalStoreGraphOp>(user))
    return user->emitOpError()
           << "stores to global '" << global.getSymName()
           << "': expected a function without state; export the model for "
              "inference, without random numbers";
  return user->emitOpError()
         << "uses global '" << global.getSymName()
         << "': expected ml_program.global_load or global_load_const";
}

/// Replaces a load of `global` by its number.
static LogicalResult replaceLoad(GlobalOp global, Operation *load) {
  auto value = dyn_cast_or_null<TypedAttr>(global.getValueAttr());
  if (global.getIsMutable() && !global.isPrivate())
    return load->emitOpError()
           << "reads global '" << global.getSymName()
           << "', which is mutable and public: expected a private one, or one "
              "that is not mutable";
  Type type = load->getResult(0).getType();
  if (!value || !arith::ConstantOp::isBuildableWith(value, value.getType()))
    return load->emitOpError()
           << "reads global '" << global.getSymName()
           << "': expected a value in this file, numbers or a tensor of them";
  OpBuilder builder(load);
  Value made = arith::ConstantOp::create(builder, load->getLoc(), value);
  if (made.getType() != type) {
    if (!tensor::CastOp::areCastCompatible(made.getType(), type))
      return load->emitOpError()
             << "reads " << type << " of global '" << global.getSymName()
             << "', which is " << made.getType();
    made = tensor::CastOp::create(builder, load->getLoc(), type, made);
  }
  load->getResult(0).replaceAllUsesWith(made);
  load->erase();
  return success();
}

/// The ops of `ml_program` that name `global`.
static SmallVector<Operation *> findUsers(ModuleOp module, GlobalOp global) {
  SmallVector<Operation *> users;
  module.walk([&](Operation *op) {
    auto name = op->getAttrOfType<SymbolRefAttr>("global");
    if (isa_and_nonnull<ml_program::MLProgramDialect>(op->getDialect()) &&
        name && name.getLeafReference() == global.getSymNameAttr())
      users.push_back(op);
  });
  return users;
}

LogicalResult hlo::readGlobals(ModuleOp module) {
  for (GlobalOp global :
       llvm::make_early_inc_range(module.getOps<GlobalOp>())) {
    SmallVector<Operation *> users = findUsers(module, global);
    for (Operation *user : users)
      if (failed(checkUser(global, user)))
        return failure();
    for (Operation *user : users)
      if (failed(replaceLoad(global, user)))
        return failure();
    // Globals that other files may read are kept.
    if (global.isPrivate() && !isNamed(global.getSymNameAttr(), module))
      global.erase();
  }
  return success();
}
