// Package study searches the word list and edits a place's own words.
package study
