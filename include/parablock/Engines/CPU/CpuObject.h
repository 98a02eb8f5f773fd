//===- CpuObject.h - a CPU program as an object file ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUOBJECT_H
#define PARABLOCK_CPU_CPUOBJECT_H

#include "parablock/Engines/CPU/CpuProgram.h"
#include <string>

namespace parablock {

/// `text` as an identifier of C.
std::string makeCIdentifier(llvm::StringRef text);

/// An object file that defines STEM_packed_bytes, STEM_pack,
/// STEM_workspace_bytes and STEM_main; it links with ParablockCPURuntime. The
/// program's module is used up.
llvm::Expected<std::string> makeCpuObject(const CpuProgram &program,
                                          llvm::StringRef stem);

/// The C header of that object file.
std::string makeCpuObjectHeader(const CpuProgram &program,
                                llvm::StringRef stem);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUOBJECT_H
