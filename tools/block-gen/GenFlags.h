//===- GenFlags.h - flags of block-gen --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TOOLS_BLOCK_GEN_GENFLAGS_H
#define PARABLOCK_TOOLS_BLOCK_GEN_GENFLAGS_H

#include "parablock/Frontends/Generate/Families.h"
#include "parablock/Frontends/Generate/ModelBuilder.h"

namespace parablock::generate {

/// A size flag: a number, `?`, or not given.
struct SizeFlag {
  bool given = false;
  std::optional<int64_t> size; // none: `?`
};

/// The level that the IR is lowered to.
enum class Level { Model, Core, Tosa, Linalg };

struct GenRequest {
  bool listFamilies = false, describeFamilies = false;
  std::string family, configPath; // one of these
  SizeFlags sizes;
  BuildOptions build; // sizes of the sequence are in the three flags below
  SizeFlag batch, sequence, encoderSequence, packedSequences, past;
  std::optional<int64_t> pageRows;
  Level level = Level::Model;
  uint64_t seed = 0;
  std::string weightsPath, outputPath;
  bool unbrokenLines = false;
};

/// Reads the command line. Errors name the flag and its value; --help exits.
llvm::Expected<GenRequest> readCommandLine(int argc, char **argv);

} // namespace parablock::generate

#endif // PARABLOCK_TOOLS_BLOCK_GEN_GENFLAGS_H
