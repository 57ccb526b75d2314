// Package program runs lock programs.
package program
