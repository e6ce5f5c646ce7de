package puzzle

// What only the tests of the package see.
const Shares = shares

var Commitment = commitment
