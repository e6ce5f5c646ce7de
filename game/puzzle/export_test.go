package puzzle

// This file exports names for the package's tests.
const Shares = shares

var Commitment = commitment
