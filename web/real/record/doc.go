// Package record is a transparent proxy before a real Redis, which writes down what passes.
//
//	client ⇄ Proxy ⇄ Redis
//	           ↓
//	         tape → a file of JSON lines, which lockstep import reads
//
// Each connection of a client has one of its own to Redis, and two goroutines that copy bytes. A scanner reads along in
// each direction. It finds the ends of commands and replies, and keeps the first few KB of each. Commands wait in a
// queue for their replies, which come in the same order; a command with its reply and both times is a line of the file.
//
// The traffic comes first. A command is scanned just before it goes on, since its reply may come at once; this takes
// less than a microsecond. A reply goes on before it is scanned and written. The proxy stops reading along where it
// does not understand: on a connection that is encrypted, breaks the protocol, replicates, or subscribes in RESP2. It
// says so in the file, and goes on copying bytes. It does the same for all connections when the file is full.
//
// Each line is written to the file at once, so a proxy that is killed loses at most the line that it is writing.
// Passwords are never written: not those of AUTH and HELLO, nor what CONFIG and ACL say.
//
// Everything has a bound: connections, the commands of a connection that wait for replies, their bytes, and the file.
package record
