//===- ReadListing.cpp - parses nvdisasm listings -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FindTool.h"
#include "parablock/Support/InputFile.h"
#include "parablock/Target/MachineCode/Listing.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace parablock;
using namespace parablock::machine;

/// Removes `/*0e80*/` from the front of a line; returns false if it is missing.
static bool consumeAddress(StringRef &line) {
  if (!line.consume_front("/*"))
    return false;
  StringRef digits = line.take_while(isHexDigit);
  line = line.drop_front(digits.size());
  return digits.size() >= 4 && line.consume_front("*/");
}

static std::optional<Instruction> readInstruction(StringRef line) {
  if (!consumeAddress(line))
    return std::nullopt;
  line = line.trim();
  // Pairs that are issued together are in braces.
  line.consume_front("{");
  line = line.ltrim();
  Instruction instruction;
  if (line.consume_front("@")) {
    auto [guard, rest] = line.split(' ');
    instruction.guard = guard.str();
    line = rest.ltrim();
  }
  if (line.empty() || !isUpper(line.front()))
    return std::nullopt;
  auto [opcode, operands] = line.rsplit(';').first.trim().split(' ');
  instruction.opcode = opcode.rtrim(" ;").str();
  instruction.operands = operands.trim().str();
  return instruction;
}

/// Finds the name in a `.section` line; "" in other lines.
static StringRef getSection(StringRef line) {
  if (!line.consume_front(".section") || line.empty() ||
      !isSpace(line.front())) // `.sectionflags` is of the one before
    return "";
  return line.ltrim().split(',').first.trim(" \t\"");
}

Expected<std::vector<Kernel>> machine::readListing(StringRef text) {
  std::vector<Kernel> kernels;
  std::map<std::string, unsigned> threadsOf;
  Kernel *current = nullptr;
  std::string facts; // the kernel that the next facts belong to
  bool isThreads = false;
  for (StringRef line : split(text, '\n')) {
    line = line.trim();
    if (StringRef section = getSection(line); !section.empty()) {
      current = nullptr;
      facts = section.consume_front(".nv.info.") ? section.str() : "";
      if (section.consume_front(".text.")) {
        kernels.emplace_back(section);
        current = &kernels.back();
      }
    } else if (current && line.ends_with(":") && !line.contains(' ')) {
      current->labels[line.drop_back().str()] = current->instructions.size();
    } else if (current) {
      if (std::optional<Instruction> found = readInstruction(line))
        current->instructions.push_back(std::move(*found));
    } else if (line.contains("nvinfo :")) {
      isThreads = line.ends_with("EIATTR_REQNTID");
    } else if (isThreads && !facts.empty() && line.contains(".word")) {
      unsigned extent;
      if (!line.rsplit(".word").second.trim().getAsInteger(0, extent)) {
        unsigned &threads = threadsOf.try_emplace(facts, 1).first->second;
        threads *= extent;
      }
    }
  }
  if (kernels.empty())
    return createStringError("expected machine code of kernels as nvdisasm "
                             "prints it, found no section .text");
  for (Kernel &kernel : kernels)
    kernel.threads = threadsOf[kernel.name];
  return kernels;
}

/// Runs nvdisasm on the file at `path`.
static Expected<std::string> disassemble(StringRef path) {
  Expected<std::string> program = findTool("nvdisasm", "");
  if (!program)
    return program.takeError();
  SmallString<128> listing;
  if (std::error_code error =
          sys::fs::createTemporaryFile("parablock", "sass", listing))
    return createStringError(error, "cannot make a temporary file: " +
                                        error.message());
  FileRemover remover(listing);
  Expected<int> code = runTool({*program, path}, listing);
  if (!code)
    return code.takeError();
  auto text = MemoryBuffer::getFile(listing);
  if (!text)
    return createStringError(text.getError(),
                             "cannot read '" + listing +
                                 "': " + text.getError().message());
  if (*code != 0)
    return createStringError("nvdisasm failed on '" + path +
                             "': " + (*text)->getBuffer().trim());
  return (*text)->getBuffer().str();
}

Expected<std::string> machine::readMachineCode(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file =
      readFile(path, InputForm::Bytes);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + toString(file.takeError()));
  StringRef bytes = (*file)->getBuffer();
  return bytes.starts_with("\x7f"
                           "ELF")
             ? disassemble(path)
             : bytes.str();
}
