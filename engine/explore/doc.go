// Package explore looks at every interleaving: all that can happen to some
// clients of a lock program within bounds.
package explore
