//===- ForeignRowsTest.cpp - an op that only says what a row needs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An op of another dialect, known to nobody, which implements
// RowStepOpInterface and nothing else, runs in kernels of the CPU and of a GPU.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
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
#include <cmath>

using namespace mlir;
using namespace parablock;
using namespace parablock::unittest;
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

static void runOn(Engine &engine, func::FuncOp function) {
  std::string name = engine.name().str();
  runner::Tensor x = drawRows();
  auto result = engine.run(function, {x}, {});
  if (!CHECK_SUCCEEDS(name + " runs it", result.takeError()))
    return;
  double worst = 0;
  for (int row = 0; row < 3; ++row) {
    double mean = 0;
    for (int column = 0; column < 20; ++column)
      mean += x.data()[20 * row + column] / 20;
    for (int column = 0; column < 20; ++column) {
      double at = x.data()[20 * row + column];
      double want = at + std::tanh(at - mean);
      double got = result->outputs[0].data()[20 * row + column];
      worst = std::fmax(worst, std::fabs(got - want));
    }
  }
  CHECK(name + " computes what it says", worst < 1e-6);
}

int main() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<ForeignDialect>();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!CHECK("parses", module.get() != nullptr))
    return finish();
  auto function = *module->getOps<func::FuncOp>().begin();
  auto target = findCpuTarget("");
  if (CHECK_SUCCEEDS("has a target", target.takeError()))
    runOn(*createCpuEngine(*target, lowerToKernels), function);
  for (const char *chip : {"sm_80", "sm_90a"})
    runOn(*createEmulateEngine({chip, ""}, lowerToDevice), function);
  return finish();
}
