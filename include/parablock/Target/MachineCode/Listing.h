//===- Listing.h - machine code as nvdisasm prints it -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel's loops are those of its control flow, not of its addresses: code of
// a loop may lie behind the exit, and a branch back may belong to no loop.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_MACHINECODE_LISTING_H
#define PARABLOCK_TARGET_MACHINECODE_LISTING_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parablock::machine {

/// One line: `@!P0 MEMBAR.ALL.GPU` has the guard !P0 and the name MEMBAR.
struct Instruction {
  std::string guard, opcode, operands;

  llvm::StringRef getName() const;
  /// Tells whether `part` is among the words behind the name.
  bool has(llvm::StringRef part) const;
  /// Bits that one lane moves by a load or store.
  unsigned getBits() const;
  bool isProduct() const;
  bool isExponential() const { return opcode == "MUFU.EX2"; }
  /// How many groups of products may still run behind it; none for no wait.
  std::optional<unsigned> getWait() const;
};

/// Rows, columns and depth of one warp's or warpgroup's product.
struct ProductShape {
  int64_t m = 0, n = 0, k = 0;
};

/// None for what is no product, or none whose shape is known.
std::optional<ProductShape> getProductShape(const Instruction &instruction);

/// A natural loop: the blocks from which its head is reached again.
struct Loop {
  llvm::BitVector blocks;
  std::vector<const Instruction *> instructions;

  bool contains(const Loop &other) const;
  size_t count(llvm::StringRef name) const;
  size_t countProducts() const;
};

class Kernel {
public:
  explicit Kernel(llvm::StringRef name) : name(name) {}

  std::string name;
  std::vector<Instruction> instructions;
  /// Label and the number of the instruction behind it.
  std::map<std::string, size_t> labels;
  /// Threads of a CTA, as the kernel demands them; 0 where it says nothing.
  unsigned threads = 0;

  /// All loops, the smallest first; those of one head are one.
  std::vector<Loop> findLoops() const;

private:
  struct Block {
    size_t begin, end;
    std::vector<size_t> successors;
  };
  std::vector<Block> findBlocks() const;
};

/// The innermost loop with the most products, or null.
const Loop *findMainLoop(llvm::ArrayRef<Loop> loops);

/// Loops without products that store to memory, none inside another; not those
/// that stage a part of a tile for the loop inside.
std::vector<const Loop *> findRowLoops(llvm::ArrayRef<Loop> loops);

/// The work of the loop around the main loop for each tile, without its other
/// loops; nothing where there is none.
Loop findTileCode(llvm::ArrayRef<Loop> loops);

/// Memory barriers of a scope, such as GPU, that are in any loop.
size_t countBarriersInLoops(llvm::ArrayRef<Loop> loops, llvm::StringRef scope);

/// Exponentials between the issue of a loop's products and the wait for all of
/// them.
size_t countExponentialsBesideProducts(const Loop &loop);

/// The loop as runs of what matters to its order, such as
/// `HGMMA*8 wait(0) ex2*66`.
std::string describeOrder(const Loop &loop);

/// The kernels of a listing in its order. An error where there is none.
llvm::Expected<std::vector<Kernel>> readListing(llvm::StringRef text);

/// The listing of the file at `path`: the file itself, or where that is machine
/// code, what nvdisasm prints of it. A MissingToolError says where nvdisasm was
/// looked for.
llvm::Expected<std::string> readMachineCode(llvm::StringRef path);

} // namespace parablock::machine

#endif // PARABLOCK_TARGET_MACHINECODE_LISTING_H
