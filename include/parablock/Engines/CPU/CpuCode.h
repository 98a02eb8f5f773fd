//===- CpuCode.h - the machine code of a CPU program ------------*- C++ -*-===//
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

/// Kernels as machine code that is not linked yet.
struct CpuCode {
  /// Relocatable object files, each of some of the kernels.
  std::vector<std::string> objects;
  /// The names of functions that they use and do not define.
  std::vector<std::string> externals;
};

/// All that code depends on of a target, as text: of the rates, which differ
/// from process to process, what they decide.
std::string describeTarget(const CpuTarget &target);

/// The kernels of a program on their way to code, in parts that threads compile
/// side by side.
class CpuCompilation {
public:
  /// Packs weights by that code, on so many threads, while the rest is
  /// compiled.
  using Packing =
      llvm::function_ref<llvm::Error(const CpuCode &code, unsigned threads)>;

  /// Translates the program's module, which is not needed any more then.
  static llvm::Expected<CpuCompilation> create(const CpuProgram &program);
  CpuCompilation(CpuCompilation &&);
  ~CpuCompilation();

  /// Compiles on that many threads, or as many as the machine has cores if 0.
  /// The code does not depend on their number. Unless `pack` is null, what it
  /// gets comes first among the objects of the result.
  llvm::Expected<CpuCode> run(unsigned threads, Packing pack = nullptr);

private:
  struct Work;
  explicit CpuCompilation(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work;
};

/// The same at once.
llvm::Expected<CpuCode> compileCpuCode(const CpuProgram &program,
                                       unsigned threads = 0);

/// A program and its code as bytes; its target is left out.
std::string storeProgram(const CpuProgram &program, const CpuCode &code);

/// The inverse, of bytes that storeProgram() of the same build has written;
/// `code` gets the rest. None where they are of another form.
std::optional<CpuProgram> loadProgram(llvm::StringRef bytes,
                                      const CpuTarget &target, CpuCode &code);

} // namespace parablock

#endif // PARABLOCK_CPU_CPUCODE_H
