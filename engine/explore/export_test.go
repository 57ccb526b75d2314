package explore

// SearchCrowded runs a search with more different stores than numbers.
func (q Question) SearchCrowded() (*Answer, error) {
	a := newAccount(Budget{}, Runtime{})
	(&components{account: a}).number(1<<lowBits-1, lowBits)
	return q.search(a, 1)
}
