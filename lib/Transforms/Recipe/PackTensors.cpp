//===- PackTensors.cpp - packs tensors in memory piece by piece -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/PackTensors.h"

#include "Evaluate.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::recipe;
using evaluator::StoredTensor;
using llvm::Error;
using llvm::StringRef;

namespace {
/// Joins small pieces of one tensor to larger ones.
class Pieces {
public:
  explicit Pieces(ReceivePiece receive) : receive(receive) {}

  Error append(llvm::ArrayRef<uint8_t> bytes);
  /// Passes on what is left.
  Error flush();

private:
  /// Large enough that its transfer to a device costs more than the call.
  static constexpr size_t pieceBytes = size_t(8) << 20;

  ReceivePiece receive;
  uint64_t offset = 0;
  std::vector<uint8_t> joined;
};
} // namespace

Error Pieces::flush() {
  if (joined.empty())
    return Error::success();
  Error error = receive(offset, joined);
  offset += joined.size();
  joined.clear();
  return error;
}

Error Pieces::append(llvm::ArrayRef<uint8_t> bytes) {
  if (joined.size() + bytes.size() > pieceBytes)
    if (Error error = flush())
      return error;
  if (bytes.size() < pieceBytes) {
    joined.insert(joined.end(), bytes.begin(), bytes.end());
    return Error::success();
  }
  Error error = receive(offset, bytes);
  offset += bytes.size();
  return error;
}

/// Returns "bf16 [4, 8]".
static std::string describe(ElementType type, llvm::ArrayRef<int64_t> shape) {
  std::string text = getElementTypeKeyword(type).str();
  StringRef separator = " [";
  for (int64_t size : shape) {
    text += separator.str() + std::to_string(size);
    separator = ", ";
  }
  return text + (shape.empty() ? " []" : "]");
}

static Error check(const Recipe &recipe, BlockArgument argument,
                   const OriginalTensor &found) {
  StringRef name = getArgName(recipe.prepack, argument.getArgNumber());
  TensorDeclaration wanted = *declare(name, argument.getType());
  if (llvm::equal(wanted.shape, found.shape) &&
      (wanted.type == found.type ||
       (isFloatType(wanted.type) && isFloatType(found.type))))
    return Error::success();
  return llvm::createStringError(recipe.path + ": expected tensor '" + name +
                                 "' to be " +
                                 describe(wanted.type, wanted.shape) +
                                 ", got " + describe(found.type, found.shape));
}

llvm::SmallVector<StringRef> recipe::listOriginals(const Recipe &recipe,
                                                   unsigned result) {
  llvm::SmallVector<StringRef> names;
  for (BlockArgument argument : findOriginals(recipe, result))
    names.push_back(getArgName(recipe.prepack, argument.getArgNumber()));
  return names;
}

bool recipe::isOriginal(const Recipe &recipe, unsigned result) {
  func::FuncOp prepack = recipe.prepack;
  Value value = prepack.front().getTerminator()->getOperand(result);
  while (auto *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return !getArgName(prepack, cast<BlockArgument>(value).getArgNumber())
              .empty();
}

Error recipe::packTensor(const Recipe &recipe, unsigned result,
                         llvm::ArrayRef<OriginalTensor> given,
                         ReceivePiece receive) {
  llvm::SmallVector<BlockArgument> originals = findOriginals(recipe, result);
  if (given.size() != originals.size())
    return llvm::createStringError(
        recipe.path + ": expected " + llvm::Twine(originals.size()) +
        " tensors to pack, got " + llvm::Twine(given.size()));
  llvm::DenseMap<Value, const OriginalTensor *> known;
  for (auto [argument, tensor] : llvm::zip_equal(originals, given)) {
    if (Error error = check(recipe, argument, tensor))
      return error;
    known[argument] = &tensor;
  }
  auto load = [&](BlockArgument argument) {
    Type type = argument.getType();
    if (const OriginalTensor *own = known.lookup(argument))
      return loadAs(type, own->type, own->shape, own->bytes);
    const SafeTensorsEntry *entry =
        findConstant(recipe, recipe.prepack, argument);
    return loadAs(type, entry->type, entry->shape, entry->bytes);
  };
  func::FuncOp prepack = recipe.prepack;
  Value value = prepack.front().getTerminator()->getOperand(result);
  Pieces pieces(receive);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // Whole, without a copy.
    StoredTensor tensor = load(argument);
    if (Error error = pieces.append(tensor.bytes))
      return error;
    return pieces.flush();
  }
  auto lookup = [&](BlockArgument argument) -> FailureOr<StoredTensor> {
    return load(argument);
  };
  auto append = [&](llvm::ArrayRef<uint8_t> bytes) {
    return pieces.append(bytes);
  };
  if (Error error = evaluate(recipe, value, lookup, append))
    return error;
  return pieces.flush();
}
