//===- AssemblerLog.cpp - parses the output of ptxas -v -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/MachineCode/Assembler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace parablock;

/// Reads the number before `words`, as in "0 bytes spill stores, 8 bytes ...";
/// returns false if they are missing.
static bool readNumber(StringRef line, StringRef words, unsigned &number) {
  size_t end = line.find(words);
  if (end == StringRef::npos)
    return false;
  StringRef before = line.take_front(end).rtrim();
  StringRef digits = before.take_back(
      before.size() - (before.find_last_not_of("0123456789") + 1));
  return !digits.getAsInteger(10, number);
}

/// ptxas numbers its advice: "(C7510) Potential Performance Loss: ...".
static bool isNumberedWarning(StringRef line) {
  size_t start = line.find("(C");
  if (start == StringRef::npos)
    return false;
  StringRef number =
      line.drop_front(start + 2).take_while([](char c) { return isDigit(c); });
  return number.size() == 4 &&
         line.drop_front(start + 2 + number.size()).starts_with(")");
}

/// Parses a line about the current kernel. Functions that it calls have
/// properties, too: `ofKernel` is true if the next ones belong to the kernel.
static void readKernelLine(StringRef line, KernelResources &kernel,
                           bool &ofKernel) {
  if (line.contains("Function properties for ")) {
    ofKernel = line.rtrim().ends_with(" " + kernel.name);
  } else if (line.contains("spill stores")) {
    if (!ofKernel)
      return;
    readNumber(line, "bytes stack frame", kernel.stackBytes);
    readNumber(line, "bytes spill stores", kernel.spillStoreBytes);
    readNumber(line, "bytes spill loads", kernel.spillLoadBytes);
  } else if (readNumber(line, "registers", kernel.registers)) {
    readNumber(line, "barriers", kernel.barriers);
    readNumber(line, "bytes smem", kernel.staticSharedBytes);
  }
}

AssemblerReport parablock::parseAssemblerLog(StringRef log) {
  AssemblerReport report;
  SmallVector<StringRef> lines;
  log.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  bool ofKernel = false;
  for (StringRef line : lines) {
    auto [before, entry] = line.split("Compiling entry function '");
    if (isNumberedWarning(line))
      report.warnings.push_back(line.trim().str());
    else if (!entry.empty())
      report.kernels.emplace_back().name = entry.split('\'').first;
    else if (!report.kernels.empty())
      readKernelLine(line, report.kernels.back(), ofKernel);
  }
  return report;
}
