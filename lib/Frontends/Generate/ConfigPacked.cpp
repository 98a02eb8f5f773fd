//===- ConfigPacked.cpp - reads quantization_config -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checkpoints whose matrices are codes of few bits are the model itself:
// nothing is approximated here. Unknown settings are refused, since another
// order of codes gives plausible but wrong numbers.
//
//===----------------------------------------------------------------------===//

#include "ConfigPacked.h"

#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using llvm::ArrayRef, llvm::StringRef;
using namespace parablock::generate;
using Kind = PackedSpec::Kind;

/// Refuses any value of a field except null.
static void refuseGiven(const ConfigFields &fields, StringRef key) {
  if (fields.has(key))
    fields.refuse(key, "null");
}

static int64_t readBits(const ConfigFields &fields, StringRef key,
                        ArrayRef<int64_t> known) {
  int64_t bits = fields.findInt(key).value_or(0);
  if (!llvm::is_contained(known, bits))
    fields.refuse(key, known.size() > 1 ? "4 or 8" : "4");
  return bits;
}

/// Columns of a group, 0 for whole rows.
static int64_t readGroup(const ConfigFields &fields, StringRef key) {
  int64_t group = fields.findInt(key, -1).value_or(0);
  if (group == -1)
    return 0;
  if (group < 2 || group % 2)
    fields.refuse(key, "-1 or an even number of columns");
  return group;
}

/// Modules are named as in the checkpoint, with a '*' for layers of any number.
static std::vector<std::string> readPlainModules(const ConfigFields &fields) {
  return fields.findStrings("modules_to_not_convert")
      .value_or(std::vector<std::string>());
}

static PackedSpec readGptq(const ConfigFields &fields) {
  PackedSpec spec;
  spec.kind = Kind::Gptq;
  spec.bits = readBits(fields, "bits", {4, 8});
  spec.group = readGroup(fields, "group_size");
  std::string format = fields.getString("checkpoint_format", "gptq");
  if (format != "gptq" && format != "gptq_v2")
    fields.refuse("checkpoint_format", "gptq or gptq_v2");
  spec.zerosLessOne = format == "gptq";
  // Symmetric codes have their zero in the middle, whatever the file stores.
  spec.hasZeros = !fields.findBool("sym").value_or(false);
  if (spec.hasZeros && spec.bits != 4)
    fields.refuse("sym", "true for codes of 8 bits");
  // Columns of a group are then anywhere in a row.
  if (fields.findBool("desc_act").value_or(false))
    fields.refuse("desc_act", "false");
  if (fields.findBool("lm_head").value_or(false))
    fields.refuse("lm_head", "false");
  for (StringRef key : {"dynamic", "modules_in_block_to_quantize"})
    refuseGiven(fields, key);
  return spec;
}

static PackedSpec readAwq(const ConfigFields &fields) {
  PackedSpec spec;
  spec.kind = Kind::Awq;
  spec.bits = readBits(fields, fields.either("bits", "w_bit"), {4});
  spec.group = readGroup(fields, fields.either("group_size", "q_group_size"));
  if (StringRef(fields.getString("version", "gemm")).lower() != "gemm")
    fields.refuse("version", "gemm");
  if (!fields.findBool("zero_point").value_or(true))
    fields.refuse("zero_point", "true");
  spec.skipped = readPlainModules(fields);
  return spec;
}

/// Reads how the weights of one group of modules are rounded.
static void readScheme(const ConfigFields &weights, PackedSpec &spec) {
  if (weights.getString("type", "int") != "int")
    weights.refuse("type", "int");
  spec.bits = readBits(weights, "num_bits", {4, 8});
  std::string strategy = weights.getString("strategy", "channel");
  if (strategy == "group")
    spec.group = readGroup(weights, "group_size");
  else if (strategy == "channel")
    spec.group = 0;
  else
    weights.refuse("strategy", "group or channel");
  spec.hasZeros = !weights.findBool("symmetric").value_or(true);
  // Only with `group` are the columns of a group anywhere in a row.
  if (weights.findString("actorder").value_or("") == "group")
    weights.refuse("actorder", "null, weight or static");
  if (weights.findBool("dynamic").value_or(false))
    weights.refuse("dynamic", "false");
}

static PackedSpec readCompressed(const ConfigFields &fields) {
  PackedSpec spec;
  spec.kind = Kind::Compressed;
  std::string format = fields.getString("format", "");
  if (format != "pack-quantized" && format != "int-quantized")
    fields.refuse("format", "pack-quantized or int-quantized");
  spec.arePacked = format == "pack-quantized";
  ConfigFields groups = fields.getObject("config_groups");
  std::string name = groups.findNestedObject();
  if (name.empty() || groups.countFields() != 1)
    return fields.fail("config_groups", "expected one group"), spec;
  ConfigFields group = groups.getObject(name);
  auto targets = group.findStrings("targets");
  if (!targets || *targets != std::vector<std::string>{"Linear"})
    group.fail("targets", "expected [\"Linear\"]");
  // Rounded activations are not the model that runs here.
  for (StringRef key : {"input_activations", "output_activations"})
    refuseGiven(group, key);
  readScheme(group.getObject("weights"), spec);
  refuseGiven(fields, "kv_cache_scheme");
  if (fields.getObject("sparsity_config").countFields())
    fields.fail("sparsity_config", "sparse weights are not supported");
  spec.skipped =
      fields.findStrings("ignore").value_or(std::vector<std::string>());
  for (StringRef skipped : spec.skipped)
    if (skipped.starts_with("re:"))
      fields.fail("ignore", "expected names of modules, got '" + skipped + "'");
  return spec;
}

static PackedSpec readFp8(const ConfigFields &fields) {
  PackedSpec spec;
  spec.kind = Kind::Fp8Blocks;
  spec.bits = 8;
  spec.hasZeros = false;
  if (fields.getString("fmt", "e4m3") != "e4m3")
    fields.refuse("fmt", "e4m3");
  // Rounded rows are a choice of an engine: they stay numbers here.
  if (fields.getString("activation_scheme", "dynamic") != "dynamic")
    fields.refuse("activation_scheme", "dynamic");
  auto size = fields.findReals("weight_block_size");
  auto isSize = [](double size) { return size >= 1 && size == int64_t(size); };
  if (!size || size->size() != 2 || !llvm::all_of(*size, isSize)) {
    fields.refuse("weight_block_size", "rows and columns of a block");
    return spec;
  }
  spec.rows = static_cast<int64_t>(size->front());
  spec.group = static_cast<int64_t>(size->back());
  spec.skipped = readPlainModules(fields);
  return spec;
}

static PackedSpec readMxFp4(const ConfigFields &fields) {
  PackedSpec spec;
  spec.kind = Kind::MxFp4;
  spec.bits = 4;
  spec.group = 32;
  spec.hasZeros = false;
  spec.skipped = readPlainModules(fields);
  return spec;
}

std::optional<PackedSpec> generate::readPacked(const ConfigFields &parent) {
  if (!parent.has("quantization_config"))
    return std::nullopt;
  ConfigFields fields = parent.getObject("quantization_config");
  std::string method = fields.findString("quant_method").value_or("");
  if (method == "gptq")
    return readGptq(fields);
  if (method == "awq")
    return readAwq(fields);
  if (method == "compressed-tensors")
    return readCompressed(fields);
  if (method == "fp8")
    return readFp8(fields);
  if (method == "mxfp4")
    return readMxFp4(fields);
  fields.refuse("quant_method", "gptq, awq, compressed-tensors, fp8 or mxfp4");
  return std::nullopt;
}
