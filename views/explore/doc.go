// Package explore has the page that searches every interleaving, and its answer, which a challenge to fix a program shows, too.
package explore
