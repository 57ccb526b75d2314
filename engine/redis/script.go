package redis

import "slices"

// A script is Lua that a lock program may run. Programs name one and never
// bring their own. Its first key is the lock's; another key is a counter.
type script struct {
	lua        string
	keys, args int
	usage      string
}

var scripts = map[string]script{
	"compare-and-delete": {
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`,
		keys: 1, args: 1, usage: "compare-and-delete 1 key value",
	},
	"compare-and-set": {
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[2]) return 1 else return 0 end`,
		keys: 1, args: 2, usage: "compare-and-set 1 key old new",
	},
	"compare-and-expire": {
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`,
		keys: 1, args: 2, usage: "compare-and-expire 1 key value milliseconds",
	},
	"set-and-fence": {
		lua:  `if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then return redis.call("incr", KEYS[2]) else return false end`,
		keys: 2, args: 2, usage: "set-and-fence 2 key counter value milliseconds",
	},
}

// Script returns the Lua text of a named script and how many keys and further
// arguments it takes.
func Script(name string) (lua string, keys, args int, ok bool) {
	s, ok := scripts[name]
	return s.lua, s.keys, s.args, ok
}

// ScriptNames returns the names of the scripts in alphabetical order.
func ScriptNames() []string {
	names := make([]string, 0, len(scripts))
	for name := range scripts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ScriptName returns the name of a script by its text, or "".
func ScriptName(lua string) string {
	for name, s := range scripts {
		if s.lua == lua {
			return name
		}
	}
	return ""
}
