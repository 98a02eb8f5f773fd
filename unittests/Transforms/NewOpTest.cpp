//===- NewOpTest.cpp - An op is known by what it says of itself -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of another dialect, which nothing but StepOpInterface tells the compiler
// about, form kernels, are split over ranks and are counted. What they compute
// nobody says, so nothing runs them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Analysis/ModelCounts.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "NewOpDialect.h.inc"
#define GET_OP_CLASSES
#include "NewOp.h.inc"

#include "NewOpDialect.cpp.inc"
#define GET_OP_CLASSES
#include "NewOp.cpp.inc"

void made::MadeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "NewOp.cpp.inc"
      >();
}

using namespace mlir;
using namespace parablock;
using testing::HasSubstr;

static constexpr StringLiteral hiddenSteps = R"(
  func.func @main(%x: tensor<1x4x8xf32> {{block.input = "x"},
      %u: tensor<16x8xf32> {{block.param = "up"}, %d: tensor<8x16xf32> {{block.param = "down"},
      %g: tensor<16xf32> {{block.param = "gain"}) -> (tensor<1x4x8xf32> {{block.output = "y"}) {{
    %y = block.layer "h.0" at 0 -> tensor<1x4x8xf32> {{
      %0 = block.linear %x, %u : (tensor<1x4x8xf32>, tensor<16x8xf32>) -> tensor<1x4x16xf32>
      %1 = {0}
      %2 = block.linear %1, %d : (tensor<1x4x16xf32>, tensor<8x16xf32>) -> tensor<1x4x8xf32>
      block.yield %2 : tensor<1x4x8xf32>
    }
    return %y : tensor<1x4x8xf32>
  }
)";
static constexpr StringLiteral warp =
    "made.warp %0, %g : (tensor<1x4x16xf32>, tensor<16xf32>) -> "
    "tensor<1x4x16xf32>";
static constexpr StringLiteral twist =
    "made.twist %0 {heads = 4 : i64} : tensor<1x4x16xf32>";
static constexpr StringLiteral scale =
    "block.scale %0 by %g : (tensor<1x4x16xf32>, tensor<16xf32>) -> "
    "tensor<1x4x16xf32>";

/// A module whose only function puts the hidden value of an MLP through `step`.
static OwningOpRef<ModuleOp> parse(MLIRContext &context, StringRef step) {
  std::string text = llvm::formatv(hiddenSteps.data(), step).str();
  return parseSourceString<ModuleOp>(text, &context);
}

/// The module after `pass`, as text; empty where it fails.
static std::string run(MLIRContext &context, StringRef step,
                       std::unique_ptr<Pass> pass) {
  OwningOpRef<ModuleOp> module = parse(context, step);
  PassManager manager(&context);
  manager.addPass(std::move(pass));
  std::string text;
  if (module && succeeded(manager.run(*module)))
    llvm::raw_string_ostream(text) << *module;
  return text;
}

/// The text between the first `from` and what then comes first of `to`.
static StringRef between(StringRef text, StringRef from, StringRef to) {
  return text.split(from).second.split(to).first;
}

namespace {
class NewOpTest : public testing::Test {
protected:
  NewOpTest() {
    context.loadDialect<block::BlockDialect, func::FuncDialect,
                        tensor::TensorDialect, made::MadeDialect>();
  }

  MLIRContext context;
};
} // namespace

TEST_F(NewOpTest, JoinsKernels) {
  for (StringRef step : {warp, twist}) {
    StringRef name = step.split(' ').first;
    std::string text = run(context, step, block::createBlockFormKernels());
    StringRef kernel = between(text, "block.kernel \"linear\"", "block.kernel");
    EXPECT_TRUE(kernel.contains(name))
        << (name + " ends the tiles of a product").str();
    EXPECT_EQ(StringRef(text).count("block.kernel"), 2u)
        << (name + " makes no launch of its own").str();
  }
  std::string text =
      run(context, twist, block::createBlockFormKernels({"sm_90a"}));
  EXPECT_TRUE(between(text, "block.kernel \"linear\"", "block.kernel")
                  .contains("made.twist"))
      << "heads that fit a tile are in one on a GPU, too";
}

TEST_F(NewOpTest, IsSplitOverRanks) {
  block::BlockShardOptions options;
  options.ranks = 2;
  std::string text = run(context, warp, block::createBlockShard(options));
  EXPECT_THAT(text, HasSubstr("made.warp"))
      << "a rank has half of the columns, and of what there is one of for each";
  EXPECT_TRUE(between(text, "made.warp", "\n")
                  .contains("(tensor<1x4x8xf32>, tensor<8xf32>)"))
      << "a rank has half of the columns, and of what there is one of for each";
  text = run(context, twist, block::createBlockShard(options));
  EXPECT_TRUE(between(text, "made.twist", "\n")
                  .contains("{heads = 2 : i64} : tensor<1x4x8xf32>"))
      << "a rank has half of the heads";
}

TEST_F(NewOpTest, IsCounted) {
  auto count = [&](StringRef step) {
    OwningOpRef<ModuleOp> module = parse(context, step);
    return *countModel(*module->getOps<func::FuncOp>().begin());
  };
  ModelCounts known = count(scale), made = count(warp), heads = count(twist);
  EXPECT_EQ(made.steps.bytes, known.steps.bytes)
      << "bytes of a step on columns";
  EXPECT_EQ(made.steps.launches, known.steps.launches)
      << "it rides on the launch before it";
  EXPECT_EQ(heads.steps.launches, known.steps.launches + 1)
      << "a step on heads is a launch";
  EXPECT_EQ(made.parameters.other, known.parameters.other)
      << "its gain is a parameter of the same part";
  EXPECT_EQ(made.parameters.matrices, known.parameters.matrices)
      << "and no matrix";
}
