//===- Fuzzers.h - the kinds of cases ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_UNITTESTS_FUZZ_FUZZERS_H
#define PARABLOCK_UNITTESTS_FUZZ_FUZZERS_H

#include "Random.h"
#include "Sources.h"
#include <memory>
#include <string>
#include <vector>

namespace parablock::fuzz {

/// Counts of one kind of input.
struct Tally {
  uint64_t cases = 0;
  uint64_t accepted = 0; // parsed and verified, or read
  uint64_t ran = 0;      // the interpreter or the model builder had success
  uint64_t crashedMLIR = 0;
};

/// Where a case says what it found; diagnostics go nowhere unless `verbose`.
struct Findings {
  /// Faults of the project, not of the input.
  std::vector<std::string> failures;
  bool verbose = false;
};

class IRFuzzer {
public:
  IRFuzzer(uint64_t seed, std::vector<std::string> files);
  ~IRFuzzer();
  std::string makeInput(Random &random);
  void process(const std::string &input, Random &random, Tally &tally,
               Findings &findings);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

class SafeTensorsFuzzer {
public:
  std::string makeInput(Random &random);
  void process(const std::string &input, Tally &tally, Findings &findings);
};

class ConfigFuzzer {
public:
  explicit ConfigFuzzer(std::vector<std::string> files)
      : files(std::move(files)) {}
  std::string makeInput(Random &random);
  void process(const std::string &input, Random &random, Tally &tally,
               Findings &findings);

private:
  std::vector<std::string> files;
};

/// JSON or IR that a function reads. It notes the path that errors must name,
/// and says whether what it did with the contents went well.
class DocumentFuzzer {
public:
  using Read = llvm::Expected<bool> (*)(llvm::StringRef input,
                                        std::string &place);

  DocumentFuzzer(std::vector<std::string> files, Read read);
  std::string makeInput(Random &random);
  void process(const std::string &input, Tally &tally, Findings &findings);

private:
  std::vector<std::string> files;
  Read read;
};

DocumentFuzzer makeChoiceFuzzer();
DocumentFuzzer makeRecipeFuzzer(std::vector<std::string> files);

} // namespace parablock::fuzz

#endif // PARABLOCK_UNITTESTS_FUZZ_FUZZERS_H
