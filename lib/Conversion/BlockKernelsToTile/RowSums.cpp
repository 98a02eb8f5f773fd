//===- RowSums.cpp - sums of columns, and rows of embedding tables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Columns are summed in two stages: each warp sums some rows of some columns,
// then lanes sum what warps have, in order.
//
// A row of a table gets the gradients of tokens with its key. Each token counts
// the tokens before it in the order of keys and then of tokens, which is its
// place. Then each row finds its first token by bisection, and sums its tokens
// in order.
//
//===----------------------------------------------------------------------===//

#include "GradientKernels.h"

#include "parablock/Dialect/Block/BlockOps.h"
#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/Support/MathExtras.h"

#include <functional>

using namespace mlir;
using namespace parablock;

//===----------------------------------------------------------------------===//
// Sums of columns
//===----------------------------------------------------------------------===//

/// Columns that a warp sums at a time, rows of a chunk at least, and the most
/// chunks.
static constexpr int64_t kColumns = 128, kLeastRows = 32, kMostChunks = 128;

int64_t parablock::countColumnParts(std::optional<int64_t> rows) {
  return rows ? std::clamp<int64_t>(llvm::divideCeil(*rows, kLeastRows), 1,
                                    kMostChunks)
              : kMostChunks;
}

/// Calls `body` for each of `width` columns and each of `parts` parts.
static void
forColumns(KernelShell &shell, int64_t width, int64_t parts,
           llvm::function_ref<void(TileCode, Value part, Value column)> body) {
  int64_t blocks = llvm::divideCeil(width, kColumns);
  TileCode code{shell.builder, shell.kernel.getLoc()};
  code.gridRows(code.index(parts * blocks), [&](TileCode inner, Value item) {
    Value part = inner.divIndex(item, inner.index(blocks));
    Value first = inner.mulIndex(inner.remIndex(item, inner.index(blocks)),
                                 inner.index(kColumns));
    Value end = inner.minIndex(inner.addIndex(first, inner.index(kColumns)),
                               inner.index(width));
    inner.columns(first, end, [&](TileCode each, Value column) {
      body(each, part, column);
    });
  });
}

tile::KernelOp parablock::buildColumnParts(const GradientSite &site,
                                           StringRef suffix, TypeRange inputs,
                                           RankedTensorType parts,
                                           AddRow addRow) {
  int64_t chunks = parts.getDimSize(0), width = parts.getDimSize(1);
  KernelShell shell = site.createRowsShell(
      suffix, chunks * llvm::divideCeil(width, kColumns), inputs, parts);
  Value rows =
      createRowCount(shell.builder, shell.kernel.getLoc(), shell.getInput(0));
  forColumns(
      shell, width, chunks, [&](TileCode code, Value chunk, Value column) {
        Value size = code.divIndex(code.addIndex(rows, code.index(chunks - 1)),
                                   code.index(chunks));
        Value from = code.minIndex(code.mulIndex(chunk, size), rows);
        Value to = code.minIndex(code.addIndex(from, size), rows);
        Value sum = code.accumulate(
            from, to, code.f32(0),
            [&](TileCode inner, Value row,
                ValueRange known) -> SmallVector<Value> {
              return {addRow(inner, shell, row, column, known[0])};
            })[0];
        code.store(sum, shell.getOutput(0), chunk, column);
      });
  return shell.kernel;
}

tile::KernelOp parablock::buildColumnTotal(const GradientSite &site,
                                           StringRef suffix, TypeRange inputs,
                                           Type output, StoreColumn store) {
  auto parts = cast<RankedTensorType>(inputs.front());
  int64_t width = parts.getDimSize(1);
  KernelShell shell = site.createRowsShell(
      suffix, llvm::divideCeil(width, kColumns), inputs, output);
  forColumns(
      shell, width, /*parts=*/1, [&](TileCode code, Value, Value column) {
        Value sum = code.accumulate(
            code.index(0), code.index(parts.getDimSize(0)), code.f32(0),
            [&](TileCode inner, Value part,
                ValueRange known) -> SmallVector<Value> {
              return {inner.add(known[0],
                                inner.load(shell.getInput(0), part, column))};
            })[0];
        store(code, shell, column, sum);
      });
  return shell.kernel;
}

/// Adds the elements of all groups of a row, in order.
static Value addGroups(block::ColumnSumsOp op, TileCode code,
                       KernelShell &shell, Value row, Value column, Value sum) {
  Value factor = op.getFactor() ? shell.getInput(1) : Value();
  bool isOfRow = factor && block::getDim(op.getFactor(), -1) == 1 &&
                 block::getDim(op.getInput(), -1) != 1;
  int64_t width = block::getDim(op.getResult(), 0);
  for (int64_t group = 0, groups = op.getGroups(); group < groups; ++group) {
    Value at = code.addIndex(column, code.index(group * width));
    Value x = code.load(shell.getInput(0), row, at);
    if (!factor)
      sum = code.add(sum, x);
    else
      sum = code.fma(x, code.load(factor, row, isOfRow ? code.index(0) : at),
                     sum);
  }
  return sum;
}

FailureOr<LaunchSequence> parablock::buildColumnSums(const GradientSite &site) {
  auto op = cast<block::ColumnSumsOp>(site.op);
  auto type = RankedTensorType::get(
      {countColumnParts(getStaticRows(op.getInput().getType())),
       block::getDim(op.getResult(), 0)},
      Float32Type::get(op.getContext()));
  LaunchSequence sequence;
  SmallVector<LaunchSequence::Source> operands;
  for (unsigned number = 0; number < op->getNumOperands(); ++number)
    operands.push_back({number});
  unsigned parts = sequence.append(
      buildColumnParts(site, "_parts", op->getOperandTypes(), type,
                       [&](TileCode code, KernelShell &shell, Value row,
                           Value column, Value sum) {
                         return addGroups(op, code, shell, row, column, sum);
                       }),
      operands);
  unsigned total = sequence.append(
      buildColumnTotal(
          site, "_total", {type}, op.getResult().getType(),
          [](TileCode code, KernelShell &shell, Value column, Value sum) {
            code.store(sum, shell.getOutput(0), code.index(0), column);
          }),
      {{0, parts}});
  sequence.results = {{0, total}};
  return std::move(sequence);
}

//===----------------------------------------------------------------------===//
// Rows of tables
//===----------------------------------------------------------------------===//

namespace {
/// The gradients by the tables of one op.
class EmbeddingGrad {
public:
  explicit EmbeddingGrad(const GradientSite &site)
      : site(site), op(cast<block::EmbeddingGradOp>(site.op)),
        tokens(getStaticRows(op.getGradient().getType())) {
    Type i64 = IntegerType::get(op.getContext(), 64);
    numbers = op.getIds().getType().clone(i64);
  }

  FailureOr<LaunchSequence> build();

private:
  /// Appends the launches for a table whose keys are `keys`.
  void appendTable(StringRef which, LaunchSequence::Source keys, Type type,
                   OpResult result, double scale);
  tile::KernelOp buildKeys();
  tile::KernelOp buildOrder(StringRef which, Type keys);
  tile::KernelOp buildRows(StringRef which, OpResult result, double scale);
  /// Tokens of a row of the table: how many, and the one of a number.
  struct RowTokens {
    Value count;
    std::function<Value(TileCode, Value)> get;
  };
  /// Sums the gradient of the tokens that `find` gives for a row, in their
  /// order.
  tile::KernelOp
  buildTokens(StringRef name, OpResult result,
              llvm::function_ref<RowTokens(TileCode, Value, Value)> find);
  tile::KernelOp buildPositions(OpResult result);
  tile::KernelOp buildFirstType(OpResult result);

  const GradientSite &site;
  block::EmbeddingGradOp op;
  std::optional<int64_t> tokens;
  RankedTensorType numbers;
  LaunchSequence sequence;
};
} // namespace

static Value loadId(TileCode code, Value ids, Value token) {
  Type element = cast<MemRefType>(ids.getType()).getElementType();
  return code.toIndex(tile::LoadOp::create(code.builder, code.loc, element, ids,
                                           ValueRange{token}));
}

/// The number of elements of a tensor of two dimensions.
static Value countElements(TileCode code, Value tensor) {
  return code.mulIndex(code.dim(tensor, 0), code.dim(tensor, 1));
}

static void storeNumber(TileCode code, Value number, Value tensor, Value at) {
  tile::StoreOp::create(code.builder, code.loc, code.toI64(number), tensor,
                        ValueRange{at});
}

/// Calls `body` for each token, one a lane.
static void forTokens(TileCode code, Value tokens,
                      llvm::function_ref<void(TileCode, Value)> body) {
  Value size = code.index(kColumns);
  Value pieces =
      code.divIndex(code.addIndex(tokens, code.index(kColumns - 1)), size);
  code.gridRows(pieces, [&](TileCode inner, Value piece) {
    Value from = inner.mulIndex(piece, size);
    Value to = inner.minIndex(inner.addIndex(from, size), tokens);
    inner.columns(from, to,
                  [&](TileCode each, Value token) { body(each, token); });
  });
}

/// The positions of tokens where padding has its own: as `block.embedding`
/// counts them.
tile::KernelOp EmbeddingGrad::buildKeys() {
  KernelShell shell =
      site.createRowsShell("_keys", tokens, op.getIds().getType(), numbers);
  TileCode code{shell.builder, op.getLoc()};
  Value ids = shell.getInput(0), all = countElements(code, ids);
  forTokens(code, all, [&](TileCode each, Value token) {
    Value zero = each.index(0), one = each.index(1),
          pad = each.index(static_cast<int64_t>(*op.getPadId()));
    Value time = each.remIndex(token, each.dim(ids, 1));
    Value count = each.accumulate(
        each.subIndex(token, time), each.addIndex(token, one), zero,
        [&](TileCode inner, Value at, ValueRange sum) -> SmallVector<Value> {
          Value isPad = inner.equalIndex(loadId(inner, ids, at), pad);
          return {inner.addIndex(sum[0], inner.select(isPad, zero, one))};
        })[0];
    Value isPad = each.equalIndex(loadId(each, ids, token), pad);
    storeNumber(each, each.addIndex(pad, each.select(isPad, zero, count)),
                shell.getOutput(0), token);
  });
  return shell.kernel;
}

/// The tokens in the order of their keys, and these keys.
tile::KernelOp EmbeddingGrad::buildOrder(StringRef which, Type type) {
  KernelShell shell = site.createRowsShell((which + "_order").str(), tokens,
                                           type, {numbers, numbers});
  TileCode code{shell.builder, op.getLoc()};
  Value keys = shell.getInput(0), all = countElements(code, keys);
  forTokens(code, all, [&](TileCode each, Value token) {
    Value zero = each.index(0), one = each.index(1);
    Value own = loadId(each, keys, token);
    Value place = each.accumulate(
        zero, all, zero,
        [&](TileCode inner, Value at, ValueRange sum) -> SmallVector<Value> {
          Value key = loadId(inner, keys, at);
          Value isBefore = inner.select(inner.equalIndex(key, own),
                                        inner.lessIndex(at, token),
                                        inner.lessIndex(key, own));
          return {inner.addIndex(sum[0], inner.select(isBefore, one, zero))};
        })[0];
    storeNumber(each, token, shell.getOutput(0), place);
    storeNumber(each, own, shell.getOutput(1), place);
  });
  return shell.kernel;
}

/// Counts the sorted `keys` below `bound`, by bisection.
static Value countBelow(TileCode code, Value keys, Value all, Value bound) {
  constexpr int64_t mostBits = 31;
  Value zero = code.index(0), one = code.index(1);
  return code.accumulate(
      zero, code.index(mostBits), zero,
      [&](TileCode inner, Value step, ValueRange count) -> SmallVector<Value> {
        Value stride = arith::ShRUIOp::create(
            inner.builder, inner.loc, inner.index(1LL << (mostBits - 1)), step);
        Value next = inner.addIndex(count[0], stride);
        auto keep = [&](TileCode) { return count[0]; };
        return {
            inner.ifElse(inner.lessIndex(all, next), keep, [&](TileCode each) {
              Value key = loadId(each, keys, each.subIndex(next, one));
              return each.select(each.lessIndex(key, bound), next, count[0]);
            })};
      })[0];
}

Value parablock::sumRuns(TileCode code, Value from, Value to,
                         TileCode::Element element) {
  constexpr int64_t run = 128;
  auto add = [&](TileCode at, Value begin, Value end) {
    return at.accumulate(
        begin, end, at.f32(0),
        [&](TileCode inner, Value place, ValueRange sum) -> SmallVector<Value> {
          return {inner.add(sum[0], element(inner, place))};
        })[0];
  };
  Value count = code.addIndex(code.subIndex(to, from), code.index(run - 1));
  return code.accumulate(
      code.index(0), code.divIndex(count, code.index(run)), code.f32(0),
      [&](TileCode inner, Value number, ValueRange sum) -> SmallVector<Value> {
        Value begin =
            inner.addIndex(from, inner.mulIndex(number, inner.index(run)));
        Value end = inner.minIndex(inner.addIndex(begin, inner.index(run)), to);
        return {inner.add(sum[0], add(inner, begin, end))};
      })[0];
}

tile::KernelOp EmbeddingGrad::buildRows(StringRef which, OpResult result,
                                        double scale) {
  KernelShell shell = site.createRowsShell(
      (which + "_rows").str(), block::getDim(result, 0),
      {op.getGradient().getType(), numbers, numbers}, result.getType());
  TileCode code{shell.builder, op.getLoc()};
  Value gradient = shell.getInput(0), order = shell.getInput(1),
        keys = shell.getInput(2), all = countElements(code, keys);
  code.gridRows(code.index(block::getDim(result, 0)), [&](TileCode inner,
                                                          Value row) {
    Value from = countBelow(inner, keys, all, row);
    Value to =
        countBelow(inner, keys, all, inner.addIndex(row, inner.index(1)));
    inner.columns(
        inner.index(0), inner.index(block::getDim(result, 1)),
        [&](TileCode each, Value column) {
          Value sum = sumRuns(each, from, to, [&](TileCode at, Value place) {
            return at.load(gradient, loadId(at, order, place), column);
          });
          each.store(each.scale(sum, scale), shell.getOutput(0), row, column);
        });
  });
  return shell.kernel;
}

tile::KernelOp EmbeddingGrad::buildTokens(
    StringRef name, OpResult result,
    llvm::function_ref<RowTokens(TileCode, Value, Value)> find) {
  KernelShell shell =
      site.createRowsShell(name, block::getDim(result, 0),
                           op.getGradient().getType(), result.getType());
  TileCode code{shell.builder, op.getLoc()};
  Value gradient = shell.getInput(0);
  code.gridRows(code.index(block::getDim(result, 0)), [&](TileCode inner,
                                                          Value row) {
    Value zero = inner.index(0);
    RowTokens tokens = find(inner, gradient, row);
    inner.columns(
        zero, inner.index(block::getDim(result, 1)),
        [&](TileCode each, Value column) {
          Value sum =
              sumRuns(each, zero, tokens.count, [&](TileCode at, Value number) {
                return at.load(gradient, tokens.get(at, number), column);
              });
          each.store(sum, shell.getOutput(0), row, column);
        });
  });
  return shell.kernel;
}

/// Positions of the sequence: a row of each batch row has one of them.
tile::KernelOp EmbeddingGrad::buildPositions(OpResult result) {
  return buildTokens(
      "_positions", result, [&](TileCode code, Value gradient, Value row) {
        Value zero = code.index(0), batch = code.dim(gradient, 0),
              sequence = code.dim(gradient, 1);
        Value time = code.subIndex(
            row, code.index(static_cast<int64_t>(op.getPositionOffset())));
        Value isThere =
            code.select(code.lessIndex(time, zero), code.boolean(false),
                        code.lessIndex(time, sequence));
        return RowTokens{
            code.select(isThere, batch, zero), [=](TileCode at, Value sample) {
              return at.addIndex(at.mulIndex(sample, sequence), time);
            }};
      });
}

/// All tokens are of the first type.
tile::KernelOp EmbeddingGrad::buildFirstType(OpResult result) {
  return buildTokens(
      "_type", result, [&](TileCode code, Value gradient, Value row) {
        Value zero = code.index(0);
        Value all = createRowCount(code.builder, op.getLoc(), gradient);
        return RowTokens{code.select(code.equalIndex(row, zero), all, zero),
                         [](TileCode, Value token) { return token; }};
      });
}

void EmbeddingGrad::appendTable(StringRef which, LaunchSequence::Source keys,
                                Type type, OpResult result, double scale) {
  unsigned order = sequence.append(buildOrder(which, type), keys);
  unsigned rows = sequence.append(buildRows(which, result, scale),
                                  {{0}, {0, order}, {1, order}});
  sequence.results.push_back({0, rows});
}

FailureOr<LaunchSequence> EmbeddingGrad::build() {
  if (op.getOffset())
    return op.emitError("no GPU code for the gradient of an embedding with an "
                        "offset: run the step on the CPU");
  for (auto [name, result] : llvm::zip_equal(
           op.getWrt().getAsValueRange<StringAttr>(), op->getResults())) {
    if (name == "table") {
      appendTable("_table", {1}, op.getIds().getType(), result,
                  op.getScale().convertToDouble());
    } else if (name == "type_table" && !op.getTypeIds()) {
      unsigned rows = sequence.append(buildFirstType(result), {{0}});
      sequence.results.push_back({0, rows});
    } else if (name == "type_table") {
      appendTable("_types", {2}, op.getTypeIds().getType(), result,
                  /*scale=*/1);
    } else if (op.getPadId()) {
      unsigned keys = sequence.append(buildKeys(), {{1}});
      appendTable("_positions", {0, keys}, numbers, result, /*scale=*/1);
    } else {
      unsigned rows = sequence.append(buildPositions(result), {{0}});
      sequence.results.push_back({0, rows});
    }
  }
  return std::move(sequence);
}

FailureOr<LaunchSequence>
parablock::buildEmbeddingGrad(const GradientSite &site) {
  return EmbeddingGrad(site).build();
}
