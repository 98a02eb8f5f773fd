struct Run {
  /// Of the latest run.
  int report;
  /// The limit, of which
  /// Of is no beginning.
  int limit;
  /// Whether it has ended.
  bool hasEnded() const;
  /// Tells whether it has begun.
  bool hasBegun() const;
};
