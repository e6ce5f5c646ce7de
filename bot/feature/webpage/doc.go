// Package webpage provides each game's page in the browser: its address, the links that sign
// players in, and what it shows.
package webpage
