package course

// CheckTelling is Check, and tells each answer of the explorer.
var CheckTelling = (*Course).check
