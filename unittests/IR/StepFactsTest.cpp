//===- StepFactsTest.cpp - Every op says what it is -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op of the dialect either implements StepOpInterface or is listed here as
// structure, with the reason. What ops say is not at odds with itself.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringMap.h"

using namespace parablock::block;

int main() {
  mlir::MLIRContext context;
  context.loadDialect<BlockDialect>();
  const llvm::StringMap<llvm::StringRef> structure = {
      {"block.layer", "holds the steps of a layer"},
      {"block.kernel", "holds the steps of a launch"},
      {"block.yield", "ends a region"}};

  unsigned listed = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "block")
      continue;
    bool isStep = name.hasInterface<StepOpInterface>();
    bool isStructure = structure.contains(name.getStringRef());
    listed += isStructure;
    CHECK(name.getStringRef() + " is a step or structure, not both",
          isStep != isStructure);
  }
  CHECK_EQUAL("what is listed as structure exists", listed, structure.size());

  for (llvm::StringRef cast : {"arith.truncf", "arith.extf"})
    CHECK(cast + " is a step",
          mlir::RegisteredOperationName::lookup(cast, &context)
              ->hasInterface<StepOpInterface>());
  CHECK("other ops of arith are none",
        !mlir::RegisteredOperationName::lookup("arith.addf", &context)
             ->hasInterface<StepOpInterface>());

  for (uint32_t number = 0; number <= getMaxEnumValForKernelKind(); ++number) {
    auto kind = static_cast<KernelKind>(number);
    CHECK("kind " + stringifyKernelKind(kind) + " is read as it is written",
          symbolizeKernelKind(stringifyKernelKind(kind)) == kind);
  }
  return parablock::unittest::finish();
}
