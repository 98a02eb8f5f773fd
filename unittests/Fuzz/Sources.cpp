//===- Sources.cpp - valid inputs, to be made wrong -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Sources.h"

#include "Random.h"
#include "RandomModel.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Frontends/Generate/Families.h"
#include "parablock/Frontends/Generate/ModelBuilder.h"
#include "parablock/InitAll.h"
#include "parablock/Pipelines/Optimize.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace parablock;
using namespace parablock::fuzz;
using llvm::Expected;
using llvm::StringRef;

Expected<std::vector<std::string>>
fuzz::readFiles(StringRef folder, StringRef prefix, StringRef suffix) {
  std::vector<std::string> paths, contents;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error)) {
    StringRef name = llvm::sys::path::filename(it->path());
    if (name.starts_with(prefix) && name.ends_with(suffix))
      paths.push_back(it->path());
  }
  llvm::sort(paths);
  for (const std::string &path : paths)
    if (auto buffer = llvm::MemoryBuffer::getFile(path))
      contents.push_back((*buffer)->getBuffer().str());
  if (contents.empty())
    return llvm::createStringError("expected files " + prefix + "*" + suffix +
                                   " below '" + folder + "', got none");
  return contents;
}

/// A family where its sizes may be as small as that, else a random form.
static generate::ModelSpec makeSpec(uint64_t seed, unsigned index,
                                    Random &random) {
  generate::SizeFlags sizes;
  sizes.layers = 1;
  sizes.width = 8;
  sizes.heads = 2;
  sizes.hidden = 8;
  sizes.vocab = 7;
  sizes.positions = 12;
  std::vector<llvm::StringRef> families = generate::getFamilyNames();
  if (index < families.size()) {
    auto spec = generate::makeFamily(families[index], sizes);
    if (spec)
      return std::move(*spec);
    llvm::consumeError(spec.takeError());
  }
  if (random.chance(50))
    sizes.heads.reset();
  if (random.chance(30))
    sizes.layers = 2;
  return llvm::cantFail(generate::makeRandomModel(seed + index, sizes));
}

static std::optional<int64_t> makeSize(Random &random) {
  std::optional<int64_t> sizes[] = {std::nullopt, 1, 2, 3};
  return random.among(sizes);
}

static mlir::OwningOpRef<mlir::ModuleOp>
makeModel(mlir::MLIRContext &context, uint64_t seed, unsigned index) {
  Random random(splitmix64(seed) + index);
  generate::ModelSpec spec = makeSpec(seed, index, random);
  generate::BuildOptions options;
  // Images are too large to run thousands of them.
  options.scope = spec.stack.patches || random.chance(15)
                      ? generate::Scope::Block
                      : generate::Scope::Model;
  generate::FloatKind kinds[] = {
      generate::FloatKind::F32, generate::FloatKind::F32,
      generate::FloatKind::BF16, generate::FloatKind::F16};
  options.dtype = random.among(kinds);
  options.batch = makeSize(random);
  options.sequence = makeSize(random);
  options.encoderSequence = makeSize(random);
  options.padding = random.chance(25);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      generate::buildModel(context, spec, options);
  if (!module)
    llvm::report_fatal_error("a source model does not build");
  mlir::PassManager passes(&context);
  if (index % 3 == 1)
    passes.addPass(block::createBlockExpand());
  if (index % 3 == 2)
    buildOptimizePipeline(passes, OptimizeOptions());
  if (mlir::failed(passes.run(*module)))
    llvm::report_fatal_error("the passes fail on a source model");
  return module;
}

std::vector<ModelSource> fuzz::makeModelSources(uint64_t seed) {
  constexpr unsigned count = 192;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  generate::loadDialects(context);
  std::vector<ModelSource> sources(count);
  for (auto [index, source] : llvm::enumerate(sources)) {
    auto module = makeModel(context, seed, index);
    llvm::raw_string_ostream text(source.text);
    module->print(text);
    llvm::raw_string_ostream bytecode(source.bytecode);
    if (mlir::failed(mlir::writeBytecodeToFile(*module, bytecode)))
      llvm::report_fatal_error("a source model has no bytecode");
  }
  return sources;
}
