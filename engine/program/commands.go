package program

import (
	"slices"
	"strings"

	"lockstep/engine/redis"
)

// command is a Redis command as a method of the client and of its nodes.
type command struct {
	name    string // in a program
	redis   string // on the wire
	params  []string
	options []option
}

type option struct {
	keyword string
	word    string
	flag    bool // the word alone, when the keyword is True
}

// commands lists all that a program can send: commands on one string key whose
// reply is a number, a string or nil. Package redis has the allow-list that
// guards Redis; this list bounds what the language expresses.
var commands = []command{
	{name: "setnx", redis: "SETNX", params: []string{"key", "value"}},
	{name: "get", redis: "GET", params: []string{"key"}},
	{name: "getset", redis: "GETSET", params: []string{"key", "value"}},
	{name: "set", redis: "SET", params: []string{"key", "value"}, options: []option{
		{"nx", "NX", true}, {"xx", "XX", true}, {"get", "GET", true},
		{"px", "PX", false}, {"ex", "EX", false}, {"keepttl", "KEEPTTL", true},
		{"ifeq", "IFEQ", false}, {"ifne", "IFNE", false},
	}},
	{name: "delete", redis: "DEL", params: []string{"key"}},
	{name: "delex", redis: "DELEX", params: []string{"key"}, options: []option{{"ifeq", "IFEQ", false}, {"ifne", "IFNE", false}}},
	{name: "delifeq", redis: "DELIFEQ", params: []string{"key", "value"}},
	{name: "expire", redis: "EXPIRE", params: []string{"key", "seconds"}},
	{name: "pexpire", redis: "PEXPIRE", params: []string{"key", "milliseconds"}},
	{name: "ttl", redis: "TTL", params: []string{"key"}},
	{name: "pttl", redis: "PTTL", params: []string{"key"}},
	{name: "persist", redis: "PERSIST", params: []string{"key"}},
	{name: "incr", redis: "INCR", params: []string{"key"}},
	{name: "decr", redis: "DECR", params: []string{"key"}},
	{name: "incrby", redis: "INCRBY", params: []string{"key", "number"}},
	{name: "exists", redis: "EXISTS", params: []string{"key"}},
	{name: "strlen", redis: "STRLEN", params: []string{"key"}},
	{name: "getdel", redis: "GETDEL", params: []string{"key"}},
	{name: "type", redis: "TYPE", params: []string{"key"}},
	{name: "eval", redis: "EVAL", params: []string{"script", "key"}}, // the script decides its arguments
}

// commandNamed finds a command by its name in programs.
func commandNamed(name string) *command {
	for i := range commands {
		if commands[i].name == name {
			return &commands[i]
		}
	}
	return nil
}

// clientMethods are the methods of c that are not Redis commands. Those that are bare take no argument.
var (
	bareMethods   = []string{"now", "now_ms", "token", "work"}
	clientMethods = slices.Concat(bareMethods, []string{"lease", "renew"})
)

// storageMethods are the methods of c.storage, the protected resource.
var storageMethods = []string{"read", "try_read", "write", "try_write", "commit", "try_commit"}

// clientValues and leaseValues are the names on c and on a lease that are not called.
var (
	clientValues = []string{"timeout", "timeout_ms", "name", "nodes", "storage"}
	leaseValues  = []string{"token", "until", "until_ms"}
	attributes   = slices.Concat(clientValues, leaseValues)
)

// builtins are the functions that are no methods.
var builtins = []string{"int", "str", "len", "min", "max", "range"}

// options are the names at the top of a file that set a default.
var options = []string{"timeout", "timeout_ms", "retry", "retry_ms", "acquire_timeout", "acquire_timeout_ms", "blocking"}

// functions are those that a program defines, with their parameters: the driver calls them.
var functions = []string{"acquire(c)", "work(c, lease)", "release(c, lease)", "holds(c, lease)"}

// keywords and literals are the words of the syntax.
var (
	keywords = []string{"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "not", "or", "pass", "return"}
	literals = []string{"None", "True", "False"}
)

// A Word is one that a program may have.
type Word struct {
	Of    string `json:"of"` // what it follows: client, storage or lease with a dot; eval( for a script; keyword and literal: words of the syntax; empty: any place
	Name  string `json:"name"`
	Takes string `json:"takes,omitempty"` // its parameters, as they are written: (key, value)
}

// Words returns all words of the language.
func Words() []Word {
	var words []Word
	add := func(of string, names []string, takes string) {
		for _, name := range names {
			words = append(words, Word{of, name, takes})
		}
	}
	for i := range commands {
		name := commands[i].name
		takes := strings.TrimPrefix(usage(name, &commands[i]), name)
		words = append(words, Word{"client", name, takes}, Word{"client", "try_" + name, takes})
	}
	add("client", bareMethods, "()")
	add("client", clientMethods[len(bareMethods):], "(…)")
	add("client", clientValues, "")
	add("storage", storageMethods, "(…)")
	add("lease", leaseValues, "")
	add("script", redis.ScriptNames(), "")
	for _, function := range functions {
		name, parameters, _ := strings.Cut(function, "(")
		words = append(words, Word{"", name, "(" + parameters})
	}
	add("", builtins, "(…)")
	add("", options, "")
	add("keyword", keywords, "")
	add("literal", literals, "")
	return words
}
