// [RULE-1]
