//===- ExpertTensors.cpp - stacks matrices of experts ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpertTensors.h"

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Parts of names, and what stands for them in files of some model types.
static constexpr std::pair<StringRef, StringRef> spellings[] = {
    {".mlp.", ".block_sparse_moe."},
    {".experts.gate_up_proj", ".input_linear.weight"},
    {".experts.down_proj", ".output_linear.weight"},
    {".router.weight", ".router.layer.weight"},
};

/// The matrices of one expert that follow one another as rows of a stack's.
static constexpr StringRef partsOfUp[][2] = {{"gate_proj", "up_proj"},
                                             {"w1", "w3"}};
static constexpr StringRef partsOfDown[][1] = {{"down_proj"}, {"w2"}};

llvm::SmallVector<std::string, 2> runner::listSpellings(StringRef name) {
  llvm::SmallVector<std::string, 2> names = {name.str()};
  for (auto [own, other] : spellings)
    if (auto [before, after] = name.split(own); before.size() != name.size())
      names.push_back((before + other + after).str());
  return names;
}

/// Ends of the names of codes and scales, behind ".weight" or the name of a
/// stack.
static constexpr StringRef suffixes[] = {"_scale_inv", "_scale", "_packed"};

static StringRef getSuffix(StringRef stack) {
  const auto *found = llvm::find_if(
      suffixes, [&](StringRef suffix) { return stack.ends_with(suffix); });
  return found == std::end(suffixes) ? StringRef() : *found;
}

/// Returns the names of the matrices of an expert.
static std::vector<std::string> nameParts(StringRef stack, size_t expert,
                                          ArrayRef<StringRef> parts) {
  StringRef prefix = stack.take_front(stack.rfind('.') + 1),
            suffix = getSuffix(stack);
  std::vector<std::string> names;
  for (StringRef part : parts)
    names.push_back(
        (prefix + Twine(expert) + "." + part + ".weight" + suffix).str());
  return names;
}

/// Appends the rows of one expert to a stack.
static llvm::Error append(ExpertStack &stack, ArrayRef<std::string> names,
                          FindTensor find) {
  int64_t rows = 0;
  for (const std::string &name : names) {
    const SafeTensorsEntry *part = find(name);
    if (!part)
      return llvm::createStringError("expected tensor '" + name +
                                     "' beside those of other experts, got "
                                     "none");
    SafeTensorsEntry &entry = stack.entry;
    bool isFirst = stack.parts.empty();
    if (isFirst) {
      entry.type = part->type;
      entry.shape = {0, 0, part->shape.size() == 2 ? part->shape[1] : 0};
    }
    if (part->shape.size() != 2 || part->shape[1] != entry.shape[2] ||
        part->type != entry.type)
      return llvm::createStringError(
          "tensor '" + name + "': expected rows of " + Twine(entry.shape[2]) +
          " " + getElementTypeKeyword(entry.type) + " as those of '" +
          (isFirst ? name : stack.parts.front()) + "', got " +
          formatShape(part->shape) + " " + getElementTypeKeyword(part->type));
    rows += part->shape[0];
    stack.bytes.insert(stack.bytes.end(), part->bytes.begin(),
                       part->bytes.end());
    stack.parts.push_back(part->name);
  }
  int64_t &count = stack.entry.shape[0], &height = stack.entry.shape[1];
  if (count++ == 0)
    height = rows;
  if (rows != height)
    return llvm::createStringError("tensor '" + names.front() +
                                   "': expected experts of " + Twine(height) +
                                   " rows as the first, got " + Twine(rows));
  return llvm::Error::success();
}

/// Stacks experts whose matrices have the names of `parts`.
static Expected<std::unique_ptr<ExpertStack>>
stackParts(StringRef name, ArrayRef<StringRef> parts, size_t least,
           FindTensor find) {
  auto isThere = [&](size_t expert) {
    return llvm::any_of(nameParts(name, expert, parts),
                        [&](StringRef part) { return find(part); });
  };
  // A gap between experts is one of the file, not the end of the stack.
  constexpr size_t widestGap = 1;
  size_t count = 0;
  for (size_t expert = 0; expert <= count + widestGap; ++expert)
    if (isThere(expert))
      count = expert + 1;
  if (count == 0)
    return nullptr;
  count = std::max(count, least);
  auto stack = std::make_unique<ExpertStack>();
  stack->entry.name = name.str();
  for (size_t expert = 0; expert < count; ++expert)
    if (llvm::Error error =
            append(*stack, nameParts(name, expert, parts), find))
      return error;
  stack->entry.bytes = stack->bytes;
  return stack;
}

Expected<std::unique_ptr<ExpertStack>>
runner::stackExperts(StringRef name, size_t least, FindTensor find) {
  auto stackFirst =
      [&](auto &spelled) -> Expected<std::unique_ptr<ExpertStack>> {
    for (ArrayRef<StringRef> parts : spelled) {
      auto stack = stackParts(name, parts, least, find);
      if (!stack || *stack)
        return stack;
    }
    return nullptr;
  };
  StringRef stacked = name;
  stacked.consume_back(getSuffix(name));
  if (stacked.ends_with(".gate_up_proj"))
    return stackFirst(partsOfUp);
  if (stacked.ends_with(".down_proj"))
    return stackFirst(partsOfDown);
  return nullptr;
}
