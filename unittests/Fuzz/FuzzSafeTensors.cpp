//===- FuzzSafeTensors.cpp - files with headers that lie ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Containment.h"
#include "Fuzzers.h"
#include "MemoryFile.h"
#include "MutateJSON.h"
#include "MutateText.h"
#include "parablock/Support/SafeTensors.h"
#include "llvm/Support/Endian.h"

using namespace parablock;
using namespace parablock::fuzz;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef kWords[] = {
    "F64",   "F32",   "BF16",         "F16",          "I64", "I32",
    "I16",   "I8",    "U8",           "BOOL",         "F8",  "f32",
    "dtype", "shape", "data_offsets", "__metadata__", "a",   "\xC3\xA9\n"};

/// The header of a valid file, and how many bytes of data it speaks of.
static std::pair<json::Value, uint64_t> makeHeader(Random &random) {
  json::Object header;
  uint64_t offset = 0;
  for (uint64_t index = 0, count = random.below(5); index < count; ++index) {
    ElementType types[] = {ElementType::F64,  ElementType::F32,
                           ElementType::BF16, ElementType::I64,
                           ElementType::U8,   ElementType::Bool};
    ElementType type = random.among(types);
    json::Array shape;
    uint64_t size = getElementSize(type);
    for (uint64_t rank = random.below(4); rank > 0; --rank) {
      int64_t dim = random.below(4);
      shape.push_back(dim);
      size *= dim;
    }
    header["tensor." + std::to_string(index)] =
        json::Object{{"dtype", getElementTypeName(type).str()},
                     {"shape", std::move(shape)},
                     {"data_offsets", json::Array{offset, offset + size}}};
    offset += size;
  }
  if (random.chance(30))
    header["__metadata__"] = json::Object{{"format", "pt"}};
  return {json::Value(std::move(header)), offset};
}

/// Text that a rule of JSON's grammar or a limit of the reader rejects, or only
/// just accepts.
static std::string makeFragment(Random &random) {
  static constexpr StringRef kFragments[] = {"\\ud800",
                                             "\\udc00",
                                             "\\ud83d\\ude00",
                                             "\\ud800\\u0041",
                                             "\x1F",
                                             "\xC0\x80",
                                             "\xE0\x80\x80",
                                             "\xED\xA0\x80",
                                             "\xF4\x90\x80\x80",
                                             "00",
                                             "1e",
                                             "1e+",
                                             "-",
                                             "1.",
                                             "18446744073709551616",
                                             "18446744073709551615",
                                             "{",
                                             "}",
                                             "]",
                                             ",",
                                             ":",
                                             "\""};
  if (random.chance(20)) {
    uint64_t depth = random.below(12);
    return std::string(depth, '[') + std::string(depth, ']');
  }
  if (random.chance(10)) {
    std::string ones;
    for (uint64_t count = random.below(40); count > 0; --count)
      ones += "1,";
    return ones;
  }
  return random.among(kFragments).str();
}

/// Puts a fragment anywhere, or where a tensor may have a value of any kind.
static void insertFragment(std::string &text, Random &random) {
  std::string fragment = makeFragment(random);
  size_t tensor = text.find('{', 1);
  if (tensor != std::string::npos && random.chance(50))
    text.insert(tensor + 1, "\"more\":" + fragment + ",");
  else
    text.insert(random.below(text.size()), fragment);
}

std::string SafeTensorsFuzzer::makeInput(Random &random) {
  auto [header, dataSize] = makeHeader(random);
  uint64_t style = random.below(11);
  if (style < 5)
    mutateJSON(header, kWords, random);
  std::string text;
  llvm::raw_string_ostream(text) << header;
  if (style == 5)
    text = mutateText(text, random);
  if (style == 6)
    text.insert(random.below(text.size()),
                std::string(random.below(random.chance(2) ? 200'000 : 200),
                            random.chance(50) ? '[' : ' '));
  if (style == 9)
    for (uint64_t count = 1 + random.below(3); count > 0; --count)
      insertFragment(text, random);
  uint64_t headerSize = text.size();
  if (style == 7) {
    uint64_t sizes[] = {0,
                        1,
                        7,
                        headerSize - 1,
                        headerSize + 1,
                        100'000'001,
                        uint64_t(1) << 40,
                        uint64_t(-1),
                        uint64_t(-8)};
    headerSize = random.among(sizes);
  }
  std::string file(8, '\0');
  llvm::support::endian::write64le(file.data(), headerSize);
  file += text;
  for (uint64_t i = 0; i < dataSize; ++i)
    file.push_back(static_cast<char>(random.next()));
  if (style == 8)
    file = mutateBytes(file, random);
  if (random.chance(10))
    file.resize(random.below(file.size() + 20));
  return file;
}

void SafeTensorsFuzzer::process(const std::string &input, Tally &tally,
                                Findings &findings) {
  MemoryFile memory(input);
  enterStage("reading safetensors");
  auto file = SafeTensorsFile::open(memory.path());
  if (!file) {
    std::string message = llvm::toString(file.takeError());
    if (!StringRef(message).starts_with(memory.path()))
      findings.failures.push_back("an error does not name its file: " +
                                  message);
    if (findings.verbose)
      llvm::errs() << message << "\n";
    return;
  }
  ++tally.accepted;
  enterStage("decoding safetensors");
  for (const SafeTensorsEntry &entry : file->entries()) {
    auto count = countElements(entry.shape);
    if (!count || entry.decode().size() != *count ||
        file->lookup(entry.name) != &entry)
      findings.failures.push_back("tensor '" + entry.name +
                                  "' is not what its header says");
  }
  ++tally.ran;
}
