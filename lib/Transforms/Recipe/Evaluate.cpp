//===- Evaluate.cpp - evaluates results of recipes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "parablock/Judges/Evaluator/Evaluator.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Endian.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::recipe;
using evaluator::StoredTensor;
using llvm::Error;
using llvm::StringRef;

void recipe::forEachRead(ValueRange values, Visit visit) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> open(values);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (isa<func::FuncOp>(argument.getOwner()->getParentOp()))
        visit(argument);
      continue;
    }
    value.getDefiningOp()->walk([&](Operation *inner) {
      llvm::append_range(open, inner->getOperands());
    });
  }
}

llvm::SmallVector<BlockArgument> recipe::findOriginals(const Recipe &recipe,
                                                       unsigned result) {
  func::FuncOp prepack = recipe.prepack;
  llvm::SmallVector<BlockArgument> originals;
  forEachRead(prepack.front().getTerminator()->getOperand(result),
              [&](BlockArgument argument) {
                if (!getArgName(prepack, argument.getArgNumber()).empty())
                  originals.push_back(argument);
              });
  llvm::sort(originals, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });
  return originals;
}

const SafeTensorsEntry *recipe::findConstant(const Recipe &recipe,
                                             func::FuncOp function,
                                             BlockArgument argument) {
  return recipe.constants->lookup(
      getArgName(function, argument.getArgNumber(), kConstantAttr));
}

StoredTensor recipe::loadAs(Type wanted, ElementType type,
                            llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<uint8_t> bytes) {
  StoredTensor stored;
  stored.type = type;
  stored.shape.assign(shape.begin(), shape.end());
  stored.bytes = bytes;
  ElementType own = *evaluator::getElementTypeOf(wanted);
  return type == own ? stored : evaluator::convert(stored, own);
}

Error recipe::evaluate(const Recipe &recipe, Value value,
                       evaluator::StoredLookup lookup, Append append) {
  std::string unwritten;
  auto sink = [&](llvm::ArrayRef<uint8_t> bytes) {
    Error error = append(bytes);
    bool isGood = !error;
    if (!isGood)
      unwritten = llvm::toString(std::move(error));
    return success(isGood);
  };
  LogicalResult done = failure();
  std::string said = listen(
      recipe, [&] { done = evaluator::emitStored(value, lookup, sink); });
  if (succeeded(done))
    return Error::success();
  return llvm::createStringError(unwritten.empty() ? said : unwritten);
}

/// Counts elements above infinity, without decoding them.
template <typename Storage>
static uint64_t countAbove(llvm::ArrayRef<uint8_t> bytes, Storage infinity) {
  constexpr Storage magnitude = std::numeric_limits<Storage>::max() >> 1;
  uint64_t count = 0;
  for (size_t at = 0; at < bytes.size(); at += sizeof(Storage))
    count += (llvm::support::endian::read<Storage, llvm::endianness::little>(
                  bytes.data() + at) &
              magnitude) > infinity;
  return count;
}

uint64_t recipe::countNaNs(ElementType type, llvm::ArrayRef<uint8_t> bytes) {
  switch (type) {
  case ElementType::F64:
    return countAbove<uint64_t>(bytes, uint64_t(0x7FF) << 52);
  case ElementType::F32:
    return countAbove<uint32_t>(bytes, 0x7F800000);
  case ElementType::BF16:
    return countAbove<uint16_t>(bytes, 0x7F80);
  case ElementType::F16:
    return countAbove<uint16_t>(bytes, 0x7C00);
  default:
    return 0;
  }
}
