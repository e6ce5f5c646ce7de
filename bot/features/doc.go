// Package features has the one list of what a host can do.
package features
