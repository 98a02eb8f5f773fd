//===- WideBuilder.cpp - creates f64 arithmetic and bit operations --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WideFunctions.h"

using namespace mlir;
using namespace parablock::tile;

Value WideBuilder::divide(Value a, Value b) {
  return arith::DivFOp::create(*this, a, b);
}

Value WideBuilder::truncate(Value a) { return math::TruncOp::create(*this, a); }

Value WideBuilder::clamp(Value a, double low, double high) {
  Value least = real(low), most = real(high);
  a = select(compare(arith::CmpFPredicate::OLT, a, least), least, a);
  return select(compare(arith::CmpFPredicate::OGT, a, most), most, a);
}

Value WideBuilder::isEqual(Value a, Value b) {
  return compare(arith::CmpFPredicate::OEQ, a, b);
}

Value WideBuilder::both(Value a, Value b) {
  return arith::AndIOp::create(*this, a, b);
}

Value WideBuilder::either(Value a, Value b) {
  return arith::OrIOp::create(*this, a, b);
}

Value WideBuilder::inverse(Value truth) {
  Value one = arith::ConstantOp::create(*this, getBoolAttr(true));
  return arith::XOrIOp::create(*this, truth, one);
}

WideBuilder::Rounded WideBuilder::round(Value a) {
  // Such a sum has no fractional bits; its last bits are the integer.
  Value shift = real(0x1.8p52);
  Value sum = add(a, shift);
  Value integer = subtractIntegers(toBits(sum), toBits(shift));
  return {subtract(sum, shift), integer};
}
