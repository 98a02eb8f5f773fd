//===- Assembler.h - PTX to machine code by ptxas ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H
#define PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H

#include "parablock/Target/MachineCode/MissingToolError.h"
#include <string>
#include <vector>

namespace parablock {

/// The resources of one kernel, as ptxas says them.
struct KernelResources {
  std::string name;
  unsigned registers = 0;
  unsigned barriers = 0;
  unsigned stackBytes = 0;
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;
  unsigned staticSharedBytes = 0;
};

/// The output of `ptxas -v`, read.
struct AssemblerReport {
  std::vector<KernelResources> kernels;
  /// Lines with a number such as (C7510): code that ptxas had to repair or
  /// slow down. There is none for a good kernel.
  std::vector<std::string> warnings;
};

AssemblerReport parseAssemblerLog(llvm::StringRef log);

struct AssembledModule {
  /// An ELF file for the driver to load.
  std::string cubin;
  AssemblerReport report;
};

/// The path of ptxas: in `cudaPath` alone where that is given, else on PATH, in
/// CUDA_HOME, in CUDA_PATH, or next to this program. A MissingToolError says
/// where it was looked for.
llvm::Expected<std::string> findAssembler(llvm::StringRef cudaPath = "");

/// Runs ptxas, in a folder that is gone afterwards. What it prints when it
/// fails is the text of the error.
llvm::Expected<AssembledModule> assemblePTX(llvm::StringRef ptx,
                                            llvm::StringRef chip,
                                            llvm::StringRef cudaPath = "");

} // namespace parablock

#endif // PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H
