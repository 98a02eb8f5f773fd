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

static Value createTable(Code &code, ArrayRef<BlockFacts> blocks) {
  SmallVector<int64_t> numbers;
  for (const BlockFacts &block : blocks)
    for (int64_t number :
         {block.gradient, block.gradientWidth, block.gradientColumn, block.rows,
          block.input, block.inputWidth, block.inputColumn, block.columns,
          block.place})
      numbers.push_back(number);
  return code.table(DenseElementsAttr::get(
      RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                            code.builder.getI64Type()),
      ArrayRef<int64_t>(numbers)));
}

namespace {
/// Sums blocks of gradients over all rows of a launch.
class BlockSummer {
public:
  BlockSummer(Frame &frame, const SideBySide &gradients,
              const SideBySide &inputs, Type type,
              const std::optional<RowChunks> &chunks, int64_t blockRows,
              ArrayRef<BlockFacts> blocks);
  void emitBlock(Value item);

private:
  Rectangle getRectangle(Value start, int64_t fact, Type type);
  Rectangle getSlice(Rectangle rectangle, Value row);
  void addSlice(const Rectangle &gradient, const Rectangle &input,
                Value blockPanels);

  Frame &frame;
  Code &code;
  const SideBySide &gradients, &inputs;
  Type type;
  const std::optional<RowChunks> &chunks;
  StripForm form;
  Value facts;
  int64_t blockRows, panels, steps, sumColumns, stripRows;
  Value right, left, sums;
  LaunchRows rows;
  Value result, zero;
};
} // namespace

BlockSummer::BlockSummer(Frame &frame, const SideBySide &gradients,
                         const SideBySide &inputs, Type type,
                         const std::optional<RowChunks> &chunks,
                         int64_t blockRows, ArrayRef<BlockFacts> blocks)
    : frame(frame), code(frame.getCode()), gradients(gradients), inputs(inputs),
      type(type), chunks(chunks),
      form(code.target, gradients.type, inputs.type),
      facts(createTable(code, blocks)), blockRows(blockRows),
      panels(llvm::divideCeil(kBlockColumns, form.panelColumns)),
      steps(kDepthRows / (form.inPairs ? 2 : 1)),
      sumColumns(panels * form.panelColumns),
      stripRows(llvm::alignTo(blockRows, form.shape.rows)),
      right(frame.allocate(steps * sumColumns * sizeof(float))),
      left(frame.allocate(steps * blockRows * sizeof(float))),
      sums(frame.allocate(stripRows * sumColumns * sizeof(float))),
      rows(frame, chunks),
      result(frame.getTensor(gradients.widths.size() + inputs.widths.size())),
      zero(code.index(0)) {}

/// Reads the four facts of an operand of the block whose facts begin at
/// `start`.
Rectangle BlockSummer::getRectangle(Value start, int64_t fact, Type type) {
  auto getFact = [&](int64_t number) {
    return code.loadI64(facts, code.addI(start, fact + number));
  };
  Rectangle rectangle;
  rectangle.base = frame.getTensor(getFact(0));
  rectangle.type = type;
  rectangle.distance = getFact(1);
  rectangle.first = getFact(2);
  rectangle.columns = getFact(3);
  return rectangle;
}

/// Returns the rows of a slice from `row` on.
Rectangle BlockSummer::getSlice(Rectangle rectangle, Value row) {
  rectangle.rows =
      code.minI(code.subI(rows.count, row), code.index(kDepthRows));
  rectangle.first =
      code.addI(rectangle.first, code.mulI(row, rectangle.distance));
  return rectangle;
}

void BlockSummer::addSlice(const Rectangle &gradient, const Rectangle &input,
                           Value blockPanels) {
  emitPacking(code, form, gradient, left, blockRows, /*panels=*/1, 0);
  emitPacking(code, form, input, right, form.panelColumns, panels,
              steps * form.panelColumns);
  StripFactors factors;
  factors.left = left;
  factors.stepDistance = blockRows;
  factors.right = right;
  factors.panelDistance =
      code.index(steps * form.panelColumns * (form.inPairs ? 2 : 1));
  factors.rightType = form.inPairs ? inputs.type : code.f32Type(1);
  factors.mostSteps = steps;
  emitStrips(code, form, factors, gradient.columns, blockPanels,
             form.countSteps(code, input.rows), sums, sumColumns,
             /*isFirst=*/code.integer(code.builder.getI1Type(), 0));
}

void BlockSummer::emitBlock(Value item) {
  Value start = code.mulI(item, kNumFacts);
  Rectangle gradient = getRectangle(start, 0, gradients.type);
  if (chunks)
    gradient.distance = code.index(chunks->distance);
  Rectangle input = getRectangle(start, 4, inputs.type);
  input.first = code.addI(input.first, code.mulI(rows.first, input.distance));
  Value blockPanels = code.ceilDivI(input.columns, form.panelColumns);
  code.fillZeros(sums, stripRows * sumColumns);
  Rectangle own = {result,
                   type,
                   code.loadI64(facts, code.addI(start, 8)),
                   code.index(inputs.getWidth()),
                   gradient.columns,
                   input.columns};
  code.ifThen(rows.isLater, [&] { emitSumLoad(code, sums, sumColumns, own); });
  code.loop(zero, rows.count, kDepthRows, [&](Value row) {
    Rectangle gradientSlice = getSlice(gradient, row);
    addSlice(gradientSlice, getSlice(input, row), blockPanels);
  });
  emitSumStore(code, sums, sumColumns, own);
}

KernelCode
cpugen::buildWeightGradKernel(Frame &frame, const SideBySide &gradients,
                              const SideBySide &inputs, Type type,
                              const std::optional<RowChunks> &chunks) {
  int64_t blockRows = kBlockRows;
  SmallVector<BlockFacts> blocks = findBlocks(gradients, inputs, blockRows);
  if (static_cast<int64_t>(blocks.size()) < kManyBlocks) {
    blockRows = kSmallBlockRows;
    blocks = findBlocks(gradients, inputs, blockRows);
  }
  BlockSummer summer(frame, gradients, inputs, type, chunks, blockRows, blocks);
  frame.getCode().loop(frame.getBegin(), frame.getEnd(), 1,
                       [&](Value item) { summer.emitBlock(item); });
  return frame.finish(static_cast<int64_t>(blocks.size()));
}
