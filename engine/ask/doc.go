// Package ask answers questions about a world and a run: which replies may come to a request in flight and why (Replies,
// Reasons), what the same schedule does under another program (Rerun), where a property begins to be violated (Breaks). A
// question looks at copies of the world, so the world stays as it is.
package ask
