// Package robots lets robots join tables, play, give hints and review games.
package robots
