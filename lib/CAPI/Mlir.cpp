//===- Mlir.cpp - exchange of contexts and modules with MLIR --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock-c/Mlir.h"

#include "Handles.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Tile/TileOps.h"
#include "parablock/InitAll.h"

using namespace parablock;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Block, block, block::BlockDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tile, tile, tile::TileDialect)

void parablockRegisterAllDialects(MlirDialectRegistry registry) {
  if (registry.ptr)
    (void)capi::contain([&] { registerAllDialects(*unwrap(registry)); });
}

void parablockRegisterAllPasses(void) {
  (void)capi::contain([] { capi::registerPassesOnce(); });
}

MlirContext parablockContextGetMlir(const ParablockContext *context) {
  return context ? wrap(&context->context) : MlirContext{nullptr};
}

ParablockContext *parablockContextCreateFromMlir(MlirContext context) {
  if (!context.ptr)
    return nullptr;
  ParablockContext *own = nullptr;
  bool isMade = capi::contain([&] {
    own = new ParablockContext(*unwrap(context));
    own->Retain();
  });
  return isMade ? own : nullptr;
}

MlirModule parablockModuleGetMlir(const ParablockModule *module) {
  return module ? wrap(module->module.get()) : MlirModule{nullptr};
}

ParablockStatus parablockModuleTakeMlir(ParablockContext *context,
                                        MlirModule taken,
                                        ParablockModule **module) {
  return capi::run(context, {}, [&]() -> llvm::Error {
    if (!taken.ptr || !module)
      return capi::createNullError();
    mlir::ModuleOp op = unwrap(taken);
    if (op.getContext() != &context->context)
      return llvm::createStringError(
          "expected a module of this context, got one of another");
    if (op->getBlock())
      return llvm::createStringError(
          "expected a module that stands alone, got one inside another op");
    *module = new ParablockModule{context, op};
    return llvm::Error::success();
  });
}

MlirModule parablockModuleRelease(ParablockModule *module) {
  if (!module)
    return MlirModule{nullptr};
  MlirModule released = wrap(module->module.release());
  delete module;
  return released;
}
