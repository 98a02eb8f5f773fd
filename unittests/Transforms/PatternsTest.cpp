//===- PatternsTest.cpp - Exact rewrites in a pipeline of another ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pass that is not ours takes our patterns into its own set, with one of its
// own, and applies them greedily; what they refuse is known as of our passes.
//
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

namespace {
/// A parallel layer whose MLP is scaled by half, in two ways.
constexpr StringLiteral layerText = R"(
  func.func @main(%x: tensor<1x4x8xf32>, %q: tensor<8x8xf32>, %u: tensor<16x8xf32>,
                  %g: tensor<16x8xf32>, %d: tensor<8x16xf32>) -> tensor<1x4x8xf32> {
    %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {
      %a = block.linear %x, %q : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
      %m = block.mlp %x up %u gate %g down %d {activation = #block.activation<silu>}
          : (tensor<1x4x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<1x4x8xf32>
      %r = block.residual %x, %a, %m {branch_scales = [1.0, 0.5]}
          : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
      block.yield %r : tensor<1x4x8xf32>
    }
    return %y : tensor<1x4x8xf32>
  }
)";

/// A gate by another activation: what only this pipeline knows how to do.
struct UseGelu final : public OpRewritePattern<GateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GateOp gate,
                                PatternRewriter &rewriter) const final {
    auto gelu = ActivationAttr::get(getContext(), Activation::GeluErf);
    if (gate.getKindAttr() == gelu)
      return rewriter.notifyMatchFailure(gate, "is a gelu");
    rewriter.modifyOpInPlace(gate, [&] { gate.setKindAttr(gelu); });
    return success();
  }
};

using Populate = llvm::function_ref<void(RewritePatternSet &)>;

struct UserPass final
    : public PassWrapper<UserPass, OperationPass<func::FuncOp>> {
  UserPass(Populate populate, RewriterBase::Listener &listener)
      : populate(populate), listener(listener) {}

  void runOnOperation() final {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    GreedyRewriteConfig config;
    config.setListener(&listener);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }

  Populate populate;
  RewriterBase::Listener &listener;
};

class Patterns : public testing::Test {
protected:
  Patterns() {
    context.loadDialect<BlockDialect, arith::ArithDialect, func::FuncDialect,
                        tensor::TensorDialect>();
    module = parseSourceString<ModuleOp>(layerText, &context);
  }

  void run(Populate populate, RewriterBase::Listener &listener) {
    ASSERT_TRUE(module);
    PassManager manager(&context);
    manager.addNestedPass<func::FuncOp>(
        std::make_unique<UserPass>(populate, listener));
    ASSERT_TRUE(succeeded(manager.run(*module)));
  }

  template <typename OpT> unsigned count() {
    unsigned found = 0;
    module->walk([&](OpT) { ++found; });
    return found;
  }

  /// Lists what the log of the layer has with `outcome`: passes, and reasons.
  std::vector<std::string> getLog(Outcome outcome) {
    std::vector<std::string> log;
    module->walk([&](LayerOp layer) {
      if (!layer.getLog())
        return;
      for (auto entry : layer.getLog()->getAsRange<DecisionAttr>())
        if (entry.getOutcome() == outcome)
          log.push_back(
              (entry.getPass() + Twine(entry.getReason() ? ": " : "") +
               (entry.getReason() ? entry.getReason().getValue() : ""))
                  .str());
    });
    return log;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Patterns, GreedyWithAPatternOfAnother) {
  RefusalListener listener;
  run(
      [](RewritePatternSet &patterns) {
        patterns.add<UseGelu>(patterns.getContext());
        populateExpandPatterns(patterns);
        populateFuseInputProjectionsPatterns(patterns);
      },
      listener);
  EXPECT_EQ(count<MlpOp>(), 0u);
  module->walk(
      [](GateOp gate) { EXPECT_EQ(gate.getKind(), Activation::GeluErf); });
  // One product of q, gate and up, and the down projection.
  EXPECT_EQ(count<GateOp>(), 1u);
  EXPECT_EQ(count<LinearOp>(), 2u);
  EXPECT_EQ(count<SplitOp>(), 1u);
  EXPECT_EQ(getLog(Outcome::Passed),
            std::vector<std::string>{"block-fuse-input-projections"});
}

TEST_F(Patterns, RefusalsAreThoseOfThePass) {
  RefusalListener listener;
  run(
      [](RewritePatternSet &patterns) {
        populateExpandPatterns(patterns);
        populateFuseOutputProjectionsPatterns(patterns);
      },
      listener);
  listener.say();
  EXPECT_EQ(count<LinearSumOp>(), 0u);
  EXPECT_TRUE(listener.hasFound());
  EXPECT_EQ(listener.getNumRefused(), 1u);
  EXPECT_EQ(getLog(Outcome::Missed),
            std::vector<std::string>{
                "block-fuse-output-projections: different-branch-scales"});
}

TEST_F(Patterns, WhatIsDoneInTheEndIsNoRefusal) {
  RefusalListener listener;
  run(
      [](RewritePatternSet &patterns) {
        populateExpandPatterns(patterns);
        populateFuseOutputProjectionsPatterns(patterns);
        populateFoldScalesPatterns(patterns);
      },
      listener);
  listener.say();
  EXPECT_EQ(count<LinearSumOp>(), 1u);
  EXPECT_EQ(getLog(Outcome::Missed), std::vector<std::string>{});
  EXPECT_EQ(getLog(Outcome::Passed),
            (std::vector<std::string>{"block-fold-scales",
                                      "block-fuse-output-projections"}));
}

TEST_F(Patterns, AnyListenerReadsTheReason) {
  struct Collector final : public RewriterBase::Listener {
    void notifyMatchFailure(Location at,
                            function_ref<void(Diagnostic &)> explain) override {
      Diagnostic text(at, DiagnosticSeverity::Remark);
      explain(text);
      texts.insert(text.str());
    }
    std::set<std::string> texts;
  } collector;
  run(
      [](RewritePatternSet &patterns) {
        populateExpandPatterns(patterns);
        populateFuseOutputProjectionsPatterns(patterns);
      },
      collector);
  EXPECT_EQ(collector.texts.count(
                "block-fuse-output-projections: different-branch-scales: "
                "branch 1 is scaled differently; block-fold-scales first, "
                "scale = 5.000000e-01, first_scale = 1.000000e+00"),
            1u);
}

TEST_F(Patterns, KernelsStayAsTheyAre) {
  module = parseSourceString<ModuleOp>(
      R"(
    func.func @main(%x: tensor<1x4x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x4x8xf32> {
      %k = block.kernel "linear" (%a = %x : tensor<1x4x8xf32>, %b = %w : tensor<8x8xf32>) -> tensor<1x4x8xf32> {
        %p = block.linear %a, %b : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
        %q = block.linear %a, %b : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
        %r = block.residual %a, %p, %q : (tensor<1x4x8xf32>, tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
        block.yield %r : tensor<1x4x8xf32>
      }
      return %k : tensor<1x4x8xf32>
    })",
      &context);
  RefusalListener listener;
  run(
      [](RewritePatternSet &patterns) {
        populateFuseInputProjectionsPatterns(patterns);
        populateFuseOutputProjectionsPatterns(patterns);
      },
      listener);
  EXPECT_EQ(count<LinearOp>(), 2u);
  EXPECT_FALSE(listener.hasFound());
}
} // namespace
