//===- Config.cpp - dispatches on architecture and task -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "parablock/Frontends/Generate/Config.h"

#include "ConfigPacked.h"
#include "ConfigReader.h"
#include "parablock/Support/StrictJSON.h"
#include "llvm/ADT/STLExtras.h"

using namespace parablock;
using namespace parablock::generate;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct ArchitectureRow {
  StringRef name;
  Task task;
};

struct ModelTypeRow {
  StringRef name;
  void (*read)(ConfigReader &);
  StringRef prefix; // of names, where the class is not the bare model
  /// The supported classes; the default for a config without one is
  /// first.
  std::vector<ArchitectureRow> architectures;
};
} // namespace

static llvm::ArrayRef<ModelTypeRow> getModelTypes() {
  constexpr Task bare = Task::Bare, logits = Task::Logits;
  static const std::vector<ModelTypeRow> rows = {
      {"gpt2",
       readGpt2,
       "transformer.",
       {{"GPT2LMHeadModel", logits}, {"GPT2Model", bare}}},
      {"gptj",
       readGptJ,
       "transformer.",
       {{"GPTJForCausalLM", logits}, {"GPTJModel", bare}}},
      {"codegen",
       readCodeGen,
       "transformer.",
       {{"CodeGenForCausalLM", logits}, {"CodeGenModel", bare}}},
      {"gpt_neox",
       readGptNeoX,
       "gpt_neox.",
       {{"GPTNeoXForCausalLM", logits}, {"GPTNeoXModel", bare}}},
      {"falcon",
       readFalcon,
       "transformer.",
       {{"FalconForCausalLM", logits}, {"FalconModel", bare}}},
      {"bloom",
       readBloom,
       "transformer.",
       {{"BloomForCausalLM", logits}, {"BloomModel", bare}}},
      {"mpt",
       readMpt,
       "transformer.",
       {{"MptForCausalLM", logits},
        {"MPTForCausalLM", logits},
        {"MptModel", bare}}},
      {"opt",
       readOpt,
       "model.",
       {{"OPTForCausalLM", logits}, {"OPTModel", bare}}},
      {"phi",
       readPhi,
       "model.",
       {{"PhiForCausalLM", logits}, {"PhiModel", bare}}},
      {"phi3",
       readPhi3,
       "model.",
       {{"Phi3ForCausalLM", logits}, {"Phi3Model", bare}}},
      {"llama",
       readLlama,
       "model.",
       {{"LlamaForCausalLM", logits}, {"LlamaModel", bare}}},
      {"mistral",
       readMistral,
       "model.",
       {{"MistralForCausalLM", logits}, {"MistralModel", bare}}},
      {"mixtral",
       readMixtral,
       "model.",
       {{"MixtralForCausalLM", logits}, {"MixtralModel", bare}}},
      {"qwen2",
       readQwen2,
       "model.",
       {{"Qwen2ForCausalLM", logits}, {"Qwen2Model", bare}}},
      {"qwen3",
       readQwen3,
       "model.",
       {{"Qwen3ForCausalLM", logits}, {"Qwen3Model", bare}}},
      {"qwen3_moe",
       readQwen3Moe,
       "model.",
       {{"Qwen3MoeForCausalLM", logits}, {"Qwen3MoeModel", bare}}},
      {"olmoe",
       readOlmoe,
       "model.",
       {{"OlmoeForCausalLM", logits}, {"OlmoeModel", bare}}},
      {"granitemoe",
       readGraniteMoe,
       "model.",
       {{"GraniteMoeForCausalLM", logits}, {"GraniteMoeModel", bare}}},
      {"gpt_oss",
       readGptOss,
       "model.",
       {{"GptOssForCausalLM", logits}, {"GptOssModel", bare}}},
      {"deepseek_v2",
       readDeepseekV2,
       "model.",
       {{"DeepseekV2ForCausalLM", logits}, {"DeepseekV2Model", bare}}},
      {"deepseek_v3",
       readDeepseekV3,
       "model.",
       {{"DeepseekV3ForCausalLM", logits}, {"DeepseekV3Model", bare}}},
      {"glm4_moe",
       readGlm4Moe,
       "model.",
       {{"Glm4MoeForCausalLM", logits}, {"Glm4MoeModel", bare}}},
      {"minimax_m2",
       readMinimaxM2,
       "model.",
       {{"MiniMaxM2ForCausalLM", logits}, {"MiniMaxM2Model", bare}}},
      {"gemma",
       readGemma,
       "model.",
       {{"GemmaForCausalLM", logits}, {"GemmaModel", bare}}},
      {"gemma2",
       readGemma2,
       "model.",
       {{"Gemma2ForCausalLM", logits}, {"Gemma2Model", bare}}},
      {"gemma3_text",
       readGemma3,
       "model.",
       {{"Gemma3ForCausalLM", logits}, {"Gemma3TextModel", bare}}},
      {"olmo2",
       readOlmo2,
       "model.",
       {{"Olmo2ForCausalLM", logits}, {"Olmo2Model", bare}}},
      {"granite",
       readGranite,
       "model.",
       {{"GraniteForCausalLM", logits}, {"GraniteModel", bare}}},
      {"cohere",
       readCohere,
       "model.",
       {{"CohereForCausalLM", logits}, {"CohereModel", bare}}},
      {"stablelm",
       readStableLm,
       "model.",
       {{"StableLmForCausalLM", logits}, {"StableLmModel", bare}}},
      {"bert",
       readBert,
       "bert.",
       {{"BertModel", bare},
        {"BertForMaskedLM", logits},
        {"BertLMHeadModel", logits},
        {"BertForPreTraining", logits}}},
      {"roberta",
       readRoberta,
       "roberta.",
       {{"RobertaModel", bare},
        {"RobertaForMaskedLM", logits},
        {"RobertaForCausalLM", logits}}},
      {"vit",
       readVit,
       "vit.",
       {{"ViTModel", bare}, {"ViTForImageClassification", Task::Classifier}}},
      {"t5",
       readT5,
       "",
       {{"T5Model", bare},
        {"T5ForConditionalGeneration", logits},
        {"T5WithLMHeadModel", logits},
        {"T5EncoderModel", Task::EncoderOnly}}},
      {"bart",
       readBart,
       "model.",
       {{"BartModel", bare},
        {"BartForConditionalGeneration", logits},
        {"BartForCausalLM", Task::DecoderOnly}}},
  };
  return rows;
}

static const ModelTypeRow *findModelType(const ConfigFields &fields) {
  std::string name = fields.getString("model_type", "");
  if (fields.isMissing("model_type"))
    fields.refuse("model_type", "the name of a model type");
  for (const ModelTypeRow &row : getModelTypes())
    if (row.name == name)
      return &row;
  fields.fail("model_type", "model type '" + name + "' is not supported");
  return nullptr;
}

static Task findTask(const ConfigFields &fields, const ModelTypeRow &type) {
  auto names = fields.findStrings("architectures");
  if (!names || names->empty())
    return type.architectures.front().task;
  for (const ArchitectureRow &row : type.architectures)
    if (row.name == names->front())
      return row.task;
  fields.fail("architectures", "class '" + names->front() +
                                   "' is not supported for model type '" +
                                   type.name + "'");
  return Task::Bare;
}

/// Refuses options that any config may have and that change the meaning of its
/// file.
static void refuseUnsupported(const ConfigFields &fields) {
  if (fields.getObject("pruned_heads").countFields())
    fields.fail("pruned_heads", "pruned heads are not supported");
  if (fields.findBool("tie_encoder_decoder").value_or(false))
    fields.refuse("tie_encoder_decoder", "false");
}

Expected<ModelSpec> generate::readConfig(StringRef path,
                                         SequenceRequest sequence) {
  Expected<llvm::json::Object> object = readJSONObject(path);
  if (!object)
    return object.takeError();
  std::string error;
  ConfigFields fields(*object, error);
  ModelSpec spec;
  if (const ModelTypeRow *type = findModelType(fields)) {
    spec.family = type->name.str();
    Task task = findTask(fields, *type);
    std::string prefix = task == Task::Bare ? "" : type->prefix.str();
    ConfigReader reader{fields, task, prefix, sequence, spec};
    refuseUnsupported(fields);
    type->read(reader);
    spec.packed = readPacked(fields);
  }
  if (fields.failed())
    return llvm::createStringError(path + ": " + error);
  return spec;
}
