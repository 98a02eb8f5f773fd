//===- AttentionGradShaw.cpp - Shaw's tables in gradients of attention ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A launch multiplies each query, and each row of the result's gradient, by all
// rows of a table, so that a score or a pull is one of these products more.
// Tiles of queries sum the factors that the products of a row are multiplied
// by: the gradient by a query is that sum times the table, and the gradient by
// a table that of all queries times the query.
//
//===----------------------------------------------------------------------===//

#include "AttentionGrad.h"

#include "parablock/Dialect/Block/ShapeChecks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;
using block::getDim;

/// Queries of a part at least, and the most parts.
static constexpr int64_t kLeastQueries = 32, kMostParts = 128;

/// Returns the rows that are multiplied by those of a table.
static Value getRowsOf(block::SdpaGradOp op, Value table) {
  return table == op.getShawKey() ? op.getQuery() : op.getGradient();
}

SmallVector<Value, 2> parablock::listShawTables(const AttentionGradPlan &plan) {
  block::SdpaGradOp op = plan.op;
  SmallVector<Value, 2> tables;
  for (Value table : {op.getShawKey(), op.getShawValue()})
    if (table)
      tables.push_back(table);
  return tables;
}

Value parablock::findRelations(const AttentionGradPlan &plan,
                               KernelShell &shell, unsigned first,
                               Value table) {
  if (!table)
    return {};
  SmallVector<Value, 2> tables = listShawTables(plan);
  return shell.getInput(first + (llvm::find(tables, table) - tables.begin()));
}

tile::KernelOp parablock::buildRelations(const GradientSite &site,
                                         const AttentionGradPlan &plan,
                                         Value table) {
  block::SdpaGradOp op = plan.op;
  int64_t heads = plan.ofQueries.heads,
          count = AttentionGradPlan::countRows(table);
  int64_t size = getDim(table, -1);
  RankedTensorType type = plan.getRelationsType(table);
  std::optional<int64_t> rows = getStaticRows(type);
  KernelShell shell = site.createRowsShell(
      table == op.getShawKey() ? "_by_keys" : "_by_values",
      rows ? std::optional(*rows * heads) : std::nullopt,
      {getRowsOf(op, table).getType(), table.getType()}, type);
  TileCode code{shell.builder, op.getLoc()};
  Value lines = createRowCount(shell.builder, op.getLoc(), shell.getOutput(0));
  Value all = code.mulIndex(lines, code.index(heads));
  code.gridRows(all, [&](TileCode inner, Value item) {
    Value line = inner.divIndex(item, inner.index(heads));
    Value head = inner.remIndex(item, inner.index(heads));
    Value from = inner.mulIndex(head, inner.index(size));
    inner.loop(
        inner.index(0), inner.index(count), [&](TileCode each, Value row) {
          Value sum = each.reduce(
              tile::Reduction::Add, each.index(0), each.index(size),
              [&](TileCode at, Value column) {
                Value own =
                    at.load(shell.getInput(0), line, at.addIndex(from, column));
                return at.mul(own, at.load(shell.getInput(1), row, column));
              });
          Value to = each.addIndex(each.mulIndex(head, each.index(count)), row);
          each.store(sum, shell.getOutput(0), line, to);
        });
  });
  return shell.kernel;
}

//===----------------------------------------------------------------------===//
// Sums of factors
//===----------------------------------------------------------------------===//

Value ShawFactors::getPlace(StringRef name) const {
  auto place = llvm::find(plan.factors, name) - plan.factors.begin();
  return shell.getOutput(2 + plan.stored.size() + place);
}

int64_t ShawFactors::countRows(StringRef name) const {
  return AttentionGradPlan::countRows(name == "shaw_key" ? op.getShawKey()
                                                         : op.getShawValue());
}

void ShawFactors::clear(TileCode code) const {
  Value start =
      code.addIndex(code.mulIndex(tile.batch, tile.queryRows), tile.firstRow);
  for (StringRef name : plan.factors) {
    Value place = getPlace(name);
    int64_t rows = countRows(name);
    code.tileRows(
        tile.usedRows, plan.ofQueries.rows, [&](TileCode inner, Value row) {
          Value from = inner.mulIndex(tile.firstHead, inner.index(rows));
          inner.columns(from, inner.addIndex(from, inner.index(rows)),
                        [&](TileCode each, Value column) {
                          each.store(each.f32(0), place,
                                     each.addIndex(start, row), column);
                        });
        });
  }
}

/// Adds factors of a tile's keys to those of the table's rows. A row of the
/// table has one key of each query, but for the first and the last one, which
/// have all that are as far or farther away.
void ShawFactors::add(TileCode code, StringRef name, Value factors,
                      Value firstKey) const {
  int64_t rows = countRows(name), reach = rows / 2;
  Value place = getPlace(name);
  Value staged = code.stage(factors, 0, plan.ofQueries.keys),
        zero = code.index(0);
  Value start =
      code.addIndex(code.mulIndex(tile.batch, tile.queryRows), tile.firstRow);
  code.tileRows(
      tile.usedRows, plan.ofQueries.rows, [&](TileCode inner, Value row) {
        Value line = inner.addIndex(start, row);
        Value first = inner.mulIndex(tile.firstHead, inner.index(rows));
        Value keys = inner.index(plan.ofQueries.keys);
        // The column of the tile that has the row of distance 0.
        Value own = inner.subIndex(tile.createPosition(inner, row), firstKey);
        auto addEnd = [&](int64_t entry, Value from, Value to) {
          auto limit = [&](Value column) {
            return inner.minIndex(inner.maxIndex(column, zero), keys);
          };
          Value sum = inner.reduce(tile::Reduction::Add, limit(from), limit(to),
                                   [&](TileCode each, Value column) {
                                     return each.load(staged, row, column);
                                   });
          Value at = inner.addIndex(first, inner.index(entry));
          inner.columns(zero, inner.index(1), [&](TileCode each, Value) {
            each.store(each.add(each.load(place, line, at), sum), place, line,
                       at);
          });
        };
        Value middle = inner.subIndex(own, inner.index(reach));
        addEnd(0, zero, reach ? inner.addIndex(middle, inner.index(1)) : keys);
        if (!reach)
          return;
        addEnd(rows - 1, inner.addIndex(own, inner.index(reach)), keys);
        inner.columns(
            inner.index(1), inner.index(rows - 1),
            [&](TileCode each, Value entry) {
              Value column = each.addIndex(middle, entry);
              Value known = each.minIndex(each.maxIndex(column, zero),
                                          each.index(plan.ofQueries.keys - 1));
              each.when(each.equalIndex(column, known), [&](TileCode then) {
                then.store(then.load(staged, row, known), place, line,
                           then.addIndex(first, entry));
              });
            });
      });
}

Value ShawFactors::addTo(TileCode code, Value element, Value line,
                         Value column) const {
  int64_t rows = countRows("shaw_key");
  Value factors = getPlace("shaw_key");
  Value first = code.mulIndex(tile.firstHead, code.index(rows));
  return code.accumulate(
      code.index(0), code.index(rows), element,
      [&](TileCode inner, Value row, ValueRange sum) -> SmallVector<Value> {
        return {inner.fma(inner.load(factors, line, inner.addIndex(first, row)),
                          inner.load(tile.get(op.getShawKey()), row, column),
                          sum[0])};
      })[0];
}

//===----------------------------------------------------------------------===//
// Gradients by tables
//===----------------------------------------------------------------------===//

static RankedTensorType getParts(const AttentionGradPlan &plan, Value table) {
  block::SdpaGradOp op = plan.op;
  std::optional<int64_t> rows = getStaticRows(op.getQuery().getType());
  int64_t parts =
      rows ? std::clamp<int64_t>(llvm::divideCeil(*rows, kLeastQueries), 1,
                                 kMostParts)
           : kMostParts;
  return RankedTensorType::get(
      {parts, AttentionGradPlan::countRows(table), getDim(table, -1)},
      Float32Type::get(op.getContext()));
}

tile::KernelOp parablock::buildShawParts(const GradientSite &site,
                                         const AttentionGradPlan &plan,
                                         Value table) {
  block::SdpaGradOp op = plan.op;
  RankedTensorType type = getParts(plan, table);
  int64_t parts = type.getDimSize(0), count = type.getDimSize(1),
          size = type.getDimSize(2), heads = plan.ofQueries.heads;
  KernelShell shell = site.createRowsShell(
      table == op.getShawKey() ? "_shaw_key_parts" : "_shaw_value_parts",
      parts * count,
      {plan.getRelationsType(table), getRowsOf(op, table).getType()}, type);
  TileCode code{shell.builder, op.getLoc()};
  Value lines = createRowCount(shell.builder, op.getLoc(), shell.getInput(0));
  code.gridRows(code.index(parts * count), [&](TileCode inner, Value item) {
    Value part = inner.divIndex(item, inner.index(count)),
          row = inner.remIndex(item, inner.index(count));
    Value most = inner.divIndex(inner.addIndex(lines, inner.index(parts - 1)),
                                inner.index(parts));
    Value from = inner.minIndex(inner.mulIndex(part, most), lines);
    Value to = inner.minIndex(inner.addIndex(from, most), lines);
    inner.columns(
        inner.index(0), inner.index(size), [&](TileCode each, Value column) {
          Value all = each.index(heads);
          Value sum = sumRuns(
              each, each.mulIndex(from, all), each.mulIndex(to, all),
              [&](TileCode at, Value number) {
                Value line = at.divIndex(number, at.index(heads)),
                      head = at.remIndex(number, at.index(heads));
                Value factor = at.load(
                    shell.getInput(0), line,
                    at.addIndex(at.mulIndex(head, at.index(count)), row));
                Value own = at.load(
                    shell.getInput(1), line,
                    at.addIndex(at.mulIndex(head, at.index(size)), column));
                return at.mul(factor, own);
              });
          each.store(sum, shell.getOutput(0), item, column);
        });
  });
  return shell.kernel;
}

tile::KernelOp parablock::buildShawTotal(const GradientSite &site,
                                         const AttentionGradPlan &plan,
                                         Value table) {
  block::SdpaGradOp op = plan.op;
  RankedTensorType type = getParts(plan, table);
  int64_t parts = type.getDimSize(0), count = type.getDimSize(1),
          size = type.getDimSize(2);
  KernelShell shell = site.createRowsShell(
      table == op.getShawKey() ? "_shaw_key" : "_shaw_value", count, type,
      table.getType());
  TileCode code{shell.builder, op.getLoc()};
  code.gridRows(code.index(count), [&](TileCode inner, Value row) {
    inner.columns(
        inner.index(0), inner.index(size), [&](TileCode each, Value column) {
          Value sum = sumRuns(each, each.index(0), each.index(parts),
                              [&](TileCode at, Value part) {
                                Value line = at.addIndex(
                                    at.mulIndex(part, at.index(count)), row);
                                return at.load(shell.getInput(0), line, column);
                              });
          each.store(sum, shell.getOutput(0), row, column);
        });
  });
  return shell.kernel;
}
