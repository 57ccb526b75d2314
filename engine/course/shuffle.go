package course

import "hash/fnv"

// shuffle puts a question's answers in an order that names alone decide, because authors tend to write the right answer
// at the same place each time. Every server and every surface has the same order, so "B" means one answer to a whole class.
//
// The order is part of what readers print and say to each other. It therefore comes from algorithms that no release
// of Go changes: FNV-1a of the names, each ended by a slash, begins Knuth's 64-bit linear congruential generator, which drives Fisher and Yates.
func shuffle[A any](answers []A, names ...string) {
	h := fnv.New64a()
	for _, name := range names {
		h.Write([]byte(name + "/"))
	}
	state := h.Sum64()
	for i := len(answers) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state >> 33 % uint64(i+1)) // the generator's low bits repeat soon
		answers[i], answers[j] = answers[j], answers[i]
	}
}
