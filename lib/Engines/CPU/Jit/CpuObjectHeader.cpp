//===- CpuObjectHeader.cpp - prints the C header of an object file --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ProgramLists.h"
#include "parablock/Engines/CPU/CpuObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace parablock;
using llvm::StringRef;

/// From parablock-c/Pool.h, so that object files are self-contained.
static constexpr llvm::StringLiteral kPoolText =
#include "PoolText.inc"
    ;

std::string parablock::makeCIdentifier(StringRef text) {
  std::string name;
  for (char letter : text)
    name += llvm::isAlnum(letter) ? letter : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return name;
}

namespace {
class HeaderWriter {
public:
  HeaderWriter(llvm::raw_ostream &os, const CpuProgram &program, StringRef stem)
      : os(os), program(program), stem(stem) {}

  void write();

private:
  void writeFunctions();
  void writeDims();
  /// An enumerator for each tensor of that kind, and their number.
  void writeTensors(cpu::TensorKind kind, StringRef noun, StringRef plural);
  void writeShape(const CpuTensor &tensor);
  void writeWords(StringRef text);
  std::string makeUnique(const llvm::Twine &name);

  llvm::raw_ostream &os;
  const CpuProgram &program;
  StringRef stem;
  llvm::StringSet<> names;
};
} // namespace

std::string HeaderWriter::makeUnique(const llvm::Twine &name) {
  std::string base = makeCIdentifier(name.str()), unique = base;
  for (unsigned i = 2; !names.insert(unique).second; ++i)
    unique = base + "_" + llvm::utostr(i);
  return unique;
}

/// Names come from files: none may end the enclosing comment.
void HeaderWriter::writeWords(StringRef text) {
  for (char letter : text)
    os << (llvm::isPrint(letter) && letter != '*' ? letter : '?');
}

void HeaderWriter::writeShape(const CpuTensor &tensor) {
  os << getElementTypeKeyword(tensor.type) << " [";
  llvm::interleaveComma(tensor.shape, os, [&](const cpu::ExtentData &extent) {
    if (extent.symbol < 0)
      os << extent.value;
    else
      writeWords(program.symbols[extent.symbol].name);
  });
  os << "]";
}

void HeaderWriter::writeDims() {
  os << "/* Sizes that the caller chooses: indices of `dims`. */\nenum {\n";
  for (const CpuSize &symbol : program.symbols)
    if (!symbol.isComputed())
      os << "  " << makeUnique(stem + "_dim_" + symbol.name) << ",\n";
  os << "  " << stem << "_num_dims\n};\n\n";
}

void HeaderWriter::writeTensors(cpu::TensorKind kind, StringRef noun,
                                StringRef plural) {
  os << "/* Indices of `" << plural << "`. */\nenum {\n";
  for (const CpuTensor *tensor : listTensors(program.tensors, kind)) {
    os << "  " << makeUnique(stem + "_" + noun + "_" + tensor->name) << ", /* ";
    writeWords(tensor->name);
    os << ": ";
    writeShape(*tensor);
    os << " */\n";
  }
  os << "  " << stem << "_num_" << plural << "\n};\n\n";
}

void HeaderWriter::writeFunctions() {
  os << "/* Tensors are row-major, bf16 and f16 the bits of their numbers. "
        "Memory is the\n"
        "   caller's; packed weights and workspace are aligned to 64 bytes. "
        "`pool` may be\n"
        "   null: then the calling thread does it all. Functions that return "
        "int give 0,\n"
        "   1 where memory is short, 2 where the runtime is of another "
        "version, 3 where\n"
        "   sizes in `dims` are negative, too large or none that ranks divide, "
        "4 where the\n   machine lacks what the code is for, 5 where a "
        "router's "
        "logits have a NaN or an\n   index has no expert. */\n\n";
  os << "/* Size of the weights as kernels want them. */\nsize_t " << stem
     << "_packed_bytes(void);\n\n";
  os << "/* Packs weights; once, and again where they change. */\nint " << stem
     << "_pack(const void *const *weights, void *packed, ParablockPool "
        "*pool);\n\n";
  os << "/* Size of the workspace of a run; SIZE_MAX where sizes are bad. */\n"
        "size_t "
     << stem
     << "_workspace_bytes(const int64_t *dims, const ParablockPool *pool);\n\n";
  os << "/* Computes the outputs. Two threads may run at a time, each with a "
        "workspace and\n   a pool of its own. */\nint "
     << stem
     << "_main(const void *const *inputs, const void *const *weights,\n"
        "    const void *packed, void *const *outputs, const int64_t *dims,\n"
        "    void *workspace, ParablockPool *pool);\n\n";
}

void HeaderWriter::write() {
  std::string guard = "PARABLOCK_MODEL_" + stem.upper() + "_H";
  os << "/* Made by block-translate --block-to-object for "
     << program.target.cpu << ". */\n\n#ifndef " << guard << "\n#define "
     << guard
     << "\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << kPoolText << "\n\n";
  writeDims();
  writeTensors(cpu::TensorKind::Input, "input", "inputs");
  writeTensors(cpu::TensorKind::Parameter, "weight", "weights");
  writeTensors(cpu::TensorKind::Result, "output", "outputs");
  writeFunctions();
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

std::string parablock::makeCpuObjectHeader(const CpuProgram &program,
                                           StringRef stem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  HeaderWriter(os, program, stem).write();
  return text;
}
