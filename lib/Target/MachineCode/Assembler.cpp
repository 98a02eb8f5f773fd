//===- Assembler.cpp - finds and runs ptxas -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Target/MachineCode/Assembler.h"

#include "FindTool.h"
#include "parablock/Support/Chips.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace parablock;

namespace {
/// A folder that is removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    error = sys::fs::createUniqueDirectory("parablock-ptxas", folder);
  }
  ~TemporaryFolder() {
    if (!error)
      (void)sys::fs::remove_directories(folder);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string getPath(StringRef name) const {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    return path.str().str();
  }
  std::error_code getError() const { return error; }

private:
  SmallString<128> folder;
  std::error_code error;
};
} // namespace

static Error writeText(const std::string &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return createStringError(error, "cannot write '%s': %s", path.c_str(),
                             error.message().c_str());
  return Error::success();
}

static Expected<std::string> readBytes(const std::string &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!file)
    return createStringError(file.getError(), "cannot read '%s': %s",
                             path.c_str(), file.getError().message().c_str());
  return (*file)->getBuffer().str();
}

/// Removes the temporary folder from messages of ptxas.
static std::string withoutFolder(StringRef text, const std::string &source) {
  std::string plain = text.rtrim().str();
  for (size_t at; (at = plain.find(source)) != std::string::npos;)
    plain.replace(at, source.size(), sys::path::filename(source).str());
  return plain;
}

Expected<std::string> parablock::findAssembler(StringRef cudaPath) {
  return findTool("ptxas", cudaPath);
}

Expected<AssembledModule> parablock::assemblePTX(StringRef ptx, StringRef chip,
                                                 StringRef cudaPath) {
  Expected<const Chip &> known = findDeviceChip(chip);
  if (!known)
    return known.takeError();
  Expected<std::string> program = findAssembler(cudaPath);
  if (!program)
    return program.takeError();
  TemporaryFolder folder;
  if (std::error_code error = folder.getError())
    return createStringError(error, "cannot make a temporary folder: %s",
                             error.message().c_str());
  std::string source = folder.getPath("kernels.ptx");
  std::string result = folder.getPath("kernels.cubin");
  std::string log = folder.getPath("log");
  if (Error error = writeText(source, ptx))
    return error;

  std::string architecture = ("-arch=" + known->getArchitecture()).str();
  Expected<int> code =
      runTool({*program, architecture, "-v", source, "-o", result}, log);
  if (!code)
    return code.takeError();
  Expected<std::string> text = readBytes(log);
  if (!text)
    return text.takeError();
  if (*code != 0)
    return createStringError("ptxas failed: " + withoutFolder(*text, source));
  Expected<std::string> cubin = readBytes(result);
  if (!cubin)
    return cubin.takeError();
  return AssembledModule{std::move(*cubin), parseAssemblerLog(*text)};
}
