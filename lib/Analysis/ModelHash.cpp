//===- ModelHash.cpp - prints a model's structure and hashes it -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Analysis/ModelHash.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "parablock/Analysis/Dataflow.h"
#include "parablock/Dialect/Block/BlockOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

using Index = SmallVector<int64_t>;

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Counts an element of one shape row by row, and finds it in another.
static Index moveToShape(ArrayRef<int64_t> index, ArrayRef<int64_t> from,
                         ArrayRef<int64_t> to) {
  int64_t position = 0;
  for (auto [at, size] : llvm::zip_equal(index, from))
    position = position * size + at;
  Index moved(to.size());
  for (size_t dim = to.size(); dim-- > 0; position /= to[dim])
    moved[dim] = position % to[dim];
  return moved;
}

/// Result dimension `i` of a transposition is dimension `permutation[i]` of its
/// input.
template <typename Permutation>
static Index undoTransposition(ArrayRef<int64_t> index,
                               const Permutation &permutation) {
  Index moved(index.size());
  for (auto [at, dim] : llvm::zip_equal(index, permutation))
    moved[dim] = at;
  return moved;
}

static Index findInSource(tensor::ExtractSliceOp slice,
                          ArrayRef<int64_t> index) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Index moved;
  const int64_t *next = index.begin();
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides()))
    moved.push_back(offset + (dropped[dim] ? 0 : stride * *next++));
  return moved;
}

/// Follows an element to the operand that it comes from. Returns false at an op
/// that does more than move elements.
static bool followOnce(Value &value, Index &index) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.getType()))
    return false;
  auto leave = [&](Value source, Index moved) {
    value = source;
    index = std::move(moved);
    return true;
  };
  auto leaveConcat = [&](ValueRange inputs, int64_t dim) {
    Index moved = index;
    for (Value input : inputs) {
      if (moved[dim] < getShape(input)[dim])
        return leave(input, moved);
      moved[dim] -= getShape(input)[dim];
    }
    return false;
  };
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return leave(transpose.getInput(),
                 undoTransposition(index, transpose.getPermutation()));
  if (auto transpose = dyn_cast<tosa::TransposeOp>(op))
    return leave(transpose.getInput1(),
                 undoTransposition(index, transpose.getPerms()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice->getNumOperands() == 1 &&
           leave(slice.getSource(), findInSource(slice, index));
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tosa::ReshapeOp>(op))
    return leave(op->getOperand(0), moveToShape(index, getShape(value),
                                                getShape(op->getOperand(0))));
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return leaveConcat(concat.getInputs(), concat.getDim());
  if (auto concat = dyn_cast<tosa::ConcatOp>(op))
    return leaveConcat(concat.getInput1(), concat.getAxis());
  return false;
}

/// Lists the first element, the last one, and the neighbours of the first: they
/// distinguish all ways to move rows, columns and blocks.
static SmallVector<Index> sampleElements(ArrayRef<int64_t> shape) {
  SmallVector<Index> samples;
  if (llvm::is_contained(shape, 0))
    return samples;
  samples.push_back(Index(shape.size(), 0));
  samples.push_back(
      llvm::map_to_vector(shape, [](int64_t size) { return size - 1; }));
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] > 1)
      samples.emplace_back(shape.size(), 0)[dim] = 1;
  return samples;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
/// Writes a function as text in which values are numbered, without details that
/// the hash ignores. Frontends differ in names, order and rearrangements of
/// parameters, so a weight is written at its reader, by the parameter elements
/// that it has at sampled places.
class ModelWriter {
public:
  ModelWriter() {
    // A traced model has f32 numbers where a config has f64 ones.
    plain.addReplacement([](FloatAttr number) {
      double rounded = static_cast<float>(number.getValueAsDouble());
      return number.getType().isF64()
                 ? FloatAttr::get(number.getType(), rounded)
                 : number;
    });
    // Rounding points of a norm depend on element types.
    plain.addReplacement([](NormAttr form) {
      return NormAttr::get(form.getContext(), form.getKind(), form.getEps(),
                           form.getEpsForm(), form.getGammaForm(),
                           NormRounding::AfterGain);
    });
  }

  std::string write(FunctionOpInterface function) {
    for (BlockArgument argument : function.getArguments()) {
      unsigned number = argument.getArgNumber();
      if (function.getArgAttr(number, kParamAttr)) {
        weights.insert(argument);
        continue;
      }
      assignNumber(argument);
      os << "input " << function.getArgAttr(number, kInputAttr);
      writeType(argument);
      os << "\n";
    }
    function.getFunctionBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
    return std::move(text);
  }

private:
  /// Ops on weights alone are written by their readers.
  void visit(Operation *op) {
    bool isWeight = !isa<LayerOp>(op) && op->getNumResults() > 0 &&
                    llvm::all_of(findReads(op), [&](Value read) {
                      return weights.contains(read);
                    });
    if (isWeight)
      weights.insert(op->result_begin(), op->result_end());
    else if (!isWithinWeight(op))
      writeOp(op);
  }

  /// True of the parts of an op on weights.
  bool isWithinWeight(Operation *op) {
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      if (parent->getNumResults() > 0 && weights.contains(parent->getResult(0)))
        return true;
    return false;
  }

  void writeAttributes(Operation *op) {
    for (NamedAttribute attribute : op->getAttrs())
      if (attribute.getName() != "log" && attribute.getName() != "approx")
        os << " " << attribute.getName().getValue() << "="
           << plain.replace(attribute.getValue());
  }

  void writeOp(Operation *op) {
    os << op->getName();
    // Ops of other dialects spell batch and sequence in attributes.
    if (isa_and_nonnull<BlockDialect>(op->getDialect()))
      writeAttributes(op);
    for (Value operand : op->getOperands())
      writeRead(operand);
    for (Value result : op->getResults()) {
      writeType(result);
      assignNumber(result);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          assignNumber(argument);
    os << "\n";
  }

  void writeRead(Value value) {
    if (!weights.contains(value)) {
      os << " " << numbers.lookup(value);
      return;
    }
    os << " [";
    if (auto type = dyn_cast<RankedTensorType>(value.getType());
        type && type.hasStaticShape()) {
      llvm::interleave(type.getShape(), os, "x");
      for (Index &index : sampleElements(type.getShape()))
        writeElement(value, index);
    } else {
      writeRoot(value);
    }
    os << "]";
  }

  void writeElement(Value value, Index index) {
    while (followOnce(value, index))
      ;
    writeRoot(value);
    for (int64_t at : index)
      os << "," << at;
  }

  /// Writes a parameter, or a value computed from some, in full at its first
  /// reader.
  void writeRoot(Value value) {
    auto [known, isNew] = numbers.try_emplace(value, numbers.size() + 1);
    os << " " << known->second;
    if (!isNew)
      return;
    if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
      os << " : ";
      llvm::interleave(type.getShape(), os, "x");
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return;
    os << " = " << op->getName();
    writeAttributes(op);
    for (Value read : findReads(op))
      writeRead(read);
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        os << " " << inner->getName();
        writeAttributes(inner);
      });
  }

  /// Writes of a hidden state its width alone.
  void writeType(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return;
    os << " : rank " << type.getRank();
    if (type.getRank() >= 3)
      os << " width " << type.getShape().back();
  }

  void assignNumber(Value value) {
    numbers.try_emplace(value, numbers.size() + 1);
  }

  std::string text;
  llvm::raw_string_ostream os{text};
  AttrTypeReplacer plain;
  DenseMap<Value, size_t> numbers;
  DenseSet<Value> weights;
};
} // namespace

std::string parablock::computeModelHash(FunctionOpInterface function) {
  std::string text = ModelWriter().write(function);
  auto digest = llvm::SHA256::hash(
      ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return "sha256:" + llvm::toHex(digest, /*LowerCase=*/true);
}
