//===- Comparison.h - comparison of outputs ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_COMPARE_COMPARISON_H
#define PARABLOCK_COMPARE_COMPARISON_H

#include "parablock/Execution/ArgumentSupply.h"
#include "parablock/Support/Comparer.h"

namespace parablock::runner {

/// Outputs by name, with the element types of the IR (or, for a file, as
/// stored).
struct Outputs {
  std::vector<Port> ports;
  std::vector<Tensor> tensors;

  const Tensor *lookup(llvm::StringRef name) const;
  ComparedTensor getCompared(size_t index) const;
};

/// Returns the results of `signature`, with their current shapes.
Outputs makeOutputs(const Signature &signature, std::vector<Tensor> tensors);

/// Facts about the rows of outputs that follow from the inputs.
class OutputRows {
public:
  OutputRows(const BoundFunction &function, llvm::ArrayRef<Tensor> arguments,
             const InputFacts &facts);

  /// Returns the options to compare an output by: rows [b, t] with t >=
  /// lengths[b] are left out, and a `hidden_states` output is also compared by
  /// its update of the `hidden_states` input, if the shapes agree. The options
  /// point into this object.
  CompareOptions getOptions(const Port &output) const;

private:
  std::vector<double> lengths;
  int64_t tokens = 0;
  std::vector<uint8_t> mask;
  Tensor stream;
};

class Original;

/// The values that outputs are compared with.
struct Expectation {
  /// Their name in the report.
  std::string against;
  Outputs want;
  /// The function whose rounding errors are the floor; null if unused.
  Original *original = nullptr;
};

/// Returns one verdict per output, in order. Fails if an output is missing on
/// one side.
llvm::Expected<std::vector<Verdict>>
judgeOutputs(const Outputs &got, const Expectation &expectation,
             const OutputRows &rows);

/// Reads outputs from a file for the results `ports` of a function. Values
/// stored as f64 are exact values for any float type; the comparison reports
/// other type mismatches. A missing output is an error, an extra tensor a
/// remark.
llvm::Expected<Outputs> readExpectedOutputs(const SafeTensorsFile &file,
                                            llvm::ArrayRef<Port> ports,
                                            llvm::raw_ostream &remarks);

} // namespace parablock::runner

#endif // PARABLOCK_COMPARE_COMPARISON_H
