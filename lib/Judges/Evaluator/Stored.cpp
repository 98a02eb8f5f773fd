//===- Stored.cpp - evaluates values as stored bytes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Judges/Evaluator/Stored.h"

#include "Rows.h"
#include "Scalars.h"
#include "Step.h"
#include "StoredMoves.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::evaluator;

/// Number of elements computed at a time: as doubles they fit a cache.
static constexpr int64_t slabLength = 1 << 15;

static int64_t countElementsOf(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

StoredTensor StoredTensor::allocate(ElementType type, ArrayRef<int64_t> shape) {
  StoredTensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.memory = std::make_shared<std::vector<uint8_t>>(
      countElementsOf(shape) * getElementSize(type));
  tensor.bytes = *tensor.memory;
  return tensor;
}

StoredTensor evaluator::convert(const StoredTensor &tensor, ElementType type) {
  StoredTensor result = StoredTensor::allocate(type, tensor.shape);
  int64_t from = getElementSize(tensor.type), to = getElementSize(type);
  int64_t count = countElementsOf(tensor.shape);
  std::vector<double> values;
  for (int64_t begin = 0; begin < count; begin += slabLength) {
    values.resize(std::min(slabLength, count - begin));
    decodeElements(tensor.type,
                   tensor.bytes.slice(begin * from, values.size() * from),
                   values);
    encodeElements(type, values,
                   result.mutableBytes().slice(begin * to, values.size() * to));
  }
  return result;
}

/// Returns the number that a tensor has everywhere, if it is known without
/// computation.
static std::optional<double> getFill(Value value) {
  Operation *op = value.getDefiningOp();
  if (isa_and_present<tensor::EmptyOp>(op))
    return 0;
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(op)) {
    Attribute number;
    return matchPattern(fill.value(), m_Constant(&number)) ? getNumber(number)
                                                           : std::nullopt;
  }
  SplatElementsAttr splat;
  if (op && matchPattern(op, m_Constant(&splat)))
    return getNumber(splat.getSplatValue<Attribute>());
  return std::nullopt;
}

static llvm::SmallSetVector<Value, 4> findCaptured(Operation *op) {
  llvm::SmallSetVector<Value, 4> captured;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (!op->isAncestor(operand.getParentBlock()->getParentOp()))
          captured.insert(operand);
    });
  return captured;
}

namespace {
class StoredEvaluation {
public:
  explicit StoredEvaluation(StoredLookup lookup) : lookup(lookup) {}

  /// Counts the readers of the operands of `value`.
  void prepare(Value value);
  LogicalResult emit(Value value, StoredSink sink);
  FailureOr<StoredView> get(Value value);

private:
  FailureOr<StoredView> make(Operation *op);
  FailureOr<StoredView> collect(Operation *op);
  FailureOr<StoredView> move(Value source, ArrayRef<int64_t> permutation);
  FailureOr<StoredView> concat(Operation *op, ValueRange inputs, unsigned dim);
  FailureOr<StoredView> slice(tensor::ExtractSliceOp op);
  FailureOr<StoredView> reshape(Operation *op, Value source);

  // The rest makes its result in order.
  LogicalResult emitOp(Operation *op, StoredSink sink);
  LogicalResult emitRows(Operation *op, const RowForm &form, StoredSink sink);
  LogicalResult emitWhole(Operation *op, StoredSink sink);
  /// Decodes all of a value, which may be a number.
  FailureOr<Array> decode(Value value);
  LogicalResult checkSize(Operation *op) const;
  LogicalResult checkDepth(Operation *op) const;

  /// A value that several ops read, kept until the last one has.
  struct Entry {
    int64_t readsLeft = 0;
    std::optional<StoredView> view;
  };

  StoredLookup lookup;
  DenseMap<Value, Entry> entries;
  unsigned depth = 0;
};
} // namespace

/// A result far larger than its operands is rejected without allocating
/// memory.
LogicalResult StoredEvaluation::checkSize(Operation *op) const {
  constexpr uint64_t most = uint64_t(1) << 30;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<ElementType> element =
      type ? getElementTypeOf(type) : std::nullopt;
  if (!element || !type.hasStaticShape())
    return op->emitOpError()
           << "has a result of type " << op->getResult(0).getType()
           << ", which no file of tensors holds";
  uint64_t size = getElementSize(*element), operands = 0;
  for (Type operand : op->getOperandTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(operand);
        tensor && tensor.hasStaticShape())
      operands = std::max<uint64_t>(operands, tensor.getNumElements());
  uint64_t count = 1;
  for (int64_t dim : type.getShape())
    count = llvm::SaturatingMultiply(count, static_cast<uint64_t>(dim));
  if (llvm::SaturatingMultiply(count, size) > most && count / 16 > operands)
    return op->emitOpError() << "expected at most " << most
                             << " bytes of so little, got " << type;
  return success();
}

LogicalResult StoredEvaluation::checkDepth(Operation *op) const {
  constexpr unsigned deepest = 1000;
  if (depth < deepest)
    return success();
  return op->emitOpError() << "is read by more than " << deepest
                           << " ops in a row";
}

static StoredTensor allocateFor(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return StoredTensor::allocate(*getElementTypeOf(type), type.getShape());
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

FailureOr<StoredView> StoredEvaluation::move(Value value,
                                             ArrayRef<int64_t> permutation) {
  FailureOr<StoredView> source = get(value);
  if (failed(source))
    return failure();
  StoredView result = *source;
  for (auto [to, from] : llvm::enumerate(permutation)) {
    result.tensor.shape[to] = source->tensor.shape[from];
    result.place.strides[to] = source->place.strides[from];
  }
  return result;
}

/// Returns whether operands are contiguous.
static bool isInOrder(Operation *op, unsigned dim) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::all_of(type.getShape().take_front(dim),
                      [](int64_t size) { return size == 1; });
}

/// Copies one operand at a time, so that only the result and one operand need
/// memory.
FailureOr<StoredView> StoredEvaluation::concat(Operation *op, ValueRange inputs,
                                               unsigned dim) {
  if (isInOrder(op, dim))
    return collect(op);
  if (failed(checkSize(op)))
    return failure();
  StoredTensor result = allocateFor(op);
  Access to{0, getRowMajorStrides(result.shape)};
  for (Value input : inputs) {
    FailureOr<StoredView> part = get(input);
    if (failed(part))
      return failure();
    copyStored(*part, result, to);
    to.offset += part->tensor.shape[dim] * to.strides[dim];
  }
  return StoredView(std::move(result));
}

FailureOr<StoredView> StoredEvaluation::slice(tensor::ExtractSliceOp op) {
  FailureOr<StoredView> source = get(op.getSource());
  if (failed(source))
    return failure();
  StoredView result = *source;
  result.tensor.shape.clear();
  result.place.strides.clear();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, stride] : llvm::enumerate(source->place.strides)) {
    result.place.offset += op.getStaticOffset(dim) * stride;
    if (dropped[dim])
      continue;
    result.tensor.shape.push_back(op.getStaticSize(dim));
    result.place.strides.push_back(op.getStaticStride(dim) * stride);
  }
  return result;
}

FailureOr<StoredView> StoredEvaluation::reshape(Operation *op, Value source) {
  FailureOr<StoredView> view = get(source);
  if (failed(view))
    return failure();
  StoredTensor tensor = gatherStored(*view);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() ||
      countElementsOf(tensor.shape) != type.getNumElements())
    return op->emitOpError() << "expected a shape with as many elements as "
                             << source.getType() << ", got " << type;
  tensor.shape.assign(type.getShape());
  return StoredView(std::move(tensor));
}

FailureOr<StoredView> StoredEvaluation::make(Operation *made) {
  using Result = FailureOr<StoredView>;
  return llvm::TypeSwitch<Operation *, Result>(made)
      .Case([&](tensor::ConcatOp op) {
        return concat(op, op.getInputs(), op.getDim());
      })
      .Case([&](tosa::ConcatOp op) {
        return concat(op, op.getInput1(), op.getAxis());
      })
      .Case([&](tosa::ReshapeOp op) { return reshape(op, op.getInput1()); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto op) { return reshape(op, op.getSrc()); })
      .Case([&](linalg::TransposeOp op) {
        return move(op.getInput(), op.getPermutation());
      })
      .Case([&](tosa::TransposeOp op) {
        return move(op.getInput1(), SmallVector<int64_t>(op.getPerms().begin(),
                                                         op.getPerms().end()));
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return op->getNumOperands() == 1 ? slice(op) : collect(op);
      })
      .Default([&](Operation *op) { return collect(op); });
}

FailureOr<StoredView> StoredEvaluation::collect(Operation *op) {
  if (failed(checkSize(op)))
    return failure();
  StoredTensor result = allocateFor(op);
  MutableArrayRef<uint8_t> left = result.mutableBytes();
  auto keep = [&](ArrayRef<uint8_t> bytes) -> LogicalResult {
    if (bytes.size() > left.size())
      return op->emitOpError("makes more elements than its type has");
    llvm::copy(bytes, left.begin());
    left = left.drop_front(bytes.size());
    return success();
  };
  if (failed(emitOp(op, keep)))
    return failure();
  if (!left.empty())
    return op->emitOpError("makes fewer elements than its type has");
  return StoredView(std::move(result));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

void StoredEvaluation::prepare(Value value) {
  SmallVector<Value> open = {value};
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (entries[operand].readsLeft++ == 0)
          open.push_back(operand);
    });
  }
}

FailureOr<StoredView> StoredEvaluation::get(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    FailureOr<StoredTensor> tensor = lookup(argument);
    return failed(tensor) ? FailureOr<StoredView>(failure())
                          : StoredView(std::move(*tensor));
  }
  Entry &entry = entries[value];
  --entry.readsLeft;
  if (std::optional<StoredView> known = entry.view) {
    if (entry.readsLeft <= 0)
      entry.view.reset();
    return *known;
  }
  if (failed(checkDepth(value.getDefiningOp())))
    return failure();
  llvm::SaveAndRestore deeper(depth, depth + 1);
  FailureOr<StoredView> made = make(value.getDefiningOp());
  if (Entry &after = entries[value]; succeeded(made) && after.readsLeft > 0)
    after.view = *made;
  return made;
}

/// Returns the operands of an op whose result is their concatenated bytes.
static std::optional<ValueRange> findParts(Operation *made) {
  using Result = std::optional<ValueRange>;
  return llvm::TypeSwitch<Operation *, Result>(made)
      .Case([](tensor::ConcatOp op) {
        return isInOrder(op, op.getDim()) ? Result(op.getInputs()) : Result();
      })
      .Case([](tosa::ConcatOp op) {
        return isInOrder(op, op.getAxis()) ? Result(op.getInput1()) : Result();
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns whether the result is a view, or computed in another order than its
/// own.
static bool isMove(Operation *op) {
  return isa<tensor::ConcatOp, tosa::ConcatOp, tosa::ReshapeOp,
             tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             linalg::TransposeOp, tosa::TransposeOp, tensor::ExtractSliceOp>(
             op) &&
         !findParts(op);
}

/// Passes a view on, in pieces of the usual size.
static LogicalResult emitView(const StoredView &view, StoredSink sink) {
  ArrayRef<int64_t> shape = view.tensor.shape;
  if (shape.empty())
    return sink(gatherStored(view).bytes);
  int64_t rows = shape.front(), row = countElementsOf(shape.drop_front());
  int64_t together =
      std::max<int64_t>(1, slabLength / std::max<int64_t>(row, 1));
  for (int64_t begin = 0; begin < rows; begin += together)
    if (failed(sink(gatherStored(cutView(view, 0, begin,
                                         std::min(together, rows - begin)))
                        .bytes)))
      return failure();
  return success();
}

LogicalResult StoredEvaluation::emit(Value value, StoredSink sink) {
  Operation *op = value.getDefiningOp();
  Entry entry = op ? entries.lookup(value) : Entry();
  if (!op || entry.view || entry.readsLeft > 1 || isMove(op)) {
    FailureOr<StoredView> made = get(value);
    return success(succeeded(made) && succeeded(emitView(*made, sink)));
  }
  if (failed(checkDepth(op)) || failed(checkSize(op)))
    return failure();
  llvm::SaveAndRestore deeper(depth, depth + 1);
  return emitOp(op, sink);
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

FailureOr<Array> StoredEvaluation::decode(Value value) {
  if (isa<RankedTensorType>(value.getType())) {
    FailureOr<StoredView> view = get(value);
    if (failed(view))
      return failure();
    return decodeStored(gatherStored(*view));
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 0 || !isKnown(op))
    return mlir::emitError(value.getLoc())
           << "expected a number that is a constant";
  FailureOr<Arrays> results = runOp(op, [](Value) -> const Array & {
    llvm_unreachable("an op without operands");
  });
  if (failed(results))
    return failure();
  return results->front();
}

namespace {
/// An operand of which rows are read.
struct RowOperand {
  unsigned number, dim;
  /// The number that it has everywhere, or its elements.
  std::optional<double> fill;
  StoredView view;
};
} // namespace

LogicalResult StoredEvaluation::emitRows(Operation *op, const RowForm &form,
                                         StoredSink sink) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  ElementType element = *getElementTypeOf(type);
  DenseMap<Value, Array> known;
  SmallVector<RowOperand> operands;
  int64_t rows = type.getDimSize(0), longest = type.getNumElements();
  for (OpOperand &operand : op->getOpOperands()) {
    int dim = form.dims[operand.getOperandNumber()];
    if (dim < 0) {
      FailureOr<Array> array = decode(operand.get());
      if (failed(array))
        return failure();
      known[operand.get()] = std::move(*array);
      continue;
    }
    RowOperand &rowOperand = operands.emplace_back();
    rowOperand.number = operand.getOperandNumber();
    rowOperand.dim = dim;
    if ((rowOperand.fill = getFill(operand.get())))
      continue;
    FailureOr<StoredView> view = get(operand.get());
    if (failed(view))
      return failure();
    longest = std::max(longest, countElementsOf(view->tensor.shape));
    rowOperand.view = std::move(*view);
  }
  for (Value captured : findCaptured(op)) {
    FailureOr<Array> array = decode(captured);
    if (failed(array))
      return failure();
    known[captured] = std::move(*array);
  }

  const Table::Evaluate &evaluate = *Table::get().lookup(op);
  auto find = [&](Value value) -> const Array & {
    return known.find(value)->second;
  };
  Options options;
  Step step(op, find, options);
  step.rowLoop = form.loop;
  step.roundsResult = false;
  int64_t together =
      std::max<int64_t>(1, slabLength * rows / std::max<int64_t>(longest, 1));
  std::vector<uint8_t> bytes;
  for (int64_t begin = 0; begin < rows; begin += together) {
    int64_t count = std::min(together, rows - begin);
    for (const RowOperand &operand : operands) {
      Value value = op->getOperand(operand.number);
      Array &rows = known[value];
      if (!operand.fill)
        rows = decodeStored(
            gatherStored(cutView(operand.view, operand.dim, begin, count)));
      else if (!rows.values || rows.shape[operand.dim] != count)
        rows = makeFilled(cast<RankedTensorType>(value.getType()), operand.dim,
                          count, *operand.fill);
    }
    step.firstRow = begin;
    FailureOr<Arrays> made = evaluate(step);
    if (failed(made))
      return failure();
    ArrayRef<double> values = made->front().data();
    bytes.resize(values.size() * getElementSize(element));
    encodeElements(element, values, bytes);
    if (failed(sink(bytes)))
      return failure();
  }
  return success();
}

LogicalResult StoredEvaluation::emitWhole(Operation *op, StoredSink sink) {
  DenseMap<Value, Array> operands;
  auto add = [&](Value value) {
    if (operands.contains(value) || isa<tosa::shapeType>(value.getType()))
      return success();
    FailureOr<Array> array = decode(value);
    if (succeeded(array))
      operands[value] = std::move(*array);
    return LogicalResult(array);
  };
  for (Value operand : op->getOperands())
    if (failed(add(operand)))
      return failure();
  for (Value captured : findCaptured(op))
    if (failed(add(captured)))
      return failure();
  FailureOr<Arrays> made = runOp(op, [&](Value value) -> const Array & {
    return operands.find(value)->second;
  });
  if (failed(made))
    return failure();
  ElementType element = *getElementTypeOf(op->getResult(0).getType());
  ArrayRef<double> values = made->front().data();
  std::vector<uint8_t> bytes(values.size() * getElementSize(element));
  encodeElements(element, values, bytes);
  return sink(bytes);
}

/// Passes on one element, `count` times.
static LogicalResult emitFill(ElementType type, double value, int64_t count,
                              StoredSink sink) {
  std::vector<uint8_t> bytes(std::min(count, slabLength) *
                             getElementSize(type));
  encodeElements(type, std::vector<double>(std::min(count, slabLength), value),
                 bytes);
  for (int64_t begin = 0; begin < count; begin += slabLength)
    if (failed(sink(ArrayRef(bytes).take_front(
            std::min(slabLength, count - begin) * getElementSize(type)))))
      return failure();
  return success();
}

LogicalResult StoredEvaluation::emitOp(Operation *op, StoredSink sink) {
  if (!isKnown(op))
    return op->emitOpError("is not on the list of ops that can be evaluated");
  if (std::optional<ValueRange> parts = findParts(op)) {
    for (Value part : *parts)
      if (failed(emit(part, sink)))
        return failure();
    return success();
  }
  if (std::optional<RowForm> form = findRowForm(op))
    return emitRows(op, *form, sink);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (std::optional<double> fill = getFill(op->getResult(0)))
    return emitFill(*getElementTypeOf(type), *fill, type.getNumElements(),
                    sink);
  return emitWhole(op, sink);
}

LogicalResult evaluator::emitStored(Value value, StoredLookup lookup,
                                    StoredSink sink) {
  StoredEvaluation evaluation(lookup);
  evaluation.prepare(value);
  return evaluation.emit(value, sink);
}

FailureOr<StoredTensor> evaluator::evaluateStored(Value value,
                                                  StoredLookup lookup) {
  StoredEvaluation evaluation(lookup);
  evaluation.prepare(value);
  FailureOr<StoredView> view = evaluation.get(value);
  if (failed(view))
    return failure();
  return gatherStored(*view);
}
