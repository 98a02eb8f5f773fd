//===- Convert.h - conversion of several pairs ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_CONVERT_H
#define PARABLOCK_LIB_DRIFT_CONVERT_H

#include "Scan.h"

namespace parablock::drift {

inline constexpr Split allSplits[] = {Split::Fit, Split::Select, Split::Report};

/// A pair of the converted model, with its weights.
struct ConvertedPair {
  Candidate candidate;
  CorrectedPair corrected;
};

struct Conversion {
  std::vector<ConvertedPair> pairs;
  /// Behind the last link.
  Stream last;
  /// Relative L2 distance of keys and values per token, over all attentions.
  TokenStatistics keys, values;
  /// For each link with a router, 1 for a token whose experts are others than
  /// in the original, else 0. Links before the first pair have none.
  std::map<size_t, TokenStatistics> changedExperts;
};

/// `to` is `from` behind a parallel pair. The first branch reads `older` if it
/// is not null; `middle` is the stream after its sum, and may be `older`.
llvm::Error runPair(const Model &model, const Candidate &candidate,
                    const PairWeights &weights, llvm::ArrayRef<Split> splits,
                    const Stream &from, Stream &to,
                    const Stream *older = nullptr, Stream *middle = nullptr);

/// A stream on its way along the chain and, in a ladder, the one that is a sum
/// older. Reads the streams that it begins with until the first link.
class ChainWalk {
public:
  ChainWalk(const Model &model, llvm::ArrayRef<Split> splits,
            const Stream &from, const Stream *older)
      : model(model), splits(splits), from(&from), before(older) {}
  ChainWalk(const ChainWalk &) = delete;

  llvm::Error runLink(size_t link, const LinkWeights &weights);
  llvm::Error runPair(const Candidate &candidate, const PairWeights &weights);

  const Stream &stream() const { return *from; }
  const Stream *older() const { return before; }
  /// Returns the stream behind the last link; empty before the first one.
  Stream take() { return std::move(own); }

private:
  void prepare();

  const Model &model;
  const llvm::SmallVector<Split, 3> splits;
  const Stream *from, *before;
  Stream own, ownOlder;
};

/// Returns the model with the pairs of `chosen` (in order) parallel, each
/// corrected on the converted prefix before it. `measured` is the split for
/// measurements; the last stream has it and the select split.
llvm::Expected<Conversion> convertModel(const Model &model, const Scan &scan,
                                        llvm::ArrayRef<Candidate> chosen,
                                        Correction correction,
                                        const CorrectionOptions &options,
                                        Split measured, Progress &progress);

/// The logits of a conversion against the original's.
llvm::Expected<LogitDrift> measureConversion(const Model &model,
                                             const Scan &scan,
                                             const Conversion &conversion,
                                             Split measured);

/// Returns the error of each token's last stream, relative to the original's.
llvm::Expected<TokenStatistics> measureLastStream(const Model &model,
                                                  const Scan &scan,
                                                  const Conversion &conversion,
                                                  Split measured);

/// Returns the KL to expect on other data of a choice that costs `selected` on
/// the select split. Texts differ in what they cost: the uncorrected choice is
/// measured on the fit split, too, and the share that corrections leave is that
/// of the select split.
llvm::Expected<double> predictKl(const Model &model, const Scan &scan,
                                 llvm::ArrayRef<Candidate> chosen,
                                 double selected, Progress &progress);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_CONVERT_H
