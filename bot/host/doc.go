// Package host carries out people's commands, stores the tables, and decides who gets which
// message. It knows no platform; adapters translate. It knows no feature either: it gets a list
// of them, each a struct of hooks from package feature.
//
// # Parts
//
// A [Host] combines several small types over one engine: commands carries out requests, using desk,
// which loads and changes tables; deliveries passes posts to the platforms; alarms handles timers;
// archive exports and erases personal data. Features get the desk.
//
// # The path of a command
//
// [Host.Handle] finds the command and runs it. A command that changes a table calls Change, which
// loads the table, asks the command for the action, lets package game judge it, and stores the
// events, the posts about them and the timers in one transaction. [Host.Deliver] makes each post's
// message and passes it to the platform.
package host
