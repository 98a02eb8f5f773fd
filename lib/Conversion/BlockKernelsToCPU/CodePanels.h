//===- CodePanels.h - products with weights of few bits ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Codes are stored in panels like weights, [panel][step][output] of bytes,
// where a step of two codes in a byte is two inputs, or in quads of steps for
// products of bytes; scales and zero points are panels with one step for each
// group of a row. With few rows, numbers stay in registers; otherwise the
// numbers of a slice of a panel are written to a buffer once and read like any
// other weight.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CODEPANELS_H
#define PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CODEPANELS_H

#include "DigitRows.h"
#include "parablock/Conversion/CPUCode/PanelLayout.h"
#include "parablock/Dialect/Block/BlockOps.h"

namespace parablock::cpugen {

/// The tensors that a weight of codes is read from; `zeros` may be null.
struct CodeTensors {
  Value codes, scales, zeros;
};

/// Returns the packing of the operands of `unpack`, for the packing `layout` of
/// the weight.
PanelLayout getCodeLayout(block::UnpackWeightOp unpack, unsigned operand,
                          PanelLayout layout, const CpuTarget &target);

/// Rows that words are multiplied with one after the other.
inline constexpr int64_t kWordRows = 4;

class CodePanels {
public:
  CodePanels(Code &code, block::UnpackWeightOp unpack, CodeTensors tensors,
             int64_t columns);

  int64_t getDepth() const { return depth; }
  /// Returns whether codes are multiplied with rows of digits instead of f32.
  bool usesDigits() const { return digits.has_value(); }
  /// Returns the maximum number of rows whose digits are multiplied, up to
  /// `fewRows`: more rows share the cost of converting codes to f32.
  int64_t getDigitRows(int64_t fewRows) const {
    return digits->bytes == 1 ? fewRows : kWordRows;
  }
  const DigitForm &getDigits() const { return *digits; }
  /// The bytes of a row of digits, and of their sums behind them.
  int64_t getDigitBytes();
  /// Writes the sums of a row's digits, per group, after them: once for all
  /// panels.
  void writeDigitSums(const DigitRow &row);
  /// Adds to `sums`, rows times the vectors of a panel, the products of rows of
  /// digits; registers hold the sums of that many rows.
  Values addDigits(Value panel, llvm::ArrayRef<DigitRow> rows,
                   const Values &sums);
  int64_t getDigitRowsTogether() const;
  /// Adds to `sums`, rows times the vectors of a panel, the products of f32
  /// `rows` and the weights of `panel`.
  Values addProducts(Value panel, ValueRange rows, Values sums);
  /// Returns where the codes of a panel begin, and the bytes of that many
  /// inputs.
  Value getPanel(Value panel);
  int64_t countBytes(int64_t inputs) { return inputs * columns / getInputs(); }
  /// Returns the number of inputs whose codes are adjacent.
  int64_t getGranule() { return digits ? kQuad * getInputs() : 2; }
  /// Writes the weights of the inputs [first, first + count) of `panel`, as
  /// [input][output] of f32. `first` is a multiple of the granule, and so is
  /// `count` except at the end.
  void writeNumbers(Value panel, Value first, Value count, Value buffer);
  /// Writes the numbers of pairs of inputs, as [pair][output][2] of `type`.
  void writePairs(Value panel, Value first, Value count, Value buffer,
                  mlir::Type type);

private:
  /// Steps of a group: one scale counts for them.
  struct Group {
    Value number, first;
    int64_t steps;
  };
  bool isPacked() { return unpack.isPacked(); }
  /// Codes of a byte.
  int64_t getInputs() { return isPacked() ? 2 : 1; }
  int64_t vectors() const { return columns / code.lanes(); }
  /// Loads the vector `v` of an operand's panel, at its own step.
  Value at(Value panel, int64_t depth, Value step, int64_t v);
  Value place(Value line, int64_t v);
  Value getScale(Value panel, Value group, int64_t v);
  /// The zero points of a vector; null where there are none.
  Value getZero(Value panel, Value group, int64_t v);
  /// The numbers at a step of the codes' panel, of the low or the high half.
  Value decode(Value bytes, bool isHigh, Value zero);
  Value decodeHalf(Value wide, int64_t shift, Value zero);
  bool hasTable();
  Value lookUp(Value indices);
  Value decodeFloat(Value bytes, int64_t shift, int64_t number,
                    int64_t signBit);
  /// Multiplies numbers, or sums of them, by their missing power of 2.
  Value restore(Value value);
  Value loadBytes(Value panel, Value step, int64_t v);
  /// The weights at a step of the codes' panel, of the low or the high half.
  Value getWeights(Value panel, Value step, bool isHigh, int64_t v);
  /// Returns the integer offset of codes, for products with digits; null for
  /// none.
  Value getBias(Value panel, Value group, int64_t v);
  /// The first quad of a group, and how many it has.
  std::pair<Value, Value> getQuads(Value number);
  /// Returns how many quads of a group are summed together.
  int64_t getQuadsTogether();
  /// Returns the weights of the inputs of a quad, a vector of outputs each.
  Values getQuadWeights(Value panel, Value quad, int64_t v);
  void forQuads(Value panel, Value first, Value count,
                llvm::function_ref<void(Value, int64_t, Values)> write);
  Value getQuad(const DigitRow &row, Value quad, int64_t digit, int64_t half);
  Value getQuadOfWords(const DigitRow &row, Value quad, int64_t digit);
  Value getDigitSum(Value number, int64_t digit);
  /// Returns the sums of a group's products, per digit of the vectors.
  Values sumBytes(Value panel, Value number, llvm::ArrayRef<DigitRow> rows);
  Values sumWords(Value panel, Value number, const DigitRow &row);
  Values addDigitGroup(Value panel, Value number, llvm::ArrayRef<DigitRow> rows,
                       Values sums);
  Values addGroup(Value panel, const Group &group, ValueRange rows,
                  Values sums);
  /// Fetches `bytes` of the codes from `first` on.
  void prefetch(Value first, int64_t bytes);

  Code &code;
  block::UnpackWeightOp unpack;
  CodeTensors tensors;
  /// Outputs of a panel; inputs, groups, inputs of a group and steps of codes.
  int64_t columns, depth, groups, group, steps;
  /// Set if codes are stored in quads.
  std::optional<DigitForm> digits;
};

} // namespace parablock::cpugen

#endif // PARABLOCK_LIB_CONVERSION_BLOCKKERNELSTOCPU_CODEPANELS_H
