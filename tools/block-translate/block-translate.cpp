//===- block-translate.cpp - checks flags and writes formats --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ObjectOutput.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Conversion/BlockKernelsToCPU/Passes.h"
#include "parablock/Dialect/Block/ModelFunction.h"
#include "parablock/Engines/Package/WritePackage.h"
#include "parablock/InitAll.h"
#include "parablock/Pipelines/BlockToGPU.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Support/AtomicOutput.h"
#include "parablock/Support/Chips.h"
#include "parablock/Support/SourceText.h"
#include "parablock/Support/ToolFlags.h"
#include "parablock/Target/DeviceCode.h"
#include "parablock/Target/MachineCode/Assembler.h"
#include "parablock/Transforms/ModelSummary.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace parablock;
namespace cl = llvm::cl;

namespace {
enum class Format { PTX, Cubin, DeviceLLVM, Package, Object };

/// Made in main, after LLVM's own flags, which are of no use here, are gone.
struct Flags {
  cl::OptionCategory kinds{"What to write"};
  cl::OptionCategory targets{"What to write it for"};
  cl::OptionCategory kernels{"How a model becomes kernels"};
  cl::OptionCategory files{"Where"};

  cl::opt<std::string> input{cl::Positional, cl::desc("<MLIR file>"),
                             cl::init("-")};
  cl::opt<Format> format{
      cl::desc("One of:"), cl::ZeroOrMore, cl::cat(kinds),
      cl::values(
          clEnumValN(Format::PTX, "block-to-ptx", "PTX text"),
          clEnumValN(Format::Cubin, "block-to-cubin", "machine code, by ptxas"),
          clEnumValN(Format::DeviceLLVM, "block-to-llvm-device",
                     "the LLVM IR that the PTX is made from"),
          clEnumValN(Format::Package, "block-to-package",
                     "a folder that launchers run"),
          clEnumValN(Format::Object, "block-to-object",
                     "an object file for a processor"))};
  ToolFlag<bool> debugInfo{kinds, "debug-info", "keep the lines of the IR"};
  cl::list<std::string> chips{
      "chip", cl::CommaSeparated, cl::cat(targets), cl::value_desc("chip"),
      cl::desc("chip to write for, such as sm_90a; packages take several")};
  ToolFlag<std::string> cpu{
      targets, "cpu",
      "processor of an object file: native, x86-64, x86-64-v3, x86-64-v4 or "
      "another that LLVM knows",
      cl::init("native"), cl::value_desc("name")};
  // Without a default: a split module requires it.
  cl::opt<uint64_t> rank{
      "rank", cl::ZeroOrMore, cl::cat(targets), cl::value_desc("N"),
      cl::desc("which rank an object file is of, where block-shard has split "
               "the module")};
  ToolFlag<CpuRank::Library> mpi{
      targets, "mpi",
      "MPI library of the program that an object file of a rank is for: "
      "openmpi or mpich",
      cl::init(CpuRank::OpenMPI), cl::value_desc("name")};
  ToolFlag<std::string> cudaPath{
      targets, "cuda-path",
      "where ptxas is; by default PATH, CUDA_HOME, CUDA_PATH and the folder of "
      "this program are searched",
      cl::value_desc("folder")};
  ToolFlag<std::string> raise{
      kernels, "raise",
      "options of block-raise, as in block-opt's --block-raise=; without, it "
      "runs where there is no block yet",
      cl::value_desc("options")};
  ToolFlag<std::string> optimize{
      kernels, "optimize",
      "options of block-optimize, as in block-opt's --block-optimize=; the "
      "chip is that of --chip",
      cl::value_desc("options")};
  ToolFlag<std::string> tiles{
      kernels, "tiles",
      "options of convert-block-kernels-to-tile, as in block-opt, for "
      "experiments; the chip is that of --chip",
      cl::value_desc("options")};
  ToolFlag<std::string> function{
      kernels, "function",
      "which function is the model; by default main or the only one",
      cl::value_desc("name")};
  ToolFlag<bool> quiet{kernels, "quiet", "do not say what became of the model"};
  ToolFlag<std::string> header{files, "header",
                               "where to write the C header of an object file",
                               cl::value_desc("file")};
  ToolFlag<std::string> output{files, "o", "where to write",
                               cl::value_desc("file"), cl::init("-")};
};
} // namespace

/// Device code has flags that object files have no use for.
static llvm::Error checkObjectFlags(const Flags &flags) {
  const cl::Option *others[] = {std::addressof(flags.chips), &flags.raise,
                                &flags.optimize, &flags.tiles};
  for (const cl::Option *flag : others)
    if (flag->getNumOccurrences())
      return llvm::createStringError("--block-to-object takes --cpu, not --" +
                                     flag->ArgStr);
  return llvm::Error::success();
}

/// Object files have flags that device code has no use for.
static llvm::Error checkDeviceFlags(const Flags &flags) {
  const cl::Option *others[] = {&flags.cpu, &flags.rank, &flags.mpi,
                                &flags.header};
  for (const cl::Option *flag : others)
    if (flag->getNumOccurrences())
      return llvm::createStringError("--" + flag->ArgStr +
                                     ": expected --block-to-object");
  return llvm::Error::success();
}

/// Checks the requested chips: packages contain code for several, other formats
/// for one.
static llvm::Error checkChips(const Flags &flags) {
  for (const std::string &chip : flags.chips) {
    if (llvm::Expected<const Chip &> known = findDeviceChip(chip); !known)
      return known.takeError();
    if (llvm::count(flags.chips, chip) != 1)
      return llvm::createStringError("--chip: '" + chip + "' is given twice");
  }
  if (flags.format == Format::Object)
    return checkObjectFlags(flags);
  if (llvm::Error error = checkDeviceFlags(flags))
    return error;
  bool isPackage = flags.format == Format::Package;
  if (isPackage ? flags.chips.empty() : flags.chips.size() != 1)
    return llvm::createStringError(llvm::Twine("expected ") +
                                   (isPackage ? "a" : "one") + " --chip, got " +
                                   llvm::Twine(flags.chips.size()));
  return llvm::Error::success();
}

/// Warns of constructs that make machine code slow.
static void warn(const AssemblerReport &report) {
  for (const std::string &line : report.warnings)
    llvm::errs() << "warning: " << line << "\n";
  for (const KernelResources &kernel : report.kernels)
    if (kernel.spillStoreBytes + kernel.spillLoadBytes != 0)
      llvm::errs() << "warning: kernel '" << kernel.name << "' spills "
                   << kernel.spillStoreBytes << " bytes and loads "
                   << kernel.spillLoadBytes << " bytes of spills\n";
}

static llvm::Error writeCode(mlir::ModuleOp module, const std::string &chip,
                             const Flags &flags) {
  llvm::Expected<mlir::gpu::GPUModuleOp> device = findDeviceModule(module);
  if (!device)
    return device.takeError();
  TranslateOptions options{flags.debugInfo};
  if (flags.format == Format::DeviceLLVM) {
    llvm::LLVMContext context;
    llvm::Expected<std::unique_ptr<llvm::Module>> code =
        translateToLLVM(*device, chip, context, options);
    if (!code)
      return code.takeError();
    return writeFile(flags.output, [&](llvm::raw_ostream &os) {
      (*code)->print(os, /*AAW=*/nullptr);
      return llvm::Error::success();
    });
  }
  llvm::Expected<std::string> ptx = translateToPTX(*device, chip, options);
  if (!ptx)
    return ptx.takeError();
  if (flags.format == Format::PTX)
    return writeFile(flags.output, *ptx);
  llvm::Expected<AssembledModule> code =
      assemblePTX(*ptx, chip, flags.cudaPath);
  if (!code)
    return code.takeError();
  warn(code->report);
  return writeFile(flags.output, code->cubin);
}

/// Writes a summary of the models whose kernels are formed to standard error.
static mlir::LogicalResult summarize(mlir::ModuleOp module,
                                     const Flags &flags) {
  if (flags.quiet || module.getOps<mlir::func::FuncOp>().empty())
    return mlir::success();
  llvm::SmallVector<mlir::FunctionOpInterface> models =
      listModelFunctions(module);
  if (models.size() < 2) {
    mlir::FunctionOpInterface function = findMainFunction(module);
    return function ? writeModelSummary(llvm::errs(), function)
                    : mlir::failure();
  }
  for (mlir::FunctionOpInterface model : models) {
    llvm::errs() << "@" << model.getName() << ": ";
    if (failed(writeModelSummary(llvm::errs(), model)))
      return mlir::failure();
  }
  return mlir::success();
}

/// Makes device code from a model of any level; keeps existing device
/// code.
static llvm::Error writeForDevice(mlir::ModuleOp module, const Flags &flags) {
  OptimizeOptions optimize;
  if (llvm::Error error = parseOptimizeOptions(flags.optimize, optimize))
    return error;
  if (llvm::Error error = checkTileOptions(flags.tiles))
    return error;
  if (flags.tiles.getNumOccurrences() &&
      !module.getOps<mlir::gpu::GPUModuleOp>().empty())
    return llvm::createStringError("expected IR without device code for "
                                   "options of convert-block-kernels-to-tile");
  if (llvm::Error error =
          bringToBlocks(module, {flags.raise, &optimize, flags.function}))
    return error;
  bool isSaid = false;
  auto prepare = [&](mlir::ModuleOp target, llvm::StringRef chip,
                     llvm::StringRef recipePath) -> mlir::LogicalResult {
    if (failed(prepareForDevice(target, chip, recipePath, optimize)))
      return mlir::failure();
    // Ranks are alike.
    return std::exchange(isSaid, true) ? mlir::success()
                                       : summarize(target, flags);
  };
  auto lower = [&](mlir::ModuleOp target, llvm::StringRef chip) {
    return lowerToDeviceWith(target, chip, flags.tiles);
  };
  if (flags.format == Format::Package)
    return writePackage(
        module, flags.output,
        {{flags.chips.begin(), flags.chips.end()}, flags.cudaPath}, prepare,
        lower, llvm::errs());
  const std::string &chip = flags.chips.front();
  if (failed(prepare(module, chip, "")))
    return llvm::createStringError("cannot form kernels");
  if (failed(lower(module, chip)))
    return llvm::createStringError("cannot make device code for " + chip);
  return writeCode(module, chip, flags);
}

/// Drops other models than the one to write.
static llvm::Error chooseModel(mlir::ModuleOp module, const Flags &flags) {
  // Device code of several models is written unchanged; a package has one plan.
  bool isCode = !module.getOps<mlir::gpu::GPUModuleOp>().empty() &&
                flags.format != Format::Package &&
                flags.format != Format::Object;
  bool hasFunctions = !module.getOps<mlir::func::FuncOp>().empty();
  if ((!hasFunctions || isCode) && flags.function.empty())
    return llvm::Error::success();
  llvm::Expected<mlir::FunctionOpInterface> model =
      findModelFunction(module, flags.function);
  if (!model)
    return llvm::createStringError(flags.input + ": " +
                                   llvm::toString(model.takeError()));
  eraseOtherModels(*model);
  return llvm::Error::success();
}

static ObjectRequest makeObjectRequest(const Flags &flags) {
  ObjectRequest request{flags.cpu, flags.output, flags.header};
  if (flags.rank.getNumOccurrences())
    request.rank = static_cast<int64_t>(flags.rank);
  if (flags.mpi.getNumOccurrences())
    request.library = flags.mpi;
  return request;
}

static llvm::Error run(const Flags &flags) {
  if (flags.format.getNumOccurrences() == 0)
    return llvm::createStringError("expected --block-to-ptx, --block-to-cubin, "
                                   "--block-to-llvm-device, --block-to-package "
                                   "or --block-to-object");
  if (llvm::Error error = checkChips(flags))
    return error;
  // Checked before any work, since a missing tool will still be missing later.
  if (flags.format == Format::Cubin)
    if (llvm::Expected<std::string> tool = findAssembler(flags.cudaPath); !tool)
      return tool.takeError();

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> input =
      readSourceText(flags.input);
  if (!input)
    return input.takeError();
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*input), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return llvm::createStringError("cannot read '" + flags.input + "'");
  if (llvm::Error error = chooseModel(*module, flags))
    return error;
  if (flags.format == Format::Object)
    return writeObject(*module, makeObjectRequest(flags));
  return writeForDevice(*module, flags);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ResetCommandLineParser();
  Flags flags;
  parseToolFlags(
      argc, argv,
      {"writes models as PTX, machine code, packages and object files",
       "block-gen --family=llama --layers=2 --width=64 --heads=4 --seq=16 "
       "-o llama.mlir\n"
       "block-translate --block-to-ptx --chip=sm_90a llama.mlir -o llama.ptx\n"
       "block-translate --block-to-package --chip=sm_90a "
       "--optimize=parallel=all llama.mlir -o llama.pbk",
       "4 ptxas is not here"});
  llvm::Error error = run(flags);
  if (!error)
    return 0;
  int code = error.isA<MissingToolError>() ? 4 : 1;
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return code;
}
