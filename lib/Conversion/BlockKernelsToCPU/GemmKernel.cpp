//===- GemmKernel.cpp - tiles, conversions and epilogues of products ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An item is a block of rows times a tile of columns. The tile is summed in
// registers, panel by panel, and stored in a buffer that stays in the cache;
// then the steps after the product process its rows. Only the row code depends
// on these steps.
//
//===----------------------------------------------------------------------===//

#include "GemmKernel.h"

#include "GemmPanels.h"
#include "RowsKernel.h"
#include "TileProduct.h"
#include "mlir/IR/TypeUtilities.h"
#include <numeric>

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
class GemmBuilder {
public:
  GemmBuilder(Frame &frame, block::KernelOp kernel, const GemmPlan &plan,
              const GemmLayout &layout)
      : frame(frame), code(frame.getCode()), kernel(kernel), plan(plan),
        layout(layout), panelColumns(layout.getPanelColumns(code.lanes())) {}

  KernelCode build();

private:
  /// The current tile.
  struct Tile {
    Value panel, numPanels;
    /// Columns and panels of each segment.
    Value firstColumn, panelsPerPiece;
  };

  PackedSource getWeight(const GemmSource &source);
  void prepareSources();
  /// Returns whether products read converted rows: in f32, or without their
  /// mean.
  bool copiesRows() const { return layout.isConverted(plan) || centresRows(); }
  /// Returns whether rows are centred; pairs would be rounded again.
  bool centresRows() const { return plan.mean && !layout.inPairs; }
  /// Converts rows to f32, for all sources or, for few rows, only for sources
  /// with codes; or converts them to digits. Returns whether digits are valid.
  Value convertRows(Value firstRow, Value numRows);
  void widenRows(unsigned source, Value firstRow, Value numRows);
  /// Copies rows without their mean.
  void centreRows(unsigned source, Value firstRow, Value numRows);
  void copyRow(unsigned source, Value from, Value to, Value count, Value mean);
  Value splitRows(unsigned source, Value firstRow, Value numRows);
  SourceRows getLeft(unsigned source, Value firstRow);
  Tile findTile(unsigned group, Value tile);
  /// Selects the result of `pick` for the group of `tile`.
  Values pickGroup(Value tile, llvm::function_ref<Values(unsigned)> pick);
  void emitBlock(Value block, Value firstTile, Value lastTile);
  void emitEpilogues(Value tileNumber, Value firstRow, Value numRows,
                     unsigned group);
  void emitEpilogue(const Tile &tile, unsigned group, Value firstRow,
                    Value numRows);

  Frame &frame;
  Code &code;
  block::KernelOp kernel;
  const GemmPlan &plan;
  const GemmLayout &layout;
  int64_t panelColumns;
  Value rows, sequence, buffer, numbers;
  Values inputs, converted, digits, factors;
  SmallVector<PackedSource> weights;
};
} // namespace

PackedSource GemmBuilder::getWeight(const GemmSource &source) {
  auto tensor = [&](Value argument) {
    return argument
               ? frame.getTensor(cast<BlockArgument>(argument).getArgNumber())
               : Value();
  };
  block::UnpackWeightOp unpack = source.unpack;
  if (!unpack)
    return {tensor(source.weight), std::nullopt};
  CodeTensors tensors = {tensor(unpack.getCodes()), tensor(unpack.getScales()),
                         tensor(unpack.getZeros())};
  return {tensors.codes, CodePanels(code, unpack, tensors, panelColumns)};
}

void GemmBuilder::prepareSources() {
  for (const GemmSource &source : plan.sources) {
    inputs.push_back(frame.getTensor(source.input.getArgNumber()));
    weights.push_back(getWeight(source));
    const std::optional<CodePanels> &codes = weights.back().codes;
    int64_t fewRows = getFewRows(layout);
    Value wide, digit, factor;
    if (codes && codes->usesDigits()) {
      digit = frame.allocate(fewRows * weights.back().codes->getDigitBytes());
      factor = frame.allocate(fewRows * sizeof(float));
    }
    if (copiesRows())
      wide = frame.allocate(layout.blockRows * source.depth * sizeof(float));
    else if (layout.inPairs && codes && !codes->usesDigits())
      wide = frame.allocate(fewRows * source.depth * sizeof(float));
    converted.push_back(wide);
    digits.push_back(digit);
    factors.push_back(factor);
  }
}

/// Copies elements as f32, without a mean where there is one.
void GemmBuilder::copyRow(unsigned source, Value from, Value to, Value count,
                          Value mean) {
  Value whole = code.subI(count, code.remI(count, code.lanes()));
  auto copy = [&](Value at, int64_t lanes) {
    Value value =
        code.load(inputs[source], plan.elementType, code.addI(from, at), lanes);
    if (mean)
      value = code.sub(value, code.splat(mean, lanes));
    code.storeRaw(value, converted[source], code.addI(to, at));
  };
  code.loop(code.index(0), whole, code.lanes(),
            [&](Value at) { copy(at, code.lanes()); });
  code.loop(whole, count, 1, [&](Value at) { copy(at, 1); });
}

void GemmBuilder::widenRows(unsigned source, Value firstRow, Value numRows) {
  int64_t depth = plan.sources[source].depth;
  // Rows follow each other without gaps on both sides.
  copyRow(source, code.mulI(firstRow, depth), code.index(0),
          code.mulI(numRows, depth), /*mean=*/Value());
}

void GemmBuilder::centreRows(unsigned source, Value firstRow, Value numRows) {
  int64_t depth = plan.sources[source].depth;
  RowArguments arguments(kernel.getBody().front(), frame);
  code.loop(code.index(0), numRows, 1, [&](Value localRow) {
    Value row = code.addI(firstRow, localRow);
    Value mean = arguments.createProgram(code, row).emitStatistic(plan.mean);
    copyRow(source, code.mulI(row, depth), code.mulI(localRow, depth),
            code.index(depth), mean);
  });
}

/// Returns whether all rows are finite.
Value GemmBuilder::splitRows(unsigned source, Value firstRow, Value numRows) {
  int64_t depth = plan.sources[source].depth;
  block::UnpackWeightOp unpack = plan.sources[source].unpack;
  Values finite = code.loop(
      code.index(0), numRows, 1, code.integer(code.builder.getI1Type(), 1),
      [&](Value row, ValueRange before) -> Values {
        Type type = centresRows() ? code.f32Type(1) : plan.elementType;
        Value input =
            centresRows()
                ? code.address(converted[source], code.mulI(row, depth), type)
                : code.address(inputs[source],
                               code.mulI(code.addI(firstRow, row), depth),
                               type);
        CodePanels &codes = *weights[source].codes;
        Value place =
            code.address(digits[source], code.mulI(row, codes.getDigitBytes()),
                         code.builder.getI8Type());
        Value factor = writeDigits(code, codes.getDigits(), input, type, depth,
                                   unpack.isPacked(), place);
        code.storeRaw(factor, factors[source], row);
        codes.writeDigitSums({place, factor, depth});
        return {arith::AndIOp::create(code.builder, code.loc, before[0],
                                      code.less(code.f32(0), factor))};
      });
  return finite[0];
}

Value GemmBuilder::convertRows(Value firstRow, Value numRows) {
  auto widen = [&] {
    for (unsigned source = 0; source < plan.sources.size(); ++source)
      if (centresRows())
        centreRows(source, firstRow, numRows);
      else if (converted[source])
        widenRows(source, firstRow, numRows);
  };
  bool isConverted = copiesRows();
  if (isConverted)
    widen();
  Type flag = code.builder.getI1Type();
  Value yes = code.integer(flag, 1);
  auto isThere = [](Value place) { return static_cast<bool>(place); };
  bool countsRows = llvm::any_of(digits, isThere) ||
                    (!isConverted && llvm::any_of(converted, isThere));
  if (!countsRows)
    return yes;
  auto convert = [&]() -> Values {
    if (!isConverted)
      widen();
    Value areFinite = yes;
    for (unsigned source = 0; source < plan.sources.size(); ++source)
      if (digits[source])
        areFinite = arith::AndIOp::create(code.builder, code.loc, areFinite,
                                          splitRows(source, firstRow, numRows));
    return {areFinite};
  };
  int64_t most = getDigitRows(layout, weights);
  return code.ifElse(code.lessI(numRows, code.index(most + 1)), flag, convert,
                     [&] { return Values{yes}; })[0];
}

SourceRows GemmBuilder::getLeft(unsigned source, Value firstRow) {
  int64_t depth = plan.sources[source].depth;
  Type f32 = code.f32Type(1);
  if (copiesRows())
    return {converted[source], depth,          depth,          f32,
            converted[source], digits[source], factors[source]};
  Value first = code.mulI(firstRow, depth);
  Value pointer = code.address(inputs[source], first, plan.elementType);
  if (!layout.inPairs)
    return {pointer, depth, depth, f32, pointer};
  return {pointer,           depth / 2,
          depth / 2,         code.builder.getI32Type(),
          converted[source], digits[source],
          factors[source]};
}

Values GemmBuilder::pickGroup(Value tile,
                              llvm::function_ref<Values(unsigned)> pick) {
  Values result = pick(plan.groups.size() - 1);
  for (unsigned group = plan.groups.size() - 1; group-- > 0;) {
    Value isIn =
        code.lessI(tile, code.index(layout.groups[group + 1].firstTile));
    for (auto [known, other] : llvm::zip_equal(result, pick(group)))
      known = code.select(isIn, other, known);
  }
  return result;
}

GemmBuilder::Tile GemmBuilder::findTile(unsigned group, Value tile) {
  const GemmTiles &tiles = layout.groups[group];
  int64_t pieces = plan.groups[group].segments.size();
  Value local = code.subI(tile, code.index(tiles.firstTile));
  Tile result;
  result.firstColumn = code.mulI(local, tiles.columns);
  result.panelsPerPiece = code.index(tiles.panels);
  if (tiles.lastPanels != tiles.panels)
    result.panelsPerPiece =
        code.select(code.lessI(local, code.index(tiles.count - 1)),
                    result.panelsPerPiece, code.index(tiles.lastPanels));
  result.panel =
      code.addI(code.mulI(local, pieces * tiles.panels), tiles.firstPanel);
  result.numPanels = code.mulI(result.panelsPerPiece, pieces);
  return result;
}

void GemmBuilder::emitEpilogue(const Tile &tile, unsigned number,
                               Value firstRow, Value numRows) {
  const GemmGroup &group = plan.groups[number];
  Value width = code.index(group.width);
  Value to = code.minI(
      code.addI(tile.firstColumn, layout.groups[number].columns), width);
  Block &body = kernel.getBody().front();
  Operation *yield = body.getTerminator();
  Value bias =
      plan.bias ? frame.getTensor(cast<BlockArgument>(plan.bias).getArgNumber())
                : Value();
  SmallVector<RowOutput> outputs;
  for (unsigned output : group.outputs)
    outputs.push_back({yield->getOperand(output),
                       frame.getTensor(kernel.getNumOperands() + output)});
  RowArguments arguments(body, frame);
  code.loop(code.index(0), numRows, 1, [&](Value localRow) {
    RowProgram program =
        arguments.createProgram(code, code.addI(firstRow, localRow));
    for (auto [piece, segmentNumber] : llvm::enumerate(group.segments)) {
      const GemmSegment &segment = plan.segments[segmentNumber];
      Value start =
          code.addI(code.mulI(localRow, layout.bufferColumns),
                    code.mulI(tile.panelsPerPiece,
                              static_cast<int64_t>(piece) * panelColumns));
      start = code.subI(start, tile.firstColumn);
      if (centresRows())
        program.noteCentred(segment.value);
      program.give(segment.value, [=](const RowCode &, Value,
                                      const Column &column) {
        Value element = code.loadRaw(buffer, code.f32Type(column.lanes),
                                     code.addI(start, column.index));
        if (bias)
          element = code.add(
              element,
              code.load(bias, getElementTypeOrSelf(plan.bias.getType()),
                        code.addI(column.index, segment.offset), column.lanes));
        auto head = dyn_cast<block::HeadOp>(plan.root);
        return head ? emitLogit(code, head.getScale(), head.getSoftcap(),
                                element)
                    : element;
      });
    }
    program.emit(outputs,
                 {tile.firstColumn, to,
                  std::gcd(layout.groups[number].columns, group.width), false});
  });
}

/// The epilogue of the group that the tile is in, from `group` on.
void GemmBuilder::emitEpilogues(Value tileNumber, Value firstRow, Value numRows,
                                unsigned group) {
  auto emit = [&]() -> Values {
    emitEpilogue(findTile(group, tileNumber), group, firstRow, numRows);
    return {};
  };
  if (group + 1 == plan.groups.size()) {
    emit();
    return;
  }
  code.ifElse(
      code.lessI(tileNumber, code.index(layout.groups[group + 1].firstTile)),
      {}, emit, [&]() -> Values {
        emitEpilogues(tileNumber, firstRow, numRows, group + 1);
        return {};
      });
}

void GemmBuilder::emitBlock(Value block, Value firstTile, Value lastTile) {
  Value firstRow = code.mulI(block, layout.blockRows);
  Value numRows =
      code.minI(code.subI(rows, firstRow), code.index(layout.blockRows));
  Value areFinite = convertRows(firstRow, numRows);
  SmallVector<SourceRows> left;
  for (unsigned source = 0; source < plan.sources.size(); ++source)
    left.push_back(getLeft(source, firstRow));
  code.loop(firstTile, lastTile, 1, [&](Value tile) {
    Values picked = pickGroup(tile, [&](unsigned group) -> Values {
      Tile found = findTile(group, tile);
      return {found.panel, found.numPanels};
    });
    GemmPanels(code, plan, layout, weights, buffer, numbers)
        .emit(left, picked[0], picked[1], numRows, areFinite);
    emitEpilogues(tile, firstRow, numRows, 0);
  });
}

KernelCode GemmBuilder::build() {
  sequence = frame.getDim(1);
  rows = code.mulI(frame.getDim(0), sequence);
  prepareSources();
  buffer =
      frame.allocate(layout.blockRows * layout.bufferColumns * sizeof(float));
  // A slice of codes may end with half a byte.
  if (plan.hasCodes() || layout.isConverted(plan))
    numbers = frame.allocate((kMostSteps + 2) * panelColumns * sizeof(float));
  // Items go through all tiles of one block of rows, then of the next.
  Value tiles = code.index(layout.numTiles);
  Value begin = frame.getBegin(), end = frame.getEnd();
  code.loop(code.divI(begin, tiles), code.ceilDivI(end, layout.numTiles), 1,
            [&](Value block) {
              Value first = code.mulI(block, tiles);
              emitBlock(block,
                        code.maxI(code.subI(begin, first), code.index(0)),
                        code.minI(code.subI(end, first), tiles));
            });
  if (layout.isOnTiles())
    emitTileRelease(code);
  return frame.finish(layout.numTiles, layout.blockRows);
}

FailureOr<KernelCode> cpugen::buildGemmKernel(Frame &frame,
                                              block::KernelOp kernel,
                                              const GemmPlan &plan,
                                              const GemmLayout &layout) {
  auto isProduct = [&](Value value) {
    return llvm::any_of(plan.segments, [&](const GemmSegment &segment) {
      return segment.value == value;
    });
  };
  if (failed(checkRows(kernel.getBody().front(), kRowMachine, isProduct)))
    return failure();
  return GemmBuilder(frame, kernel, plan, layout).build();
}
