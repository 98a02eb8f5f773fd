//===- Dataset.cpp - splits, loads and hashes data ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Dataset.h"

#include "Hashing.h"
#include "parablock/Dialect/Block/BlockDialect.h"
#include "parablock/Execution/InputDrawing.h"
#include "parablock/Execution/IntegerChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Parallel.h"
#include <mutex>

using namespace parablock;
using namespace parablock::drift;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Tokens of a chunk: enough for matrix products at full speed.
static constexpr int64_t chunkTokens = 2048;

runner::DimSizes drift::getRowSizes(mlir::func::FuncOp function) {
  runner::DimSizes dims;
  auto add = [&](StringRef name, int64_t size) {
    bool known = llvm::any_of(
        dims, [&](const auto &entry) { return entry.first == name; });
    if (!known && !mlir::ShapedType::isDynamic(size))
      dims.emplace_back(name.str(), size);
  };
  for (mlir::BlockArgument argument : function.getArguments()) {
    auto type = mlir::dyn_cast<mlir::RankedTensorType>(argument.getType());
    if (!type || type.getRank() < 2 ||
        function.getArgAttr(argument.getArgNumber(), block::kParamAttr))
      continue;
    // makeRowsDynamic() names no dimensions beside open ones without names.
    bool isUnnamed =
        !type.hasStaticShape() &&
        !function.getArgAttr(argument.getArgNumber(), block::kDimsAttr);
    auto input = function.getArgAttrOfType<mlir::StringAttr>(
        argument.getArgNumber(), block::kInputAttr);
    for (auto [dim, name] : {std::pair(0, "batch"), std::pair(1, "seq")})
      add(isUnnamed && input ? (input.str() + ".d" + llvm::Twine(dim)).str()
                             : name,
          type.getDimSize(dim));
  }
  return dims;
}

/// Returns the requested sizes, and defaults for dimensions that neither they
/// nor `file` determine.
static runner::DimSizes chooseSizes(const runner::Signature &signature,
                                    const runner::TensorFile *file,
                                    const DataRequest &request) {
  llvm::StringSet<> open;
  for (const runner::Argument &argument : signature.arguments)
    for (const std::string &name : argument.dims)
      open.insert(name);
  for (const runner::Argument &argument : signature.arguments)
    if (file && file->lookup(argument.name))
      for (const std::string &name : argument.dims)
        open.erase(name);
  for (const auto &[name, size] : request.dims) {
    open.erase(name);
    // `d1` is that of every argument without names.
    for (const runner::Argument &argument : signature.arguments)
      if (!argument.hasNamedDims)
        open.erase(argument.name + "." + name);
  }
  runner::DimSizes sizes = request.dims;
  for (const auto &[name, size] : request.defaultDims)
    if (open.contains(name))
      sizes.emplace_back(name, size);
  return sizes;
}

static int64_t getTokens(const Tensor &tensor) {
  return tensor.shape.size() >= 2 ? tensor.shape[1] : 1;
}

/// An error where ids or lengths are out of range.
static Error checkIntegers(StringRef name, const runner::InputFact &fact,
                           const Tensor &tensor) {
  return runner::checkIntegers(name, fact, tensor.shape, [&](size_t i) {
    return static_cast<int64_t>(tensor.data()[i]);
  });
}

Expected<Dataset> Dataset::create(mlir::func::FuncOp function,
                                  const DataRequest &request,
                                  llvm::raw_ostream &remarks) {
  std::optional<runner::TensorFile> file;
  if (!request.path.empty()) {
    Expected<runner::TensorFile> opened =
        runner::TensorFile::open(request.path);
    if (!opened)
      return opened.takeError();
    file.emplace(std::move(*opened));
  }
  Expected<runner::Signature> signature = runner::readSignature(function);
  if (!signature)
    return signature.takeError();
  runner::ArgumentSupply supply(
      file ? &*file : nullptr, nullptr,
      chooseSizes(*signature, file ? &*file : nullptr, request), request.seed);
  Expected<runner::BoundFunction> bound = supply.bind(function);
  if (!bound)
    return bound.takeError();
  if (Error error = supply.checkDimsUsed())
    return error;

  Dataset data;
  data.batch = request.batch;
  bool isGiven = false;
  for (auto [index, argument] : llvm::enumerate(bound->signature.arguments)) {
    data.names.push_back(argument.name);
    data.inputs.emplace_back();
    data.hasRows.push_back(!argument.dims.empty() &&
                           !argument.dims.front().empty());
    if (argument.isParameter)
      continue;
    ArrayRef<int64_t> shape = bound->shapes[index];
    if (supply.facts().lookup(argument.name).packedTokens)
      return llvm::createStringError(
          "input '" + argument.name +
          "': data is split by batch rows, and these sequences share one; "
          "expected one sequence in each row");
    bool inFile = file && file->lookup(argument.name);
    isGiven |= inFile;
    Expected<Tensor> value =
        inFile ? file->load(argument, shape)
               : runner::drawArgument(argument, shape,
                                      supply.facts().lookup(argument.name),
                                      request.seed);
    if (!value)
      return value.takeError();
    if (inFile)
      if (Error error = checkIntegers(
              argument.name, supply.facts().lookup(argument.name), *value))
        return error;
    data.inputs.back() = std::move(*value);
    if (data.hasRows.back() && (data.rows == 0 || shape.size() >= 2)) {
      data.rows = shape[0];
      data.tokens = std::max(data.tokens, getTokens(data.inputs.back()));
    }
    if (runner::isLengthsName(argument.name))
      data.lengthsArgument = index;
    else if (argument.type == ElementType::I64 && shape.size() == 2)
      data.idsArgument = index;
  }
  for (auto [index, argument] : llvm::enumerate(bound->signature.arguments))
    if (!argument.isParameter && data.hasRows[index] &&
        bound->shapes[index][0] != data.rows)
      return llvm::createStringError(
          "input '" + argument.name + "': expected " + llvm::Twine(data.rows) +
          " rows as the other inputs, got " +
          llvm::Twine(bound->shapes[index][0]) + " (dimension '" +
          argument.dims.front() + "')");
  if (file && !isGiven)
    return llvm::createStringError(request.path +
                                   ": holds none of the model's inputs");
  if (file)
    file->printRemarks(remarks);
  if (request.sequence)
    data.tokens = request.sequence;
  if (Error error = data.checkRows())
    return error;
  data.split();
  return data;
}

Error Dataset::checkRows() const {
  if (rows == 0 || tokens == 0)
    return llvm::createStringError("the data has no tokens");
  if (batch && rows % batch)
    return llvm::createStringError(
        "the data: expected a multiple of " + llvm::Twine(batch) +
        " sequences, as the model runs on so many at once, got " +
        llvm::Twine(rows));
  return Error::success();
}

/// Half of the sequences are for fitting, a quarter each for choosing and
/// reporting, in order: neighbours in a text are similar, so splits must not be
/// mixed.
void Dataset::split() {
  int64_t unit = std::max<int64_t>(1, batch), units = rows / unit;
  int64_t report = std::max<int64_t>(1, units / 4) * unit;
  int64_t select = units > 1 ? std::max<int64_t>(1, units / 4) * unit : 0;
  int64_t fit = rows - report - select;
  int64_t rowsPerChunk =
      batch ? batch : std::max<int64_t>(1, chunkTokens / tokens);
  int64_t row = 0;
  for (auto [split, count] :
       {std::pair(Split::Fit, fit), std::pair(Split::Select, select),
        std::pair(Split::Report, report)})
    for (int64_t end = row + count; row < end;) {
      int64_t size = std::min(rowsPerChunk, end - row);
      chunkList.push_back({row, size, split});
      row += size;
    }
}

Tensor Dataset::getInput(mlir::Value argument, const Chunk &chunk) const {
  unsigned number = mlir::cast<mlir::BlockArgument>(argument).getArgNumber();
  const Tensor &whole = inputs[number];
  if (!hasRows[number])
    return whole;
  Tensor part;
  part.type = whole.type;
  part.shape = whole.shape;
  part.shape[0] = chunk.rows;
  int64_t rowSize = whole.getNumElements() / whole.shape[0];
  ArrayRef<double> values =
      whole.data().slice(chunk.firstRow * rowSize, chunk.rows * rowSize);
  part.values =
      std::make_shared<const std::vector<double>>(values.begin(), values.end());
  return part;
}

Tensor Dataset::gatherRows(size_t argument, ArrayRef<int64_t> chosen) const {
  const Tensor &whole = inputs[argument];
  if (!hasRows[argument])
    return whole;
  llvm::SmallVector<int64_t> shape(whole.shape);
  shape[0] = static_cast<int64_t>(chosen.size());
  int64_t rowSize = whole.getNumElements() / whole.shape[0];
  std::vector<double> values;
  values.reserve(chosen.size() * rowSize);
  for (int64_t row : chosen)
    llvm::append_range(values, whole.data().slice(row * rowSize, rowSize));
  return makeTensor(whole.type, shape, std::move(values));
}

std::vector<int64_t> Dataset::listRows(std::optional<Split> split) const {
  std::vector<int64_t> found;
  for (const Chunk &chunk : chunkList)
    if (!split || chunk.split == *split)
      for (int64_t row = 0; row < chunk.rows; ++row)
        found.push_back(chunk.firstRow + row);
  return found;
}

std::vector<uint8_t> Dataset::getValid(const Chunk &chunk) const {
  std::vector<uint8_t> valid(chunk.rows * tokens, 1);
  if (lengthsArgument)
    for (int64_t row = 0; row < chunk.rows; ++row)
      for (int64_t t = 0; t < tokens; ++t)
        valid[row * tokens + t] =
            static_cast<double>(t) <
            inputs[*lengthsArgument].data()[chunk.firstRow + row];
  return valid;
}

bool Dataset::hasOnlyIds() const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].values && i != idsArgument)
      return false;
  return idsArgument.has_value() && !batch;
}

Dataset Dataset::withIds(ArrayRef<double> ids, int64_t length) const {
  Dataset result = *this;
  result.rows = static_cast<int64_t>(ids.size()) / length;
  result.tokens = length;
  Tensor &input = result.inputs[*idsArgument];
  input.shape = {result.rows, length};
  input.values = std::make_shared<const std::vector<double>>(ids.vec());
  result.chunkList.clear();
  for (int64_t row = 0; row < result.rows; ++row)
    result.chunkList.push_back({row, 1, Split::Report});
  return result;
}

std::optional<Tensor> Dataset::getIds(const Chunk &chunk) const {
  if (!idsArgument)
    return std::nullopt;
  const Tensor &whole = inputs[*idsArgument];
  Tensor ids;
  ids.type = whole.type;
  ids.shape = {chunk.rows, tokens};
  ArrayRef<double> values =
      whole.data().slice(chunk.firstRow * tokens, chunk.rows * tokens);
  ids.values =
      std::make_shared<const std::vector<double>>(values.begin(), values.end());
  return ids;
}

int64_t Dataset::countSequences(Split split) const {
  int64_t count = 0;
  for (const Chunk &chunk : chunkList)
    count += chunk.split == split ? chunk.rows : 0;
  return count;
}

int64_t Dataset::countTokens(Split split) const {
  int64_t count = 0;
  for (const Chunk &chunk : chunkList)
    if (chunk.split == split)
      count += llvm::count(getValid(chunk), 1);
  return count;
}

std::string Dataset::computeHash() const {
  ContentHash hash;
  for (auto [name, input] : llvm::zip_equal(names, inputs))
    if (input.values)
      hash.add(name, input);
  return hash.finish();
}

Error drift::forEachChunk(
    const Dataset &data, ArrayRef<Split> splits,
    llvm::function_ref<Error(size_t, const Chunk &)> body) {
  std::vector<size_t> selected;
  for (auto [index, chunk] : llvm::enumerate(data.chunks()))
    if (llvm::is_contained(splits, chunk.split))
      selected.push_back(index);
  std::mutex mutex;
  Error error = Error::success();
  llvm::parallelFor(0, selected.size(), [&](size_t i) {
    Error mine = body(selected[i], data.chunks()[selected[i]]);
    std::lock_guard<std::mutex> lock(mutex);
    if (error)
      llvm::consumeError(std::move(mine));
    else
      error = std::move(mine);
  });
  return error;
}
