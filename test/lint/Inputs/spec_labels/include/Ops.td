// [RULE-1], [RULE-3] to [RULE-5]
