bool isWork(Operation *op) {
  return isa<math::MathDialect>(op->getDialect()) ||
         isa<arith::ArithDialect, block::BlockDialect>(
             op->getParentOp()->getDialect()) ||
         isa_and_nonnull<tensor::TensorDialect>(op->getDialect()) ||
         op->getDialect()->getNamespace() == "block";
}
