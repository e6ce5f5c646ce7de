// Package study searches the word list.
package study
