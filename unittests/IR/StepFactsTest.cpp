//===- StepFactsTest.cpp - Every op says what it is -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op of the dialect either implements StepOpInterface or is listed here as
// structure, with the reason. What ops say is not at odds with itself.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/FindOperand.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"

using namespace parablock::block;

namespace {
class StepFactsTest : public testing::Test {
protected:
  StepFactsTest() {
    context.loadDialect<BlockDialect>();
    context.allowUnregisteredDialects();
  }

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
      {"block.yield", "ends a region"},
      {"block.rows_to_experts", "moves rows between ranks, in no kernel"},
      {"block.rows_from_experts", "moves rows between ranks, in no kernel"}};

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

TEST_F(StepFactsTest, OpsOfAttentionShareOneInterface) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(
          R"(%x, %w, %g = "test.make"()
             : () -> (tensor<1x4x8xf32>, tensor<8x8xf32>, tensor<2xf32>)
         %lengths = "test.make"() : () -> tensor<1xi64>
         block.attention %x q %w k %w beta %g
             {heads = 2, scores = #block.scores<scale = 0.5>}
             : tensor<1x4x8xf32>, tensor<8x8xf32>
         block.sdpa %x, %x, %x beta %g past_lengths %lengths
             {heads = 2, scores = #block.scores<scale = 0.5>}
             : tensor<1x4x8xf32>
         block.sdpa_grad %x of %x, %x, %x beta %g
             {wrt = ["query"], heads = 2, scores = #block.scores<scale = 0.5>}
             : tensor<1x4x8xf32>)",
          mlir::ParserConfig(&context));
  ASSERT_TRUE(module);
  llvm::SmallVector<bool> areCores;
  module->walk([&](AttentionOpInterface op) {
    areCores.push_back(isAttentionCore(op));
    EXPECT_EQ(op.getHeads(), 2);
    ASSERT_TRUE(op.getBeta());
    EXPECT_EQ(op.getBeta().getType().getRank(), 1);
    EXPECT_FALSE(op.getSinks()) << "an operand that is absent";
    bool isComposite = mlir::isa<AttentionOp>(op);
    EXPECT_EQ(static_cast<bool>(op.getQWeight()), isComposite);
    EXPECT_EQ(static_cast<bool>(op.getPastLengths()), mlir::isa<SdpaOp>(op))
        << "an operand that other ops cannot have";
    EXPECT_EQ(findOperand(op, AttentionOperand::Beta), op.getBeta());
  });
  EXPECT_EQ(areCores, llvm::SmallVector<bool>({false, true, false}));
}

TEST(KernelKindTest, IsReadAsItIsWritten) {
  for (uint32_t number = 0; number <= getMaxEnumValForKernelKind(); ++number) {
    auto kind = static_cast<KernelKind>(number);
    EXPECT_EQ(symbolizeKernelKind(stringifyKernelKind(kind)), kind)
        << stringifyKernelKind(kind).str();
  }
}
