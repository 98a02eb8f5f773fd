//===- TypeRules.cpp - type rules of all ops ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One rule per op: the operands whose types the text contains, in order, and
// the default types of the others. A rule only affects the syntax: an op whose
// types do not follow is written with all of them.
//
//===----------------------------------------------------------------------===//

#include "TypeRules.h"

#include "parablock/Dialect/Block/BlockAttrs.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace parablock::block;

//===----------------------------------------------------------------------===//
// Types derived from others; null if impossible
//===----------------------------------------------------------------------===//

/// Returns the size of a dimension, from the end if `dim` is negative; -1 if it
/// does not exist or is dynamic.
static int64_t size(Type type, int64_t dim) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(type);
  if (!tensor)
    return -1;
  if (dim < 0)
    dim += tensor.getRank();
  if (dim < 0 || dim >= tensor.getRank() || tensor.isDynamicDim(dim))
    return -1;
  return tensor.getDimSize(dim);
}

static int64_t width(Type type) { return size(type, -1); }

/// A tensor with the elements of `like`.
static Type tensorOf(ArrayRef<int64_t> shape, Type like) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(like);
  if (!tensor || llvm::any_of(shape, [](int64_t size) { return size <= 0; }))
    return {};
  return RankedTensorType::get(shape, tensor.getElementType());
}

static Type float32(Type like) {
  return like ? Float32Type::get(like.getContext()) : Type();
}

/// One number per row and column of statistics.
static Type statistics(Type like, int64_t columns) {
  return createRows(like, columns, float32(like));
}

static Type vectorOfF32(int64_t size, Type like) {
  return like && size > 0 ? RankedTensorType::get({size}, float32(like))
                          : Type();
}

/// One integer per batch row of `like`.
static Type lengths(Type like) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(like);
  if (!tensor || tensor.getRank() == 0)
    return {};
  return RankedTensorType::get(tensor.getShape().front(),
                               IntegerType::get(like.getContext(), 64));
}

static Type seed(Type like) {
  return like ? RankedTensorType::get({1},
                                      IntegerType::get(like.getContext(), 64))
              : Type();
}

static Type index(Type like) {
  return like ? IndexType::get(like.getContext()) : Type();
}

/// `total` in parts; -1 where that leaves a rest.
static int64_t share(int64_t total, int64_t parts) {
  return total > 0 && parts > 0 && total % parts == 0 ? total / parts : -1;
}

/// `count` times `size`; -1 where either is not known or it is too much.
static int64_t times(int64_t count, int64_t size) {
  int64_t product;
  if (count <= 0 || size <= 0 || llvm::MulOverflow(count, size, product))
    return -1;
  return product;
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

void parablock::block::ruleNorm(Signature &s) {
  Type input = s.give("input");
  Type gain = tensorOf(share(width(input), s.integer("groups", 1)), input);
  s.follow("gamma", gain);
  s.follow("beta", gain);
  s.result(input);
}

void parablock::block::ruleNormStats(Signature &s) {
  Type input = s.give("input");
  s.result(statistics(input, s.integer("groups", 1)));
}

void parablock::block::ruleNormalize(Signature &s) {
  Type input = s.give("input");
  int64_t groups = s.integer("groups", 1);
  s.follow("mean", statistics(input, groups));
  s.follow("moment", statistics(input, groups));
  Type gain = tensorOf(share(width(input), groups), input);
  s.follow("gamma", gain);
  s.follow("beta", gain);
  s.result(input);
}

void parablock::block::ruleDeferredNorm(Signature &s) {
  Type input = s.give("input");
  s.follow("mean", statistics(input, 1));
  s.follow("moment", statistics(input, 1));
  s.follow("sums", vectorOfF32(width(input), input));
  s.follow("bias", vectorOfF32(width(input), input));
  s.result(input);
}

void parablock::block::rulePartialStats(Signature &s) {
  Type input = s.give("input");
  int64_t tile = s.integer("tile"), columns = width(input);
  bool known = tile > 0 && columns > 0;
  s.result(statistics(input, known ? (columns - 1) / tile + 1 : -1));
}

void parablock::block::ruleMergeStats(Signature &s) {
  Type moment = s.give("moment");
  s.follow("mean", moment);
  s.result(statistics(moment, 1));
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

/// A projection to the width of the result, which the text contains if it is
/// not that of the input.
static void ruleProjection(Signature &s) {
  Type input = s.give("input");
  Type result = s.result(input);
  s.follow("weight", tensorOf({width(result), width(input)}, input));
  s.follow("bias", tensorOf(width(result), input));
}

void parablock::block::ruleLinear(Signature &s) { ruleProjection(s); }
void parablock::block::ruleHead(Signature &s) { ruleProjection(s); }

void parablock::block::ruleLinearSum(Signature &s) {
  Type input = s.give("inputs");
  Type result = s.result(input);
  SmallVector<Type> weights;
  for (Type type : s.types("inputs"))
    weights.push_back(tensorOf({width(result), width(type)}, type));
  s.follow("weights", weights);
  s.follow("bias", tensorOf(width(result), input));
}

void parablock::block::ruleMlp(Signature &s) {
  Type input = s.give("input"), up = s.give("up_weight");
  int64_t hidden = size(up, 0);
  Type result = s.result(input);
  s.follow("gate_weight", up);
  s.follow("down_weight", tensorOf({width(result), hidden}, up));
  s.follow("up_bias", tensorOf(hidden, up));
  s.follow("gate_bias", tensorOf(hidden, up));
  s.follow("down_bias", tensorOf(width(result), up));
}

/// States the stacked matrices of experts, `up` and `down`, and their biases.
static void ruleStacks(Signature &s, Type up, Type down) {
  auto form = dyn_cast_if_present<ExpertsAttr>(s.attribute("form"));
  int64_t out = form && form.getTransposed() ? 2 : 1;
  s.follow("up_bias", tensorOf({size(up, 0), size(up, out)}, up));
  s.follow("down_bias", tensorOf({size(down, 0), size(down, out)}, down));
}

void parablock::block::ruleMoe(Signature &s) {
  Type input = s.give("input"), up = s.give("up_weight");
  Type down = s.give("down_weight"), shared = s.give("shared_up");
  ruleStacks(s, up, down);
  Type result = s.result(input), perExpert = tensorOf(size(up, 0), input);
  s.follow("router_weight", tensorOf({size(up, 0), width(input)}, input));
  for (StringRef vector : {"router_bias", "correction", "expert_scale"})
    s.follow(vector, perExpert);
  s.follow("shared_gate", shared);
  s.follow("shared_down", tensorOf({width(result), size(shared, 0)}, shared));
  s.follow("shared_router", tensorOf({1, width(input)}, input));
}

void parablock::block::ruleExperts(Signature &s) {
  Type input = s.give("input"), indices = s.give("indices");
  Type up = s.give("up_weight"), down = s.give("down_weight");
  ruleStacks(s, up, down);
  s.follow("weights", createRows(indices, width(indices), float32(indices)));
  s.result(input);
}

void parablock::block::ruleRouteGrad(Signature &s) {
  s.give("gradient");
  Type logits = s.give("logits");
  s.give("indices");
  s.follow("expert_scale", tensorOf(width(logits), logits));
  s.result({});
}

void parablock::block::ruleExpertsGrad(Signature &s) {
  ruleExperts(s);
  s.follow("gradient", s.types("input").empty() ? Type() : s.types("input")[0]);
}

void parablock::block::ruleSplit(Signature &s) {
  s.give("input");
  s.result({});
}

void parablock::block::ruleAddBias(Signature &s) {
  Type input = s.give("input");
  s.follow("bias", tensorOf(width(input), input));
  s.result(input);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// States the rule that attention and its core have in common.
static void ruleScores(Signature &s, Type keys, int64_t valueWidth,
                       Type shawKey, Type pastKey) {
  Type perHead = tensorOf(s.integer("heads"), keys);
  s.follow("lengths", lengths(keys));
  s.follow("seed", seed(keys));
  s.follow("shaw_value", shawKey);
  for (StringRef gain : {"alpha", "beta", "gamma", "sinks"})
    s.follow(gain, perHead);
  s.follow("past_value", createRows(pastKey, valueWidth));
}

void parablock::block::ruleAttention(Signature &s) {
  Type input = s.give("input"), memory = s.give("memory");
  Type query = s.give("q_weight");
  s.give("relative_table");
  Type shawKey = s.give("shaw_key"), pastKey = s.give("past_key");
  s.give("score_bias");
  Type cosines = s.give("rope_cos");
  s.give("cu_seqlens");

  Type source = memory ? memory : input;
  int64_t heads = s.integer("heads"), keyHeads = s.integer("kv_heads");
  int64_t queries = size(query, 0), head = share(queries, heads);
  int64_t keys = times(keyHeads, head);
  Type key = tensorOf({keys, width(source)}, query);
  s.follow("k_weight", key);
  Type value = s.follow("v_weight", key);
  int64_t values = value ? size(value, 0) : width(source);
  int64_t joined = times(heads, share(values, keyHeads));
  Type result = s.result(s.has("o_weight") ? input : createRows(input, joined));
  s.follow("o_weight", tensorOf({width(result), joined}, query));
  s.follow("q_bias", tensorOf(queries, query));
  s.follow("k_bias", tensorOf(keys, query));
  s.follow("v_bias", tensorOf(values, query));
  s.follow("o_bias", tensorOf(width(result), query));

  auto norm = dyn_cast_if_present<QkNormAttr>(s.attribute("qk_norm"));
  bool perHead = norm && norm.getExtent() == QkNormExtent::Head;
  for (StringRef gain : {"q_gamma", "q_beta"})
    s.follow(gain, tensorOf(perHead ? head : queries, query));
  for (StringRef gain : {"k_gamma", "k_beta"})
    s.follow(gain, tensorOf(perHead ? head : keys, query));
  s.follow("rope_sin", cosines);
  ruleScores(s, source, values, shawKey, pastKey);
}

/// States the operands of an sdpa; returns the type of its result.
static Type ruleSdpaOperands(Signature &s) {
  Type query = s.give("query");
  s.give("relative_table");
  Type shawKey = s.give("shaw_key"), pastKey = s.give("past_key");
  s.give("score_bias");
  s.give("cu_seqlens");

  int64_t heads = s.integer("heads"), keyHeads = s.integer("kv_heads");
  Type key = s.follow(
      "key", createRows(query, times(keyHeads, share(width(query), heads))));
  Type value = s.follow("value", key);
  s.follow("slopes", tensorOf(heads, query));
  ruleScores(s, key, width(value), shawKey, pastKey);
  return createRows(query, times(heads, share(width(value), keyHeads)));
}

void parablock::block::ruleSdpa(Signature &s) {
  Type result = ruleSdpaOperands(s);
  s.follow("past_lengths", lengths(result));
  s.follow("starts", lengths(result));
  s.give("pages");
  s.result(result);
}

void parablock::block::ruleCacheAppend(Signature &s) {
  Type cache = s.give("cache"), added = s.give("added");
  s.follow("lengths", lengths(s.has("pages") ? added : cache));
  s.give("pages");
  s.result(cache);
}

void parablock::block::ruleSdpaGrad(Signature &s) {
  s.follow("gradient", ruleSdpaOperands(s));
  s.result(s.types("query").empty() ? Type() : s.types("query").front());
}

void parablock::block::ruleTakeRows(Signature &s) {
  auto input = dyn_cast_if_present<RankedTensorType>(s.give("input"));
  auto taken = dyn_cast_if_present<RankedTensorType>(s.give("rows"));
  bool known = input && taken && input.getRank() == 3 && taken.getRank() == 1;
  s.result(
      known ? RankedTensorType::get({input.getDimSize(0), taken.getDimSize(0),
                                     input.getDimSize(2)},
                                    input.getElementType())
            : Type());
}

void parablock::block::ruleRope(Signature &s) {
  Type input = s.give("input");
  s.follow("offset", index(input));
  s.result(input);
}

void parablock::block::ruleRotate(Signature &s) {
  Type input = s.give("input");
  s.follow("sines", s.give("cosines"));
  s.result(input);
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

/// A row of `table` for each of `ids`.
static Type embedded(Type ids, Type table) {
  auto shaped = dyn_cast_if_present<RankedTensorType>(ids);
  if (!shaped || width(table) <= 0)
    return {};
  SmallVector<int64_t> shape(shaped.getShape());
  shape.push_back(width(table));
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(table).getElementType());
}

void parablock::block::ruleEmbedding(Signature &s) {
  Type ids = s.give("ids"), table = s.give("table");
  s.give("position_table");
  s.give("type_table");
  s.follow("type_ids", ids);
  s.follow("offset", index(ids));
  s.follow("first_id", index(ids));
  s.result(embedded(ids, table));
}

void parablock::block::rulePatchEmbedding(Signature &s) {
  Type pixels = s.give("pixels"), weight = s.give("weight");
  int64_t channels = size(weight, 0);
  s.follow("bias", tensorOf(channels, weight));
  s.follow("class_token", tensorOf(channels, weight));
  int64_t patches = times(share(size(pixels, 2), size(weight, 2)),
                          share(size(pixels, 3), size(weight, 3)));
  int64_t tokens =
      patches > 0 ? patches + static_cast<int64_t>(s.count("class_token")) : -1;
  s.follow("position_table", tensorOf({tokens, channels}, weight));
  s.result(tensorOf({size(pixels, 0), tokens, channels}, weight));
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

void parablock::block::ruleResidual(Signature &s) {
  Type input = s.give("input");
  s.follow("branches", input);
  s.result(input);
}

void parablock::block::ruleScale(Signature &s) {
  Type input = s.give("input");
  s.follow("gain", tensorOf(width(input), input));
  s.result(input);
}

void parablock::block::ruleDropout(Signature &s) {
  Type input = s.give("input");
  s.follow("seed", seed(input));
  s.result(input);
}

void parablock::block::ruleActivation(Signature &s) {
  s.result(s.give("input"));
}

void parablock::block::ruleClamp(Signature &s) { s.result(s.give("input")); }

void parablock::block::ruleGate(Signature &s) {
  Type gate = s.give("gate");
  s.follow("up", gate);
  s.result(gate);
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// One number.
static Type number(Type like) {
  return like ? RankedTensorType::get({}, float32(like)) : Type();
}

/// States the operands of a cross entropy; returns the type of its input.
static Type ruleLossOperands(Signature &s) {
  Type input = s.give("input"), weight = s.give("weight");
  auto shaped = dyn_cast_if_present<RankedTensorType>(input);
  s.follow("targets",
           shaped && shaped.getRank() == 3
               ? RankedTensorType::get(shaped.getShape().drop_back(),
                                       IntegerType::get(input.getContext(), 64))
               : Type());
  s.follow("bias", tensorOf(size(weight, 0), weight));
  s.follow("divisor", number(input));
  return input;
}

void parablock::block::ruleCrossEntropy(Signature &s) {
  s.result(number(ruleLossOperands(s)));
}

void parablock::block::ruleCrossEntropyGrad(Signature &s) {
  Type input = ruleLossOperands(s);
  s.follow("gradient", number(input));
  s.result(input);
}

void parablock::block::ruleSoftcapGrad(Signature &s) {
  Type gradient = s.give("gradient");
  s.follow("output", gradient);
  s.result(gradient);
}

void parablock::block::ruleElementGrad(Signature &s) {
  Type gradient = s.give("gradient");
  s.follow("input", gradient);
  s.result(gradient);
}

void parablock::block::ruleWeightGrad(Signature &s) {
  Type gradient = s.give("gradients");
  s.give("inputs");
  auto sum = [](ArrayRef<Type> types) {
    int64_t total = 0;
    for (Type type : types) {
      if (width(type) <= 0)
        return int64_t(-1);
      total += width(type);
    }
    return total;
  };
  int64_t shape[] = {sum(s.types("gradients")), sum(s.types("inputs"))};
  bool known = gradient && shape[0] > 0 && shape[1] > 0;
  s.result(known ? RankedTensorType::get(shape, float32(gradient)) : Type());
}

void parablock::block::ruleColumnSums(Signature &s) {
  Type input = s.give("input");
  s.follow("factor", input);
  s.result(vectorOfF32(share(width(input), s.integer("groups", 1)), input));
}

void parablock::block::ruleEmbeddingGrad(Signature &s) {
  Type gradient = s.give("gradient");
  Type ids = s.give("ids");
  s.follow("type_ids", ids);
  s.follow("offset", index(gradient));
  s.result({});
}

void parablock::block::rulePatchEmbeddingGrad(Signature &s) {
  s.give("gradient");
  s.give("pixels");
  s.give("weight");
  s.result({});
}

void parablock::block::ruleNormGrad(Signature &s) {
  Type gradient = s.give("gradient");
  int64_t groups = s.integer("groups", 1);
  Type input = s.follow("input", gradient);
  s.follow("mean", statistics(input, groups));
  s.follow("moment", statistics(input, groups));
  s.follow("gamma", tensorOf(share(width(input), groups), input));
  s.result(input);
}

void parablock::block::ruleRowDots(Signature &s) {
  Type input = s.give("input");
  Type sums = statistics(input, s.integer("groups", 1));
  s.follow("factor", input);
  s.follow("vector", vectorOfF32(width(input), input));
  s.follow("addend", sums);
  s.result(sums);
}

void parablock::block::ruleDeferredNormGrad(Signature &s) {
  Type input = s.give("input");
  s.follow("gradient", input);
  for (StringRef statistic : {"mean", "moment", "sums", "dots"})
    s.follow(statistic, statistics(input, 1));
  s.follow("gamma", tensorOf(width(input), input));
  s.result(input);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

void parablock::block::ruleReparam(Signature &s) {
  Type delta = s.give("delta");
  s.follow("initial", delta);
  s.result(delta);
}

void parablock::block::ruleFoldGain(Signature &s) {
  Type weight = s.give("weight");
  s.follow("gamma", tensorOf(width(weight), weight));
  s.result(weight);
}

void parablock::block::ruleFoldBias(Signature &s) {
  Type weight = s.give("weight");
  s.follow("beta", tensorOf(width(weight), weight));
  s.follow("bias", tensorOf(size(weight, 0), weight));
  s.result(vectorOfF32(size(weight, 0), weight));
}

void parablock::block::ruleFoldScale(Signature &s) {
  Type weight = s.give("weight");
  s.follow("gain", tensorOf(size(weight, 0), weight));
  s.result(weight);
}

void parablock::block::ruleWeightSums(Signature &s) {
  Type weight = s.give("weight");
  s.result(vectorOfF32(size(weight, 0), weight));
}

void parablock::block::ruleBiasSum(Signature &s) {
  Type bias = s.giveOne("biases");
  s.result(vectorOfF32(width(bias), bias));
}

void parablock::block::ruleMatrixDots(Signature &s) {
  Type left = s.give("left");
  s.follow("right", left);
  // The type for columns: the keyword `rows` is not an entry of the dictionary,
  // and rules see only the dictionary.
  s.result(vectorOfF32(size(left, 1), left));
}

void parablock::block::ruleOuterUpdate(Signature &s) {
  Type left = s.give("left");
  Type right = s.give("right");
  Type matrix = tensorOf({size(left, 0), size(right, 0)}, left);
  s.result(s.has("matrix") ? s.follow("matrix", matrix) : matrix);
}
