//===- CacheLimits.cpp - what fits into caches ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Execution/CacheLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "parablock/Execution/ValueFlow.h"
#include "llvm/Support/MathExtras.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;

/// The origin of the numbers of `value`, whatever their shape and type: a count
/// may be one for all batch rows.
static mlir::Value findNumbers(mlir::Value value) {
  while (true) {
    value = findOrigin(value);
    mlir::Operation *op = value.getDefiningOp();
    if (!mlir::isa_and_nonnull<
            mlir::arith::ExtSIOp, mlir::tensor::CollapseShapeOp,
            mlir::tensor::ExpandShapeOp, mlir::linalg::BroadcastOp>(op))
      return value;
    value = op->getOperand(0);
  }
}

/// The number of the function's argument that `value` is.
static std::optional<unsigned> findArgument(const Signature &signature,
                                            mlir::Value value) {
  auto argument = mlir::dyn_cast_if_present<mlir::BlockArgument>(
      value ? findNumbers(value) : value);
  mlir::func::FuncOp function = signature.function;
  if (!argument || argument.getOwner()->getParentOp() != function)
    return std::nullopt;
  return argument.getArgNumber();
}

/// Size `dim` of what `value` is made of, where that is an input or known.
static std::optional<InputSize> findSize(const Signature &signature,
                                         mlir::Value value, unsigned dim) {
  // Heads of one rank are columns of a cache.
  auto leaveSlices = [&] {
    value = findOrigin(value);
    while (auto slice = value.getDefiningOp<mlir::tensor::ExtractSliceOp>())
      value = findOrigin(slice.getSource());
  };
  leaveSlices();
  if (auto append = value.getDefiningOp<block::CacheAppendOp>()) {
    value = append.getCache();
    leaveSlices();
  }
  auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
  if (!type.isDynamicDim(dim))
    return InputSize{type.getDimSize(dim), std::nullopt, 0};
  if (std::optional<unsigned> argument = findArgument(signature, value))
    return InputSize{0, argument, dim};
  return std::nullopt;
}

/// Notes the table of an attention, whose layers mostly share one.
static void addTable(const Signature &signature, block::AttentionOpInterface op,
                     std::vector<TableLimit> &tables) {
  std::optional<unsigned> argument = findArgument(signature, op.getPages());
  if (!argument)
    return;
  std::optional<int64_t> window;
  if (auto given = op.getScores().getWindow())
    window = static_cast<int64_t>(*given);
  int64_t pageRows =
      mlir::cast<mlir::RankedTensorType>(op.getKey().getType()).getDimSize(1);
  auto known = llvm::find_if(tables, [&](const TableLimit &table) {
    return table.argument == *argument && table.pageRows == pageRows &&
           table.window == window;
  });
  if (known == tables.end())
    known = tables.insert(
        known,
        {*argument, signature.arguments[*argument].name, pageRows, window, {}});
  for (mlir::Value pool : {op.getKey(), op.getValue()})
    if (std::optional<InputSize> size = findSize(signature, pool, 0))
      if (!llvm::is_contained(known->pages, *size))
        known->pages.push_back(*size);
}

/// Returns the input whose rows are the tokens of a call: ids or hidden states.
static std::optional<InputSize> findTokens(const Signature &signature) {
  for (llvm::StringRef name :
       {"decoder_input_ids", "input_ids", "hidden_states"})
    for (auto [index, argument] : llvm::enumerate(signature.arguments))
      if (argument.name == name && argument.shape.size() > 1)
        return InputSize{0, static_cast<unsigned>(index), 1};
  return std::nullopt;
}

std::optional<CacheLimits>
runner::collectCacheLimits(const Signature &signature) {
  CacheLimits limits;
  mlir::func::FuncOp function = signature.function;
  std::optional<unsigned> pastLengths;
  std::optional<InputSize> tokens = findTokens(signature);
  function.walk([&](block::AttentionOpInterface op) {
    std::optional<unsigned> past = findArgument(signature, op.getPastLengths());
    if (!past)
      return;
    pastLengths = past;
    auto query = mlir::cast<mlir::RankedTensorType>(op.getQuery().getType());
    if (!tokens && !query.isDynamicDim(1))
      tokens = InputSize{query.getDimSize(1), std::nullopt, 0};
    if (!limits.starts)
      limits.starts = findArgument(signature, op.getStarts());
    if (op.getPages())
      return addTable(signature, op, limits.tables);
    std::optional<InputSize> capacity = findSize(signature, op.getKey(), 1);
    if (!capacity)
      return;
    CacheLimit limit{*capacity, std::nullopt};
    if (auto window = op.getScores().getWindow())
      limit.window = static_cast<int64_t>(*window);
    limits.caches.push_back(limit);
  });
  // The pages of pools that are computed are unknown.
  llvm::erase_if(limits.tables,
                 [](const TableLimit &table) { return table.pages.empty(); });
  if (!pastLengths || !tokens)
    return std::nullopt;
  limits.pastLengths = *pastLengths;
  limits.name = signature.arguments[*pastLengths].name;
  limits.tokens = *tokens;
  function.walk([&](block::EmbeddingOp op) {
    if (!op.getPositionTable() || !op.getOffset() ||
        op.getOffset().getType().isIndex())
      return;
    auto table =
        mlir::cast<mlir::RankedTensorType>(op.getPositionTable().getType());
    int64_t own =
        table.getDimSize(0) - static_cast<int64_t>(op.getPositionOffset());
    limits.positions = std::min(limits.positions.value_or(own), own);
    limits.countsPadding |=
        findArgument(signature, op.getOffset()) == limits.pastLengths;
  });
  return limits;
}

int64_t CacheLimits::getMostPast(ArrayRef<Shape> shapes) const {
  int64_t added = tokens.evaluate(shapes);
  int64_t most = positions.value_or(std::numeric_limits<int32_t>::max());
  CacheRoom room = evaluate(shapes);
  for (const CacheRoom::Table &table : room.tables)
    room.caches.push_back({table.entries * table.pageRows, table.window});
  for (const CacheRoom::Cache &cache : room.caches)
    // A ring that holds what is seen has no end.
    if (!cache.window || cache.capacity < *cache.window + added - 1)
      most = std::min(most, cache.capacity);
  return most - added;
}

std::optional<int64_t> CacheLimits::findTableWindow() const {
  std::optional<int64_t> widest;
  for (const TableLimit &table : tables) {
    if (!table.window)
      return std::nullopt;
    widest = std::max(widest.value_or(0), *table.window);
  }
  return widest;
}

CacheRoom CacheLimits::evaluate(ArrayRef<Shape> shapes) const {
  CacheRoom room;
  room.pastName = name;
  room.tokens = tokens.evaluate(shapes);
  for (const CacheLimit &cache : caches)
    room.caches.push_back({cache.capacity.evaluate(shapes), cache.window});
  for (const TableLimit &table : tables) {
    CacheRoom::Table &own = room.tables.emplace_back();
    own.name = table.name;
    own.pageRows = table.pageRows;
    own.window = table.window;
    own.entries = shapes[table.argument][1];
    own.pages = std::numeric_limits<int64_t>::max();
    for (const InputSize &pages : table.pages)
      own.pages = std::min(own.pages, pages.evaluate(shapes));
  }
  room.positions = positions;
  room.countsPadding = countsPadding;
  return room;
}

Error CacheLimits::check(
    const CacheRoom &room, ArrayRef<Shape> shapes,
    llvm::function_ref<int64_t(unsigned, size_t)> getValue) const {
  std::function<int64_t(size_t)> getStart;
  if (starts)
    getStart = [&](size_t row) { return getValue(*starts, row); };
  ArrayRef<int64_t> counts = shapes[pastLengths];
  std::optional<std::string> fault = room.check(
      counts.empty() ? 1 : counts[0],
      [&](size_t row) { return getValue(pastLengths, row); }, getStart,
      [&](size_t table, size_t at) {
        return getValue(tables[table].argument, at);
      });
  return fault ? llvm::createStringError(*fault) : Error::success();
}
