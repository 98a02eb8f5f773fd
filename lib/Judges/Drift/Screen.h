//===- Screen.h - exclusion of pairs ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_LIB_DRIFT_SCREEN_H
#define PARABLOCK_LIB_DRIFT_SCREEN_H

#include "Model.h"

namespace parablock::drift {

/// The screen's finding on one candidate.
struct ScreenRecord {
  /// The 99th percentile of |d| / |x| over tokens.
  double deltaP99 = 0;
  /// Why it is a bad place; empty where it is none.
  llvm::StringRef reason;
  bool isDropped = false;
};

/// Applies two heuristics that need the original streams alone: a first-order
/// view of a pair with a large update is unreliable, and the ends of a model
/// are the worst places. With `drops`, removes candidates that violate one,
/// those with the largest updates first, as long as half of all remain.
/// `streams` are those before each link and after the last one.
llvm::Expected<std::vector<ScreenRecord>>
screenCandidates(const Model &model, llvm::ArrayRef<Candidate> candidates,
                 llvm::ArrayRef<Stream> streams, Split split,
                 const Screen &screen, bool drops);

/// Emits a remark if `candidate` is dropped.
void remarkOnDropped(llvm::raw_ostream &remarks, const Candidate &candidate,
                     const ScreenRecord &record, const Screen &screen);

} // namespace parablock::drift

#endif // PARABLOCK_LIB_DRIFT_SCREEN_H
