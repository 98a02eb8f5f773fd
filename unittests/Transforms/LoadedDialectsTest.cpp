//===- LoadedDialectsTest.cpp - dialects that passes load -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Functions that tools call without a pass load the dialects of the ops that
// they create. MLIR aborts, in builds with assertions, if they do so in a pass:
// it has to depend on them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Transforms/Passes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace parablock;

namespace {
/// A kernel, weights of codes, and a stream that has none.
constexpr const char *model = R"(
func.func @main(%x: tensor<1x1x128xf32> {block.input = "x"},
    %c: tensor<128x128xi8> {block.param = "c"},
    %s: tensor<128x1xf32> {block.param = "s"})
    -> (tensor<1x1x128xf32> {block.output = "y"},
        tensor<1x1x128xf32> {block.output = "z"}) {
  %w = block.unpack_weight %c, %s {form = #block.code_form<int8>}
      : tensor<128x128xi8>, tensor<128x1xf32> -> tensor<128x128xf32>
  %y = block.kernel "linear" (%a = %x : tensor<1x1x128xf32>,
      %b = %w : tensor<128x128xf32>) -> tensor<1x1x128xf32> {
    %1 = block.linear %a, %b : tensor<1x1x128xf32> -> tensor<1x1x128xf32>
    block.yield %1 : tensor<1x1x128xf32>
  }
  %i = block.stream_add %x : tensor<1x1x128xf32> -> tensor<1x1x128xi32>
  %z = block.stream_value %i : tensor<1x1x128xi32> -> tensor<1x1x128xf32>
  return %y, %z : tensor<1x1x128xf32>, tensor<1x1x128xf32>
})";

/// Compares the dialects that are loaded before and after each pass.
struct DialectWatch : PassInstrumentation {
  explicit DialectWatch(std::vector<std::string> &loaded) : loaded(loaded) {}

  void runBeforePass(Pass *, Operation *op) final {
    before = op->getContext()->getLoadedDialects();
  }
  void runAfterPass(Pass *, Operation *op) final {
    for (Dialect *dialect : op->getContext()->getLoadedDialects())
      if (!llvm::is_contained(before, dialect))
        loaded.push_back(dialect->getNamespace().str());
  }

  std::vector<Dialect *> before;
  std::vector<std::string> &loaded;
};

/// Returns the dialects that `pass` loads as it runs.
std::vector<std::string> listLoaded(std::unique_ptr<Pass> pass) {
  MLIRContext context;
  context.loadDialect<block::BlockDialect, func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(model, &context);
  EXPECT_TRUE(module);
  if (!module)
    return {};
  std::vector<std::string> loaded;
  PassManager manager(&context);
  manager.addPass(std::move(pass));
  manager.addInstrumentation(std::make_unique<DialectWatch>(loaded));
  EXPECT_TRUE(succeeded(manager.run(*module)));
  return loaded;
}
} // namespace

TEST(LoadedDialectsTest, PassesDependOnWhatTheyLoad) {
  testing::internal::CaptureStderr();
  EXPECT_THAT(listLoaded(block::createBlockReport()), testing::IsEmpty());
  EXPECT_THAT(listLoaded(block::createBlockExplain()), testing::IsEmpty());
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("launches"));
  EXPECT_THAT(listLoaded(createConvertBlockKernelsToCpu("", CpuChoice(), 0)),
              testing::IsEmpty());
}
