// Package redis keeps logs in a Redis that any number of servers share: a stream for each log, and a channel on which
// servers notify each other. Scripts decide what an append may do, as Redis runs one at a time.
//
// Redis bounds the bytes (maxmemory) and expires logs by its own clock (PEXPIRE). The servers share one count of the
// bytes that an owner adds within a day.
package redis
