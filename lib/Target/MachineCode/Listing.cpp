//===- Listing.cpp - basic blocks, dominators and loops -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/MachineCode/Listing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace parablock;
using namespace parablock::machine;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

StringRef Instruction::getName() const {
  return StringRef(opcode).split('.').first;
}

bool Instruction::has(StringRef part) const {
  return is_contained(split(StringRef(opcode), '.'), part);
}

unsigned Instruction::getBits() const {
  for (auto [part, bits] : {std::pair<StringRef, unsigned>{"128", 128},
                            {"64", 64},
                            {"U16", 16},
                            {"U8", 8}})
    if (has(part))
      return bits;
  return 32;
}

bool Instruction::isProduct() const {
  return getName() == "HGMMA" || getName() == "HMMA";
}

std::optional<unsigned> Instruction::getWait() const {
  unsigned groups;
  if (!StringRef(opcode).starts_with("WARPGROUP.DEPBAR") ||
      StringRef(operands).rsplit(',').second.trim().getAsInteger(0, groups))
    return std::nullopt;
  return groups;
}

std::optional<ProductShape>
machine::getProductShape(const Instruction &instruction) {
  if (!instruction.isProduct())
    return std::nullopt;
  StringRef shape = StringRef(instruction.opcode).split('.').second;
  shape = shape.split('.').first;
  ProductShape result;
  if (instruction.getName() == "HMMA") { // 16816 is 16 x 8 x 16
    result = StringSwitch<ProductShape>(shape)
                 .Case("16816", {16, 8, 16})
                 .Case("1688", {16, 8, 8})
                 .Default({});
    return result.m ? std::optional(result) : std::nullopt;
  }
  SmallVector<StringRef, 3> parts;
  shape.split(parts, 'x');
  if (parts.size() != 3 || parts[0].getAsInteger(10, result.m) ||
      parts[1].getAsInteger(10, result.n) ||
      parts[2].getAsInteger(10, result.k))
    return std::nullopt;
  return result;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static bool endsBlock(const Instruction &instruction) {
  StringRef name = instruction.getName();
  return name == "BRA" || name == "EXIT" || name == "RET";
}

/// The label that a branch goes to, or "".
static StringRef getTarget(const Instruction &instruction) {
  StringRef target = StringRef(instruction.operands).split("`(").second;
  return target.take_until([](char c) { return c == ')'; });
}

std::vector<Kernel::Block> Kernel::findBlocks() const {
  std::set<size_t> starts = {0};
  for (const auto &[label, at] : labels)
    starts.insert(at);
  for (auto [at, instruction] : enumerate(instructions))
    if (endsBlock(instruction))
      starts.insert(at + 1);
  starts.erase(starts.lower_bound(instructions.size()), starts.end());

  std::vector<Block> blocks;
  std::map<size_t, size_t> numberOf;
  for (size_t start : starts) {
    if (!blocks.empty())
      blocks.back().end = start;
    numberOf[start] = blocks.size();
    blocks.push_back({start, instructions.size(), {}});
  }
  for (auto [number, block] : enumerate(blocks)) {
    const Instruction &last = instructions[block.end - 1];
    auto target = labels.find(getTarget(last).str());
    if (last.getName() == "BRA" && target != labels.end() &&
        numberOf.count(target->second))
      block.successors.push_back(numberOf[target->second]);
    // A branch may also depend on a uniform predicate among its operands.
    bool isCertain = endsBlock(last) && last.guard.empty() &&
                     !StringRef(last.operands).split('`').first.contains("UP");
    if (!isCertain && number + 1 < blocks.size())
      block.successors.push_back(number + 1);
  }
  return blocks;
}

using Numbers = std::vector<std::vector<size_t>>;

/// Returns the blocks on every path to each block; all of them while no path is
/// known.
static std::vector<BitVector> findDominators(const Numbers &predecessors) {
  size_t count = predecessors.size();
  std::vector<BitVector> dominators(count, BitVector(count, true));
  dominators[0].reset();
  dominators[0].set(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t number = 1; number < count; ++number) {
      BitVector found(count, true);
      for (size_t predecessor : predecessors[number])
        found &= dominators[predecessor];
      found.set(number);
      changed |= found != dominators[number];
      dominators[number] = found;
    }
  }
  return dominators;
}

/// Adds the blocks to a loop from which `last` is reached before its head.
static void addBody(BitVector &body, size_t last, const Numbers &predecessors) {
  SmallVector<size_t> open = {last};
  while (!open.empty()) {
    size_t next = open.pop_back_val();
    if (body.test(next))
      continue;
    body.set(next);
    append_range(open, predecessors[next]);
  }
}

std::vector<Loop> Kernel::findLoops() const {
  if (instructions.empty())
    return {};
  std::vector<Block> blocks = findBlocks();
  Numbers predecessors(blocks.size());
  for (auto [number, block] : enumerate(blocks))
    for (size_t successor : block.successors)
      predecessors[successor].push_back(number);
  std::vector<BitVector> dominators = findDominators(predecessors);

  std::map<size_t, BitVector> loops;
  for (auto [number, block] : enumerate(blocks)) {
    if (number && predecessors[number].empty())
      continue;
    for (size_t head : block.successors) {
      if (!dominators[number].test(head))
        continue;
      BitVector &body =
          loops.try_emplace(head, BitVector(blocks.size())).first->second;
      body.set(head);
      addBody(body, number, predecessors);
    }
  }

  std::vector<Loop> result;
  for (auto &[head, body] : loops) {
    Loop loop{body, {}};
    for (unsigned number : body.set_bits())
      for (size_t at = blocks[number].begin; at < blocks[number].end; ++at)
        loop.instructions.push_back(&instructions[at]);
    result.push_back(std::move(loop));
  }
  llvm::sort(result, [](const Loop &a, const Loop &b) {
    return std::pair(a.instructions.size(), a.blocks.find_first()) <
           std::pair(b.instructions.size(), b.blocks.find_first());
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool Loop::contains(const Loop &other) const {
  return blocks != other.blocks && !other.blocks.test(blocks);
}

size_t Loop::count(StringRef name) const {
  return count_if(instructions,
                  [&](const Instruction *i) { return i->getName() == name; });
}

size_t Loop::countProducts() const { return count("HGMMA") + count("HMMA"); }

std::vector<const Loop *> machine::findProductLoops(ArrayRef<Loop> loops) {
  std::vector<const Loop *> found;
  for (const Loop &loop : loops) {
    bool hasInner = any_of(loops, [&](const Loop &inner) {
      return inner.countProducts() && loop.contains(inner);
    });
    if (loop.countProducts() && !hasInner)
      found.push_back(&loop);
  }
  return found;
}

const Loop *machine::findMainLoop(ArrayRef<Loop> loops) {
  const Loop *best = nullptr;
  for (const Loop *loop : findProductLoops(loops))
    if (!best || loop->countProducts() > best->countProducts())
      best = loop;
  return best;
}

std::vector<const Loop *> machine::findRowLoops(ArrayRef<Loop> loops) {
  auto stores = [](const Loop &loop) {
    return loop.count("STG") && !loop.countProducts();
  };
  // A loop that stages a part of a tile for an inner loop is not a loop of
  // rows.
  constexpr size_t staged = 32;
  auto isRows = [&](const Loop &loop) {
    return stores(loop) && (loop.count("STS") < staged ||
                            none_of(loops, [&](const Loop &inner) {
                              return stores(inner) && loop.contains(inner);
                            }));
  };
  std::vector<const Loop *> rows;
  for (const Loop &loop : loops)
    if (isRows(loop) && none_of(loops, [&](const Loop &other) {
          return isRows(other) && other.contains(loop);
        }))
      rows.push_back(&loop);
  return rows;
}

Loop machine::findTileCode(ArrayRef<Loop> loops) {
  const Loop *main = findMainLoop(loops);
  const Loop *around = nullptr;
  for (const Loop &loop : loops)
    if (main && !around && loop.contains(*main))
      around = &loop;
  if (!around)
    return {};
  std::set<const Instruction *> inside;
  auto remove = [&](const Loop &loop) {
    inside.insert(loop.instructions.begin(), loop.instructions.end());
  };
  for (const Loop &loop : loops)
    if (loop.countProducts() && around->contains(loop))
      remove(loop);
  for (const Loop *loop : findRowLoops(loops))
    remove(*loop);
  Loop code{around->blocks, {}};
  for (const Instruction *instruction : around->instructions)
    if (!inside.count(instruction))
      code.instructions.push_back(instruction);
  return code;
}

size_t machine::countBarriersInLoops(ArrayRef<Loop> loops, StringRef scope) {
  std::set<const Instruction *> found;
  for (const Loop &loop : loops)
    for (const Instruction *instruction : loop.instructions)
      if (instruction->getName() == "MEMBAR" && instruction->has(scope))
        found.insert(instruction);
  return found.size();
}

size_t machine::countExponentialsBesideProducts(const Loop &loop) {
  size_t beside = 0;
  bool issued = false;
  for (const Instruction *instruction : loop.instructions) {
    if (instruction->getName() == "HGMMA")
      issued = true;
    else if (instruction->getWait() == 0u)
      issued = false;
    else if (issued && instruction->isExponential())
      ++beside;
  }
  return beside;
}

std::string machine::describeOrder(const Loop &loop) {
  std::vector<std::pair<std::string, unsigned>> words;
  for (const Instruction *instruction : loop.instructions) {
    std::string word;
    StringRef name = instruction->getName();
    if (instruction->isProduct() || name == "FMNMX")
      word = name.str();
    else if (std::optional<unsigned> groups = instruction->getWait())
      word = "wait(" + utostr(*groups) + ")";
    else if (instruction->isExponential())
      word = "ex2";
    else if (name == "BAR" || name == "MEMBAR")
      word = instruction->opcode;
    if (word.empty())
      continue;
    if (!words.empty() && words.back().first == word)
      ++words.back().second;
    else
      words.emplace_back(word, 1);
  }
  std::string text;
  for (const auto &[word, count] : words) {
    text += (text.empty() ? "" : " ") + word;
    if (count > 1)
      text += "*" + utostr(count);
  }
  return text;
}
