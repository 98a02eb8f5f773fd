//===- Apply.cpp - packs and restores files -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Apply.h"

#include "Evaluate.h"
#include "parablock/Judges/Evaluator/Evaluator.h"
#include "parablock/Support/SafeTensors.h"
#include "parablock/Support/TensorHash.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include <limits>

using namespace mlir;
using namespace parablock;
using namespace parablock::recipe;
using evaluator::StoredTensor;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Metadata keys of ranks' packed files for the recipe and its input, which
/// launchers compare.
static constexpr char recipeKey[] = "parablock.recipe";
static constexpr char sourceKey[] = "parablock.source";

namespace {
/// Computes the tensors of one file from those of another.
class Transfer {
public:
  Transfer(const SafeTensorsFile &file, const Recipe &recipe,
           func::FuncOp function, llvm::raw_ostream &remarks)
      : file(file), recipe(recipe), function(function), remarks(remarks),
        metadata(file.metadata()) {
    metadata.erase(recipeKey);
    metadata.erase(sourceKey);
  }

  /// Writes the origin of the new file to its metadata.
  void sign();

  /// Checks that the file contains everything that the function reads. Another
  /// float type is accepted with `mayRound`.
  Error check(bool mayRound);
  void remarkUnread();
  Error write(StringRef path);

private:
  StoredTensor load(BlockArgument argument) const;

  const SafeTensorsFile &file;
  const Recipe &recipe;
  mutable func::FuncOp function;
  llvm::raw_ostream &remarks;
  SafeTensorsMetadata metadata;
};
} // namespace

Error Transfer::check(bool mayRound) {
  llvm::SmallVector<BlockArgument> read;
  forEachRead(function.front().getTerminator()->getOperands(),
              [&](BlockArgument argument) {
                if (!getArgName(function, argument.getArgNumber()).empty())
                  read.push_back(argument);
              });
  llvm::sort(read, [](BlockArgument a, BlockArgument b) {
    return a.getArgNumber() < b.getArgNumber();
  });
  for (BlockArgument argument : read) {
    StringRef name = getArgName(function, argument.getArgNumber());
    TensorDeclaration type = *declare(name, argument.getType());
    Expected<const SafeTensorsEntry *> entry = file.require(name, type.shape);
    if (!entry)
      return entry.takeError();
    ElementType stored = (*entry)->type;
    if (stored == type.type)
      continue;
    StringRef expected = getElementTypeKeyword(type.type);
    StringRef got = getElementTypeKeyword(stored);
    if (!mayRound || !isFloatType(stored) || !isFloatType(type.type))
      return llvm::createStringError(file.path() + ": expected tensor '" +
                                     name + "' to be of type " + expected +
                                     ", got " + got);
    remarks << "remark: " << file.path() << ": tensor '" << name
            << "' is converted from " << got << " to " << expected << "\n";
  }
  return Error::success();
}

void Transfer::remarkUnread() {
  llvm::StringSet<> known;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    known.insert(getArgName(function, i));
  for (const SafeTensorsEntry &entry : file.entries())
    if (!known.contains(entry.name))
      remarks << "remark: " << file.path() << ": tensor '" << entry.name
              << "' is not in the recipe and left out\n";
}

StoredTensor Transfer::load(BlockArgument argument) const {
  StringRef name = getArgName(function, argument.getArgNumber());
  const SafeTensorsEntry *entry = name.empty()
                                      ? findConstant(recipe, function, argument)
                                      : file.lookup(name);
  return loadAs(argument.getType(), entry->type, entry->shape, entry->bytes);
}

void Transfer::sign() {
  llvm::SmallVector<const SafeTensorsEntry *> sources;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (const SafeTensorsEntry *entry = file.lookup(getArgName(function, i)))
      sources.push_back(entry);
  metadata[recipeKey] = recipe.sha256;
  metadata[sourceKey] =
      llvm::utohexstr(hashTensors(sources, [&] { file.releasePages(); }));
}

Error Transfer::write(StringRef path) {
  std::vector<TensorDeclaration> declarations;
  llvm::StringMap<Value> values;
  for (OpOperand &result : function.front().getTerminator()->getOpOperands()) {
    StringRef name = getResultName(function, result.getOperandNumber());
    declarations.push_back(*declare(name, result.get().getType()));
    values[name] = result.get();
  }
  Expected<std::unique_ptr<SafeTensorsWriter>> writer =
      SafeTensorsWriter::create(path, declarations, metadata);
  if (!writer)
    return writer.takeError();
  for (const TensorDeclaration &declaration : (*writer)->declarations()) {
    uint64_t numNaNs = 0;
    auto append = [&](llvm::ArrayRef<uint8_t> bytes) {
      numNaNs += countNaNs(declaration.type, bytes);
      return (*writer)->append(declaration.name, bytes);
    };
    auto lookup = [&](BlockArgument argument) -> FailureOr<StoredTensor> {
      return load(argument);
    };
    if (Error error =
            evaluate(recipe, values[declaration.name], lookup, append))
      return error;
    if (numNaNs)
      remarks << "warning: " << file.path() << ": " << numNaNs
              << " elements of '" << declaration.name << "' are NaN\n";
    // Else all of the file would count as memory in use in the end.
    file.releasePages();
  }
  return (*writer)->keep();
}

Error recipe::applyRecipe(const Recipe &recipe, StringRef inputPath,
                          StringRef outputPath, llvm::raw_ostream &remarks) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(inputPath);
  if (!file)
    return file.takeError();
  if (files::Status failure = files::checkWeightsForm(
          recipe.weights, files::readWeightsForm(file->metadata()),
          {inputPath.data(), inputPath.size()}))
    return llvm::createStringError(failure->text);
  Transfer transfer(*file, recipe, recipe.prepack, remarks);
  if (Error error = transfer.check(/*mayRound=*/true))
    return error;
  // Ranks must verify that all files have the same origin.
  if (recipe.ranks != 1)
    transfer.sign();
  transfer.remarkUnread();
  return transfer.write(outputPath);
}

static std::string describeLoss(StringRef tensor, StringRef lost) {
  std::string name = "'" + tensor.str() + "' cannot be restored: ";
  if (lost == "unread")
    return name + "nothing packed reads it";
  if (lost == "slice")
    return name + "only parts of it are packed";
  return name + lost.str() + " cannot be undone";
}

/// One message for all that is lost; a remark if it is allowed.
static Error reportLosses(func::FuncOp prepack, bool allowPartial,
                          llvm::raw_ostream &remarks) {
  std::string text;
  unsigned lost = 0, sources = 0;
  for (unsigned i = 0; i < prepack.getNumArguments(); ++i) {
    StringRef name = getArgName(prepack, i);
    StringRef reason = getArgName(prepack, i, kLostAttr);
    sources += !name.empty();
    if (reason.empty())
      continue;
    ++lost;
    if (allowPartial)
      remarks << "remark: tensor " << describeLoss(name, reason) << "\n";
    else
      text += "\n  " + describeLoss(name, reason);
  }
  if (!lost || allowPartial)
    return Error::success();
  return llvm::createStringError(
      llvm::Twine(lost) + " of " + llvm::Twine(sources) +
      " tensors cannot be restored (--allow-partial writes the others):" +
      text);
}

Error recipe::undoRecipe(const Recipe &recipe, StringRef inputPath,
                         StringRef outputPath, bool allowPartial,
                         llvm::raw_ostream &remarks) {
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(inputPath);
  if (!file)
    return file.takeError();
  Transfer transfer(*file, recipe, recipe.restore, remarks);
  if (Error error = transfer.check(/*mayRound=*/false))
    return error;
  if (Error error = reportLosses(recipe.prepack, allowPartial, remarks))
    return error;
  transfer.remarkUnread();
  return transfer.write(outputPath);
}
