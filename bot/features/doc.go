// Package features lists all features of a host.
package features
