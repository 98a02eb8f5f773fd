//===- Assembler.h - PTX to machine code by ptxas ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H
#define PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H

#include "parablock/Target/MachineCode/MissingToolError.h"
#include <string>
#include <vector>

namespace parablock {

/// The resources of one kernel, as reported by ptxas.
struct KernelResources {
  std::string name;
  unsigned registers = 0;
  unsigned barriers = 0;
  unsigned stackBytes = 0;
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;
  unsigned staticSharedBytes = 0;
};

/// The parsed output of `ptxas -v`.
struct AssemblerReport {
  std::vector<KernelResources> kernels;
  /// Lines with a number such as (C7510): code that ptxas had to repair or slow
  /// down. A good kernel has none.
  std::vector<std::string> warnings;
};

AssemblerReport parseAssemblerLog(llvm::StringRef log);

struct AssembledModule {
  /// An ELF file for the driver to load.
  std::string cubin;
  AssemblerReport report;
};

/// Returns the path of ptxas: in `cudaPath` alone if given, else on PATH, in
/// CUDA_HOME, in CUDA_PATH, or next to this program. A MissingToolError lists
/// these places.
llvm::Expected<std::string> findAssembler(llvm::StringRef cudaPath = "");

/// Runs ptxas in a temporary folder. If it fails, the error contains its
/// output.
llvm::Expected<AssembledModule> assemblePTX(llvm::StringRef ptx,
                                            llvm::StringRef chip,
                                            llvm::StringRef cudaPath = "");

} // namespace parablock

#endif // PARABLOCK_TARGET_MACHINECODE_ASSEMBLER_H
