//===- AtomicOutput.cpp - Output files that appear whole or not -----------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/AtomicOutput.h"
#include "llvm/ADT/SmallString.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error makeError(StringRef path, const llvm::Twine &message) {
  return llvm::createStringError(path + ": " + message);
}

Expected<std::unique_ptr<AtomicOutput>> AtomicOutput::create(StringRef path) {
  if (path.empty())
    return llvm::createStringError("expected the name of an output file, got "
                                   "an empty one");
  std::unique_ptr<AtomicOutput> output(new AtomicOutput(path));
  // A rename onto /dev/stdout would replace the link, not reach the stream.
  if (path == "-" || path == "/dev/stdout")
    return output;

  fs::file_status status;
  bool exists = !fs::status(path, status) && fs::exists(status);
  if (exists && fs::is_directory(status))
    return makeError(path, "expected a file to write, got a directory");

  if (exists && !fs::is_regular_file(status)) {
    std::error_code error;
    output->stream =
        std::make_unique<llvm::raw_fd_ostream>(path, error, fs::OF_None);
    if (error)
      return makeError(path, error.message());
    return output;
  }

  llvm::SmallString<128> resolved(path);
  unsigned mode = fs::all_read | fs::all_write;
  if (exists) {
    if (std::error_code error = fs::real_path(path, resolved))
      return makeError(path, error.message());
    mode = status.permissions();
  }
  output->finalPath = std::string(resolved);
  Expected<fs::TempFile> temporary =
      fs::TempFile::create(output->finalPath + ".%%%%%%%%.tmp", mode);
  if (!temporary)
    return makeError(path, llvm::toString(temporary.takeError()));
  output->temporary.emplace(std::move(*temporary));
  output->stream = std::make_unique<llvm::raw_fd_ostream>(
      output->temporary->FD, /*shouldClose=*/false);
  return output;
}

AtomicOutput::~AtomicOutput() { discard(); }

llvm::raw_pwrite_stream &AtomicOutput::os() {
  return stream ? *stream : llvm::outs();
}

void AtomicOutput::discard() {
  // An error left in a stream would abort the process in its destructor.
  if (stream)
    stream->clear_error();
  stream.reset();
  if (temporary)
    llvm::consumeError(temporary->discard());
  temporary.reset();
}

Error AtomicOutput::keep() {
  llvm::raw_fd_ostream &written = stream ? *stream : llvm::outs();
  written.flush();
  if (std::error_code error = written.error()) {
    written.clear_error();
    discard();
    return makeError(requestedPath, error.message());
  }
  stream.reset();
  if (!temporary)
    return Error::success();
  Error error = temporary->keep(finalPath);
  temporary.reset();
  if (error)
    return makeError(requestedPath, llvm::toString(std::move(error)));
  return Error::success();
}

Error parablock::writeFile(StringRef path, StringRef contents) {
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << contents;
    return Error::success();
  });
}

Error parablock::writeFile(
    StringRef path, llvm::function_ref<Error(llvm::raw_ostream &)> write) {
  Expected<std::unique_ptr<AtomicOutput>> output = AtomicOutput::create(path);
  if (!output)
    return output.takeError();
  if (Error error = write((*output)->os()))
    return error;
  return (*output)->keep();
}
