//===- ExpertGradKernels.cpp - gradients of experts -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// This file implements block.experts_grad. Rows of an expert lie one behind the
// other, as its forward kernel has them. A row of a matrix is read once for all
// of these rows: sums of products with it, or multiples of it. Stacks have
// their stored layout, [out, in] or [in, out], so that both kinds of products
// are needed either way.
//
//===----------------------------------------------------------------------===//

#include "ExpertGradKernels.h"

#include "parablock/Dialect/Block/ElementDerivative.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

namespace {
/// A tensor of f32 with a row for each place.
struct Rows {
  Value memory;
  int64_t width = 0;
};

/// A matrix of each expert, as it is stored.
struct Stack {
  Value memory;
  int64_t rows = 0, columns = 0;
};

class ExpertsGradBuilder {
public:
  ExpertsGradBuilder(Frame &frame, const ExpertGradForm &form)
      : frame(frame), code(frame.getCode()), form(form), type(form.form.input) {
  }

  KernelCode build();

private:
  void readTensors();
  void forPlaces(llvm::function_ref<void(Value)> body) {
    code.loop(from, to, 1, body);
  }
  Value load(const Rows &rows, Value place, Value column, int64_t lanes) {
    return code.loadRaw(rows.memory, code.f32Type(lanes),
                        code.addI(code.mulI(place, rows.width), column));
  }
  void store(Value value, const Rows &rows, Value place, Value column) {
    code.storeRaw(value, rows.memory,
                  code.addI(code.mulI(place, rows.width), column));
  }
  Value firstOf(const Stack &stack) {
    return code.mulI(expert, stack.rows * stack.columns);
  }
  /// The weight of a place's slot.
  Value weightOf(Value place) {
    return code.load(weights, form.form.weights, code.loadI64(slots, place), 1);
  }
  Value rowOf(Value place) {
    return code.divI(code.loadI64(slots, place), form.form.slots);
  }
  Value dot(int64_t width, Value initial,
            llvm::function_ref<std::pair<Value, Value>(Value, int64_t)> body);

  void gather();
  /// A row of the matrix makes a column of the target.
  void multiplyByRows(const Stack &stack, const Rows &source,
                      const Rows &target);
  /// A column of the source has a row of the matrix.
  void multiplyByColumns(const Stack &stack, const Rows &source,
                         const Rows &target);
  /// From inputs of a projection to its outputs, or back.
  void project(const Stack &stack, const Rows &source, const Rows &target,
               bool isForward) {
    if (isForward == form.mlp.getTransposed())
      multiplyByColumns(stack, source, target);
    else
      multiplyByRows(stack, source, target);
  }
  void addBiasAndRound(Value bias, const Rows &rows);
  void activate();
  void activateBack();
  /// Writes gradients by weights, and multiplies by the weight those by the
  /// hidden value and by what down gives.
  void weighHidden();
  /// Writes gradients by weights of inputs.
  void dotInputs();
  void sumProducts(const Stack &stack, Value result, const Rows &outputs,
                   const Rows &inputs);
  void sumRows(Value result, const Rows &rows);

  Frame &frame;
  Code &code;
  const ExpertGradForm &form;
  Type type;
  Value gradient, input, weights, firsts, slots, upBias, downBias;
  Stack up, down;
  Rows read, projected, hidden, byHidden, byOutput, byProjected, byRead;
  Value byWeight, ofUp, ofDown, ofUpBias, ofDownBias;
  /// The expert and its places.
  Value expert, from, to;
};
} // namespace

void ExpertsGradBuilder::readTensors() {
  unsigned next = 0;
  auto take = [&](bool isThere = true) {
    return isThere ? frame.getTensor(next++) : Value();
  };
  gradient = take();
  input = take();
  weights = take();
  firsts = take();
  slots = take();
  bool transposed = form.mlp.getTransposed();
  up = {take(), transposed ? form.depth : form.wide,
        transposed ? form.wide : form.depth};
  down = {take(), transposed ? form.hidden : form.width,
          transposed ? form.width : form.hidden};
  upBias = take(form.hasUpBias);
  downBias = take(form.hasDownBias);
  read = {take(), form.depth};
  projected = {take(), form.wide};
  hidden = {take(), form.hidden};
  byHidden = {take(), form.hidden};
  byOutput = {take(), form.width};
  byProjected = {take(), form.wide};
  byRead = {take(), form.depth};
  byWeight = take();
  ofUp = take(form.up);
  ofDown = take(form.down);
  ofUpBias = take(form.upBias);
  ofDownBias = take(form.downBias);
}

Value ExpertsGradBuilder::dot(
    int64_t width, Value initial,
    llvm::function_ref<std::pair<Value, Value>(Value, int64_t)> body) {
  int64_t lanes = code.lanes(), whole = width / lanes * lanes;
  Value many = code.loop(code.index(0), code.index(whole), lanes,
                         code.splat(code.f32(0), lanes),
                         [&](Value at, ValueRange before) -> Values {
                           auto [a, b] = body(at, lanes);
                           return {code.fma(a, b, before[0])};
                         })[0];
  Value sum = code.add(initial, code.sum(many));
  return code.loop(code.index(whole), code.index(width), 1, sum,
                   [&](Value at, ValueRange before) -> Values {
                     auto [a, b] = body(at, 1);
                     return {code.fma(a, b, before[0])};
                   })[0];
}

void ExpertsGradBuilder::gather() {
  forPlaces([&](Value place) {
    Value row = rowOf(place);
    Value weight = form.form.weighsInput ? weightOf(place) : Value();
    Value first = code.mulI(row, form.depth);
    forVectors(code, form.depth, [&](Value at, int64_t lanes) {
      Value x = code.load(input, type, code.addI(first, at), lanes);
      if (weight)
        x = code.round(code.mul(x, code.splat(weight, lanes)), type);
      store(x, read, place, at);
    });
    Value firstOut = code.mulI(row, form.width);
    forVectors(code, form.width, [&](Value at, int64_t lanes) {
      store(
          code.load(gradient, form.form.result, code.addI(firstOut, at), lanes),
          byOutput, place, at);
    });
  });
}

void ExpertsGradBuilder::multiplyByRows(const Stack &stack, const Rows &source,
                                        const Rows &target) {
  Value first = firstOf(stack);
  code.loop(code.index(0), code.index(stack.rows), 1, [&](Value row) {
    Value own = code.addI(first, code.mulI(row, stack.columns));
    forPlaces([&](Value place) {
      auto multiply = [&](Value at, int64_t lanes) {
        return std::pair(
            code.load(stack.memory, type, code.addI(own, at), lanes),
            load(source, place, at, lanes));
      };
      store(dot(stack.columns, code.f32(0), multiply), target, place, row);
    });
  });
}

void ExpertsGradBuilder::multiplyByColumns(const Stack &stack,
                                           const Rows &source,
                                           const Rows &target) {
  Value first = firstOf(stack);
  code.fillZeros(code.address(target.memory, code.mulI(from, target.width),
                              code.f32Type(1)),
                 code.mulI(code.subI(to, from), target.width));
  code.loop(code.index(0), code.index(stack.rows), 1, [&](Value row) {
    Value own = code.addI(first, code.mulI(row, stack.columns));
    forPlaces([&](Value place) {
      Value factor = load(source, place, row, 1);
      forVectors(code, stack.columns, [&](Value at, int64_t lanes) {
        Value x = code.load(stack.memory, type, code.addI(own, at), lanes);
        store(code.fma(code.splat(factor, lanes), x,
                       load(target, place, at, lanes)),
              target, place, at);
      });
    });
  });
}

void ExpertsGradBuilder::addBiasAndRound(Value bias, const Rows &rows) {
  if (!bias && type.isF32())
    return;
  Value first = code.mulI(expert, rows.width);
  forPlaces([&](Value place) {
    forVectors(code, rows.width, [&](Value at, int64_t lanes) {
      Value x = load(rows, place, at, lanes);
      if (bias)
        x = code.add(x, code.load(bias, type, code.addI(first, at), lanes));
      store(code.round(x, type), rows, place, at);
    });
  });
}

namespace {
/// Gate and up of a hidden column, within their limits.
struct Bounded {
  /// Null without a gate.
  Value gate, up;
  /// Columns of gate and up.
  Value gateAt, upAt;
  /// 1 where each is within its limit, else 0; null without a limit.
  Value gatePasses, upPasses;
};
} // namespace

static Bounded bound(Code &code, const ExpertGradForm &form, Value at,
                     llvm::function_ref<Value(Value)> loadColumn) {
  block::ExpertsAttr mlp = form.mlp;
  bool interleaved = mlp.getLayout() == block::ExpertLayout::Interleaved;
  Bounded own;
  own.upAt = at;
  if (mlp.hasGate()) {
    own.gateAt = interleaved ? code.mulI(at, 2) : at;
    own.upAt =
        interleaved ? code.addI(own.gateAt, 1) : code.addI(at, form.hidden);
    own.gate = loadColumn(own.gateAt);
  }
  own.up = loadColumn(own.upAt);
  if (!mlp.getLimit())
    return own;
  Value limit = code.f32(mlp.getLimit().getValueAsDouble());
  Value below = code.neg(limit);
  auto passes = [&](Value isBeyond) {
    return code.select(isBeyond, code.f32(0), code.f32(1));
  };
  own.upPasses = code.mul(passes(code.less(limit, own.up)),
                          passes(code.less(own.up, below)));
  own.up = code.max(code.min(own.up, limit), below);
  if (own.gate) {
    own.gatePasses = passes(code.less(limit, own.gate));
    own.gate = code.min(own.gate, limit);
  }
  return own;
}

/// Calls `body` for hidden columns. Gate and up that alternate are read one by
/// one.
static void forHidden(Code &code, const ExpertGradForm &form,
                      llvm::function_ref<void(Value, int64_t)> body) {
  if (form.mlp.getLayout() != block::ExpertLayout::Interleaved)
    return forVectors(code, form.hidden, body);
  code.loop(code.index(0), code.index(form.hidden), 1,
            [&](Value at) { body(at, 1); });
}

void ExpertsGradBuilder::activate() {
  block::Activation kind = form.mlp.getActivation();
  forPlaces([&](Value place) {
    forHidden(code, form, [&](Value at, int64_t lanes) {
      Bounded own = bound(code, form, at, [&](Value column) {
        return load(projected, place, column, lanes);
      });
      Value x = code.activate(kind, own.gate ? own.gate : own.up);
      if (own.gate)
        x = code.mul(x,
                     code.add(own.up, code.f32(form.mlp.getUpOffsetValue())));
      store(code.round(x, type), hidden, place, at);
    });
  });
}

void ExpertsGradBuilder::activateBack() {
  block::Activation kind = form.mlp.getActivation();
  forPlaces([&](Value place) {
    forHidden(code, form, [&](Value at, int64_t lanes) {
      Bounded own = bound(code, form, at, [&](Value column) {
        return load(projected, place, column, lanes);
      });
      Value dy = load(byHidden, place, at, lanes);
      auto put = [&](Value slope, Value passes, Value column) {
        Value x = code.mul(dy, slope);
        store(passes ? code.mul(x, passes) : x, byProjected, place, column);
      };
      if (!own.gate) {
        put(emitDerivative(code, kind, own.up), own.upPasses, own.upAt);
        return;
      }
      put(code.activate(kind, own.gate), own.upPasses, own.upAt);
      Value other = code.add(own.up, code.f32(form.mlp.getUpOffsetValue()));
      put(code.mul(emitDerivative(code, kind, own.gate), other), own.gatePasses,
          own.gateAt);
    });
  });
}

void ExpertsGradBuilder::weighHidden() {
  Value first = code.mulI(expert, form.width);
  forPlaces([&](Value place) {
    // dy . (h down^T) = (dy down) . h, which needs no output of down.
    Value sum = dot(form.hidden, code.f32(0), [&](Value at, int64_t lanes) {
      return std::pair(load(byHidden, place, at, lanes),
                       load(hidden, place, at, lanes));
    });
    if (downBias)
      sum = dot(form.width, sum, [&](Value at, int64_t lanes) {
        return std::pair(
            load(byOutput, place, at, lanes),
            code.load(downBias, type, code.addI(first, at), lanes));
      });
    code.storeRaw(sum, byWeight, place);
    Value weight = weightOf(place);
    for (const Rows &rows : {byHidden, byOutput})
      forVectors(code, rows.width, [&](Value at, int64_t lanes) {
        store(code.mul(load(rows, place, at, lanes), code.splat(weight, lanes)),
              rows, place, at);
      });
  });
}

void ExpertsGradBuilder::dotInputs() {
  forPlaces([&](Value place) {
    Value first = code.mulI(rowOf(place), form.depth);
    auto multiply = [&](Value at, int64_t lanes) {
      return std::pair(code.load(input, type, code.addI(first, at), lanes),
                       load(byRead, place, at, lanes));
    };
    code.storeRaw(dot(form.depth, code.f32(0), multiply), byWeight, place);
  });
}

void ExpertsGradBuilder::sumProducts(const Stack &stack, Value result,
                                     const Rows &outputs, const Rows &inputs) {
  if (!result)
    return;
  bool transposed = form.mlp.getTransposed();
  const Rows &ofRow = transposed ? inputs : outputs,
             &ofColumn = transposed ? outputs : inputs;
  Value first = firstOf(stack);
  code.fillZeros(code.address(result, first, code.f32Type(1)),
                 stack.rows * stack.columns);
  code.loop(code.index(0), code.index(stack.rows), 1, [&](Value row) {
    Value own = code.addI(first, code.mulI(row, stack.columns));
    forPlaces([&](Value place) {
      Value factor = load(ofRow, place, row, 1);
      forVectors(code, stack.columns, [&](Value at, int64_t lanes) {
        Value target = code.addI(own, at);
        Value known = code.loadRaw(result, code.f32Type(lanes), target);
        code.storeRaw(code.fma(code.splat(factor, lanes),
                               load(ofColumn, place, at, lanes), known),
                      result, target);
      });
    });
  });
}

void ExpertsGradBuilder::sumRows(Value result, const Rows &rows) {
  if (!result)
    return;
  Value first = code.mulI(expert, rows.width);
  code.fillZeros(code.address(result, first, code.f32Type(1)), rows.width);
  forPlaces([&](Value place) {
    forVectors(code, rows.width, [&](Value at, int64_t lanes) {
      Value target = code.addI(first, at);
      Value known = code.loadRaw(result, code.f32Type(lanes), target);
      code.storeRaw(code.add(known, load(rows, place, at, lanes)), result,
                    target);
    });
  });
}

KernelCode ExpertsGradBuilder::build() {
  readTensors();
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value number) {
    expert = number;
    from = code.loadI64(firsts, expert);
    to = code.loadI64(firsts, code.addI(expert, 1));
    gather();
    project(up, read, projected, /*isForward=*/true);
    addBiasAndRound(upBias, projected);
    activate();
    project(down, byOutput, byHidden, /*isForward=*/false);
    if (!form.form.weighsInput)
      weighHidden();
    activateBack();
    project(up, byProjected, byRead, /*isForward=*/false);
    if (form.form.weighsInput)
      dotInputs();
    sumProducts(up, ofUp, byProjected, read);
    sumProducts(down, ofDown, byOutput, hidden);
    sumRows(ofUpBias, byProjected);
    sumRows(ofDownBias, byOutput);
  });
  return frame.finish();
}

KernelCode cpugen::buildExpertsGradKernel(Frame &frame,
                                          const ExpertGradForm &form) {
  return ExpertsGradBuilder(frame, form).build();
}

KernelCode cpugen::buildSlotsKernel(Frame &frame, int64_t slots, Type type) {
  Code &code = frame.getCode();
  Value numbers = frame.getTensor(0), places = frame.getTensor(1),
        result = frame.getTensor(2);
  auto move = [&](Value slot) {
    Value place = code.loadI64(places, slot);
    // An empty slot reads any place.
    Value own =
        code.loadRaw(numbers, code.f32Type(1), code.maxI(place, code.index(0)));
    Value isThere = code.lessI(code.index(-1), place);
    code.store(code.select(isThere, own, code.f32(0)), result, type, slot);
  };
  code.loop(code.mulI(frame.getBegin(), slots),
            code.mulI(frame.getEnd(), slots), 1, move);
  return frame.finish();
}
