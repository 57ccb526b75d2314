package explore

// SearchCrowded is a search for which there are more different stores than numbers.
func (q Question) SearchCrowded() (*Answer, error) {
	a := newAccount(Budget{}, Runtime{})
	(&components{account: a}).number(1<<lowBits-1, lowBits)
	return q.search(a, 1)
}
