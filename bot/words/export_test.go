package words

// This file exports names for the package's tests.
var (
	Article     = article
	ExplainRule = explainRule
)
