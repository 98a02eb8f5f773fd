//===- CpuObject.h - CPU programs as object files ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUOBJECT_H
#define PARABLOCK_CPU_CPUOBJECT_H

#include "parablock/Engines/CPU/CpuProgram.h"
#include <string>

namespace parablock {

/// Converts `text` to an identifier of C.
std::string makeCIdentifier(llvm::StringRef text);

/// Returns an object file that defines STEM_packed_bytes, STEM_pack,
/// STEM_workspace_bytes and STEM_main; it links with ParablockCPURuntime.
/// Consumes the program's module.
llvm::Expected<std::string> makeCpuObject(const CpuProgram &program,
                                          llvm::StringRef stem);

/// Returns the C header of that object file.
std::string makeCpuObjectHeader(const CpuProgram &program,
                                llvm::StringRef stem);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUOBJECT_H
