//===- ForeignDialects.cpp - parses and rejects foreign ops ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "KnownNames.h"
#include "ParseClauses.h"
#include "ParseOperations.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "parablock/Frontends/StableHLO/StableHLO.h"

using namespace mlir;
using namespace parablock;

namespace parablock::hlo {

namespace {

/// The parser names the op.
ParseResult refuseMisspelt(OpAsmParser &parser, OperationState &state) {
  auto [dialect, name] = state.name.getStringRef().split('.');
  return parser.emitError(parser.getNameLoc(),
                          "is not known" + suggestName(dialect, name));
}

/// Ops are kept by name until they are converted.
class KnownDialect : public Dialect {
public:
  using Dialect::Dialect;
  std::optional<ParseOpHook> getParseOperationHook(StringRef op) const final {
    auto [dialect, name] = op.split('.');
    return suggestName(dialect, name).empty() ? getSyntax(name)
                                              : ParseOpHook(refuseMisspelt);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const final {
    return parseNumbers(parser);
  }
};

class StablehloDialect : public KnownDialect {
public:
  static constexpr StringLiteral getDialectNamespace() { return "stablehlo"; }
  StablehloDialect(MLIRContext *context)
      : KnownDialect(getDialectNamespace(), context,
                     TypeID::get<StablehloDialect>()) {
    allowUnknownOperations();
  }
};

/// StableHLO's companion, of functions that it has no op for.
class ChloDialect : public KnownDialect {
public:
  static constexpr StringLiteral getDialectNamespace() { return "chlo"; }
  ChloDialect(MLIRContext *context)
      : KnownDialect(getDialectNamespace(), context,
                     TypeID::get<ChloDialect>()) {
    allowUnknownOperations();
  }
};

/// A dialect that is not supported, and advice.
struct Foreign {
  StringLiteral name, advice;
};
inline constexpr StringLiteral kTorch =
    "ask torch-mlir for the output type linalg-on-tensors or tosa";
inline constexpr StringLiteral kTmTensor =
    "linalg-on-tensors has sorts, topk and scans in it: import the PyTorch "
    "module with parablock.from_torch";
inline constexpr StringLiteral kIree =
    "stop IREE before it forms dispatches, or take what "
    "stablehlo-legalize-to-linalg gives";
inline constexpr StringLiteral kHlo =
    "ask for StableHLO text, or for stablehlo-legalize-to-linalg";
inline constexpr StringLiteral kTensorFlow =
    "convert the TFLite file with tosa-converter-for-tflite";
inline constexpr Foreign kForeign[] = {
    {"torch", kTorch},
    {"torch_c", kTorch},
    {"tm_tensor", kTmTensor},
    {"iree_linalg_ext", kIree},
    {"iree_input", kIree},
    {"util", kIree},
    {"flow", kIree},
    {"hal", kIree},
    {"mhlo", kHlo},
    {"vhlo", kHlo},
    {"sdy", "export without a mesh of devices"},
    {"tf", kTensorFlow},
    {"tfl", kTensorFlow},
    {"onnx", "ask onnx-mlir for linalg or TOSA"},
};

/// Any text in it is one error with that message.
template <size_t Number> class UnreadDialect : public Dialect {
public:
  static constexpr StringLiteral getDialectNamespace() {
    return kForeign[Number].name;
  }
  UnreadDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context,
                TypeID::get<UnreadDialect<Number>>()) {
    // As for an unregistered dialect.
    allowUnknownOperations(context->allowsUnregisteredDialects());
  }
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const final {
    return ParseOpHook(refuse);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const final {
    return report(parser.emitError(parser.getNameLoc()), "an attribute"),
           Attribute();
  }
  Type parseType(DialectAsmParser &parser) const final {
    return report(parser.emitError(parser.getNameLoc()), "a type"), Type();
  }

private:
  static InFlightDiagnostic report(InFlightDiagnostic error,
                                   const Twine &what) {
    error << what << " of the dialect '" << getDialectNamespace()
          << "', which is not read here: " << kForeign[Number].advice;
    return error;
  }
  /// The parser names the op.
  static ParseResult refuse(OpAsmParser &parser, OperationState &) {
    return report(parser.emitError(parser.getNameLoc()), "is");
  }
};

} // namespace

} // namespace parablock::hlo

/// A tool that loads the plugin may have the dialect itself, and keeps its own.
template <typename DialectT>
static void insertMissing(DialectRegistry &registry) {
  if (!registry.getDialectAllocator(DialectT::getDialectNamespace()))
    registry.insert<DialectT>();
}

template <size_t... Numbers>
static void insertUnread(DialectRegistry &registry,
                         std::index_sequence<Numbers...>) {
  (insertMissing<hlo::UnreadDialect<Numbers>>(registry), ...);
}

void hlo::registerForeignDialects(DialectRegistry &registry) {
  insertMissing<StablehloDialect>(registry);
  insertMissing<ChloDialect>(registry);
  registry.insert<ml_program::MLProgramDialect, shape::ShapeDialect>();
  insertUnread(registry, std::make_index_sequence<std::size(kForeign)>());
}
