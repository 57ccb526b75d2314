package main

import (
	"fmt"
	"sync"
)

// together does something for each of n people at once, and returns the results in
// their order. It returns one error of several, because they are much alike.
func together[T any](n int, do func(i int) (T, error)) ([]T, error) {
	results, failed := make([]T, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i], failed[i] = do(i) })
	}
	all.Wait()
	count := 0
	var one error
	for _, err := range failed {
		if err != nil {
			count, one = count+1, err
		}
	}
	if one != nil {
		return results, fmt.Errorf("%d of %d: %w", count, n, one)
	}
	return results, nil
}
