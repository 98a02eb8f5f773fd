//===- InputFile.cpp - reads files, pipes and terminals -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Support/InputFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <limits>

using namespace parablock;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

static llvm::Error refuseDevice() {
  return llvm::createStringError("expected a file or a pipe, got a device");
}

/// Reads to the end, which a device has only where it gives nothing.
static Expected<Buffer> readToEnd(fs::file_t file, StringRef path,
                                  bool isDevice, uint64_t most) {
  constexpr size_t chunk = 1 << 16;
  llvm::SmallVector<char, 0> bytes;
  while (true) {
    size_t size = bytes.size();
    bytes.resize_for_overwrite(size + chunk);
    Expected<size_t> count = fs::readNativeFile(
        file, llvm::MutableArrayRef<char>(bytes).drop_front(size));
    if (!count)
      return count.takeError();
    bytes.truncate(size + *count);
    if (*count == 0)
      break;
    if (isDevice)
      return refuseDevice();
    if (bytes.size() > most)
      return llvm::createStringError("expected at most " + llvm::Twine(most) +
                                     " bytes from a pipe, got more");
  }
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes),
                                                         path);
}

static Expected<Buffer> read(fs::file_t file, StringRef path, InputForm form,
                             uint64_t most) {
  fs::file_status status;
  if (std::error_code code = fs::status(file, status))
    return llvm::errorCodeToError(code);
  switch (status.type()) {
  case fs::file_type::regular_file: {
    // The beginning of standard input may have been read already.
    if (file == fs::getStdinHandle())
      return readToEnd(file, path, /*isDevice=*/false,
                       std::numeric_limits<uint64_t>::max());
    llvm::ErrorOr<Buffer> mapped = llvm::MemoryBuffer::getOpenFile(
        file, path, /*FileSize=*/-1,
        /*RequiresNullTerminator=*/form == InputForm::Text);
    if (!mapped)
      return llvm::errorCodeToError(mapped.getError());
    return std::move(*mapped);
  }
  case fs::file_type::fifo_file:
  case fs::file_type::socket_file:
    return readToEnd(file, path, /*isDevice=*/false, most);
  case fs::file_type::character_file:
    return readToEnd(
        file, path, !llvm::sys::Process::FileDescriptorIsDisplayed(file), most);
  case fs::file_type::directory_file:
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::is_a_directory));
  default:
    return refuseDevice();
  }
}

Expected<Buffer> parablock::readFile(StringRef path, InputForm form,
                                     uint64_t most) {
  Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto close = llvm::make_scope_exit([&] { (void)fs::closeFile(*file); });
  return read(*file, path, form, most);
}

Expected<Buffer> parablock::readInput(StringRef path, InputForm form,
                                      uint64_t most) {
  return path == "-" ? read(fs::getStdinHandle(), "<stdin>", form, most)
                     : readFile(path, form, most);
}
