// Package host carries out people's commands, keeps the tables, and says what
// goes to whom. It knows no platform; adapters translate.
package host
