//===- GreedyTokens.cpp - generates tokens by the original model ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Generation.h"
#include "LogitComparison.h"
#include "mlir/Pass/PassManager.h"
#include "parablock/Execution/Signature.h"
#include "parablock/Transforms/Passes.h"
#include "llvm/Support/Parallel.h"

using namespace parablock;
using namespace parablock::drift;
using llvm::Error;
using llvm::Expected;

/// Sequences of one call. The same whatever the number of threads, so that
/// results do not depend on it.
static constexpr int64_t groupRows = 4;

namespace {
/// A function of new tokens and caches.
class CachedFunction {
public:
  /// Null if block-add-caches does not support the model, which a remark
  /// reports.
  static Expected<std::unique_ptr<CachedFunction>>
  create(const Model &model, Preparation &preparation,
         llvm::raw_ostream &remarks);

  /// Appends `tokens` tokens to the rows of `texts`, each of `length` ids.
  Error extend(std::vector<std::vector<double>> &texts, int64_t length,
               int64_t tokens) const;

private:
  Error findPorts(const Model &model);
  Tensors start(int64_t rows, int64_t capacity) const;
  void setRows(Tensors &arguments,
               const std::vector<std::vector<double>> &texts, int64_t first,
               int64_t count) const;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Outline outline;
  runner::Signature signature;
  /// Parameters by argument; without values where they are inputs.
  Tensors parameters;
  unsigned ids = 0, lengths = 0, kept = 0, logits = 0;
  /// The argument and result of each cache.
  llvm::SmallVector<std::pair<unsigned, unsigned>> caches;
};
} // namespace

Expected<std::unique_ptr<CachedFunction>>
CachedFunction::create(const Model &model, Preparation &preparation,
                       llvm::raw_ostream &remarks) {
  auto made = std::make_unique<CachedFunction>();
  mlir::func::FuncOp whole = model.getFunction();
  mlir::MLIRContext *context = whole.getContext();
  made->module = mlir::ModuleOp::create(whole.getLoc());
  mlir::func::FuncOp function = whole.clone();
  made->module->push_back(function);
  std::string reason;
  {
    mlir::ScopedDiagnosticHandler handler(
        context, [&](mlir::Diagnostic &diagnostic) {
          if (reason.empty() &&
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            reason = diagnostic.str();
          return mlir::success();
        });
    mlir::PassManager manager(context);
    manager.addPass(block::createBlockAddCaches());
    if (failed(manager.run(*made->module))) {
      remarks << "remark: generation computes all tokens again for each new "
                 "one, as the model has no form with caches: "
              << reason << "\n";
      return nullptr;
    }
  }
  made->outline.function = function;
  if (Error error = made->findPorts(model))
    return error;
  if (Error error = preparation.prepare(made->outline))
    return error;
  return made;
}

Error CachedFunction::findPorts(const Model &model) {
  Expected<runner::Signature> read = runner::readSignature(outline.function);
  if (!read)
    return read.takeError();
  signature = std::move(*read);
  auto findResult = [&](llvm::StringRef name) -> std::optional<unsigned> {
    for (auto [index, result] : llvm::enumerate(signature.results))
      if (result.name == name)
        return index;
    return std::nullopt;
  };
  const ParameterSource &source = model.source();
  std::optional<unsigned> found = findLogits(outline.function);
  if (!found)
    return llvm::createStringError(
        "generation: expected block-add-caches to keep the logits, got none");
  logits = *found;
  for (auto [index, argument] : llvm::enumerate(signature.arguments)) {
    llvm::StringRef name = argument.name;
    parameters.emplace_back();
    if (argument.isParameter) {
      unsigned own = 0;
      while (own < source.size() && source.getArgument(own).name != name)
        ++own;
      if (own == source.size())
        return llvm::createStringError("generation: no parameter is named '" +
                                       name + "'");
      Expected<Tensor> value = source.load(own);
      if (!value)
        return value.takeError();
      parameters.back() = std::move(*value);
      continue;
    }
    if (name == "past_lengths")
      lengths = index;
    else if (name == "logits_to_keep")
      kept = index;
    else if (name.consume_front("past_")) {
      std::optional<unsigned> result = findResult(name);
      if (!result)
        return llvm::createStringError("generation: no result has the rows of "
                                       "cache '" +
                                       argument.name + "'");
      caches.push_back({static_cast<unsigned>(index), *result});
    } else if (name != "starts") {
      ids = index;
    }
  }
  return Error::success();
}

/// Arguments before the first call, with empty caches.
Tensors CachedFunction::start(int64_t rows, int64_t capacity) const {
  Tensors arguments = parameters;
  for (auto [argument, port] :
       llvm::zip_equal(arguments, signature.arguments)) {
    if (port.isParameter)
      continue;
    llvm::SmallVector<int64_t, 4> shape(port.shape);
    for (auto [size, name] : llvm::zip_equal(shape, port.dims))
      if (mlir::ShapedType::isDynamic(size))
        size = name == "past" ? capacity : name == "batch" ? rows : 1;
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    argument = makeTensor(port.type, shape, std::vector<double>(count));
  }
  return arguments;
}

/// Makes tokens `first` to `first + count` of each text the next ones.
void CachedFunction::setRows(Tensors &arguments,
                             const std::vector<std::vector<double>> &texts,
                             int64_t first, int64_t count) const {
  auto rows = static_cast<int64_t>(texts.size());
  std::vector<double> values;
  for (const std::vector<double> &text : texts)
    values.insert(values.end(), text.begin() + first,
                  text.begin() + first + count);
  Tensor &input = arguments[ids];
  input = makeTensor(input.type, {rows, count}, std::move(values));
  Tensor &past = arguments[lengths];
  past = makeTensor(past.type, {rows},
                    std::vector<double>(rows, static_cast<double>(first)));
  Tensor &last = arguments[kept];
  last = makeTensor(last.type, {1}, {static_cast<double>(count - 1)});
}

Error CachedFunction::extend(std::vector<std::vector<double>> &texts,
                             int64_t length, int64_t tokens) const {
  Tensors arguments =
      start(static_cast<int64_t>(texts.size()), length + tokens);
  int64_t done = 0;
  for (int64_t end = length; end < length + tokens; ++end) {
    setRows(arguments, texts, done, end - done);
    done = end;
    Expected<Tensors> results = outline.run(arguments);
    if (!results)
      return results.takeError();
    for (auto [row, text] : llvm::enumerate(texts))
      text.push_back(
          static_cast<double>(getLargest(getRow((*results)[logits], row))));
    for (auto [argument, result] : caches)
      arguments[argument] = std::move((*results)[result]);
  }
  return Error::success();
}

/// The most likely next token of each of `ids`, `[rows, length]`.
static Expected<std::vector<double>> predictNext(const Model &parent,
                                                 const std::vector<double> &ids,
                                                 int64_t length) {
  Dataset data = parent.data().withIds(ids, length);
  Expected<std::unique_ptr<Model>> model = parent.withData(data);
  if (!model)
    return model.takeError();
  Stream stream = (*model)->makeStream();
  if (Error error = runAllLinks(**model, nullptr, stream))
    return error;
  Expected<Tensors> weights = (*model)->loadEnd();
  if (!weights)
    return weights.takeError();
  std::vector<double> next(data.numRows());
  Error error = forEachChunk(
      data, Split::Report, [&](size_t index, const Chunk &chunk) -> Error {
        Expected<Tensor> hidden = stream.get(index);
        if (!hidden)
          return hidden.takeError();
        Expected<Tensor> logits = (*model)->runEnd(*hidden, *weights, chunk);
        if (!logits)
          return logits.takeError();
        next[index] =
            static_cast<double>(getLargest(getRow(*logits, length - 1)));
        return Error::success();
      });
  if (error)
    return error;
  return next;
}

/// Without caches.
static Error extendByWholeRuns(const Model &model,
                               std::vector<std::vector<double>> &texts,
                               int64_t length, int64_t tokens,
                               Progress &progress) {
  for (int64_t end = length; end < length + tokens; ++end) {
    progress.show("generating: token " + llvm::Twine(end - length + 1) +
                  " of " + llvm::Twine(tokens));
    std::vector<double> ids;
    for (const std::vector<double> &text : texts)
      ids.insert(ids.end(), text.begin(), text.end());
    Expected<std::vector<double>> next = predictNext(model, ids, end);
    if (!next)
      return next.takeError();
    for (auto [text, id] : llvm::zip_equal(texts, *next))
      text.push_back(id);
  }
  return Error::success();
}

/// Runs groups of sequences side by side.
static Error extendByCaches(const CachedFunction &function,
                            std::vector<std::vector<double>> &texts,
                            int64_t length, int64_t tokens) {
  std::vector<std::vector<std::vector<double>>> groups;
  for (auto [index, text] : llvm::enumerate(texts)) {
    if (index % groupRows == 0)
      groups.emplace_back();
    groups.back().push_back(std::move(text));
  }
  if (Error error = llvm::parallelForEachError(groups, [&](auto &group) {
        return function.extend(group, length, tokens);
      }))
    return error;
  for (auto [index, text] : llvm::enumerate(texts))
    text = std::move(groups[index / groupRows][index % groupRows]);
  return Error::success();
}

Expected<std::vector<double>>
drift::continueGreedily(const Model &model, std::vector<double> prompts,
                        int64_t length, int64_t tokens,
                        Preparation &preparation, llvm::raw_ostream &remarks,
                        Progress &progress) {
  std::vector<std::vector<double>> texts;
  for (size_t first = 0; first < prompts.size(); first += length)
    texts.emplace_back(prompts.begin() + static_cast<int64_t>(first),
                       prompts.begin() + static_cast<int64_t>(first) + length);
  progress.show("generating " + llvm::Twine(tokens) + " tokens for " +
                llvm::Twine(texts.size()) + " prompts");
  Expected<std::unique_ptr<CachedFunction>> function =
      CachedFunction::create(model, preparation, remarks);
  if (!function)
    return function.takeError();
  if (Error error =
          *function ? extendByCaches(**function, texts, length, tokens)
                    : extendByWholeRuns(model, texts, length, tokens, progress))
    return error;
  std::vector<double> ids;
  for (const std::vector<double> &text : texts)
    ids.insert(ids.end(), text.begin(), text.end());
  return ids;
}
