package course

// CheckReporting does what Check does, and passes on each answer of the
// explorer.
var CheckReporting = (*Course).check
