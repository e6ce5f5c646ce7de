// Package webpage is the page that each game has in the browser: its address, the
// links by which people come there as themselves, and what it shows.
package webpage
