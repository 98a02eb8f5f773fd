//===- DifferentiateTest.cpp - Gradients of ops from elsewhere ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op that this project knows nothing of is differentiated by what it says of
// itself, in a layer between ops of ours; without that, it is refused by name.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Differentiate/Adjoints.h"
#include "parablock/Transforms/Differentiate/Passes.h"
#include "parablock/Transforms/Differentiate/VjpInterface.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace parablock::block;

namespace {
constexpr StringLiteral modelText = R"(
  func.func @main(%x: tensor<2x3x8xf32> {block.input = "x"},
                  %w: tensor<8x8xf32> {block.param = "w"})
      -> (tensor<2x3x8xf32> {block.output = "y"}) {
    %y = block.layer "h.0" at 0 -> tensor<2x3x8xf32> {
      %l = block.linear %x, %w : tensor<2x3x8xf32>
      %e = math.exp %l : tensor<2x3x8xf32>
      %r = block.residual %x, %e : tensor<2x3x8xf32>
      block.yield %r : tensor<2x3x8xf32>
    }
    return %y : tensor<2x3x8xf32>
  }
)";

/// The exponential is its own derivative.
struct ExpVjp : VjpOpInterface::ExternalModel<ExpVjp, math::ExpOp> {
  static LogicalResult buildVjp(Operation *op, Adjoints &adjoints) {
    if (Value dy = adjoints.take(op->getResult(0)))
      adjoints.add(op->getOperand(0),
                   arith::MulFOp::create(adjoints.builder, adjoints.loc, dy,
                                         op->getResult(0)));
    return success();
  }
};

class DifferentiateTest : public testing::Test {
protected:
  /// Differentiates the model; returns the first error, or nothing.
  std::string run(bool knowsExp) {
    DialectRegistry registry;
    registry.insert<BlockDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
    registerVjpModels(registry);
    if (knowsExp)
      registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
        math::ExpOp::attachInterface<ExpVjp>(*context);
      });
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return success();
    });
    module = parseSourceString<ModuleOp>(modelText, &context);
    PassManager manager(&context);
    manager.addPass(createBlockDifferentiate({"params", "sum"}));
    EXPECT_EQ(succeeded(manager.run(*module)), message.empty());
    return message;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(DifferentiateTest, AsksOpsAlone) {
  EXPECT_EQ(run(/*knowsExp=*/true), "");
  auto step = module->lookupSymbol<func::FuncOp>("main_step");
  ASSERT_TRUE(step);
  SmallVector<LayerOp> layers(step.getBody().getOps<LayerOp>());
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_TRUE(layers.back().getBackward());
  // What it reads of the forward layer is a result of that.
  auto products =
      llvm::to_vector(layers.back().getBody().getOps<arith::MulFOp>());
  ASSERT_EQ(products.size(), 1u);
  EXPECT_EQ(products.front().getRhs().getDefiningOp(), layers.front());
  EXPECT_EQ(layers.front().getNumResults(), 2u);
  EXPECT_EQ(step.getResultAttr(1, kGradAttr), StringAttr::get(&context, "w"));
}

TEST_F(DifferentiateTest, RefusesByName) {
  EXPECT_THAT(run(/*knowsExp=*/false),
              testing::HasSubstr("'math.exp' op has no gradient"));
  EXPECT_FALSE(module->lookupSymbol("main_step"));
}
