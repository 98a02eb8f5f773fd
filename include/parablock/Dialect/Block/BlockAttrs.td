//===- BlockAttrs.td - structured attributes of the block dialect *- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A form that several ops share (a norm, a rotation, a score pipeline) is one
// attribute, checked in one place and moved as a whole when an op is expanded.
//
//===----------------------------------------------------------------------===//

#ifndef PARABLOCK_IR_BLOCKATTRS_TD
#define PARABLOCK_IR_BLOCKATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "parablock/Dialect/Block/BlockDialect.td"
include "parablock/Dialect/Block/BlockEnums.td"

class Block_Attr<string name, string attrMnemonic> : AttrDef<Block_Dialect, name> {
  let mnemonic = attrMnemonic;
}

/// A real number, kept as an f64 FloatAttr and written without its type.
class Block_RealParameter<string desc>
    : AttrParameter<"::mlir::FloatAttr", desc> {
  let parser = "::parablock::block::parseReal($_parser)";
  let printer = "::parablock::block::printReal($_printer, $_self)";
}
class Block_OptionalRealParameter<string desc> : Block_RealParameter<desc> {
  let defaultValue = "::mlir::FloatAttr()";
  let parser = "::parablock::block::parseOptionalReal($_parser)";
}
/// Any attribute, its numbers without their types.
class Block_PlainParameter<string type, string desc> : AttrParameter<type, desc> {
  let printer = "::parablock::block::printPlain($_printer, $_self)";
}
class Block_OptionalDictionary<string desc>
    : OptionalParameter<"::mlir::DictionaryAttr", desc> {
  let printer = "::parablock::block::printPlain($_printer, $_self)";
}
class Block_DefaultEnumParameter<EnumAttrInfo info, string value> : EnumParameter<info> {
  let defaultValue = value;
}
class Block_RealListParameter<string desc>
    : OptionalParameter<"::mlir::DenseF64ArrayAttr", desc> {
  let parser = "::parablock::block::parseRealList($_parser)";
  let printer = "::parablock::block::printRealList($_printer, $_self)";
}

def Block_NormAttr : Block_Attr<"Norm", "norm"> {
  let summary = "the form of a normalisation, without its gain and bias";
  let description = [{
    With `m` the mean of the normalised elements (0 unless `kind = layer`) and
    `s` the mean of `(x - m)^2` (their sum for `kind = l2`), the result is
    `(x - m) * r`, where `r` is

    * `inside_root`: `1 / sqrt(s + eps)`
    * `outside_root`: `1 / (sqrt(s) + eps)`
    * `clamp`: `1 / max(sqrt(s), eps)`

    A gain `g` multiplies it as `g` (`direct`) or `1 + g` (`one_plus`); a bias is
    added last. With `before_gain` the normalised value is rounded to the
    element type of the result before the gain, with `after_gain` only at the
    end.

    Constraint: [ATTR-1] eps is finite and at least 0.
  }];
  let parameters = (ins
    EnumParameter<Block_NormKind>:$kind,
    Block_RealParameter<"added to, or a floor of, the divisor; at least 0">:$eps,
    Block_DefaultEnumParameter<Block_EpsForm, "EpsForm::InsideRoot">:$eps_form,
    Block_DefaultEnumParameter<Block_GammaForm, "GammaForm::Direct">:$gamma_form,
    Block_DefaultEnumParameter<Block_NormRounding, "NormRounding::AfterGain">:$rounding);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// True where the mean is subtracted first.
    bool isCentered() const { return getKind() == NormKind::Layer; }
    double getEpsValue() const { return getEps().getValueAsDouble(); }
  }];
}

def Block_QkNormAttr : Block_Attr<"QkNorm", "qk_norm"> {
  let summary = "norm of queries and keys: its form, what it spans and when";
  let parameters = (ins
    "::parablock::block::NormAttr":$form,
    Block_DefaultEnumParameter<Block_QkNormExtent, "QkNormExtent::Head">:$extent,
    Block_DefaultEnumParameter<Block_QkNormPlace, "QkNormPlace::BeforeRope">:$place);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Block_RopeAttr : Block_Attr<"Rope", "rope"> {
  let summary = "rotary position embedding";
  let description = [{
    The first `dim` components of every head are rotated in pairs by the angle
    `position * f_i`, with `f_i = base^(-2i/dim)`, or `inv_freq[i]` where that
    list is given. `half` pairs component `i` with `i + dim/2`, `interleaved`
    pairs `2i` with `2i + 1`: `(a, b)` becomes `(a cos - b sin, b cos + a sin)`.
    Cosines and sines are multiplied by `table_scale` and, where `table_type`
    is given, rounded to that type before use.

    Constraints: [ATTR-2] dim is positive and even; [ATTR-3] there is one entry of
    inv_freq per pair; [ATTR-4] the base is positive; [ATTR-5] the table type is a
    float type.
  }];
  let parameters = (ins
    EnumParameter<Block_RopeStyle>:$style,
    "int64_t":$dim,
    Block_OptionalRealParameter<"base of the frequencies, 10000 where absent">:$base,
    Block_RealListParameter<"dim/2 frequencies, instead of those of base">:$inv_freq,
    Block_OptionalRealParameter<"factor of cosines and sines, 1 where absent">:$table_scale,
    OptionalParameter<"::mlir::Type", "type the table is rounded to">:$table_type);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    double getBaseValue() const { return getBase() ? getBase().getValueAsDouble() : 10000.0; }
    double getTableScaleValue() const {
      return getTableScale() ? getTableScale().getValueAsDouble() : 1.0;
    }
    /// The frequency of pair `pair`, from the list or from the base.
    double getFrequency(int64_t pair) const;
  }];
}

def Block_ScoresAttr : Block_Attr<"Scores", "scores"> {
  let summary = "how attention scores are formed and which keys are allowed";
  let description = [{
    With `i` the position of the query and `j` that of the key (both count
    past tokens), a key is allowed if `j <= i` (`causal`), `j > i - window` and,
    where not causal, `j < i + window`, and if it is not padding. Masking is
    exact: a key that is not allowed has weight 0, whatever the order below.

    The score of an allowed key starts as `q.k` (plus the Shaw term, where there
    is a `shaw_key` table) and passes, in the order of `order`, through: times
    `scale`; plus bias (ALiBi's `-slope_h * |i - j|` and the bucketed table's
    entry); `cap * tanh(score / cap)`. ALiBi's slopes for `H` heads and the
    maximum `M`: with `P` the smallest power of two that is at least `H`,
    `m_k = 2^(-M k / P)`, `k = 1..P`; for `H = P` in that order, else
    first the even `k`, then the odd ones, cut to `H`. With `alibi_type`, ALiBi's
    bias is `round(round(slope_h) * round(j))` instead, rounded to that type: the
    same distances, but for the rounding, which some checkpoints were trained with.

    Constraints: [ATTR-6] the scale is finite; [ATTR-7] a window is at least 1;
    [ATTR-8] a soft cap is positive; [ATTR-9] ALiBi's maximum is positive;
    [ATTR-12] an ALiBi type is a float type and comes with `alibi_max` and `causal`.
  }];
  let parameters = (ins
    Block_RealParameter<"factor of q.k">:$scale,
    DefaultValuedParameter<"bool", "false", "keys after the query are hidden">:$causal,
    OptionalParameter<"std::optional<int64_t>", "how many keys back a query sees">:$window,
    Block_OptionalRealParameter<"soft cap of the scores">:$softcap,
    Block_OptionalRealParameter<"ALiBi's largest exponent">:$alibi_max,
    Block_DefaultEnumParameter<Block_ScoreOrder, "ScoreOrder::ScaleBiasCap">:$order,
    OptionalParameter<"::mlir::Type", "type ALiBi is rounded to">:$alibi_type);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    double getScaleValue() const { return getScale().getValueAsDouble(); }
  }];
}

def Block_BucketsAttr : Block_Attr<"Buckets", "buckets"> {
  let summary = "bucketing of relative positions for a bias table";
  let description = [{
    The table has one row per bucket. With `n` buckets (half of the rows where
    `bidirectional`: the upper half is for keys after the query) and distance
    `x = max(i - j, 0)` (`|i - j|` where bidirectional), the bucket is `x` for
    `x < n/2`, else `min(n - 1, n/2 + trunc(log(x / (n/2)) / log(max_distance / (n/2)) * (n - n/2)))`,
    the logarithm and its quotient computed in f32, as checkpoints were trained with.

    Constraint: [ATTR-10] the last bucket's distance is at least 2.
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "128", "distance of the last bucket">:$max_distance,
    DefaultValuedParameter<"bool", "false", "later keys have buckets of their own">:$bidirectional);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Block_DropoutAttr : Block_Attr<"Dropout", "dropout"> {
  let summary = "which elements are dropped in training";
  let description = [{
    Element `c` of row `r`, where the last dimension is what rows hold and all others count
    them, is dropped with probability `rate`: where a number of 32 bits, drawn for it alone,
    is below `rate * 2^32`, rounded. What stays is multiplied by `1 / (1 - rate)`. The number
    follows from the seed, `site`, `r` and `c` and from nothing else, so that gradients and
    recomputed values drop the same. With `mix(z)` the 64-bit steps `z ^= z >> 30; z *=
    0xbf58476d1ce4e5b9; z ^= z >> 27; z *= 0x94d049bb133111eb; z ^= z >> 31`, the row has
    `k = mix(mix(seed + 0x9e3779b97f4a7c15 (site + 1)) + 0x9e3779b97f4a7c15 (r + 1))`, and
    the element, of 32 bits, with `lo` and `hi` the halves of `k`: `h = c + lo; h ^= h >> 16;
    h *= 0x7feb352d; h ^= h >> 15; h += hi; h *= 0x846ca68b; h ^= h >> 16`.

    Constraints: [ATTR-13] the rate is at least 0 and below 1; the site is not negative.
  }];
  let parameters = (ins
    Block_RealParameter<"the share that is dropped">:$rate,
    DefaultValuedParameter<"int64_t", "0", "the place in a model">:$site);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Block_RoutingAttr : Block_Attr<"Routing", "routing"> {
  let summary = "how a router's logits become chosen experts and their weights";
  let description = [{
    With `l_e` the logits of a row, times `logit_scale`:

    1. `s_e` is the score: the softmax over all experts, `sigmoid(l_e)`, for `root_softplus`
       `sqrt(log(1 + exp(l_e)))`, or `l_e` itself;
    2. `c_e = s_e + correction_e` is the choice score, `s_e` without a correction;
    3. with `groups` above 1, experts are divided into so many groups of neighbours, a
       group's score is the largest `c_e` in it (`best`) or the sum of the two largest
       (`best_two`), and `kept` groups of the largest scores are kept, of equal ones the
       first. In the others `c_e` is minus infinity (`never`: these are not chosen), or 0;
    4. the `chosen` experts of the largest `c_e` are chosen, of equal ones the first;
    5. their weights are `w_e = s_e`, the softmax of `l_e` over the chosen, or `sigmoid(l_e)`;
       divided by their sum plus `eps` (`added`), by the larger of their sum and `eps`
       (`floored`), or by nothing (`one`);
    6. times `weight_scale` and the expert's `expert_scale`, where there is one.

    Constraints: [ATTR-14] one expert is chosen at least, and of one group at least, one is
    kept at least and all of them at most; [ATTR-15] eps is finite and at least 0, and 0
    where weights are divided by nothing; [ATTR-16] both scales are finite.
  }];
  let parameters = (ins
    "int64_t":$chosen,
    EnumParameter<Block_RouterScore>:$score,
    Block_DefaultEnumParameter<Block_RouterWeight, "RouterWeight::Score">:$weight,
    Block_DefaultEnumParameter<Block_WeightSum, "WeightSum::One">:$divide_by,
    Block_OptionalRealParameter<"added to, or a floor of, the sum; 0 where absent">:$eps,
    DefaultValuedParameter<"int64_t", "1", "groups of experts">:$groups,
    DefaultValuedParameter<"int64_t", "1", "groups that are kept">:$kept,
    Block_DefaultEnumParameter<Block_GroupScore, "GroupScore::Best">:$group_score,
    Block_DefaultEnumParameter<Block_HiddenGroups, "HiddenGroups::Never">:$hidden,
    Block_OptionalRealParameter<"factor of logits, 1 where absent">:$logit_scale,
    Block_OptionalRealParameter<"factor of weights, 1 where absent">:$weight_scale);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    double getEpsValue() const { return getEps() ? getEps().getValueAsDouble() : 0.0; }
    double getLogitScaleValue() const {
      return getLogitScale() ? getLogitScale().getValueAsDouble() : 1.0;
    }
    double getWeightScaleValue() const {
      return getWeightScale() ? getWeightScale().getValueAsDouble() : 1.0;
    }
  }];
}

def Block_ExpertsAttr : Block_Attr<"Experts", "experts"> {
  let summary = "the MLP of an expert and where its weight enters";
  let description = [{
    With `u` and `g` the two halves of the hidden columns of `x up^T + up_bias`, the expert
    is `(h down^T + down_bias)` of `h = act(g) (u + up_offset)`. `gate_up` has all columns
    of `g` in front of those of `u`, `interleaved` has them at even columns and those of `u`
    at odd ones; `up` has no gate, and `h = act(u)`. With a `limit`, `g` is the smaller of
    itself and the limit, and `u` is bounded to [-limit, limit] first; without a gate `u`
    alone.

    Matrices are `[out, in]`, `transposed` ones `[in, out]`. `weigh` is what an expert's
    weight multiplies: its `output`, or the `input` it reads.

    Constraints: [ATTR-17] a limit is positive and finite; [ATTR-18] an offset of up is
    finite, and comes with a gate.
  }];
  let parameters = (ins
    EnumParameter<Block_Activation>:$activation,
    Block_DefaultEnumParameter<Block_ExpertLayout, "ExpertLayout::GateUp">:$layout,
    DefaultValuedParameter<"bool", "false", "matrices are [in, out]">:$transposed,
    Block_DefaultEnumParameter<Block_Weigh, "Weigh::Output">:$weigh,
    Block_OptionalRealParameter<"bound of gate and up">:$limit,
    Block_OptionalRealParameter<"added to up, 0 where absent">:$up_offset);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasGate() const { return getLayout() != ExpertLayout::Up; }
    double getUpOffsetValue() const {
      return getUpOffset() ? getUpOffset().getValueAsDouble() : 0.0;
    }
  }];
}

def Block_ApproxAttr : Block_Attr<"Approx", "approx"> {
  let summary = "the stamp of a rewrite that does not keep the function";
  let description = [{
    Left by every approximate pass on what it made: the pass, its parameters as
    text and the measured error, or `"unmeasured"`. Stamps add up: a second
    pass keeps the first one in `previous`.

    Constraint: [ATTR-11] the measured error is a number or "unmeasured".
  }];
  let parameters = (ins
    StringRefParameter<"flag of the pass">:$pass,
    StringRefParameter<"its parameters">:$parameters,
    Block_PlainParameter<"::mlir::Attribute", "measured error: an f64, or the string \"unmeasured\"">:$measured,
    OptionalParameter<"::parablock::block::ApproxAttr", "an earlier stamp">:$previous);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Block_DecisionAttr : Block_Attr<"Decision", "decision"> {
  let summary = "what a pass decided about a layer";
  let description = [{
    An entry of a layer's `log`: the flag of the pass, whether the rewrite was done,
    for a miss the reason in kebab-case, of several choices the one taken, the place in
    the source and the numbers that the decision rests on. Kept in the IR, so that explaining and requiring work in
    another process.
  }];
  let parameters = (ins
    StringRefParameter<"flag of the pass">:$pass,
    EnumParameter<Block_Outcome>:$outcome,
    OptionalParameter<"::mlir::StringAttr", "why not, from the list of reasons, or the choice">:$reason,
    OptionalParameter<"::mlir::StringAttr", "file:line:column">:$location,
    Block_OptionalDictionary<"numbers">:$metrics);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Block_InitAttr : Block_Attr<"Init", "init"> {
  let summary = "how `--seed` draws an argument";
  let description = [{
    `normal`: `mean + std * n` with `n` standard normal; `uniform`: the same
    mean and standard deviation; `constant`: `mean`. Rewrites keep it, so a
    rewritten function draws the same weights.
  }];
  let parameters = (ins
    EnumParameter<Block_InitKind>:$kind,
    Block_OptionalRealParameter<"mean, 0 where absent">:$mean,
    Block_OptionalRealParameter<"standard deviation, 1 where absent">:$std);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    double getMeanValue() const { return getMean() ? getMean().getValueAsDouble() : 0.0; }
    double getStdValue() const { return getStd() ? getStd().getValueAsDouble() : 1.0; }
  }];
}

#endif // PARABLOCK_IR_BLOCKATTRS_TD
