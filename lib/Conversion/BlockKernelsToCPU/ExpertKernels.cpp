//===- ExpertKernels.cpp - orders slots, runs experts, sums ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A slot is one expert of one row, and a place a slot in the order of experts.
// The rows of an expert lie one behind the other in that order, so each expert
// is two products of the engine's usual kernels. An expert without rows reads
// nothing: of few rows, only the weights of their experts pass.
//
//===----------------------------------------------------------------------===//

#include "ExpertKernels.h"

#include "parablock/Dialect/Block/ElementTypes.h"

using namespace mlir;
using namespace parablock;
using namespace parablock::cpugen;

static Value both(Code &code, Value a, Value b) {
  return arith::AndIOp::create(code.builder, code.loc, a, b);
}

void cpugen::forVectors(Code &code, int64_t width,
                        llvm::function_ref<void(Value, int64_t)> body) {
  int64_t whole = width / code.lanes() * code.lanes();
  code.loop(code.index(0), code.index(whole), code.lanes(),
            [&](Value at) { body(at, code.lanes()); });
  code.loop(code.index(whole), code.index(width), 1,
            [&](Value at) { body(at, 1); });
}

void cpugen::writeIndexFault(Code &code, cpu::Fault::Kind kind, Value indices,
                             Value wrong, int64_t slots, int64_t experts,
                             Value fault) {
  Value zero = code.index(0);
  Value isWrong = code.lessI(code.index(-1), wrong);
  code.storeRaw(zero, fault, zero);
  code.ifThen(isWrong, [&] {
    for (auto [place, number] : llvm::enumerate(Values{
             code.index(kind), code.divI(wrong, slots), code.remI(wrong, slots),
             code.loadI64(indices, wrong), code.index(experts)}))
      code.storeRaw(number, fault, code.index(static_cast<int64_t>(place)));
  });
}

KernelCode cpugen::buildOrderKernel(Frame &frame, const ExpertForm &form) {
  Code &code = frame.getCode();
  Value indices = frame.getTensor(0), weights = frame.getTensor(1),
        firsts = frame.getTensor(2), slots = frame.getTensor(3),
        places = frame.getTensor(4), fault = frame.getTensor(5);
  Value zero = code.index(0), experts = code.index(form.experts);
  Value count =
      code.mulI(code.mulI(frame.getDim(0), frame.getDim(1)), form.slots);
  Value next = frame.allocate(form.experts * 8);
  code.loop(zero, code.index(form.experts + 1), 1,
            [&](Value e) { code.storeRaw(zero, firsts, e); });
  auto isExpert = [&](Value index) {
    return both(code, code.lessI(code.index(-1), index),
                code.lessI(index, experts));
  };
  code.loop(zero, count, 1, [&](Value slot) {
    Value index = code.loadI64(indices, slot);
    code.ifThen(isExpert(index), [&] {
      Value behind = code.addI(index, 1);
      code.storeRaw(code.addI(code.loadI64(firsts, behind), 1), firsts, behind);
    });
  });
  code.loop(zero, experts, 1, [&](Value e) {
    Value first = code.loadI64(firsts, e), behind = code.addI(e, 1);
    code.storeRaw(first, next, e);
    code.storeRaw(code.addI(first, code.loadI64(firsts, behind)), firsts,
                  behind);
  });
  Value none = code.index(-1);
  auto placeSlot = [&](Value slot, ValueRange known) -> Values {
    Value index = code.loadI64(indices, slot);
    auto place = [&]() -> Values {
      Value own = code.loadI64(next, index);
      code.storeRaw(code.addI(own, 1), next, index);
      code.storeRaw(slot, slots, own);
      return {own, none};
    };
    auto skip = [&]() -> Values {
      Value weight = code.load(weights, form.weights, slot, 1);
      Value isZero =
          arith::CmpFOp::create(code.builder, code.loc,
                                arith::CmpFPredicate::OEQ, weight, code.f32(0));
      Value isEmpty = both(code, isZero, code.lessI(none, index));
      return {none, code.select(isEmpty, none, slot)};
    };
    Type i64 = code.builder.getI64Type();
    Values found =
        code.ifElse(isExpert(index), TypeRange{i64, i64}, place, skip);
    code.storeRaw(found[0], places, slot);
    return {code.select(code.equalI(known[0], none), found[1], known[0])};
  };
  Value wrong = code.loop(zero, count, 1, none, placeSlot)[0];
  writeIndexFault(code, cpu::Fault::IndexWithoutExpert, indices, wrong,
                  form.slots, form.experts, fault);
  return frame.finish();
}

namespace {
/// Calls the products of one expert after the other.
class ExpertsBuilder {
public:
  ExpertsBuilder(Frame &frame, const ExpertForm &form, const ExpertProduct &up,
                 const ExpertProduct &down)
      : frame(frame), code(frame.getCode()), form(form), up(up), down(down) {}

  KernelCode build();

private:
  struct Tensors {
    Value rows, packed, bias, result;
    Type resultType;
  };
  void gather(Value from, Value count);
  void call(const ExpertProduct &product, const Tensors &tensors, Value expert,
            Value first, Value count);
  void store(Value value, Value memory, int64_t place);

  Frame &frame;
  Code &code;
  const ExpertForm &form;
  const ExpertProduct &up, &down;
  Value input, weights, slots, gathered;
  /// Arguments of calls, and the scratch of what is called.
  Value pointers, sizes, scratch;
};
} // namespace

/// Copies rows of the input to the places from `from` on.
void ExpertsBuilder::gather(Value from, Value count) {
  code.loop(code.index(0), count, 1, [&](Value number) {
    Value place = code.addI(from, number), slot = code.loadI64(slots, place);
    Value source = code.mulI(code.divI(slot, form.slots), up.depth),
          target = code.mulI(place, up.depth);
    Value weight =
        form.weighsInput ? code.load(weights, form.weights, slot, 1) : Value();
    forVectors(code, up.depth, [&](Value at, int64_t lanes) {
      Value x = code.load(input, form.input, code.addI(source, at), lanes);
      if (weight)
        x = code.mul(x, code.splat(weight, lanes));
      code.store(x, gathered, form.input, code.addI(target, at));
    });
  });
}

void ExpertsBuilder::store(Value value, Value memory, int64_t place) {
  LLVM::StoreOp::create(
      code.builder, code.loc, value,
      code.address(memory, code.index(place), value.getType()));
}

void ExpertsBuilder::call(const ExpertProduct &product, const Tensors &tensors,
                          Value expert, Value first, Value count) {
  int64_t place = 0;
  auto pass = [&](Value memory, Value elements, Type type) {
    store(code.address(memory, elements, type), pointers, place++);
  };
  pass(tensors.rows, code.mulI(first, product.depth), product.element);
  pass(tensors.packed, code.mulI(expert, product.countPacked()),
       product.element);
  if (product.hasBias)
    pass(tensors.bias, code.mulI(expert, product.columns), product.element);
  pass(tensors.result, code.mulI(first, product.width), tensors.resultType);
  store(code.index(1), sizes, 0);
  store(count, sizes, 1);
  store(code.index(0), sizes, 2);
  store(code.index(0), sizes, 3);
  Value items =
      code.mulI(code.ceilDivI(count, product.code.block), product.code.factor);
  func::CallOp::create(
      code.builder, code.loc, product.code.name, TypeRange(),
      ValueRange{pointers, sizes, scratch, code.index(0), items});
}

KernelCode ExpertsBuilder::build() {
  unsigned next = 0;
  input = frame.getTensor(next++);
  weights = frame.getTensor(next++);
  Value firsts = frame.getTensor(next++);
  slots = frame.getTensor(next++);
  Tensors first{}, second{};
  first.packed = frame.getTensor(next++);
  second.packed = frame.getTensor(next++);
  if (up.hasBias)
    first.bias = frame.getTensor(next++);
  if (down.hasBias)
    second.bias = frame.getTensor(next++);
  first.rows = gathered = frame.getTensor(next++);
  first.result = second.rows = frame.getTensor(next++);
  second.result = frame.getTensor(next++);
  first.resultType = form.input;
  second.resultType = code.builder.getF32Type();
  pointers = frame.allocate(4 * 8);
  sizes = frame.allocate(4 * 8);
  scratch =
      frame.allocate(std::max(up.code.scratchBytes, down.code.scratchBytes));
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value expert) {
    Value from = code.loadI64(firsts, expert);
    Value count = code.subI(code.loadI64(firsts, code.addI(expert, 1)), from);
    code.ifThen(code.lessI(code.index(0), count), [&] {
      gather(from, count);
      call(up, first, expert, from, count);
      call(down, second, expert, from, count);
    });
  });
  return frame.finish();
}

KernelCode cpugen::buildExpertsKernel(Frame &frame, const ExpertForm &form,
                                      const ExpertProduct &up,
                                      const ExpertProduct &down) {
  return ExpertsBuilder(frame, form, up, down).build();
}

KernelCode cpugen::buildCombineKernel(Frame &frame, const ExpertForm &form,
                                      int64_t width) {
  Code &code = frame.getCode();
  Value products = frame.getTensor(0), places = frame.getTensor(1),
        weights = frame.getTensor(2), result = frame.getTensor(3);
  code.loop(frame.getBegin(), frame.getEnd(), 1, [&](Value row) {
    Value firstSlot = code.mulI(row, form.slots);
    auto sum = [&](Value at, int64_t lanes) {
      Value total = code.loop(
          code.index(0), code.index(form.slots), 1,
          code.splat(code.f32(0), lanes),
          [&](Value number, ValueRange before) -> Values {
            Value slot = code.addI(firstSlot, number),
                  place = code.loadI64(places, slot);
            auto add = [&]() -> Values {
              Value own = code.loadRaw(products, code.f32Type(lanes),
                                       code.addI(code.mulI(place, width), at));
              if (form.weighsInput)
                return {code.add(before[0], own)};
              Value weight = code.load(weights, form.weights, slot, 1);
              return {code.fma(code.splat(weight, lanes), own, before[0])};
            };
            auto skip = [&]() -> Values { return {before[0]}; };
            return code.ifElse(code.lessI(code.index(-1), place),
                               code.f32Type(lanes), add, skip);
          })[0];
      code.store(total, result, form.result,
                 code.addI(code.mulI(row, width), at));
    };
    forVectors(code, width, sum);
  });
  return frame.finish();
}
