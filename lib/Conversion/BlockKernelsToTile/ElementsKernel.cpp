//===- ElementsKernel.cpp - loops over pieces of element kernels ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Results of one shape share a loop over their elements in memory order: a lane
// for each, or a warp if lanes share sums.
//
//===----------------------------------------------------------------------===//

#include "ElementsKernel.h"

#include "ElementEmitter.h"
#include "RowKernels.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock;

/// Number of elements that a warp processes at a time: as many as it can load
/// before it waits. The small number applies if elements have loops, if there
/// are too few elements for the chip's warps, and to the remainder.
static constexpr int64_t pieceSize = 1024, smallPieceSize = 128;

//===----------------------------------------------------------------------===//
// Supported ops
//===----------------------------------------------------------------------===//

static bool isElement(Type type) {
  return type.isF32() || type.isBF16() || type.isF16() || type.isF64() ||
         type.isInteger(1) || type.isInteger(8) || type.isInteger(16) ||
         type.isInteger(32) || type.isInteger(64);
}

static LogicalResult checkTensor(Location loc, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success();
  if (!isElement(tensor.getElementType()))
    return emitError(loc) << "no GPU code for " << type
                          << " in a kernel of elements: expected f32, bf16, "
                             "f16, f64, i1, i8, i16, i32 or i64";
  int64_t elements = 1;
  for (int64_t size : tensor.getShape())
    if (!ShapedType::isDynamic(size) && size > 0 &&
        (llvm::MulOverflow(elements, size, elements) || elements > INT32_MAX))
      return emitError(loc) << "no GPU code for " << type
                            << " in a kernel of elements: expected at most "
                            << INT32_MAX << " elements";
  return success();
}

/// Also checks sizes: the place of an element depends on the sizes of all its
/// sources.
static LogicalResult checkTensors(block::KernelOp kernel, ElementSizes &sizes) {
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      return kernel.emitError()
             << "no GPU code for a kernel of elements with an operand of type "
             << argument.getType() << ": expected a ranked tensor";
    if (failed(checkTensor(kernel.getLoc(), argument.getType())))
      return failure();
  }
  for (Operation &op : kernel.getBody().front())
    for (Value result : op.getResults()) {
      if (failed(checkTensor(op.getLoc(), result.getType())))
        return failure();
      if (isa<RankedTensorType>(result.getType()) &&
          failed(sizes.getSizes(result)))
        return failure();
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Results of the same sizes, by number.
struct Together {
  SmallVector<AffineExpr> sizes;
  SmallVector<unsigned> numbers;
  SmallVector<Value> results;

  /// Returns reductions that run while an element is computed.
  SmallVector<linalg::LinalgOp> findReductions() const;

  /// Returns whether a warp computes one element at a time.
  bool takesWarp() const;

  /// The number of elements, none where that is open.
  std::optional<int64_t> countElements() const;

  /// Returns the number of elements that a warp processes at a time.
  int64_t choosePieceSize(StringRef chip) const;
};
} // namespace

SmallVector<linalg::LinalgOp> Together::findReductions() const {
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  SetVector<Operation *> slice;
  for (Value result : results)
    if (Operation *op = result.getDefiningOp())
      (void)getBackwardSlice(op, &slice, options);
  SmallVector<linalg::LinalgOp> found;
  for (Operation *op : slice)
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && structured.getNumReductionLoops() > 0)
      found.push_back(structured);
  return found;
}

bool Together::takesWarp() const {
  SmallVector<linalg::LinalgOp> reductions = findReductions();
  return !reductions.empty() && llvm::all_of(reductions, isSharedReduction);
}

std::optional<int64_t> Together::countElements() const {
  int64_t count = 1;
  for (AffineExpr size : sizes) {
    auto known = dyn_cast<AffineConstantExpr>(size);
    if (!known)
      return std::nullopt;
    count *= known.getValue();
  }
  return count;
}

int64_t Together::choosePieceSize(StringRef chip) const {
  std::optional<int64_t> count = countElements();
  bool isSmall =
      count && *count / pieceSize < 4 * getDeviceChip(chip).multiprocessors;
  return isSmall || !findReductions().empty() ? smallPieceSize : pieceSize;
}

static FailureOr<SmallVector<Together>> groupResults(block::KernelOp kernel,
                                                     ElementSizes &sizes) {
  SmallVector<Together> groups;
  for (auto [number, result] : llvm::enumerate(
           kernel.getBody().front().getTerminator()->getOperands())) {
    FailureOr<SmallVector<AffineExpr>> own = sizes.getSizes(result);
    if (failed(own))
      return failure();
    auto *found = llvm::find_if(
        groups, [&](const Together &group) { return group.sizes == *own; });
    if (found == groups.end())
      found = &groups.emplace_back(Together{*own, {}, {}});
    found->numbers.push_back(number);
    found->results.push_back(result);
  }
  return groups;
}

namespace {
/// Writes the loops of one kernel.
class LoopWriter {
public:
  LoopWriter(KernelShell &shell, ElementSizes &sizes, StringRef chip)
      : shell(shell), chip(chip), emitter(shell, sizes) {}

  LogicalResult write(const Together &group);

private:
  LogicalResult writeElements(TileCode code, const Together &group, Value flat,
                              bool lanes);
  /// Writes all elements from `begin` to below `end`, in pieces of `size`.
  LogicalResult writePieces(TileCode code, const Together &group, Value begin,
                            Value end, int64_t size);

  KernelShell &shell;
  StringRef chip;
  ElementEmitter emitter;
};
} // namespace

LogicalResult LoopWriter::writeElements(TileCode code, const Together &group,
                                        Value flat, bool lanes) {
  ElementEmitter::Scope scope(emitter, lanes);
  for (auto [number, result] : llvm::zip_equal(group.numbers, group.results)) {
    Value element = emitter.emit(code, result, ElementPosition::atFlat(flat));
    if (!element)
      return failure();
    tile::StoreOp::create(code.builder, code.loc, element,
                          shell.getOutput(number), flat);
  }
  return success();
}

LogicalResult LoopWriter::writePieces(TileCode code, const Together &group,
                                      Value begin, Value end, int64_t size) {
  Value length = code.subIndex(end, begin), step = code.index(size);
  Value pieces =
      code.builder.createOrFold<arith::CeilDivUIOp>(code.loc, length, step);
  bool isWhole = size == pieceSize;
  LogicalResult result = success();
  code.gridRows(pieces, [&](TileCode piece, Value row) {
    Value from = piece.addIndex(begin, piece.mulIndex(row, step));
    Value to = piece.addIndex(from, step);
    if (!isWhole)
      to = piece.minIndex(to, end);
    piece.columns(from, to, [&](TileCode inner, Value flat) {
      result = writeElements(inner, group, flat, /*lanes=*/true);
    });
  });
  return result;
}

/// The number of elements of a global tensor.
static Value createElementCount(TileCode code, Value tensor) {
  Value count = code.index(1);
  int64_t rank = cast<MemRefType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    count = code.builder.createOrFold<arith::MulIOp>(code.loc, count,
                                                     code.dim(tensor, dim));
  return count;
}

LogicalResult LoopWriter::write(const Together &group) {
  TileCode code{shell.builder, shell.kernel.getLoc()};
  Value count =
      createElementCount(code, shell.getOutput(group.numbers.front()));
  LogicalResult result = success();
  if (group.takesWarp()) {
    code.gridRows(count, [&](TileCode inner, Value row) {
      result = writeElements(inner, group, row, /*lanes=*/false);
    });
    return result;
  }
  Value begin = code.index(0);
  if (group.choosePieceSize(chip) == pieceSize) {
    std::optional<int64_t> known = group.countElements();
    Value size = code.index(pieceSize);
    Value end = known ? code.index(*known / pieceSize * pieceSize)
                      : code.mulIndex(code.divIndex(count, size), size);
    if (failed(writePieces(code, group, begin, end, pieceSize)))
      return failure();
    if (known && *known % pieceSize == 0)
      return success();
    begin = end;
  }
  return writePieces(code, group, begin, count, smallPieceSize);
}

/// The most rows that a loop over results has, none where that is open.
static std::optional<int64_t> countRows(ArrayRef<Together> groups,
                                        StringRef chip) {
  int64_t most = 0;
  for (const Together &group : groups) {
    std::optional<int64_t> elements = group.countElements();
    if (!elements)
      return std::nullopt;
    int64_t piece = group.takesWarp() ? 1 : group.choosePieceSize(chip);
    most = std::max<int64_t>(most, llvm::divideCeil(*elements, piece));
  }
  return most;
}

FailureOr<tile::KernelOp> parablock::buildElementsKernel(OpBuilder &atModule,
                                                         block::KernelOp kernel,
                                                         StringRef name,
                                                         StringRef chip) {
  ElementSizes sizes(kernel);
  if (failed(checkTensors(kernel, sizes)))
    return failure();
  FailureOr<SmallVector<Together>> groups = groupResults(kernel, sizes);
  if (failed(groups))
    return failure();
  KernelShell shell = createKernelShell(
      atModule, kernel, name,
      getRowSchedule(kernel.getContext(), countRows(*groups, chip), chip));
  LoopWriter writer(shell, sizes, chip);
  for (const Together &group : *groups)
    if (failed(writer.write(group)))
      return failure();
  return shell.kernel;
}
