//===- GenFlags.cpp - parses flags of block-gen ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "GenFlags.h"

#include "parablock/Support/ToolFlags.h"
#include "llvm/ADT/StringSwitch.h"

namespace cl = llvm::cl;

namespace parablock::generate {

namespace {
/// Values are read as text, so that every message about them is ours.
struct TextFlag : ToolFlag<std::string> {
  TextFlag(cl::OptionCategory &group, llvm::StringRef name,
           llvm::StringRef description, llvm::StringRef value,
           llvm::StringRef initial = "")
      : ToolFlag(group, name, description, cl::value_desc(value),
                 cl::init(initial.str())) {}
};

struct Flags {
  cl::OptionCategory model{"Model"};
  cl::OptionCategory sizes{"Sizes of a family's model"};
  cl::OptionCategory inputs{"Inputs"};
  cl::OptionCategory files{"What is written"};

  ToolFlag<bool> listFamilies{model, "list-families",
                              "names of all families, one a line"};
  ToolFlag<bool> describeFamilies{
      model, "describe-families",
      "a table of all families: what sets each apart, and its sizes"};
  TextFlag family{model, "family", "a family's name, or random", "name"};
  TextFlag config{model, "config", "a Hugging Face config.json", "file"};
  TextFlag scope{model, "scope", "whole model, or its layers alone",
                 "model|block", "model"};
  TextFlag loss{model, "loss",
                "the loss of the model's logits with the input targets, in "
                "their place; a target of -100 is left out",
                "cross-entropy"};
  TextFlag level{model, "level", "how far the IR is lowered",
                 "model|core|tosa|linalg", "model"};
  TextFlag dtype{model, "dtype", "element type", "f32|bf16|f16", "f32"};
  TextFlag layers{sizes, "layers", "number of layers", "N"};
  TextFlag width{sizes, "width", "width of the residual stream", "N"};
  TextFlag heads{sizes, "heads", "query heads", "N"};
  TextFlag kvHeads{sizes, "kv-heads", "key and value heads", "N"};
  TextFlag headDim{sizes, "head-dim", "width of a head", "N"};
  TextFlag hidden{sizes, "hidden", "hidden width of the MLP", "N"};
  TextFlag vocab{sizes, "vocab", "size of the vocabulary", "N"};
  TextFlag positions{sizes, "positions", "learned positions", "N"};
  TextFlag batch{inputs, "batch", "batch size, or ?", "N", "1"};
  TextFlag sequence{inputs, "seq",
                    "sequence length, or ?; by default the model's positions, "
                    "or 2048 where it has none",
                    "N"};
  TextFlag encoderSequence{inputs, "encoder-seq",
                           "length of the encoder's sequence, or ?; by default "
                           "that of --seq",
                           "N"};
  ToolFlag<bool> padding{inputs, "padding",
                         "take the lengths of right-padded rows"};
  ToolFlag<bool> lossDivisor{
      inputs, "loss-divisor",
      "take what the loss is divided by, which is the number of targets else"};
  TextFlag varlen{inputs, "varlen",
                  "pack so many sequences into the batch row, or ?", "N"};
  TextFlag past{inputs, "past",
                "take caches of so many rows, or ?, and how far they are "
                "filled: any number of tokens comes next",
                "N"};
  TextFlag pageRows{inputs, "page-rows",
                    "with --past=?: caches are pools of pages of so many rows, "
                    "with a table of each batch row's",
                    "N"};
  TextFlag seed{model, "seed", "draws weights, and the form of --family=random",
                "N", "0"};
  TextFlag weightsOut{files, "weights-out", "where to write the drawn weights",
                      "file"};
  TextFlag output{files, "o", "where to write the IR", "file", "-"};
  ToolFlag<bool> unbrokenLines{files, "unbroken-lines",
                               "print each op in one line, however long"};
};
} // namespace

static llvm::Error badValue(const TextFlag &flag, llvm::StringRef expected) {
  return llvm::createStringError("expected --" + flag.ArgStr + " to be " +
                                 expected + ", got '" + flag + "'");
}

/// Sizes above this would overflow products of them.
static constexpr int64_t largestSize = int64_t(1) << 31;

static llvm::Error readSize(const TextFlag &flag, std::optional<int64_t> &out) {
  if (flag.getNumOccurrences() == 0)
    return llvm::Error::success();
  int64_t value;
  if (llvm::StringRef(flag).getAsInteger(10, value) || value < 1 ||
      value > largestSize)
    return badValue(flag, "a number from 1 to 2^31");
  out = value;
  return llvm::Error::success();
}

static llvm::Error readDim(const TextFlag &flag, SizeFlag &out) {
  out.given = flag.getNumOccurrences() > 0;
  if (out.given && flag == "?")
    return llvm::Error::success();
  return readSize(flag, out.size);
}

/// Looks `flag` up among `choices`.
template <typename T>
static llvm::Error
readChoice(const TextFlag &flag, llvm::StringRef expected,
           llvm::ArrayRef<std::pair<llvm::StringRef, T>> choices, T &out) {
  for (const auto &[name, value] : choices)
    if (flag == name) {
      out = value;
      return llvm::Error::success();
    }
  return badValue(flag, expected);
}

static llvm::Error readLevel(const Flags &flags, GenRequest &request) {
  return readChoice<Level>(flags.level, "model, core, tosa or linalg",
                           {{"model", Level::Model},
                            {"core", Level::Core},
                            {"tosa", Level::Tosa},
                            {"linalg", Level::Linalg}},
                           request.level);
}

static llvm::Error readLoss(const Flags &flags, BuildOptions &build) {
  build.loss = flags.loss.getNumOccurrences() > 0;
  build.divisor = flags.lossDivisor;
  if (build.loss && flags.loss != "cross-entropy")
    return badValue(flags.loss, "cross-entropy");
  if (build.divisor && !build.loss)
    return llvm::createStringError(
        "expected --loss with --loss-divisor, got none");
  return llvm::Error::success();
}

static llvm::Error readSource(const Flags &flags, GenRequest &request) {
  bool family = flags.family.getNumOccurrences() > 0;
  bool config = flags.config.getNumOccurrences() > 0;
  if (family == config)
    return llvm::createStringError(
        "expected --family or --config, got " +
        llvm::StringRef(family ? "both" : "neither"));
  request.family = flags.family;
  request.configPath = flags.config;
  if (!config)
    return llvm::Error::success();
  for (const TextFlag *flag :
       {&flags.layers, &flags.width, &flags.heads, &flags.kvHeads,
        &flags.headDim, &flags.hidden, &flags.vocab, &flags.positions})
    if (flag->getNumOccurrences())
      return llvm::createStringError("expected no --" + flag->ArgStr +
                                     " with --config, which gives all sizes, "
                                     "got --" +
                                     flag->ArgStr + "=" + *flag);
  return llvm::Error::success();
}

static llvm::Expected<GenRequest> readFlags(const Flags &flags) {
  GenRequest request;
  request.listFamilies = flags.listFamilies;
  request.describeFamilies = flags.describeFamilies;
  request.build.padding = flags.padding;
  request.weightsPath = flags.weightsOut;
  request.outputPath = flags.output;
  request.unbrokenLines = flags.unbrokenLines;
  if (request.listFamilies || request.describeFamilies)
    return request;

  SizeFlags &sizes = request.sizes;
  const std::pair<const TextFlag &, std::optional<int64_t> &> sizeFlags[] = {
      {flags.layers, sizes.layers},      {flags.width, sizes.width},
      {flags.heads, sizes.heads},        {flags.kvHeads, sizes.kvHeads},
      {flags.headDim, sizes.headDim},    {flags.hidden, sizes.hidden},
      {flags.vocab, sizes.vocab},        {flags.positions, sizes.positions},
      {flags.pageRows, request.pageRows}};
  for (auto [flag, size] : sizeFlags)
    if (llvm::Error error = readSize(flag, size))
      return error;
  const std::pair<const TextFlag &, SizeFlag &> dims[] = {
      {flags.varlen, request.packedSequences},
      {flags.batch, request.batch},
      {flags.sequence, request.sequence},
      {flags.encoderSequence, request.encoderSequence},
      {flags.past, request.past}};
  for (auto [flag, dim] : dims)
    if (llvm::Error error = readDim(flag, dim))
      return error;
  if (llvm::Error error =
          readChoice<Scope>(flags.scope, "model or block",
                            {{"model", Scope::Model}, {"block", Scope::Block}},
                            request.build.scope))
    return error;
  if (llvm::Error error = readChoice<FloatKind>(flags.dtype, "f32, bf16 or f16",
                                                {{"f32", FloatKind::F32},
                                                 {"bf16", FloatKind::BF16},
                                                 {"f16", FloatKind::F16}},
                                                request.build.dtype))
    return error;
  if (llvm::StringRef(flags.seed).getAsInteger(10, request.seed))
    return badValue(flags.seed, "a number of at least 0");
  if (llvm::Error error = readLevel(flags, request))
    return error;
  if (llvm::Error error = readLoss(flags, request.build))
    return error;
  if (llvm::Error error = readSource(flags, request))
    return error;
  return request;
}

llvm::Expected<GenRequest> readCommandLine(int argc, char **argv) {
  // LLVM's own flags are of no use here.
  cl::ResetCommandLineParser();
  Flags flags;
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!parseToolFlags(argc, argv,
                      {"writes model IR, from a family's name and sizes or "
                       "from a config.json",
                       "block-gen --family=llama --layers=2 --width=64 "
                       "--heads=4 --seq=16 -o llama.mlir"},
                      &stream))
    // Errors without a message have been printed already.
    return llvm::createStringError(message.empty()
                                       ? "bad command line; see --help"
                                       : llvm::StringRef(message).trim());
  return readFlags(flags);
}

} // namespace parablock::generate
