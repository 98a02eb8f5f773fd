//===- TokenSteps.cpp - runs tokens in several calls ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "TokenSteps.h"

#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace parablock;
using namespace parablock::runner;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef kPast = "past", kSequence = "seq", kKept = "kept",
                           kPool = "pool", kRowPages = "row_pages";

/// Elements of one index of the dimensions from `dim` on.
static int64_t countFrom(ArrayRef<int64_t> shape, unsigned dim) {
  int64_t count = 1;
  for (int64_t size : shape.drop_front(dim))
    count *= size;
  return count;
}

/// Rows [first, first + count) of each batch row.
static Tensor takeRows(const Tensor &from, int64_t first, int64_t count) {
  int64_t row = countFrom(from.shape, 2), all = from.shape[1] * row;
  std::vector<double> values;
  for (int64_t b = 0; b < from.shape[0]; ++b)
    llvm::append_range(values,
                       from.data().slice(b * all + first * row, count * row));
  llvm::SmallVector<int64_t> shape(from.shape);
  shape[1] = count;
  return makeTensor(from.type, shape, std::move(values));
}

/// One after the other, along the second dimension.
static Tensor joinRows(ArrayRef<Tensor> parts) {
  const Tensor &first = parts.front();
  llvm::SmallVector<int64_t> shape(first.shape);
  shape[1] = 0;
  for (const Tensor &part : parts)
    shape[1] += part.shape[1];
  std::vector<double> values;
  for (int64_t b = 0; b < shape[0]; ++b)
    for (const Tensor &part : parts) {
      int64_t own = countFrom(part.shape, 1);
      llvm::append_range(values, part.data().slice(b * own, own));
    }
  return makeTensor(first.type, shape, std::move(values));
}

Expected<TokenSteps> TokenSteps::create(const Signature &signature,
                                        int64_t tokens) {
  TokenSteps steps(signature, tokens);
  if (Error error = steps.findPorts())
    return error;
  return steps;
}

std::optional<unsigned> TokenSteps::find(StringRef input) const {
  for (auto [index, argument] : llvm::enumerate(signature->arguments))
    if (argument.name == input && !argument.isParameter)
      return index;
  return std::nullopt;
}

Error TokenSteps::findPorts() {
  caches.clear();
  perToken.clear();
  std::optional<unsigned> lengths = find("past_lengths");
  for (auto [index, argument] : llvm::enumerate(signature->arguments))
    if (StringRef name = argument.name; name.consume_front("past_"))
      for (auto [number, result] : llvm::enumerate(signature->results))
        if (result.name == name)
          caches.push_back({index, number});
  if (!lengths || caches.empty())
    return llvm::createStringError(
        "--steps: expected a function with caches, as block-add-caches makes "
        "it, got one without past_lengths");
  pastLengths = *lengths;
  wantedRows = find("logits_to_keep");
  for (auto [index, argument] : llvm::enumerate(signature->arguments))
    if (llvm::is_contained(argument.dims, kSequence))
      perToken.push_back(index);
  if (perToken.empty())
    return llvm::createStringError(
        "--steps: expected a function of any number of tokens, a size named "
        "'seq', got one of a fixed number");
  return Error::success();
}

/// Adds missing sizes of pages: as many as the tokens need.
void TokenSteps::addPages(DimSizes &dims) const {
  auto lookup = [&](StringRef name) -> std::optional<int64_t> {
    for (const auto &[known, size] : dims)
      if (known == name)
        return size;
    return std::nullopt;
  };
  const Argument &cache = signature->arguments[caches.front().first];
  const Argument &lengths = signature->arguments[pastLengths];
  int64_t pageRows = cache.shape[1];
  std::optional<int64_t> batch = lengths.shape[0];
  if (mlir::ShapedType::isDynamic(*batch))
    batch = lookup(lengths.dims[0]);
  std::optional<int64_t> own = lookup(kRowPages);
  if (!own) {
    own = llvm::divideCeil(tokens, pageRows);
    dims.push_back({kRowPages.str(), *own});
  }
  if (batch && !lookup(kPool))
    dims.push_back({kPool.str(), *batch * *own});
}

DimSizes TokenSteps::makeDims(const DimSizes &dims) {
  DimSizes result;
  int64_t own = signature->arguments[caches.front().first].shape[1];
  bool isOpen = mlir::ShapedType::isDynamic(own);
  capacity = isOpen ? tokens : own;
  for (const auto &[name, size] : dims)
    if (name == kPast && isOpen)
      capacity = size;
    else if (name != kSequence && name != kKept)
      result.push_back({name, size});
  result.push_back({kSequence.str(), tokens});
  if (isOpen)
    result.push_back({kPast.str(), std::max(tokens, capacity)});
  if (wantedRows)
    result.push_back({kKept.str(), tokens});
  if (find("pages"))
    addPages(result);
  return result;
}

void TokenSteps::startEmpty(ArrayRef<Shape> shapes,
                            ArgumentSupply &supply) const {
  auto add = [&](unsigned index, llvm::function_ref<double(size_t)> get) {
    std::vector<double> values(shapes[index][0]);
    for (auto [at, value] : llvm::enumerate(values))
      value = get(at);
    supply.add(signature->arguments[index].name,
               makeTensor(ElementType::I64, shapes[index], std::move(values)));
  };
  add(pastLengths, [](size_t) { return 0.0; });
  if (wantedRows)
    add(*wantedRows, [](size_t at) { return static_cast<double>(at); });
}

Expected<Outputs> TokenSteps::run(Engine &engine, ArrayRef<Tensor> arguments,
                                  int64_t together, RunOptions options) const {
  std::vector<Tensor> own(arguments);
  // Their initial contents are never read.
  for (auto [input, result] : caches)
    if (own[input].shape[1] != capacity)
      own[input] = takeRows(own[input], 0, capacity);
  size_t numResults = signature->results.size();
  std::vector<std::vector<Tensor>> parts(numResults);
  for (int64_t first = 0; first < tokens; first += together) {
    int64_t count = std::min(together, tokens - first);
    for (unsigned index : perToken)
      own[index] = takeRows(arguments[index], first, count);
    const Tensor &lengths = arguments[pastLengths];
    own[pastLengths] =
        makeTensor(lengths.type, lengths.shape,
                   std::vector<double>(lengths.getNumElements(),
                                       static_cast<double>(first)));
    if (wantedRows) {
      std::vector<double> all(count);
      std::iota(all.begin(), all.end(), 0.0);
      own[*wantedRows] = makeTensor(ElementType::I64, count, std::move(all));
    }
    // Ranks differ in parameters packed for them alone.
    for (std::vector<Tensor> &ofRank : options.rankArguments)
      for (auto [index, argument] : llvm::enumerate(signature->arguments))
        if (!argument.isParameter)
          ofRank[index] = own[index];
    Expected<RunResult> result = engine.run(signature->function, own, options);
    if (!result)
      return result.takeError();
    for (auto [input, number] : caches)
      own[input] = result->outputs[number];
    for (size_t number = 0; number < numResults; ++number)
      parts[number].push_back(std::move(result->outputs[number]));
  }
  Outputs outputs;
  for (size_t number = 0; number < numResults; ++number) {
    const auto *cache = llvm::find_if(
        caches, [&](const auto &known) { return known.second == number; });
    bool isCache = cache != caches.end();
    if (isCache && capacity != arguments[cache->first].shape[1])
      continue;
    Port port = signature->results[number];
    outputs.tensors.push_back(isCache ? parts[number].back()
                                      : joinRows(parts[number]));
    llvm::ArrayRef<int64_t> shape = outputs.tensors.back().shape;
    port.shape.assign(shape.begin(), shape.end());
    outputs.ports.push_back(std::move(port));
  }
  return outputs;
}
