//===- Peers.cpp - runs peers in processes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace bench;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

static json::Object makeSkipped(StringRef peer, const llvm::Twine &reason) {
  return json::Object{{"name", peer}, {"skipped", reason.str()}};
}

/// Measures one peer, in a process that may crash or lack dependencies.
static json::Value measurePeer(const PeerOptions &options, StringRef python,
                               StringRef peer, StringRef path, StringRef dtype,
                               unsigned threads, unsigned repeat) {
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("peer", "json", output))
    return makeSkipped(peer, "no temporary file");
  llvm::FileRemover remover(output);
  std::string threadsText = std::to_string(threads),
              repeatText = std::to_string(repeat), message;
  StringRef arguments[] = {
      python,     options.script, options.suite, peer,        path,
      "--dtype",  dtype,          "--threads",   threadsText, "--repeat",
      repeatText, "--json",       output};
  int code = llvm::sys::ExecuteAndWait(python, arguments, std::nullopt, {},
                                       /*SecondsToWait=*/600,
                                       /*MemoryLimit=*/0, &message);
  auto buffer = llvm::MemoryBuffer::getFile(output);
  if (code != 0 || !buffer)
    return makeSkipped(peer, "exit code " + llvm::Twine(code) + " " + message);
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return makeSkipped(peer, llvm::toString(value.takeError()));
  return std::move(*value);
}

Expected<json::Array> bench::measurePeers(const PeerOptions &options,
                                          StringRef path, StringRef dtype,
                                          unsigned threads, unsigned repeat) {
  json::Array entries;
  if (options.names == "none")
    return entries;
  llvm::ErrorOr<std::string> python = llvm::sys::findProgramByName(
      options.python.empty() ? "python3" : options.python);
  if (!python)
    return llvm::createStringError("--python: no program '" + options.python +
                                   "'");
  llvm::SmallVector<StringRef> peers;
  StringRef(options.names).split(peers, ',', -1, /*KeepEmpty=*/false);
  for (StringRef peer : peers)
    entries.push_back(
        measurePeer(options, *python, peer, path, dtype, threads, repeat));
  return entries;
}

Expected<json::Array> bench::measurePeers(const PeerOptions &options,
                                          const Model &model, StringRef dtype,
                                          unsigned threads, unsigned repeat) {
  if (options.names == "none")
    return json::Array();
  llvm::SmallString<128> tensors;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("bench", "safetensors", tensors))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::FileRemover remover(tensors);
  if (Error error =
          model.write(tensors, {Model::Part::Weights, Model::Part::Values}))
    return error;
  return measurePeers(options, tensors, dtype, threads, repeat);
}
