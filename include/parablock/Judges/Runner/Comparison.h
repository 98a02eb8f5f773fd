//===- Comparison.h - judging the outputs of a function ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_RUNNER_COMPARISON_H
#define PARABLOCK_RUNNER_COMPARISON_H

#include "parablock/Judges/Runner/ArgumentSupply.h"
#include "parablock/Support/Comparer.h"

namespace parablock::runner {

/// Outputs by name, with the element types that the IR gives them (or, of a
/// file, that they are stored in).
struct Outputs {
  std::vector<Port> ports;
  std::vector<Tensor> tensors;

  const Tensor *lookup(llvm::StringRef name) const;
  ComparedTensor getCompared(size_t index) const;
};

/// The results of `signature`, with the shapes that they have now.
Outputs makeOutputs(const Signature &signature, std::vector<Tensor> tensors);

/// Facts about the rows of outputs that the inputs tell.
class OutputRows {
public:
  OutputRows(const BoundFunction &function, llvm::ArrayRef<Tensor> arguments,
             const InputFacts &facts);

  /// The options to compare an output by: rows [b, t] with t at or after
  /// lengths[b] are left out, and a `hidden_states` output is also compared by
  /// its update of the `hidden_states` input, where the shapes agree. The
  /// options point into this object.
  CompareOptions getOptions(const Port &output) const;

private:
  std::vector<double> lengths;
  int64_t tokens = 0;
  std::vector<uint8_t> mask;
  Tensor stream;
};

class Original;

/// The numbers that outputs are judged by.
struct Expectation {
  /// Their name in the report.
  std::string against;
  Outputs want;
  /// The function whose rounding errors are the floor; null for none.
  Original *original = nullptr;
};

/// One verdict per output, in order. An error where an output is missing on one
/// side.
llvm::Expected<std::vector<Verdict>>
judgeOutputs(const Outputs &got, const Expectation &expectation,
             const OutputRows &rows);

/// Outputs from a file, for the results `ports` of a function. What is stored
/// as f64 is taken for the exact value of any float type; another type is for
/// the comparison to find. An error where an output is missing, a remark where
/// there is more in the file.
llvm::Expected<Outputs> readExpectedOutputs(const SafeTensorsFile &file,
                                            llvm::ArrayRef<Port> ports,
                                            llvm::raw_ostream &remarks);

} // namespace parablock::runner

#endif // PARABLOCK_RUNNER_COMPARISON_H
