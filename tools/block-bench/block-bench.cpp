//===- block-bench.cpp - times of engines and of their peers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 done, 1 bad usage, 3 numbers out of tolerance, or a floor
// required by --require-floors is not met.
//
//===----------------------------------------------------------------------===//

#include "Suites.h"
#include "parablock/InitAll.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/ToolFlags.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"

using namespace bench;
using parablock::ToolFlag;
namespace cl = llvm::cl;
namespace json = llvm::json;

namespace {
/// Made in main, after LLVM's own flags are gone.
struct Flags {
  cl::OptionCategory measured{"What is measured"};
  cl::OptionCategory others{"Peers"};
  cl::OptionCategory results{"Results"};

  ToolFlag<std::string> suite{measured, "suite",
                              "what to measure: cpu, train, decode, compile "
                              "or emulate",
                              cl::value_desc("name")};
  ToolFlag<std::string> caseFilter{measured, "case",
                                   "only cases whose name holds this",
                                   cl::value_desc("text")};
  ToolFlag<unsigned> repeat{measured, "repeat",
                            "how often to run the slowest cases, the others "
                            "more often; the fastest counts",
                            cl::init(5), cl::value_desc("N")};
  ToolFlag<std::string> cpu{measured, "cpu",
                            "what our own code is compiled for: native, "
                            "x86-64, x86-64-v3, x86-64-v4 or another that LLVM "
                            "knows",
                            cl::value_desc("name"), cl::init("native")};
  ToolFlag<std::string> peers{
      others, "peers",
      "who else is measured, or none; by default all that the suite knows; "
      "those that are not installed are left out by name",
      cl::value_desc("names")};
  ToolFlag<std::string> python{others, "python",
                               "the Python that has the peers; by default that "
                               "of the tests, or python3",
                               cl::value_desc("file")};
  ToolFlag<bool> requireFloors{results, "require-floors",
                               "fail where a floor is not kept"};
  ToolFlag<std::string> json{results, "json", "where to write the results",
                             cl::value_desc("file")};
};
} // namespace

void SuiteResult::addFloor(llvm::StringRef name, double value, double limit,
                           bool isCeiling) {
  bool isKept = isCeiling ? value <= limit : value >= limit;
  keepsFloors &= isKept;
  floors.push_back(json::Object{{"name", name.str()},
                                {"value", value},
                                {isCeiling ? "at_most" : "at_least", limit},
                                {"pass", isKept}});
  llvm::outs() << llvm::formatv("{0}: {1} is {2:f2}, expected at {3} {4:f2}\n",
                                isKept ? "ok" : "FLOOR NOT KEPT", name, value,
                                isCeiling ? "most" : "least", limit);
}

llvm::Error SuiteResult::addCell(json::Object cell) {
  cells.push_back(std::move(cell));
  return keep(*this);
}

static constexpr llvm::StringLiteral layerPeers =
    "onnxruntime,torch,torch.compile,iree,openvino,openvino.rounded-rows,jax,"
    "ctranslate2";
static constexpr llvm::StringLiteral decodePeers =
    "torch,torch.generate,torch.compile,ctranslate2,openvino,openvino-genai,"
    "onnxruntime-genai,llama.cpp";

/// Returns a file in one of `places`, relative to the tools; empty if there is
/// none.
static std::string findBeside(const char *program,
                              llvm::ArrayRef<llvm::StringRef> places,
                              llvm::StringRef name) {
  std::string self =
      llvm::sys::fs::getMainExecutable(program, (void *)&findBeside);
  for (llvm::StringRef place : places) {
    llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
    llvm::sys::path::append(path, place, name);
    if (llvm::sys::fs::exists(path))
      return path.str().str();
  }
  return "";
}

/// In the source tree or where it is installed.
static std::string findPeerScript(const char *program) {
  llvm::StringRef name = "bench_peers.py";
  std::string found =
      findBeside(program, {"../share/parablock", "../../scripts"}, name);
  return found.empty() ? name.str() : found;
}

/// The Python of the tests, where there is one.
static std::string findPython(const char *program, const Flags &flags) {
  if (!flags.python.empty())
    return flags.python;
  std::string found = findBeside(program, {"../venv/bin"}, "python");
  return found.empty() ? "python3" : found;
}

static llvm::Error run(const char *program, const Flags &flags,
                       SuiteResult &result) {
  using Suite =
      llvm::Error (*)(mlir::MLIRContext &, const BenchOptions &, SuiteResult &);
  Suite suite = nullptr;
  for (auto [name, function] :
       {std::pair<llvm::StringRef, Suite>{"cpu", runCpuSuite},
        {"train", runTrainSuite},
        {"decode", runDecodeSuite},
        {"compile", runCompileSuite},
        {"emulate", runEmulateSuite}})
    if (flags.suite == name)
      suite = function;
  if (!suite)
    return llvm::createStringError(
        "--suite: expected cpu, train, decode, compile or emulate, got '" +
        flags.suite + "'");
  if (flags.repeat < 1)
    return llvm::createStringError("--repeat: expected at least 1, got 0");
  parablock::registerAllPasses();
  mlir::DialectRegistry registry;
  parablock::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  parablock::generate::loadDialects(context);
  auto findPeers = [&](llvm::StringRef suite, llvm::StringRef known) {
    return PeerOptions{
        flags.peers.empty() ? known.str() : flags.peers.getValue(),
        findPython(program, flags), findPeerScript(program), suite.str()};
  };
  BenchOptions options{
      flags.caseFilter,
      flags.repeat,
      flags.cpu,
      findPeers("cpu", layerPeers),
      findPeers("train", layerPeers),
      findPeers("decode", decodePeers),
      findBeside(program, {"../lib"}, "libparablock-count-allocations.so")};
  if (llvm::Error error = suite(context, options, result))
    return error;
  if (result.cells.empty())
    return llvm::createStringError("--case: no case of suite '" + flags.suite +
                                   "' holds '" + flags.caseFilter + "'");
  return llvm::Error::success();
}

static llvm::Error writeResult(const Flags &flags, const SuiteResult &result,
                               bool isComplete) {
  if (flags.json.empty())
    return llvm::Error::success();
  json::Value report = json::Object{{"schema", 1},
                                    {"suite", flags.suite.getValue()},
                                    {"complete", isComplete},
                                    {"cpu", llvm::sys::getHostCPUName()},
                                    {"class", result.processorClass},
                                    {"rates", json::Object(result.rates)},
                                    {"repeat", flags.repeat.getValue()},
                                    {"cells", json::Array(result.cells)},
                                    {"floors", json::Array(result.floors)}};
  return parablock::writeFile(flags.json,
                              llvm::formatv("{0:2}\n", report).str());
}

/// Returns whether writing again replaces what was written before. Streams and
/// files that are already open get one report.
static bool canBeReplaced(llvm::StringRef path) {
  namespace fs = llvm::sys::fs;
  return path != "-" && !path.starts_with("/dev/") &&
         !path.starts_with("/proc/") &&
         (!fs::exists(path) || fs::is_regular_file(path));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Flags flags;
  parablock::parseToolFlags(
      argc, argv,
      {"times engines and other frameworks on the same numbers",
       "block-bench --suite=cpu --case=gpt2 --peers=none --json=times.json",
       "3 numbers out of tolerance, or a floor that --require-floors asks for "
       "is not kept"});
  SuiteResult result;
  result.keep = [&](const SuiteResult &sofar) {
    return canBeReplaced(flags.json.getValue())
               ? writeResult(flags, sofar, /*isComplete=*/false)
               : llvm::Error::success();
  };
  llvm::Error error = run(argv[0], flags, result);
  if (!error)
    error = writeResult(flags, result, /*isComplete=*/true);
  if (error) {
    int code = error.isA<WrongNumbersError>() ? 3 : 1;
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
    return code;
  }
  return flags.requireFloors && !result.keepsFloors ? 3 : 0;
}
