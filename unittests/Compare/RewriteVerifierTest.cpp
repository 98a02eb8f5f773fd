//===- RewriteVerifierTest.cpp - wrong rewrites are found -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Compare/RewriteVerifier.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::runner;
using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

/// Two layers, the second of which adds `%x` times `@SCALE@`.
static constexpr llvm::StringLiteral kModel = R"(
func.func @main(%x: tensor<3x40x8xf32> {block.input = "x"},
                %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<3x40x8xf32> {block.output = "y"}) {
  %h = block.layer "h.0" at 0 -> tensor<3x40x8xf32> {
    %a = block.linear %x, %w : (tensor<3x40x8xf32>, tensor<8x8xf32>) -> tensor<3x40x8xf32>
    block.yield %a : tensor<3x40x8xf32>
  }
  %y = block.layer "h.1" at 1 -> tensor<3x40x8xf32> {
    %b = block.residual %x, %h {input_scale = @SCALE@ : f64}
        : (tensor<3x40x8xf32>, tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
    block.yield %b : tensor<3x40x8xf32>
  }
  return %y : tensor<3x40x8xf32>
}
)";

namespace {

OwningOpRef<ModuleOp> parse(MLIRContext &context, llvm::StringRef scale,
                            llvm::StringRef name = "main") {
  auto [before, after] = kModel.split("@SCALE@");
  std::string text = (before + scale + after).str();
  text.replace(text.find("main"), llvm::StringRef("main").size(), name);
  return parseSourceString<ModuleOp>(text, &context);
}

/// Gives what `judge` says and, for a failure, its first message.
std::string messageOf(MLIRContext &context, llvm::function_ref<bool()> judge) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (message.empty())
      message = diagnostic.str();
    return success();
  });
  return judge() ? "same" : message;
}

/// Scales what residuals add to, which is none of its business.
struct WrongPass : PassWrapper<WrongPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongPass)

  explicit WrongPass(double scale) : scale(scale) {}
  StringRef getArgument() const final { return "block-wrong"; }
  void runOnOperation() final {
    getOperation()->walk([&](block::ResidualOp residual) {
      residual.setInputScaleAttr(
          FloatAttr::get(Float64Type::get(&getContext()), scale));
    });
  }

  double scale;
};

class RewriteVerifierTest : public testing::Test {
protected:
  RewriteVerifierTest() {
    context.loadDialect<block::BlockDialect, func::FuncDialect>();
  }

  /// Gives what is said of a pass that made the model with `scale` of one with
  /// 1.
  std::string judge(llvm::StringRef scale) {
    OwningOpRef<ModuleOp> before = parse(context, "1.0"),
                          after = parse(context, scale);
    return messageOf(context, [&] {
      return verifySameFunction(*before, *after, "block-some-pass") ==
             Equality::Same;
    });
  }

  /// Runs the pass between two executions; true if nothing was found.
  bool isAccepted(double scale, llvm::ArrayRef<llvm::StringRef> exactPasses,
                  unsigned verified, llvm::StringRef name = "main") {
    OwningOpRef<ModuleOp> module = parse(context, "1.0", name);
    auto result = std::make_shared<VerificationResult>();
    PassManager manager(&context);
    manager.addPass(std::make_unique<WrongPass>(scale));
    manager.addInstrumentation(
        std::make_unique<RewriteVerifier>(result, exactPasses));
    messageOf(context, [&] { return succeeded(manager.run(*module)); });
    EXPECT_EQ(result->verified.load(), verified);
    EXPECT_FALSE(result->failed);
    return !result->differs;
  }

  MLIRContext context;
};

} // namespace

TEST_F(RewriteVerifierTest, TheSameFunctionIsTheSame) {
  EXPECT_EQ(judge("1.000"), "same");
}

TEST_F(RewriteVerifierTest, NamesThePassTheResultAndTheLayer) {
  for (llvm::StringRef scale : {"1.000001", "2.0"})
    EXPECT_THAT(judge(scale),
                AllOf(StartsWith("block-some-pass changed the function @main: "
                                 "result 'y' differs "
                                 "by "),
                      EndsWith("first behind layer 'h.1'")));
}

/// A gradient that is 0 but for rounding: three times a projection, less the
/// projection of three times.
static constexpr llvm::StringLiteral kZero = R"(
func.func @main_step(%x: tensor<3x40x8xf32> {block.input = "x"},
                     %w: tensor<8x8xf32> {block.param = "w"})
    -> (tensor<3x40x8xf32> {block.grad = "x"}) {
  %t = block.residual %x, %x {input_scale = 2.0 : f64}
      : (tensor<3x40x8xf32>, tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %y = block.linear %x, %w : (tensor<3x40x8xf32>, tensor<8x8xf32>) -> tensor<3x40x8xf32>
  %a = block.linear %t, %w : (tensor<3x40x8xf32>, tensor<8x8xf32>) -> tensor<3x40x8xf32>
  %b = block.residual %y, %y {input_scale = @SCALE@ : f64}
      : (tensor<3x40x8xf32>, tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  %g = block.residual %y, @VALUE@ {input_scale = -3.0 : f64}
      : (tensor<3x40x8xf32>, tensor<3x40x8xf32>) -> tensor<3x40x8xf32>
  return %g : tensor<3x40x8xf32>
}
)";

TEST_F(RewriteVerifierTest, GradientsThatAreZeroHaveTheSizeOfTheirTerms) {
  auto parseZero = [&](const std::string &value, const std::string &scale) {
    std::string text = kZero.str();
    text.replace(text.find("@VALUE@"), 7, value);
    text.replace(text.find("@SCALE@"), 7, scale);
    return parseSourceString<ModuleOp>(text, &context);
  };
  auto judgeZero = [&](const std::string &value, const std::string &scale) {
    OwningOpRef<ModuleOp> before = parseZero("%a", "2.0"),
                          after = parseZero(value, scale);
    return messageOf(context, [&] {
      return verifySameFunction(*before, *after, "block-some-pass",
                                "main_step") == Equality::Same;
    });
  };
  EXPECT_EQ(judgeZero("%a", "2.0"), "same");
  EXPECT_EQ(judgeZero("%b", "2.0"), "same") << "other noise, or none";
  EXPECT_THAT(judgeZero("%b", "2.000001"),
              StartsWith("block-some-pass changed the function @main_step: "
                         "result 'grad.x' differs by "));
  EXPECT_THAT(judgeZero("%x", "2.0"),
              StartsWith("block-some-pass changed the function @main_step: "));
}

TEST_F(RewriteVerifierTest, RunsAroundExactPassesOnly) {
  EXPECT_TRUE(isAccepted(1.0, {"block-wrong"}, 1));
  EXPECT_FALSE(isAccepted(2.0, {"block-wrong"}, 1));
  EXPECT_TRUE(isAccepted(2.0, {"block-fold-norm"}, 0));
}

TEST_F(RewriteVerifierTest, VerifiesSteps) {
  EXPECT_TRUE(isAccepted(1.0, {"block-wrong"}, 1, "main_step"));
  EXPECT_FALSE(isAccepted(2.0, {"block-wrong"}, 1, "main_step"));
}

TEST_F(RewriteVerifierTest, VerifiesFunctionsOfAnyName) {
  EXPECT_TRUE(isAccepted(1.0, {"block-wrong"}, 1, "other"));
  EXPECT_FALSE(isAccepted(2.0, {"block-wrong"}, 1, "other"));
}
