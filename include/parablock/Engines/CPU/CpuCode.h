//===- CpuCode.h - compilation to machine code ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_CPU_CPUCODE_H
#define PARABLOCK_CPU_CPUCODE_H

#include "parablock/Engines/CPU/CpuProgram.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parablock {

/// Kernels as machine code before linking.
struct CpuCode {
  /// Relocatable object files, each with some of the kernels.
  std::vector<std::string> objects;
  /// Names of functions that they use but do not define.
  std::vector<std::string> externals;
};

/// Returns the properties of a target that code depends on, as text. Rates vary
/// between processes, so only the decisions that follow from them are included.
std::string describeTarget(const CpuTarget &target);

/// Compiles the kernels of a program, in parts that threads compile
/// concurrently.
class CpuCompilation {
public:
  /// Packs weights by that code, on so many threads, while the rest is
  /// compiled.
  using Packing =
      llvm::function_ref<llvm::Error(const CpuCode &code, unsigned threads)>;

  /// Translates the program's module, which is not needed afterwards.
  static llvm::Expected<CpuCompilation> create(const CpuProgram &program);
  CpuCompilation(CpuCompilation &&);
  ~CpuCompilation();

  /// Compiles on that many threads; 0 uses all cores. The code does not depend
  /// on the number. The objects that a non-null `pack` returns come first in
  /// the result.
  llvm::Expected<CpuCode> run(unsigned threads, Packing pack = nullptr);

private:
  struct Work;
  explicit CpuCompilation(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work;
};

/// The same at once.
llvm::Expected<CpuCode> compileCpuCode(const CpuProgram &program,
                                       unsigned threads = 0);

/// Serialises a program and its code, without the target.
std::string storeProgram(const CpuProgram &program, const CpuCode &code);

/// The inverse, for bytes that storeProgram() of the same build wrote; fills
/// `code`. Returns none for another format.
std::optional<CpuProgram> loadProgram(llvm::StringRef bytes,
                                      const CpuTarget &target, CpuCode &code);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUCODE_H
