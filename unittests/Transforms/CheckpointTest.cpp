//===- CheckpointTest.cpp - Plans against brute force ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of a small step every plan is made: each layer keeps each subset of what it
// may keep. At no budget does block-checkpoint take one that does much more
// work than the best of them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/Differentiate/VjpInterface.h"
#include "parablock/Transforms/StepMemory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <optional>
#include <set>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
constexpr unsigned numLayers = 3;

/// Layers with two projections of one input, a gate and a longer branch.
std::string makeModel() {
  std::string arguments, body, stream = "%x";
  for (unsigned i = 0; i < numLayers; ++i) {
    std::string n = std::to_string(i);
    arguments +=
        ", %u" + n + ": tensor<32x8xf32> {block.param = \"h." + n +
        ".up.weight\"}, %g" + n + ": tensor<32x8xf32> {block.param = \"h." + n +
        ".gate.weight\"}, %d" + n + ": tensor<8x32xf32> {block.param = \"h." +
        n + ".down.weight\"}";
    body += "%h" + n + " = block.layer \"h." + n + "\" at " + n +
            " -> tensor<1x128x8xf32> {\n%up = block.linear " + stream + ", %u" +
            n + " : tensor<1x128x8xf32> -> tensor<1x128x32xf32>\n" +
            "%gate = block.linear " + stream + ", %g" + n +
            " : tensor<1x128x8xf32> -> tensor<1x128x32xf32>\n"
            "%hidden = block.gate %gate, %up {kind = #block.activation<silu>}"
            " : tensor<1x128x32xf32>\n"
            "%down = block.linear %hidden, %d" +
            n +
            " : tensor<1x128x32xf32> -> tensor<1x128x8xf32>\n"
            "%sum = block.residual " +
            stream +
            ", %down : tensor<1x128x8xf32>\n"
            "block.yield %sum : tensor<1x128x8xf32>\n}\n";
    stream = "%h" + n;
  }
  return "func.func @main(%x: tensor<1x128x8xf32> {block.input = \"x\"}" +
         arguments + ") -> (tensor<1x128x8xf32> {block.output = \"y\"}) {\n" +
         body + "return " + stream + " : tensor<1x128x8xf32>\n}\n";
}

struct Found {
  uint64_t peakBytes;
  double flops;
};

class CheckpointTest : public testing::Test {
protected:
  CheckpointTest() {
    DialectRegistry registry;
    registry.insert<BlockDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, tensor::TensorDialect>();
    registerVjpModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    step = parseSourceString<ModuleOp>(makeModel(), &context);
    PassManager manager(&context);
    manager.addPass(createBlockDifferentiate({"params", "sum"}));
    EXPECT_TRUE(succeeded(manager.run(*step)));
  }

  /// Runs the pass on a copy of the step; nothing where it fails.
  std::optional<Found> run(const std::string &budget,
                           const std::string &layers) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    OwningOpRef<ModuleOp> copy = step->clone();
    PassManager manager(&context);
    BlockCheckpointOptions options;
    options.memoryBudget = budget;
    options.layers = layers;
    manager.addPass(createBlockCheckpoint(options));
    if (failed(manager.run(*copy)))
      return std::nullopt;
    auto function = copy->lookupSymbol<func::FuncOp>("main_step");
    StepMemory memory = measureStep(function, findCountedSizes(function));
    return Found{memory.peakBytes, memory.recomputed.flops};
  }

  /// Every plan.
  std::vector<Found> runAll(ArrayRef<std::string> subsets) {
    std::vector<Found> all;
    std::vector<size_t> picks(numLayers);
    for (;;) {
      std::string layers;
      for (unsigned i = 0; i < numLayers; ++i)
        layers +=
            (i ? ",h." : "h.") + std::to_string(i) + ":" + subsets[picks[i]];
      std::optional<Found> found = run("100%", layers);
      EXPECT_TRUE(found) << layers << ": " << message;
      if (!found)
        return {};
      all.push_back(*found);
      unsigned i = 0;
      while (i < numLayers && ++picks[i] == subsets.size())
        picks[i++] = 0;
      if (i == numLayers)
        return all;
    }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> step;
  std::string message;
};
} // namespace

TEST_F(CheckpointTest, IsHardlyDearerThanBruteForce) {
  // What may be kept, by the pass's own words.
  EXPECT_FALSE(run("100%", "h.0:none"));
  ASSERT_THAT(message, testing::HasSubstr(
                           "to keep all, products, nothing or up+gate+gate.2"));
  std::vector<std::string> subsets = {"nothing",     "up",      "gate",
                                      "gate.2",      "up+gate", "up+gate.2",
                                      "gate+gate.2", "all"};
  std::vector<Found> all = runAll(subsets);
  ASSERT_EQ(all.size(), 512u);
  std::set<uint64_t> budgets;
  for (const Found &plan : all)
    budgets.insert(plan.peakBytes);
  EXPECT_GT(budgets.size(), 10u);
  double before = -1;
  for (uint64_t budget : llvm::reverse(budgets)) {
    std::optional<Found> taken = run(std::to_string(budget), "");
    ASSERT_TRUE(taken) << budget << ": " << message;
    EXPECT_LE(taken->peakBytes, budget);
    double best = std::numeric_limits<double>::infinity();
    for (const Found &plan : all)
      if (plan.peakBytes <= budget)
        best = std::min(best, plan.flops);
    EXPECT_LE(taken->flops, 1.125 * best) << budget;
    EXPECT_GE(taken->flops, before) << budget;
    before = taken->flops;
  }
  EXPECT_GT(before, 0);
}
