//===- Recipe.cpp - parses and checks recipes -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Transforms/Recipe/Recipe.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Parser/Parser.h"
#include "parablock/Judges/Evaluator/Evaluator.h"
#include "parablock/Support/InputFile.h"
#include "parablock/Support/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::recipe;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

StringRef recipe::getArgName(func::FuncOp function, unsigned index,
                             StringRef attribute) {
  auto name = function.getArgAttrOfType<StringAttr>(index, attribute);
  return name ? name.getValue() : "";
}

StringRef recipe::getResultName(func::FuncOp function, unsigned index) {
  auto name = function.getResultAttrOfType<StringAttr>(index, kTensorAttr);
  return name ? name.getValue() : "";
}

std::optional<TensorDeclaration> recipe::declare(StringRef name, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element = tensor && tensor.hasStaticShape()
                                           ? evaluator::getElementTypeOf(tensor)
                                           : std::nullopt;
  if (!element)
    return std::nullopt;
  TensorDeclaration declaration{name.str(), *element, {}};
  declaration.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return declaration;
}

std::string recipe::getConstantsPath(StringRef recipePath) {
  llvm::SmallString<128> path(recipePath);
  llvm::sys::path::replace_extension(path, "safetensors");
  return path.str().str();
}

static std::string hash(StringRef contents) {
  llvm::SHA256 sha;
  sha.update(contents);
  return llvm::toHex(sha.final(), /*LowerCase=*/true);
}

Expected<std::string> recipe::hashFile(StringRef path) {
  auto buffer = readFile(path, InputForm::Bytes);
  if (!buffer)
    return createStringError(
        path + ": cannot read it: " + toString(buffer.takeError()));
  return hash((*buffer)->getBuffer());
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static Error checkNames(func::FuncOp function) {
  llvm::StringSet<> arguments, results;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    StringRef name = getArgName(function, i);
    if (name.empty())
      name = getArgName(function, i, kConstantAttr);
    if (name.empty() || !arguments.insert(name).second ||
        !declare(name, function.getArgumentTypes()[i]))
      return createStringError("expected argument " + Twine(i) + " of @" +
                               function.getSymName() +
                               " to be a tensor that files hold, of a name of "
                               "its own");
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    StringRef name = getResultName(function, i);
    if (name.empty() || !results.insert(name).second ||
        !declare(name, function.getResultTypes()[i]))
      return createStringError("expected result " + Twine(i) + " of @" +
                               function.getSymName() +
                               " to be a tensor that files hold, of a name of "
                               "its own");
  }
  return Error::success();
}

static Error checkFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return createStringError("expected @" + function.getSymName() +
                             " to have one block");
  if (Error error = checkNames(function))
    return error;
  for (Operation &op : function.front().without_terminator())
    if (!evaluator::isKnown(&op))
      return createStringError("'" + op.getName().getStringRef() +
                               "' is not on the list of ops that can be "
                               "evaluated (docs/internals/Evaluator.md)");
  return Error::success();
}

/// Finds the functions and checks their arguments.
static Error check(Recipe &recipe) {
  ModuleOp module = *recipe.module;
  auto number = module->getAttrOfType<IntegerAttr>(kSchemaAttr);
  if (!number)
    return createStringError("expected a module with '" + kSchemaAttr +
                             "', as block-prepack writes it");
  if (number.getInt() != schema)
    return createStringError("expected schema " + Twine(schema) + ", got " +
                             Twine(number.getInt()));
  if (auto ranks = module->getAttrOfType<IntegerAttr>(kRanksAttr))
    recipe.ranks = ranks.getInt();
  if (auto weights = module->getAttrOfType<DictionaryAttr>(kWeightsAttr)) {
    auto get = [&](StringRef key) {
      auto text = weights.getAs<StringAttr>(key);
      return text ? text.str() : std::string();
    };
    recipe.weights = {get(kPairsKey), get(kCorrectionKey), get(kModelHashKey)};
  }
  recipe.prepack = module.lookupSymbol<func::FuncOp>(kPrepackName);
  recipe.restore = module.lookupSymbol<func::FuncOp>(kRestoreName);
  for (auto [function, name] : {std::pair(recipe.prepack, kPrepackName),
                                std::pair(recipe.restore, kRestoreName)}) {
    if (!function)
      return createStringError("expected a function @" + name);
    if (Error error = checkFunction(function))
      return error;
  }
  return Error::success();
}

/// Finds the elements of the constants in the file beside the recipe.
static Error openConstants(Recipe &recipe, StringRef recipePath) {
  auto name = (*recipe.module)->getAttrOfType<StringAttr>(kConstantsAttr);
  auto hash = (*recipe.module)->getAttrOfType<StringAttr>(kSha256Attr);
  func::FuncOp prepack = recipe.prepack;
  bool hasConstants = llvm::any_of(
      llvm::seq(0u, prepack.getNumArguments()), [&](unsigned argument) {
        return !getArgName(prepack, argument, kConstantAttr).empty();
      });
  if (!hasConstants)
    return Error::success();
  if (!name || !hash || name.empty() || name.getValue().contains('/'))
    return createStringError(recipePath + ": expected '" + kConstantsAttr +
                             "' to be the file beside the recipe, and its '" +
                             kSha256Attr + "'");
  llvm::SmallString<128> path = llvm::sys::path::parent_path(recipePath);
  llvm::sys::path::append(path, name.getValue());
  Expected<SafeTensorsFile> file = SafeTensorsFile::open(path);
  if (!file)
    return file.takeError();
  Expected<std::string> got = hashFile(path.str());
  if (!got)
    return got.takeError();
  if (*got != hash.getValue())
    return createStringError(path + ": expected the hash " + hash.getValue() +
                             ", got " + *got);
  for (unsigned i = 0; i < prepack.getNumArguments(); ++i) {
    StringRef constant = getArgName(prepack, i, kConstantAttr);
    if (constant.empty())
      continue;
    TensorDeclaration type = *declare(constant, prepack.getArgumentTypes()[i]);
    Expected<const SafeTensorsEntry *> entry =
        file->require(constant, type.shape);
    if (!entry)
      return entry.takeError();
    if ((*entry)->type != type.type)
      return createStringError(path + ": expected tensor '" + constant +
                               "' to be of type " +
                               getElementTypeKeyword(type.type) + ", got " +
                               getElementTypeKeyword((*entry)->type));
  }
  recipe.constants = std::make_unique<SafeTensorsFile>(std::move(*file));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error parse(Recipe &recipe, StringRef text) {
  auto fail = [&](StringRef message) {
    return createStringError(recipe.path + ": " + message);
  };
  if (text.ltrim().starts_with("{") && !text.ltrim().starts_with("{-#"))
    return fail("expected a recipe of ops, got one of JSON, as earlier "
                "versions wrote it: make it again by block-prepack");
  if (isBytecodeText(text))
    return fail("expected a recipe as text, got bytecode");
  if (Error error = checkSourceText(text, recipe.path))
    return error;
  DialectRegistry registry;
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect,
                  index::IndexDialect, linalg::LinalgDialect, math::MathDialect,
                  scf::SCFDialect, tensor::TensorDialect, tosa::TosaDialect>();
  recipe.context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // Unknown ops are rejected by name, and attributes need no dialect.
  recipe.context->allowUnregisteredDialects();
  std::string said = listen(recipe, [&] {
    recipe.module = parseSourceString<ModuleOp>(
        text, ParserConfig(recipe.context.get()), recipe.path);
  });
  if (!recipe.module)
    return createStringError(said);
  if (Error error = check(recipe))
    return createStringError(recipe.path + ": " +
                             llvm::toString(std::move(error)));
  return Error::success();
}

std::string recipe::listen(const Recipe &recipe,
                           llvm::function_ref<void()> action) {
  std::string said;
  auto note = [&](Diagnostic &diagnostic) {
    auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
    if (said.empty())
      said = (recipe.path + (place ? ":" + Twine(place.getLine()) : Twine()) +
              ": " + diagnostic.str())
                 .str();
    return success();
  };
  ScopedDiagnosticHandler handler(recipe.context.get(), note);
  action();
  return said;
}

Expected<Recipe> recipe::readRecipe(StringRef path) {
  auto buffer = readInput(path, InputForm::Text);
  if (!buffer)
    return createStringError(path + ": " + toString(buffer.takeError()));
  Recipe recipe;
  recipe.path = path.str();
  if (Error error = parse(recipe, (*buffer)->getBuffer()))
    return error;
  recipe.sha256 = hash((*buffer)->getBuffer());
  if (Error error = openConstants(recipe, path))
    return error;
  return std::move(recipe);
}
