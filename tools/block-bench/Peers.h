//===- Peers.h - measurements of peers --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_BENCH_PEERS_H
#define PARABLOCK_TOOLS_BLOCK_BENCH_PEERS_H

#include "Measure.h"

namespace bench {

struct PeerOptions {
  /// Names, separated by commas; "none" for none.
  std::string names;
  /// A Python that has them; empty for the one on PATH.
  std::string python;
  /// The path of scripts/bench_peers.py.
  std::string script;
  /// The script's name of what peers run: "cpu", "train" or "decode".
  std::string suite;
};

/// Measures peers on the computation of `model`, each in a separate process,
/// and returns one entry each: a time, or the reason why there is none.
llvm::Expected<llvm::json::Array>
measurePeers(const PeerOptions &options, const Model &model,
             llvm::StringRef dtype, unsigned threads, unsigned repeat);

/// Measures peers on a file or folder `path` that the script reads.
llvm::Expected<llvm::json::Array>
measurePeers(const PeerOptions &options, llvm::StringRef path,
             llvm::StringRef dtype, unsigned threads, unsigned repeat);

} // namespace bench

#endif // PARABLOCK_TOOLS_BLOCK_BENCH_PEERS_H
