// [RULE-1]
// [RULE-4]
