//===- LaunchedProgram.cpp - loads, runs and times a package --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "LaunchedProgram.h"

#include "parablock/Files/TensorLayout.h"
#include "parablock/Support/FloatFormats.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>

using namespace parablock;
using namespace parablock::runner;
using llvm::Error;
using llvm::Expected;

template <typename T> using Owned = std::unique_ptr<T, LaunchCloser>;

static Error toError(const pbl_error &error) {
  if (error.code == PBL_MISSING)
    return llvm::make_error<MissingError>(error.message);
  return llvm::createStringError(error.message);
}

static Error check(pbl_code code, const pbl_error &error) {
  return code == PBL_OK ? Error::success() : toError(error);
}

Expected<LaunchDevice> parablock::openLaunchDevice() {
  pbl_error error;
  LaunchDevice device(pbl_device_open(0, &error));
  if (!device)
    return toError(error);
  return device;
}

namespace {
/// The steps of one run, in their order.
class LaunchedRun {
public:
  LaunchedRun(pbl_device &device, llvm::ArrayRef<Tensor> arguments)
      : device(device), arguments(arguments) {}

  Error load(const std::string &path);
  Error provideArguments();
  Error launch(unsigned repeat, RunResult &result);
  Error download(RunResult &result);
  void describe(RunResult &result) const;

private:
  Error createSession();

  pbl_device &device;
  llvm::ArrayRef<Tensor> arguments;
  pbl_error error = {};
  Owned<pbl_package> package;
  Owned<pbl_program> program;
  Owned<pbl_session> session;
};
} // namespace

Error LaunchedRun::load(const std::string &path) {
  package.reset(pbl_package_open(path.c_str(), &error));
  if (!package)
    return toError(error);
  program.reset(pbl_program_create(package.get(), &device, nullptr, &error));
  return program ? Error::success() : toError(error);
}

/// Dimensions have the sizes that the arguments have.
Error LaunchedRun::createSession() {
  std::vector<pbl_dim> dims;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    pbl_tensor tensor = pbl_package_tensor(package.get(), index);
    for (uint32_t dim = 0; dim < tensor.rank; ++dim)
      if (tensor.dim_names[dim])
        dims.push_back({tensor.dim_names[dim], argument.shape[dim]});
  }
  session.reset(
      pbl_session_create(program.get(), dims.data(), dims.size(), &error));
  return session ? Error::success() : toError(error);
}

Error LaunchedRun::provideArguments() {
  if (Error failure = createSession())
    return failure;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    pbl_tensor tensor = pbl_session_tensor(session.get(), index);
    std::vector<uint8_t> bytes(argument.data().size() *
                               getElementSize(argument.type));
    encodeElements(argument.type, argument.data(), bytes);
    pbl_code code =
        tensor.role == PBL_PARAMETER
            ? pbl_program_set_weight(program.get(), tensor.name, bytes.data(),
                                     bytes.size(), &error)
            : pbl_session_set_input(session.get(), tensor.name, bytes.data(),
                                    bytes.size(), &error);
    if (Error failure = check(code, error))
      return failure;
  }
  return Error::success();
}

/// Launches by a graph, so that the time of a run is that of the device.
Error LaunchedRun::launch(unsigned repeat, RunResult &result) {
  for (unsigned i = 0; i < repeat; ++i) {
    auto start = std::chrono::steady_clock::now();
    if (Error failure =
            check(pbl_session_replay(session.get(), nullptr, &error), error))
      return failure;
    if (Error failure = check(pbl_session_wait(session.get(), &error), error))
      return failure;
    std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    result.milliseconds.push_back(elapsed.count());
  }
  return Error::success();
}

Error LaunchedRun::download(RunResult &result) {
  for (uint32_t i = 0; i < pbl_package_num_tensors(package.get()); ++i) {
    pbl_tensor tensor = pbl_session_tensor(session.get(), i);
    if (tensor.role != PBL_RESULT)
      continue;
    std::vector<uint8_t> bytes(tensor.bytes);
    if (Error failure =
            check(pbl_session_get_result(session.get(), tensor.name,
                                         bytes.data(), bytes.size(), &error),
                  error))
      return failure;
    Tensor output;
    std::string_view word = files::getTypeWord(tensor.dtype);
    output.type =
        *parseElementTypeName(llvm::StringRef(word.data(), word.size()));
    output.shape.assign(tensor.shape, tensor.shape + tensor.rank);
    std::vector<double> values(bytes.size() / getElementSize(output.type));
    decodeElements(output.type, bytes, values);
    output.values =
        std::make_shared<const std::vector<double>>(std::move(values));
    result.outputs.push_back(std::move(output));
  }
  return Error::success();
}

void LaunchedRun::describe(RunResult &result) const {
  pbl_facts facts = pbl_session_facts(session.get());
  llvm::MapVector<llvm::StringRef, uint64_t> counts;
  for (uint32_t i = 0; i < facts.num_launches; ++i)
    ++counts[pbl_session_kernel(session.get(), i)];
  for (auto &[name, count] : counts)
    result.kernels.push_back({name.str(), count});
  result.peakBytes = facts.session_bytes + facts.program_bytes;
  result.temporaryBytes = facts.arena_bytes;
}

Expected<RunResult> parablock::runLaunched(const std::string &path,
                                           pbl_device &device,
                                           llvm::ArrayRef<Tensor> arguments,
                                           const RunOptions &options) {
  LaunchedRun run(device, arguments);
  RunResult result;
  if (Error error = run.load(path))
    return error;
  if (Error error = run.provideArguments())
    return error;
  if (Error error = run.launch(options.repeat, result))
    return error;
  if (Error error = run.download(result))
    return error;
  run.describe(result);
  return result;
}
