//===- MarkArguments.cpp - which arguments are weights --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "MarkArguments.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Analysis/Decisions.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::raise;

ArrayRef<int64_t> parablock::raise::getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

//===----------------------------------------------------------------------===//
// By types
//===----------------------------------------------------------------------===//

/// Returns whether `value` is only read by rows that other values name: a table
/// of embeddings. With as many rows as the batch it has the type of a stream.
static bool isLookedUp(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                   tosa::ReshapeOp>(user))
             return isLookedUp(user->getResult(0));
           return isa<tensor::ExtractOp>(user) ||
                  (isa<tosa::GatherOp>(user) && use.getOperandNumber() == 0);
         });
}

std::optional<unsigned> raise::findStream(FunctionOpInterface function) {
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  auto isStream = [](Value argument, Value result) {
    ArrayRef<int64_t> from = getShape(argument), to = getShape(result);
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(argument));
    unsigned rows = to.empty() ? 0 : to.size() - 1;
    return rows > 0 && from.size() == rows + isFloat &&
           from.take_front(rows) == to.take_front(rows);
  };
  // A number for each batch row, such as its class, is no stream of tokens.
  SmallVector<BlockArgument> inputs;
  for (BlockArgument argument : function.getArguments())
    if (!function.getArgAttr(argument.getArgNumber(), block::kParamAttr) &&
        getShape(argument).size() >= 2 && !isLookedUp(argument))
      inputs.push_back(argument);
  for (Value result : terminator->getOperands())
    for (BlockArgument argument : inputs)
      if (isStream(argument, result))
        return argument.getArgNumber();
  if (inputs.empty())
    return std::nullopt;
  return inputs.front().getArgNumber();
}

/// True where an argument is only read at one index of its first dimension at a
/// time: weights of several layers.
static bool isStack(Value argument) {
  auto readsOne = [](Operation *user) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    return slice && slice.getStaticSizes()[0] == 1;
  };
  return !argument.use_empty() && llvm::all_of(argument.getUsers(), readsOne);
}

Source raise::guessSource(FunctionOpInterface function, unsigned index,
                          unsigned streamIndex) {
  if (function.getArgAttr(index, block::kParamAttr))
    return Source::Weight;
  if (function.getArgAttr(index, block::kInputAttr) || index == streamIndex)
    return Source::Data;
  auto type = dyn_cast<RankedTensorType>(function.getArgument(index).getType());
  if (!type || !type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
    return Source::Data;
  ArrayRef<int64_t> stream = getShape(function.getArgument(streamIndex));
  bool isStream = stream.size() >= 2 && type.getRank() >= 3 &&
                  type.getDimSize(0) == stream[0] &&
                  !(stream[0] > 1 && isStack(function.getArgument(index)));
  return isStream ? Source::Data : Source::Weight;
}

//===----------------------------------------------------------------------===//
// By what they reach
//===----------------------------------------------------------------------===//

namespace {
/// The part of an argument that, by itself or with other weights, comes to be
/// read.
struct Reach {
  bool asWeight = false;
  bool asData = false;
};

/// Follows an argument through ops that are no blocks, up to where it meets
/// data.
class Flow {
public:
  Flow(FunctionOpInterface function, Value start,
       const llvm::DenseSet<Value> &inputs)
      : start(start), data(inputs) {
    data.erase(start);
    derived.insert(start);
    function.getFunctionBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { return visit(op); });
  }

  Reach reach;

private:
  WalkResult visit(Operation *op);
  void visitBlock(Operation *op);

  Value start;
  llvm::DenseSet<Value> data, derived;
};
} // namespace

/// A table of a rotation says nothing: models have them as either.
static bool isTable(OpOperand &operand) {
  Value value = operand.get();
  if (auto attention = dyn_cast<block::AttentionOp>(operand.getOwner()))
    return value == attention.getRopeCos() || value == attention.getRopeSin();
  if (auto rotate = dyn_cast<block::RotateOp>(operand.getOwner()))
    return value == rotate.getCosines() || value == rotate.getSines();
  return false;
}

/// Hidden states and scores have three dimensions and more, weights fewer.
static bool isWeightPlace(OpOperand &operand) {
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return false;
  if (auto patches = dyn_cast<block::PatchEmbeddingOp>(operand.getOwner()))
    return operand.get() != patches.getPixels();
  // Stacks of experts have three dimensions: all but rows, and what chooses.
  if (isa<block::MoeOp>(operand.getOwner()))
    return operand.getOperandNumber() > 0;
  if (isa<block::ExpertsOp>(operand.getOwner()))
    return operand.getOperandNumber() > 2;
  return type.getRank() <= 2;
}

void Flow::visitBlock(Operation *op) {
  for (OpOperand &operand : op->getOpOperands())
    if (derived.contains(operand.get()) && !isTable(operand))
      (isWeightPlace(operand) ? reach.asWeight : reach.asData) = true;
  data.insert(op->result_begin(), op->result_end());
}

WalkResult Flow::visit(Operation *op) {
  if (isa_and_nonnull<block::BlockDialect>(op->getDialect())) {
    if (!isa<block::LayerOp, block::YieldOp>(op))
      visitBlock(op);
    data.insert(op->result_begin(), op->result_end());
    return WalkResult::advance();
  }
  // A size is no data.
  if (isa<tensor::DimOp>(op))
    return WalkResult::advance();
  llvm::SetVector<Value> read = findReads(op);
  auto isIn = [&](const llvm::DenseSet<Value> &values) {
    return llvm::any_of(read, [&](Value v) { return values.contains(v); });
  };
  if (isIn(data))
    data.insert(op->result_begin(), op->result_end());
  else if (isIn(derived))
    derived.insert(op->result_begin(), op->result_end());
  return WalkResult::skip();
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// As block-run calls an argument without a name.
static std::string makeName(unsigned index) {
  std::string name;
  llvm::raw_string_ostream(name) << llvm::format("arg%02u", index);
  return name;
}

static bool isMarked(FunctionOpInterface function, unsigned index) {
  return function.getArgAttr(index, block::kInputAttr) ||
         function.getArgAttr(index, block::kParamAttr);
}

static void mark(FunctionOpInterface function, unsigned index, bool isInput) {
  function.setArgAttr(index, isInput ? block::kInputAttr : block::kParamAttr,
                      StringAttr::get(function->getContext(), makeName(index)));
}

/// "arg3" and "arg03" are the fourth argument.
static std::optional<unsigned> findUnmarked(FunctionOpInterface function,
                                            StringRef name) {
  unsigned index = 0;
  if (!name.consume_front("arg") || name.getAsInteger(10, index) ||
      index >= function.getNumArguments() || isMarked(function, index))
    return std::nullopt;
  return index;
}

LogicalResult raise::nameInputs(FunctionOpInterface function,
                                ArrayRef<std::string> names) {
  llvm::DenseSet<unsigned> inputs;
  for (const std::string &name : names) {
    std::optional<unsigned> index = findUnmarked(function, name);
    if (!index)
      return function->emitError()
             << "inputs: expected arguments without a mark, such as 'arg0', "
                "got '"
             << name << "'";
    inputs.insert(*index);
  }
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (isMarked(function, index))
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!inputs.contains(index) && (!type || !type.hasStaticShape()))
      return function->emitError()
             << "inputs: expected '" << makeName(index)
             << "' among them, as weights have known sizes, got "
             << argument.getType();
    mark(function, index, inputs.contains(index));
  }
  return success();
}

namespace {
/// The kind of an argument, and why.
struct Verdict {
  bool isInput;
  StringRef why;
};

class Marker {
public:
  Marker(FunctionOpInterface function)
      : function(function), stream(findStream(function).value_or(0)) {}

  void decide();
  void apply(StringRef pass);

private:
  Verdict judge(BlockArgument argument) const;

  FunctionOpInterface function;
  unsigned stream;
  llvm::MapVector<BlockArgument, Verdict> verdicts;
  llvm::DenseSet<Value> inputs;
};
} // namespace

Verdict Marker::judge(BlockArgument argument) const {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return {true, "no floats"};
  if (!type.hasStaticShape())
    return {true, "an open size"};
  Reach reach = Flow(function, argument, inputs).reach;
  if (reach.asWeight && reach.asData)
    return {true, "read as data and as weights"};
  if (reach.asData)
    return {true, "read as data"};
  if (reach.asWeight)
    return {false, "read as weights"};
  return {guessSource(function, argument.getArgNumber(), stream) ==
              Source::Data,
          "by the type"};
}

/// Gives what one argument is may change what others meet.
void Marker::decide() {
  for (BlockArgument argument : function.getArguments())
    if (guessSource(function, argument.getArgNumber(), stream) == Source::Data)
      inputs.insert(argument);
  constexpr unsigned mostRounds = 8;
  bool isStable = false;
  for (unsigned round = 0; !isStable && round < mostRounds; ++round) {
    isStable = true;
    for (BlockArgument argument : function.getArguments()) {
      if (isMarked(function, argument.getArgNumber()))
        continue;
      Verdict verdict = judge(argument);
      verdicts[argument] = verdict;
      isStable &= verdict.isInput == inputs.contains(argument);
      if (verdict.isInput)
        inputs.insert(argument);
      else
        inputs.erase(argument);
    }
  }
}

void Marker::apply(StringRef pass) {
  // By what they are, in order, and why.
  llvm::MapVector<StringRef, std::string> groups[2];
  for (auto [argument, verdict] : verdicts) {
    unsigned index = argument.getArgNumber();
    mark(function, index, verdict.isInput);
    std::string &names = groups[verdict.isInput ? 0 : 1][verdict.why];
    names += (names.empty() ? "" : " ") + makeName(index);
  }
  std::string text;
  for (unsigned kind : {0, 1})
    for (auto &[why, names] : groups[kind])
      text += (text.empty() ? "" : "; ") +
              std::string(kind == 0 ? "inputs: " : "parameters: ") + names +
              " (" + why.str() + ")";
  if (!text.empty())
    remarkAnalysis(function, pass, "arguments", text, {});
}

void raise::markArguments(FunctionOpInterface function, StringRef pass) {
  Marker marker(function);
  marker.decide();
  marker.apply(pass);
  Builder builder(function->getContext());
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (!function.getResultAttr(i, block::kOutputAttr))
      function.setResultAttr(i, block::kOutputAttr,
                             builder.getStringAttr("out" + std::to_string(i)));
}
