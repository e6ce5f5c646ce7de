package words

// What only the tests of the package see.
var (
	Article     = article
	ExplainRule = explainRule
)
