// Package host carries out people's commands, keeps the tables, and says what
// goes to whom. It knows no platform; adapters translate. It knows no feature
// either: it goes through a list of them.
//
// # A feature
//
// A [Feature] is a value: the commands that it has, with what completes their
// options; the timers that it asks for when something happens at a table, and
// what is done when one is due; the posts that it queues, and what they say; what
// those who manage a place can set of it; what it keeps of people. It is a
// package beside this one, with a function Feature that makes the value, and a
// place in the list of package features. Study is the smallest.
//
// Features don't import each other. What one needs of another is handed to it in
// package features, as the variants are handed the command that plays; what
// several need of a person is in package person.
//
// # The way of a command
//
// [Host.Handle] finds the command and runs it. One that changes a table does so
// by [Host.Change], which loads the table, asks what the person wants, has package
// game judge it, and stores the events, the posts that tell of them and the
// timers in one transaction. [Host.Deliver] makes each post's message and hands it
// to the platform.
package host
