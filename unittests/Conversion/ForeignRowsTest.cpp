//===- ForeignRowsTest.cpp - an op that only says what a row needs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op of another dialect, known to nobody, which implements
// RowStepOpInterface and nothing else, runs in kernels of the CPU and of a GPU.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Dialect/Block/RowInterface.h"
#include "parablock/Engines/CPUEngine/CpuEngine.h"
#include "parablock/Engines/Device/EmulateEngine.h"
#include "parablock/InitAll.h"
#include "parablock/Pipelines/BlockToCPU.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "llvm/Testing/Support/Error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace parablock;
using llvm::Succeeded;
using runner::Engine;

namespace {
/// The height of an element above the mean of its row, softened.
class SoftenOp
    : public Op<SoftenOp, OpTrait::OneOperand, OpTrait::OneResult,
                OpTrait::ZeroRegions, block::RowStepOpInterface::Trait> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "foreign.soften"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SoftenOp)

  void emitFacts(RowElements &rows, Value) {
    const RowCode &code = rows.code;
    int64_t width = getRowWidth(getOperand());
    rows.fact(getOperation()) =
        rows.computeMoments(getOperand(),
                            {code.index(0), code.index(width), width, false},
                            code.f32(width), /*centered=*/true)
            .mean;
  }
  Value emitElement(RowElements &rows, unsigned, const Column &column) {
    Value x = rows.code.sub(rows.element(getOperand(), column),
                            rows.fact(getOperation()));
    return rows.code.tanh(x);
  }
};

class ForeignDialect : public Dialect {
public:
  explicit ForeignDialect(MLIRContext *context)
      : Dialect("foreign", context, TypeID::get<ForeignDialect>()) {
    addOperations<SoftenOp>();
  }
  static StringRef getDialectNamespace() { return "foreign"; }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForeignDialect)
};
} // namespace

static const char *const text = R"mlir(
func.func @rows(%x: tensor<1x3x20xf32> {block.input = "x"}) -> tensor<1x3x20xf32> {
  %0 = block.kernel "rows" (%a = %x : tensor<1x3x20xf32>) -> tensor<1x3x20xf32> {
    %1 = "foreign.soften"(%a) : (tensor<1x3x20xf32>) -> tensor<1x3x20xf32>
    %2 = block.residual %a, %1 : (tensor<1x3x20xf32>, tensor<1x3x20xf32>) -> tensor<1x3x20xf32>
    block.yield %2 : tensor<1x3x20xf32>
  }
  return %0 : tensor<1x3x20xf32>
}
)mlir";

static runner::Tensor drawRows() {
  std::vector<double> values;
  for (int i = 0; i < 60; ++i)
    values.push_back(0.25 * ((i * 7) % 13) - 1.5);
  return {ElementType::F32,
          {1, 3, 20},
          std::make_shared<const std::vector<double>>(values)};
}

namespace {
class ForeignRowsTest : public testing::Test {
protected:
  ForeignRowsTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    registry.insert<ForeignDialect>();
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(text, &context);
  }

  void checkOn(Engine &engine) {
    ASSERT_TRUE(module);
    runner::Tensor x = drawRows();
    auto result = engine.run(*module->getOps<func::FuncOp>().begin(), {x}, {});
    ASSERT_THAT_EXPECTED(result, Succeeded());
    for (int row = 0; row < 3; ++row) {
      double mean = 0;
      for (int column = 0; column < 20; ++column)
        mean += x.data()[20 * row + column] / 20;
      for (int column = 0; column < 20; ++column) {
        double at = x.data()[20 * row + column];
        EXPECT_NEAR(result->outputs[0].data()[20 * row + column],
                    at + std::tanh(at - mean), 1e-6);
      }
    }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(ForeignRowsTest, RunOnTheCpu) {
  auto target = findCpuTarget("");
  ASSERT_THAT_EXPECTED(target, Succeeded());
  checkOn(*createCpuEngine(*target, lowerToKernels));
}

TEST_F(ForeignRowsTest, RunOnEmulatedGpus) {
  for (const char *chip : {"sm_80", "sm_90a"}) {
    SCOPED_TRACE(chip);
    checkOn(*createEmulateEngine({chip, ""}, lowerToDevice));
  }
}
