// Package cost measures what requests cost a host, and gives everybody a fair part
// of it. A [Meter] measures, a [Budget] says who has used up their part, a [Queue]
// lets heavy work begin, and [Made] keeps what it made for others who ask for the same.
//
// Costs are counted in time of processors, never in requests: somebody who plays has
// as many commands as they can type, and somebody who keeps the host computing is
// asked to wait.
package cost
