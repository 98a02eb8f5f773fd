//===- StepFactsTest.cpp - Every op says what it is -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op of the dialect either implements StepOpInterface or is listed here as
// structure, with the reason. What ops say is not at odds with itself.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

using namespace parablock::block;

namespace {
class StepFactsTest : public testing::Test {
protected:
  StepFactsTest() { context.loadDialect<BlockDialect>(); }

  bool isStep(llvm::StringRef name) {
    return mlir::RegisteredOperationName::lookup(name, &context)
        ->hasInterface<StepOpInterface>();
  }

  mlir::MLIRContext context;
};
} // namespace

TEST_F(StepFactsTest, EveryOpIsAStepOrStructure) {
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
    EXPECT_NE(isStep, isStructure) << name.getStringRef().str();
  }
  EXPECT_EQ(listed, structure.size()) << "what is listed as structure exists";
}

TEST_F(StepFactsTest, CastsOfArithAreStepsAndNothingElseIs) {
  EXPECT_TRUE(isStep("arith.truncf"));
  EXPECT_TRUE(isStep("arith.extf"));
  EXPECT_FALSE(isStep("arith.addf"));
}

TEST(KernelKindTest, IsReadAsItIsWritten) {
  for (uint32_t number = 0; number <= getMaxEnumValForKernelKind(); ++number) {
    auto kind = static_cast<KernelKind>(number);
    EXPECT_EQ(symbolizeKernelKind(stringifyKernelKind(kind)), kind)
        << stringifyKernelKind(kind).str();
  }
}
