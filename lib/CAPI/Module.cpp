//===- Module.cpp - parsing, passes and reports as C functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "parablock/Analysis/FittedLayers.h"
#include "parablock/Execution/Engine.h"
#include "parablock/Pipelines/PrepareForDevice.h"
#include "parablock/Support/InputFile.h"
#include "parablock/Support/LineWrapper.h"
#include "parablock/Support/NamedEnum.h"
#include "parablock/Support/SourceText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace parablock;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Parses `buffer`, a copy that ends with a zero.
static Error parse(ParablockContext &context,
                   std::unique_ptr<llvm::MemoryBuffer> buffer,
                   ParablockModule **module) {
  StringRef text = buffer->getBuffer(), name = buffer->getBufferIdentifier();
  if (isBytecodeText(text) && !context.readsBytecode)
    return llvm::createStringError(
        name + ": bytecode is read where parablockContextTrustBytecode says "
               "that it comes from someone who is trusted");
  if (Error error = checkSourceText(text, name))
    return error;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> parsed =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context.context);
  if (!parsed)
    return llvm::make_error<runner::DiagnosedError>();
  *module = new ParablockModule{&context, std::move(parsed)};
  return Error::success();
}

ParablockStatus parablockModuleParse(ParablockContext *context,
                                     const char *data, size_t size,
                                     const char *name,
                                     ParablockModule **module) {
  return capi::run(context, {data, module}, [&] {
    return parse(*context,
                 llvm::MemoryBuffer::getMemBufferCopy(StringRef(data, size),
                                                      name ? name : "IR"),
                 module);
  });
}

ParablockStatus parablockModuleLoad(ParablockContext *context, const char *path,
                                    ParablockModule **module) {
  return capi::run(context, {path, module}, [&]() -> Error {
    Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
        readFile(path, InputForm::Text);
    if (!buffer)
      return llvm::createStringError(
          "cannot open '" + llvm::Twine(path) +
          "': " + llvm::toString(buffer.takeError()));
    return parse(*context, std::move(*buffer), module);
  });
}

ParablockStatus parablockModuleClone(const ParablockModule *module,
                                     ParablockModule **copy) {
  return capi::run(module, {copy}, [&]() -> Error {
    mlir::ModuleOp original = *module->module;
    *copy = new ParablockModule{module->owner, original.clone()};
    return Error::success();
  });
}

void parablockModuleDestroy(ParablockModule *module) { delete module; }

ParablockStatus parablockModulePrint(ParablockModule *module, char **text) {
  return capi::run(module, {text}, [&]() -> Error {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    {
      LineWrapper lines(os);
      module->module->print(lines);
    }
    *text = capi::copyString(printed);
    return Error::success();
  });
}

ParablockStatus parablockModuleWriteBytecode(ParablockModule *module,
                                             char **bytes, size_t *size) {
  return capi::run(module, {bytes, size}, [&]() -> Error {
    std::string written;
    llvm::raw_string_ostream os(written);
    if (failed(mlir::writeBytecodeToFile(*module->module, os)))
      return llvm::make_error<runner::DiagnosedError>();
    *bytes = capi::copyString(written);
    *size = written.size();
    return Error::success();
  });
}

static Error runPasses(ParablockModule &module, StringRef passes) {
  if (Error error = checkSourceText(passes, "passes"))
    return error;
  mlir::PassManager manager(&module.owner->context);
  std::string message;
  llvm::raw_string_ostream os(message);
  (void)takeWrongValue();
  if (failed(mlir::parsePassPipeline(passes, manager, os))) {
    std::string wrong = takeWrongValue();
    return llvm::createStringError(
        "passes '" + passes +
        "': " + (wrong.empty() ? StringRef(message).trim() : StringRef(wrong)));
  }
  if (failed(manager.run(*module.module)))
    return llvm::make_error<runner::DiagnosedError>();
  return Error::success();
}

ParablockStatus parablockModuleRunPasses(ParablockModule *module,
                                         const char *passes) {
  return capi::run(module, {passes},
                   [&] { return runPasses(*module, passes); });
}

static Error raiseModule(mlir::ModuleOp module, StringRef options) {
  if (Error error = checkSourceText(options, "options"))
    return error;
  return bringToBlocks(module, {options.str(), nullptr, ""});
}

ParablockStatus parablockModuleRaise(ParablockModule *module,
                                     const char *options) {
  return capi::run(module, {}, [&] {
    return raiseModule(*module->module, options ? options : "");
  });
}

/// Runs a pass that writes a file, and returns the contents.
static Expected<std::string> runReporter(ParablockModule &module,
                                         StringRef pass, StringRef options) {
  llvm::SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("parablock", "json", path))
    return llvm::createStringError("no temporary file: " + code.message());
  llvm::FileRemover remover(path);
  if (Error error = runPasses(
          module, (pass + "{format=json file=" + path + options + "}").str()))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("no report: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

static ParablockStatus report(ParablockModule *module, StringRef pass,
                              const std::string &options, char **json) {
  return capi::run(module, {json}, [&]() -> Error {
    Expected<std::string> text = runReporter(*module, pass, options);
    if (!text)
      return text.takeError();
    *json = capi::copyString(*text);
    return Error::success();
  });
}

ParablockStatus parablockModuleReport(ParablockModule *module, const char *chip,
                                      char **json) {
  return report(module, "block-report",
                chip ? std::string(" chip=") + chip : "", json);
}

ParablockStatus parablockModuleExplain(ParablockModule *module, char **json) {
  return report(module, "block-explain", "", json);
}

ParablockStatus parablockModuleCheckWeights(ParablockModule *module,
                                            const char *file, size_t numKeys,
                                            const char *const *keys,
                                            const char *const *values) {
  return capi::run(module, {}, [&]() -> Error {
    if (!file || (numKeys != 0 && (!keys || !values)))
      return capi::createNullError();
    SafeTensorsMetadata metadata;
    for (size_t i = 0; i < numKeys; ++i) {
      if (!keys[i] || !values[i])
        return capi::createNullError();
      metadata[keys[i]] = values[i];
    }
    return checkWeightsForm(*module->module, metadata, file);
  });
}
