package engine

// This file exports names for the package's tests.
var Position = position
