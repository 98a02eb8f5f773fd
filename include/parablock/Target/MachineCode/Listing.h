//===- Listing.h - listings of machine code ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel's loops follow from its control flow, not from its addresses: code
// of a loop may be placed behind the exit, and a backward branch need not be
// part of a loop.
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
  /// Returns whether `part` is among the words after the name.
  bool has(llvm::StringRef part) const;
  /// Bits that one lane moves by a load or store.
  unsigned getBits() const;
  bool isProduct() const;
  bool isExponential() const { return opcode == "MUFU.EX2"; }
  /// Returns how many groups of products may still run after it; none if it
  /// does not wait.
  std::optional<unsigned> getWait() const;
};

/// Rows, columns and depth of one warp's or warpgroup's product.
struct ProductShape {
  int64_t m = 0, n = 0, k = 0;
};

/// Returns the shape of a product; none for other instructions and unknown
/// shapes.
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
  /// Threads of a CTA, as the kernel requires; 0 if it does not specify them.
  unsigned threads = 0;

  /// Returns all loops, the smallest first; loops with the same head are
  /// merged.
  std::vector<Loop> findLoops() const;

private:
  struct Block {
    size_t begin, end;
    std::vector<size_t> successors;
  };
  std::vector<Block> findBlocks() const;
};

/// Returns the innermost loops with products, in the order of `loops`.
std::vector<const Loop *> findProductLoops(llvm::ArrayRef<Loop> loops);

/// The innermost loop with the most products, or null.
const Loop *findMainLoop(llvm::ArrayRef<Loop> loops);

/// Returns innermost loops without products that store to memory, except loops
/// that stage a part of a tile for an inner loop.
std::vector<const Loop *> findRowLoops(llvm::ArrayRef<Loop> loops);

/// Returns the per-tile work of the loop around the main loop, without its
/// other loops; empty if there is none.
Loop findTileCode(llvm::ArrayRef<Loop> loops);

/// Counts memory barriers of a scope, such as GPU, inside loops.
size_t countBarriersInLoops(llvm::ArrayRef<Loop> loops, llvm::StringRef scope);

/// Counts exponentials between the issue of a loop's products and the wait for
/// all of them.
size_t countExponentialsBesideProducts(const Loop &loop);

/// Returns the order of a loop's relevant instructions as runs, such as
/// `HGMMA*8 wait(0) ex2*66`.
std::string describeOrder(const Loop &loop);

/// Returns the kernels of a listing in its order. Fails if there is none.
llvm::Expected<std::vector<Kernel>> readListing(llvm::StringRef text);

/// Returns the listing of the file at `path`: the file itself or, for machine
/// code, the output of nvdisasm. A MissingToolError lists where nvdisasm was
/// searched.
llvm::Expected<std::string> readMachineCode(llvm::StringRef path);

} // namespace parablock::machine

#endif // PARABLOCK_TARGET_MACHINECODE_LISTING_H
