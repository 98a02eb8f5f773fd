//===- WeightGradKernel.cpp - packs slices and sums blocks of gradients ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a block of the result, of one gradient and one input. It passes
// over the rows slice by slice: columns of both are packed, in the second-level
// cache, and their product is added to a buffer. So an element is summed by one
// thread, in the order of the rows, whichever thread that is.
//
//===----------------------------------------------------------------------===//

#include "WeightGradKernel.h"

#include "DivideRows.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// Rows of a slice: a panel of inputs fits into the first-level cache.
static constexpr int64_t kDepthRows = 128;
static_assert(kPartRows % kDepthRows == 0);

/// Rows and columns of a block of the result. Large ones pack less, small ones
/// give work to more threads.
static constexpr int64_t kBlockColumns = 256, kBlockRows = 192,
                         kSmallBlockRows = 96;

/// Blocks of the result that are enough for threads.
static constexpr int64_t kManyBlocks = 32;

int64_t SideBySide::getWidth() const {
  return std::accumulate(widths.begin(), widths.end(), int64_t(0));
}

namespace {
/// Numbers of a block, as stored in a table.
struct BlockFacts {
  int64_t gradient, gradientWidth, gradientColumn, rows;
  int64_t input, inputWidth, inputColumn, columns;
  /// The element of the result that it begins with.
  int64_t place;
};
constexpr int64_t kNumFacts = sizeof(BlockFacts) / sizeof(int64_t);
} // namespace

static SmallVector<BlockFacts> findBlocks(const SideBySide &gradients,
                                          const SideBySide &inputs,
                                          int64_t blockRows) {
  SmallVector<BlockFacts> blocks;
  int64_t width = inputs.getWidth(), firstRow = 0;
  for (auto [i, rows] : llvm::enumerate(gradients.widths)) {
    int64_t firstColumn = 0;
    for (auto [j, columns] : llvm::enumerate(inputs.widths)) {
      for (int64_t row = 0; row < rows; row += blockRows)
        for (int64_t column = 0; column < columns; column += kBlockColumns)
          blocks.push_back({static_cast<int64_t>(i), rows, row,
                            std::min(blockRows, rows - row),
                            static_cast<int64_t>(gradients.widths.size() + j),
                            columns, column,
                            std::min(kBlockColumns, columns - column),
                            (firstRow + row) * width + firstColumn + column});
      firstColumn += columns;
    }
    firstRow += rows;
  }
  return blocks;
}

LaunchRows::LaunchRows(Frame &frame, const std::optional<RowChunks> &chunks,
                       unsigned later) {
  Code &code = frame.getCode();
  Value number = frame.getDim(later);
  isLater = code.lessI(code.index(0), number);
  first = code.index(0);
  count = code.mulI(frame.getDim(0), frame.getDim(1));
  if (!chunks)
    return;
  first = code.mulI(number, chunks->rows);
  count = code.minI(code.subI(count, first), code.index(chunks->rows));
}

KernelCode
cpugen::buildWeightGradKernel(Frame &frame, const SideBySide &gradients,
                              const SideBySide &inputs, Type type,
                              const std::optional<RowChunks> &chunks) {
  Code &code = frame.getCode();
  StripForm form(code.target, gradients.type, inputs.type);
  int64_t blockRows = kBlockRows;
  SmallVector<BlockFacts> blocks = findBlocks(gradients, inputs, blockRows);
  if (static_cast<int64_t>(blocks.size()) < kManyBlocks) {
    blockRows = kSmallBlockRows;
    blocks = findBlocks(gradients, inputs, blockRows);
  }
  SmallVector<int64_t> numbers;
  for (const BlockFacts &block : blocks)
    for (int64_t number :
         {block.gradient, block.gradientWidth, block.gradientColumn, block.rows,
          block.input, block.inputWidth, block.inputColumn, block.columns,
          block.place})
      numbers.push_back(number);
  Value facts = code.table(DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                            code.builder.getI64Type()),
      ArrayRef<int64_t>(numbers)));

  int64_t panels = llvm::divideCeil(kBlockColumns, form.panelColumns);
  int64_t steps = kDepthRows / (form.inPairs ? 2 : 1);
  int64_t sumColumns = panels * form.panelColumns;
  int64_t stripRows = llvm::alignTo(blockRows, form.shape.rows);
  Value right = frame.allocate(steps * sumColumns * sizeof(float));
  Value left = frame.allocate(steps * blockRows * sizeof(float));
  Value sums = frame.allocate(stripRows * sumColumns * sizeof(float));
  LaunchRows rows(frame, chunks);
  Value result =
      frame.getTensor(gradients.widths.size() + inputs.widths.size());
  Value zero = code.index(0);
  Type rightType = form.inPairs ? inputs.type : code.f32Type(1);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value item) {
    Value start = code.mulI(item, kNumFacts);
    auto getFact = [&](int64_t number) {
      return code.loadI64(facts, code.addI(start, number));
    };
    auto getRectangle = [&](int64_t fact, Type type) {
      Rectangle rectangle;
      rectangle.base = frame.getTensor(getFact(fact));
      rectangle.type = type;
      rectangle.distance = getFact(fact + 1);
      rectangle.first = getFact(fact + 2);
      rectangle.columns = getFact(fact + 3);
      return rectangle;
    };
    Rectangle gradient = getRectangle(0, gradients.type);
    if (chunks)
      gradient.distance = code.index(chunks->distance);
    Rectangle input = getRectangle(4, inputs.type);
    input.first = code.addI(input.first, code.mulI(rows.first, input.distance));
    Value blockPanels = code.ceilDivI(input.columns, form.panelColumns);
    code.fillZeros(sums, stripRows * sumColumns);
    Rectangle own = {result,           type,
                     getFact(8),       code.index(inputs.getWidth()),
                     gradient.columns, input.columns};
    code.ifThen(rows.isLater,
                [&] { emitSumLoad(code, sums, sumColumns, own); });
    code.loop(zero, rows.count, kDepthRows, [&](Value row) {
      auto getSlice = [&](Rectangle rectangle) {
        rectangle.rows =
            code.minI(code.subI(rows.count, row), code.index(kDepthRows));
        rectangle.first =
            code.addI(rectangle.first, code.mulI(row, rectangle.distance));
        return rectangle;
      };
      Rectangle gradientSlice = getSlice(gradient);
      Rectangle inputSlice = getSlice(input);
      emitPacking(code, form, gradientSlice, left, blockRows, /*panels=*/1, 0);
      emitPacking(code, form, inputSlice, right, form.panelColumns, panels,
                  steps * form.panelColumns);
      StripFactors factors;
      factors.left = left;
      factors.stepDistance = blockRows;
      factors.right = right;
      factors.panelDistance =
          code.index(steps * form.panelColumns * (form.inPairs ? 2 : 1));
      factors.rightType = rightType;
      factors.mostSteps = steps;
      emitStrips(code, form, factors, gradient.columns, blockPanels,
                 form.countSteps(code, inputSlice.rows), sums, sumColumns,
                 /*isFirst=*/code.integer(code.builder.getI1Type(), 0));
    });
    emitSumStore(code, sums, sumColumns, own);
  });
  return frame.finish(static_cast<int64_t>(blocks.size()));
}
