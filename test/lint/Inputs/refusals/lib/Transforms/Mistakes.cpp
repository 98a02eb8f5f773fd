LogicalResult check(Operation *op) {
  if (isOdd(op))
    return op->emitError() << "expected an even number of columns, got "
                           << count(op);
  if (isWide(op))
    return op->emitOpError("has more columns than "
                           "a tile of 32");
  recordMissed(op, kPass, Reason::DynamicShape, "a width that is open");
  return op->emitError("too short");
}
