package engine

// What only the tests of the package see.
var Position = position
