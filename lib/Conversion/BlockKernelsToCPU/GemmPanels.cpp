//===- GemmPanels.cpp - passes over rows of one panel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GemmPanels.h"

#include "TileProduct.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

/// The most that a step fetches ahead while rows are multiplied.
static constexpr int64_t kMostBytesAhead = 128;

/// Prefetch distance for bf16 weights of one row.
static constexpr int64_t kRowBytesAhead = 1024;

/// Passes over the rows that share the prefetching, if there are enough:
/// one pass alone would wait for memory, which the next would leave
/// idle.
static constexpr int64_t kPassesAhead = 2;

/// Number of rows from which weights are converted to f32 first. On some
/// processors units that multiply also convert, which costs them a quarter of
/// their time; on others they do not, and writing the numbers costs as much as
/// three rows.
static constexpr int64_t kManyRows = 48;

int64_t cpugen::getFewRows(const GemmLayout &layout) {
  // Products of pairs take half the time: numbers are soon worth writing.
  return layout.inPairs ? 8 : 24;
}

int64_t cpugen::getDigitRows(const GemmLayout &layout,
                             ArrayRef<PackedSource> weights) {
  int64_t fewRows = getFewRows(layout), rows = fewRows;
  for (const PackedSource &source : weights)
    if (source.codes && source.codes->usesDigits())
      rows = std::min(rows, source.codes->getDigitRows(fewRows));
  return rows;
}

Value GemmPanels::getPanel(unsigned source, Value panel) {
  if (std::optional<CodePanels> &codes = weights[source].codes)
    return codes->getPanel(panel);
  int64_t elements = plan.sources[source].depth * panelColumns;
  return code.address(weights[source].weight, code.mulI(panel, elements),
                      plan.elementType);
}

/// Returns the bytes of a source's panel per step of the depth.
int64_t GemmPanels::getStepBytes(unsigned source) {
  if (std::optional<CodePanels> &codes = weights[source].codes)
    return codes->countBytes(layout.inPairs ? 2 : 1);
  return panelColumns * (layout.inPairs ? 2 : 1) *
         plan.elementType.getIntOrFloatBitWidth() / 8;
}

ProductOperands GemmPanels::getOperands(const SourceRows &left, Value right,
                                        Type rightType, Value firstStep,
                                        ValueRange rows) {
  ProductOperands operands;
  operands.rightType = rightType;
  operands.inPairs = layout.inPairs;
  if (!layout.inPairs && rightType == plan.elementType)
    operands.rightSteps = layout.together;
  operands.rightStep = panelColumns * (layout.inPairs ? 2 : 1);
  operands.right = right;
  for (Value row : rows)
    operands.leftRows.push_back(code.address(
        left.pointer, code.addI(code.mulI(row, left.stride), firstStep),
        left.type));
  return operands;
}

/// The place of sum `number` of the rows from `row` on.
Value GemmPanels::getSum(Value row, Value column, int64_t number) {
  Value start = code.mulI(code.addI(row, number / layout.shape.vectors),
                          layout.bufferColumns);
  return code.addI(code.addI(start, column),
                   number % layout.shape.vectors * code.lanes());
}

/// Reads every weight once, at the speed of memory: sequentially, which the
/// processor prefetches itself. Prefetches would cost a fifth of the time if
/// weights are in the third-level cache, and gain nothing beyond; but if bf16
/// is split in vectors of AVX2, the processor prefetches less than memory could
/// deliver.
void GemmPanels::emitOneRow(ArrayRef<SourceRows> left, Value panel,
                            Value column) {
  Value zero = code.index(0);
  Values sums = zeroSums(code, {1, layout.shape.vectors});
  for (auto [source, from] : llvm::enumerate(left)) {
    if (std::optional<CodePanels> &codes = weights[source].codes) {
      sums = codes->addProducts(panel, from.wide, sums);
      continue;
    }
    ProductOperands operands = getOperands(from, getPanel(source, panel),
                                           plan.elementType, zero, zero);
    if (operands.rightSteps == 2 && code.target.vectorBits == 256) {
      operands.ahead = code.address(operands.right, code.index(kRowBytesAhead),
                                    code.builder.getI8Type());
      int64_t bytes = getStepBytes(source);
      operands.aheadStep = code.index(bytes);
      operands.aheadLines = llvm::divideCeil(2 * bytes, kLineBytes);
    }
    // Registers are left for more sums that do not wait for each other.
    sums = emitProduct(
        code, operands, code.index(from.steps), from.steps,
        layout.shape.vectors, [&] { return sums; },
        std::gcd<int64_t>(from.steps, 4));
  }
  for (auto [number, sum] : llvm::enumerate(sums))
    code.storeRaw(sum, buffer, getSum(zero, column, number));
}

/// Returns rows starting at `row` of the block; rows past the last one are
/// computed from it again, and stored in the buffer without readers.
Values GemmPanels::getRows(Value row, Value lastRow, int64_t count) {
  Values rows;
  for (int64_t i = 0; i < count; ++i)
    rows.push_back(code.minI(code.addI(row, i), lastRow));
  return rows;
}

Values GemmPanels::getWideRows(const SourceRows &left, int64_t depth,
                               ValueRange rows) {
  Values result;
  for (Value row : rows)
    result.push_back(
        code.address(left.wide, code.mulI(row, depth), code.f32Type(1)));
  return result;
}

/// Reads a panel once for `rows`, the first of which is `row`; uses their
/// digits if `byDigits`.
void GemmPanels::emitTogether(ArrayRef<SourceRows> left, Value panel,
                              Value column, Value row, ValueRange rows,
                              bool byDigits) {
  int64_t vectors = layout.shape.vectors;
  Values sums = zeroSums(code, {int64_t(rows.size()), vectors});
  for (auto [source, from] : llvm::enumerate(left)) {
    std::optional<CodePanels> &codes = weights[source].codes;
    if (!codes)
      sums = emitProduct(code,
                         getOperands(from, getPanel(source, panel),
                                     plan.elementType, code.index(0), rows),
                         code.index(from.steps), from.steps, vectors,
                         [&] { return sums; });
    else if (byDigits && codes->usesDigits())
      sums = codes->addDigits(panel, getDigits(*codes, from, rows), sums);
    else
      sums = codes->addProducts(
          panel, getWideRows(from, plan.sources[source].depth, rows), sums);
  }
  for (auto [number, sum] : llvm::enumerate(sums))
    code.storeRaw(sum, buffer, getSum(row, column, number));
}

/// Reads weights once, at the speed of memory, for so few rows that one pass
/// has the sums of all.
void GemmPanels::emitOnePass(ArrayRef<SourceRows> left, Value panel,
                             Value column, Value numRows) {
  int64_t most = layout.shape.rows, fewer = most - most / 3;
  Value zero = code.index(0), lastRow = code.addI(numRows, -1);
  auto emit = [&](int64_t count) -> Values {
    emitTogether(left, panel, column, zero, getRows(zero, lastRow, count),
                 /*byDigits=*/false);
    return {};
  };
  code.ifElse(
      code.lessI(numRows, code.index(fewer + 1)), {},
      [&] { return emit(fewer); }, [&] { return emit(most); });
}

/// Reads codes once for as many rows as the registers hold sums of.
void GemmPanels::emitFewRows(ArrayRef<SourceRows> left, Value panel,
                             Value column, Value numRows) {
  Value lastRow = code.addI(numRows, -1);
  code.loop(code.index(0), numRows, layout.shape.rows, [&](Value row) {
    emitTogether(left, panel, column, row,
                 getRows(row, lastRow, layout.shape.rows), /*byDigits=*/false);
  });
}

/// Reads codes for one or two rows at a time: the first ones load them into the
/// cache.
void GemmPanels::emitDigitRows(ArrayRef<SourceRows> left, Value panel,
                               Value column, Value numRows) {
  auto emitRows = [&](Value row, int64_t count) {
    Values rows;
    for (int64_t place = 0; place < count; ++place)
      rows.push_back(code.addI(row, place));
    emitTogether(left, panel, column, row, rows, /*byDigits=*/true);
  };
  int64_t together = layout.shape.rows;
  for (const PackedSource &source : weights)
    if (source.codes && source.codes->usesDigits())
      together = std::min(together, source.codes->getDigitRowsTogether());
  Value whole = code.mulI(code.divI(numRows, together), together);
  code.loop(code.index(0), whole, together,
            [&](Value row) { emitRows(row, together); });
  if (together > 1)
    code.loop(whole, numRows, 1, [&](Value row) { emitRows(row, 1); });
}

SmallVector<DigitRow> GemmPanels::getDigits(CodePanels &codes,
                                            const SourceRows &left,
                                            ValueRange rows) {
  SmallVector<DigitRow> digits;
  for (Value row : rows)
    digits.push_back(
        {code.address(left.digits, code.mulI(row, codes.getDigitBytes()),
                      code.builder.getI8Type()),
         code.loadRaw(left.factors, code.f32Type(1), row), codes.getDepth()});
  return digits;
}

void GemmPanels::emitPass(const Slice &slice, Value column, const Pass &pass) {
  CpuTile shape = {pass.size, layout.shape.vectors};
  ProductOperands operands =
      getOperands(slice.left, slice.right, slice.rightType, slice.firstStep,
                  getRows(pass.row, pass.lastRow, shape.rows));
  // The first passes prefetch the next data, so that memory is busy during
  // products. The others prefetch data in the cache.
  if (slice.next) {
    int64_t alone = std::min(kMostBytesAhead, slice.stepBytes);
    int64_t shared = std::min<int64_t>(
        kMostBytesAhead, llvm::divideCeil(slice.stepBytes, kPassesAhead));
    operands.aheadStep =
        code.select(pass.isAlone, code.index(alone), code.index(shared));
    operands.aheadLines =
        llvm::divideCeil(operands.rightSteps * alone, kLineBytes);
    int64_t passes = llvm::divideCeil(slice.stepBytes, shared);
    Value bytes = code.mulI(slice.numSteps, operands.aheadStep);
    operands.ahead =
        code.select(code.lessI(pass.number, code.index(passes)),
                    code.address(slice.next, code.mulI(pass.number, bytes),
                                 code.builder.getI8Type()),
                    operands.right);
  }
  auto getPlace = [&](int64_t number) {
    return getSum(pass.row, column, number);
  };
  Values sums = emitProduct(
      code, operands, slice.numSteps, slice.mostSteps, shape.vectors,
      [&] { return loadSums(code, shape, slice.isFirst, buffer, getPlace); });
  for (auto [number, sum] : llvm::enumerate(sums))
    code.storeRaw(sum, buffer, getPlace(number));
}

/// Processes as many rows at a time as registers hold sums for. If the last
/// pass would have too few rows, several passes give up a third of theirs, or
/// one row from the first pass: 17 rows by 6 become 6, 6 and 5, and 9 rows 5
/// and 4.
void GemmPanels::emitPasses(const Slice &slice, Value column, Value numRows) {
  int64_t size = layout.shape.rows, third = size / 3, smaller = size - third;
  Value zero = code.index(0), all = code.ceilDivI(numRows, size);
  Value isAlone = code.lessI(all, code.index(2));
  Value missing = code.subI(code.mulI(all, size), numRows);
  Value numSmaller = code.minI(code.ceilDivI(missing, third), all);
  Value numWhole = code.subI(all, numSmaller);
  Value whole = code.mulI(numWhole, size);
  Value lastRow = code.addI(numRows, -1);
  auto emit = [&](Value from, Value to, int64_t rows, Value number) {
    code.loop(from, to, rows, [&](Value row) {
      Value own = code.divI(code.subI(row, from), rows);
      emitPass(slice, column,
               {rows, row, lastRow, code.addI(number, own), isAlone});
    });
  };
  emit(zero, whole, size, zero);
  if (third > 1) {
    Value isBetween = code.lessI(missing, code.mulI(numSmaller, third));
    Value between = code.select(isBetween, code.addI(whole, size - 1), whole);
    emit(whole, between, size - 1, numWhole);
    numWhole = code.select(isBetween, code.addI(numWhole, 1), numWhole);
    whole = between;
  }
  emit(whole, numRows, smaller, numWhole);
}

/// Converts the weights of a slice to f32, once for all rows.
void GemmPanels::writeNumbers(const Slice &slice) {
  int64_t together = layout.together, lanes = code.lanes();
  code.loop(code.index(0), slice.numSteps, together, [&](Value step) {
    Value at = code.mulI(step, panelColumns);
    for (int64_t v = 0; v < layout.shape.vectors; ++v) {
      Value place = code.addI(at, v * lanes);
      if (together == 1) {
        code.storeRaw(code.load(slice.right, slice.rightType, place, lanes),
                      numbers, place);
        continue;
      }
      Value pairs = code.loadRaw(slice.right,
                                 code.typed(code.builder.getI32Type(), lanes),
                                 code.addI(code.divI(at, 2), v * lanes));
      for (auto [own, number] :
           llvm::enumerate(takePairsApart(code, pairs, slice.rightType)))
        code.storeRaw(
            number, numbers,
            code.addI(place, static_cast<int64_t>(own) * panelColumns));
    }
  });
}

/// Writes the numbers of a slice's codes in the form that products read.
void GemmPanels::writeCodes(CodePanels &codes, Value panel, Slice &slice) {
  slice.right = numbers;
  if (layout.inPairs) {
    codes.writePairs(panel, slice.firstStep, slice.numSteps, numbers,
                     plan.elementType);
    slice.rightType = plan.elementType;
    return;
  }
  codes.writeNumbers(panel, slice.firstStep, slice.numSteps, numbers);
  slice.rightType = code.f32Type(1);
}

void GemmPanels::emitTiles(const Slice &slice, Value column, Value numRows) {
  constexpr int64_t pairBytes = 4;
  TileOperands operands;
  operands.left =
      code.address(slice.left.pointer, slice.firstStep, slice.left.type);
  operands.leftStride = slice.left.stride * pairBytes;
  operands.rightStride = panelColumns * pairBytes;
  operands.right = slice.right;
  operands.sums = code.address(buffer, column, code.f32Type(1));
  operands.sumsStride =
      layout.bufferColumns * static_cast<int64_t>(sizeof(float));
  operands.columns = panelColumns;
  operands.steps = slice.numSteps;
  operands.numRows = numRows;
  operands.isFirst = slice.isFirst;
  // Codes have fewer bytes than their numbers.
  if (slice.stepBytes == operands.rightStride)
    operands.next = slice.next;
  emitTileProduct(code, layout.path, operands);
}

void GemmPanels::emitSlice(const Slice &slice, Value column, Value numRows) {
  if (layout.isOnTiles()) {
    emitTiles(slice, column, numRows);
    return;
  }
  emitPasses(slice, column, numRows);
}

/// Processes slice by slice of the depth: a slice of the panel stays in the
/// cache for all rows.
void GemmPanels::emitAllRows(ArrayRef<SourceRows> left, Value panel,
                             Value column, Value numRows) {
  Value zero = code.index(0);
  for (auto [source, from] : llvm::enumerate(left)) {
    int64_t slices = llvm::divideCeil(from.steps, kMostSteps);
    int64_t size = llvm::divideCeil(from.steps, slices);
    // One row alone has the same chains.
    if (slices > 1)
      size = llvm::alignTo(size, kChainSteps);
    if (layout.isOnTiles())
      size = llvm::alignTo(size, kTilePairs);
    Value steps = code.index(from.steps);
    std::optional<CodePanels> &codes = weights[source].codes;
    if (!layout.inPairs)
      size = llvm::alignTo(size, codes ? codes->getGranule() : layout.together);
    bool isLastSource = source + 1 == left.size();
    Value nextSource = isLastSource ? getPanel(0, code.addI(panel, 1))
                                    : getPanel(source + 1, panel);
    code.loop(zero, steps, size, [&, source = source](Value first) {
      Slice slice;
      slice.left = left[source];
      slice.firstStep = first;
      slice.numSteps = code.minI(code.subI(steps, first), code.index(size));
      slice.mostSteps = size;
      slice.isFirst = source == 0 ? code.equalI(first, zero)
                                  : code.integer(code.builder.getI1Type(), 0);
      slice.stepBytes = getStepBytes(source);
      Value whole = getPanel(source, panel);
      auto getStep = [&](Value step) {
        return code.address(whole, code.mulI(step, slice.stepBytes),
                            code.builder.getI8Type());
      };
      slice.right = getStep(first);
      slice.rightType = plan.elementType;
      Value end = code.addI(first, slice.numSteps);
      slice.next =
          code.select(code.lessI(end, steps), getStep(end), nextSource);
      if (codes) {
        writeCodes(*codes, panel, slice);
        emitSlice(slice, column, numRows);
        return;
      }
      if (!layout.isConverted(plan)) {
        emitSlice(slice, column, numRows);
        return;
      }
      code.ifElse(
          code.lessI(numRows, code.index(kManyRows)), {},
          [&]() -> Values {
            emitSlice(slice, column, numRows);
            return {};
          },
          [&]() -> Values {
            writeNumbers(slice);
            slice.right = numbers;
            slice.rightType = code.f32Type(1);
            emitSlice(slice, column, numRows);
            return {};
          });
    });
  }
}

void GemmPanels::emit(ArrayRef<SourceRows> left, Value firstPanel,
                      Value numPanels, Value numRows, Value areFinite) {
  auto forPanels = [&](llvm::function_ref<void(Value, Value)> body) {
    code.loop(code.index(0), numPanels, 1, [&](Value panel) {
      body(code.addI(firstPanel, panel), code.mulI(panel, panelColumns));
    });
    return Values();
  };
  auto emitAll = [&] {
    return forPanels([&](Value panel, Value column) {
      emitAllRows(left, panel, column, numRows);
    });
  };
  auto emitOnePassOrAll = [&] {
    return code.ifElse(
        code.lessI(numRows, code.index(layout.shape.rows + 1)), {},
        [&] {
          return forPanels([&](Value panel, Value column) {
            emitOnePass(left, panel, column, numRows);
          });
        },
        emitAll);
  };
  auto emitFewOrAll = [&] {
    return code.ifElse(
        code.lessI(numRows, code.index(getFewRows(layout) + 1)), {},
        [&] {
          return forPanels([&](Value panel, Value column) {
            emitFewRows(left, panel, column, numRows);
          });
        },
        emitAll);
  };
  if (llvm::any_of(weights, [](const PackedSource &source) {
        return source.codes && source.codes->usesDigits();
      })) {
    int64_t rows = getDigitRows(layout, weights);
    code.ifElse(
        arith::AndIOp::create(code.builder, code.loc,
                              code.lessI(numRows, code.index(rows + 1)),
                              areFinite),
        {},
        [&] {
          return forPanels([&](Value panel, Value column) {
            emitDigitRows(left, panel, column, numRows);
          });
        },
        [&] { return rows < getFewRows(layout) ? emitFewOrAll() : emitAll(); });
    return;
  }
  code.ifElse(
      code.equalI(numRows, code.index(1)), {},
      [&] {
        return forPanels([&](Value panel, Value column) {
          emitOneRow(left, panel, column);
        });
      },
      [&] {
        if (plan.hasCodes())
          return emitFewOrAll();
        return layout.isOnTiles() ? emitAll() : emitOnePassOrAll();
      });
}
