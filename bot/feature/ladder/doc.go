// Package ladder counts finished games: records and ratings.
package ladder
