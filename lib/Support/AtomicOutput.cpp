//===- AtomicOutput.cpp - opens, writes and keeps outputs -----------------===//
//
// Part of the Parablock project, under the Apache License v2.0 with LLVM
// Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "parablock/Support/AtomicOutput.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error makeError(StringRef path, const llvm::Twine &message) {
  return llvm::createStringError((path == "-" ? "standard output" : path) +
                                 ": " + message);
}

Expected<std::unique_ptr<AtomicOutput>> AtomicOutput::create(StringRef path) {
  std::unique_ptr<AtomicOutput> output(new AtomicOutput(path));
  // Opening it again would overwrite existing output.
  if (path == "-" || path == "/dev/stdout")
    return output;
  if (files::Status failure = output->file.create(path.str()))
    return llvm::createStringError(failure->text);
  output->stream = std::make_unique<llvm::raw_fd_ostream>(
      output->file.descriptor(), /*shouldClose=*/false);
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
  file.discard();
}

Error AtomicOutput::keep() {
  llvm::raw_fd_ostream &written = stream ? *stream : llvm::outs();
  written.flush();
  if (std::error_code error = written.error()) {
    written.clear_error();
    discard();
    return makeError(requestedPath, error.message());
  }
  if (!stream)
    return Error::success();
  stream.reset();
  if (files::Status failure = file.keep())
    return llvm::createStringError(failure->text);
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

Error parablock::printOutput(
    llvm::function_ref<void(llvm::raw_ostream &)> write, bool isTaken) {
  if (isTaken) {
    write(llvm::errs());
    return Error::success();
  }
  return writeFile("-", [&](llvm::raw_ostream &os) {
    write(os);
    return Error::success();
  });
}
