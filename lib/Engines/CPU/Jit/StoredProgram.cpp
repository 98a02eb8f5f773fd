//===- StoredProgram.cpp - a CPU program and its code as bytes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The numbers of object files, then data that the runtime does not need: names
// and types, and the objects. Numbers have this machine's byte order.
//
//===----------------------------------------------------------------------===//

#include "parablock/Engines/CPU/CpuCode.h"
#include "parablock/Engines/CPU/ProgramNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace parablock;

namespace {
class Writer {
public:
  std::string bytes;

  void add(uint64_t number) {
    bytes.append(reinterpret_cast<const char *>(&number), sizeof(number));
  }
  void add(llvm::StringRef text) {
    add(text.size());
    bytes.append(text.data(), text.size());
  }
  void add(const std::vector<int64_t> &list) {
    add(list.size());
    for (int64_t number : list)
      add(static_cast<uint64_t>(number));
  }
  void add(const std::vector<std::string> &list) {
    add(list.size());
    for (llvm::StringRef text : list)
      add(text);
  }
};

/// The inverse of the writer. Reading past the end returns zeros, and sets a
/// flag.
class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : rest(bytes) {}

  bool isDone() const { return isRight && rest.empty(); }

  uint64_t readNumber() {
    uint64_t number = 0;
    llvm::StringRef bytes = take(sizeof(number));
    if (isRight)
      std::memcpy(&number, bytes.data(), sizeof(number));
    return number;
  }
  llvm::StringRef readText() { return take(readNumber()); }
  std::vector<int64_t> readNumbers() {
    std::vector<int64_t> list;
    for (uint64_t left = readNumber(); isRight && left != 0; --left)
      list.push_back(static_cast<int64_t>(readNumber()));
    return list;
  }
  std::vector<std::string> readList() {
    std::vector<std::string> list;
    for (uint64_t left = readNumber(); isRight && left != 0; --left)
      list.push_back(readText().str());
    return list;
  }

private:
  llvm::StringRef take(uint64_t count) {
    isRight &= count <= rest.size();
    if (!isRight)
      return "";
    llvm::StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }

  llvm::StringRef rest;
  bool isRight = true;
};
} // namespace

std::string parablock::storeProgram(const CpuProgram &program,
                                    const CpuCode &code) {
  std::vector<int64_t> numbers = makeProgramNumbers(program.getData());
  Writer writer;
  writer.add(llvm::StringRef(reinterpret_cast<const char *>(numbers.data()),
                             numbers.size() * sizeof(int64_t)));
  for (const CpuSize &symbol : program.symbols)
    writer.add(symbol.name);
  for (const CpuTensor &tensor : program.tensors) {
    writer.add(tensor.name);
    writer.add(static_cast<uint64_t>(tensor.type));
  }
  for (int64_t layer : program.layers)
    writer.add(static_cast<uint64_t>(layer));
  for (const CpuParts &parts : program.parts) {
    writer.add(parts.rows);
    writer.add(static_cast<uint64_t>(parts.bySequence));
    writer.add(parts.inPlace);
  }
  writer.add(program.kernels);
  writer.add(code.externals);
  writer.add(code.objects);
  return std::move(writer.bytes);
}

std::optional<CpuProgram> parablock::loadProgram(llvm::StringRef bytes,
                                                 const CpuTarget &target,
                                                 CpuCode &code) {
  Reader reader(bytes);
  llvm::StringRef row = reader.readText();
  std::vector<int64_t> numbers(row.size() / sizeof(int64_t));
  cpu::ProgramData data;
  if (numbers.empty())
    return std::nullopt;
  std::memcpy(numbers.data(), row.data(), numbers.size() * sizeof(int64_t));
  if (!data.decode(numbers.data()))
    return std::nullopt;
  CpuProgram program;
  program.target = target;
  for (const cpu::SymbolData &symbol : data.symbols)
    program.symbols.push_back({symbol, reader.readText().str()});
  for (cpu::TensorData &tensor : data.tensors) {
    std::string name = reader.readText().str();
    program.tensors.push_back({std::move(tensor), std::move(name),
                               static_cast<ElementType>(reader.readNumber())});
  }
  for (size_t i = 0; i < data.launches.size(); ++i)
    program.layers.push_back(static_cast<int64_t>(reader.readNumber()));
  for (size_t i = 0; i < data.launches.size(); ++i) {
    CpuParts &parts = program.parts.emplace_back();
    parts.rows = reader.readNumbers();
    parts.bySequence = reader.readNumber() != 0;
    parts.inPlace = reader.readNumbers();
  }
  program.kernels = reader.readList();
  program.prepack = std::move(data.prepack);
  program.launches = std::move(data.launches);
  code.externals = reader.readList();
  code.objects = reader.readList();
  if (!reader.isDone())
    return std::nullopt;
  return program;
}
