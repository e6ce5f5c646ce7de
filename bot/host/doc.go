// Package host carries out people's commands, keeps the tables, and says what goes to
// whom. It knows no platform; adapters translate. It knows no feature either: it goes
// through a list of values, by the interfaces of package feature.
//
// # Its parts
//
// A [Host] is several small types on one engine: commands carries out what people ask
// for, by desk, where tables are loaded and changed; deliveries hands posts to the
// platforms; alarms does what falls due; archive exports and erases what is kept of
// people. Desk is what features are given.
//
// # The way of a command
//
// [Host.Handle] finds the command and runs it. One that changes a table does so by
// Change, which loads the table, asks what the person wants, has package game judge
// it, and stores the events, the posts that tell of them and the timers in one
// transaction. [Host.Deliver] makes each post's message and hands it to the platform.
package host
