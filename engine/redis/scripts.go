package redis

// scripts are the named scripts. Lock libraries send the SHA-1 of theirs: a text here is a library's, byte for byte.
var scripts = []script{
	{
		name: "compare-and-delete",
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`,
		keys: 1, args: 1, usage: "compare-and-delete 1 key value",
	},
	{
		name: "compare-and-set",
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[2]) return 1 else return 0 end`,
		keys: 1, args: 2, usage: "compare-and-set 1 key old new",
	},
	{
		name: "compare-and-expire",
		lua:  `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`,
		keys: 1, args: 2, usage: "compare-and-expire 1 key value milliseconds",
	},
	{
		name: "set-and-fence",
		lua:  `if redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2]) then return redis.call("incr", KEYS[2]) else return false end`,
		keys: 2, args: 2, usage: "set-and-fence 2 key counter value milliseconds", acquires: true,
	},
	{
		name: "redis-py-release", library: "redis-py 4.3.4",
		lua: `
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        redis.call('del', KEYS[1])
        return 1
    `,
		keys: 1, args: 1, usage: "redis-py-release 1 key value",
	},
	{
		name: "redis-py-extend", library: "redis-py 4.3.4",
		lua: `
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        local expiration = redis.call('pttl', KEYS[1])
        if not expiration then
            expiration = 0
        end
        if expiration < 0 then
            return 0
        end

        local newttl = ARGV[2]
        if ARGV[3] == "0" then
            newttl = ARGV[2] + expiration
        end
        redis.call('pexpire', KEYS[1], newttl)
        return 1
    `,
		keys: 1, args: 3, usage: "redis-py-extend 1 key value milliseconds replace",
	},
	{
		name: "redis-py-reacquire", library: "redis-py 4.3.4",
		lua: `
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        redis.call('pexpire', KEYS[1], ARGV[2])
        return 1
    `,
		keys: 1, args: 2, usage: "redis-py-reacquire 1 key value milliseconds",
	},
	{
		name: "redsync-release", library: "redsync 4.18.1",
		lua: `
	local val = redis.call("GET", KEYS[1])
	if val == ARGV[1] then
		return redis.call("DEL", KEYS[1])
	elseif val == false then
		return -1
	else
		return 0
	end
`,
		keys: 1, args: 1, usage: "redsync-release 1 key value",
	},
	{
		name: "redsync-extend", library: "redsync 4.18.1",
		lua: `
	if redis.call("GET", KEYS[1]) == ARGV[1] then
		return redis.call("PEXPIRE", KEYS[1], ARGV[2])
	else
		return 0
	end
`,
		keys: 1, args: 2, usage: "redsync-extend 1 key value milliseconds",
	},
	{
		name: "redsync-extend-or-acquire", library: "redsync 4.18.1",
		lua: `
	if redis.call("GET", KEYS[1]) == ARGV[1] then
		return redis.call("PEXPIRE", KEYS[1], ARGV[2])
	elseif redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2], "NX") then
		return 1
	else
		return 0
	end
`,
		keys: 1, args: 2, usage: "redsync-extend-or-acquire 1 key value milliseconds", acquires: true,
	},
	{
		name: "node-redlock-acquire", library: "node-redlock 5.0.0-beta.2",
		lua: `
  -- Return 0 if an entry already exists.
  for i, key in ipairs(KEYS) do
    if redis.call("exists", key) == 1 then
      return 0
    end
  end

  -- Create an entry for each provided key.
  for i, key in ipairs(KEYS) do
    redis.call("set", key, ARGV[1], "PX", ARGV[2])
  end

  -- Return the number of entries added.
  return #KEYS
`,
		keys: 1, args: 2, usage: "node-redlock-acquire numkeys key [key ...] value milliseconds", more: true, acquires: true,
	},
	{
		name: "node-redlock-extend", library: "node-redlock 5.0.0-beta.2",
		lua: `
  -- Return 0 if an entry exists with a *different* lock value.
  for i, key in ipairs(KEYS) do
    if redis.call("get", key) ~= ARGV[1] then
      return 0
    end
  end

  -- Update the entry for each provided key.
  for i, key in ipairs(KEYS) do
    redis.call("set", key, ARGV[1], "PX", ARGV[2])
  end

  -- Return the number of entries updated.
  return #KEYS
`,
		keys: 1, args: 2, usage: "node-redlock-extend numkeys key [key ...] value milliseconds", more: true,
	},
	{
		name: "node-redlock-release", library: "node-redlock 5.0.0-beta.2",
		lua: `
  local count = 0
  for i, key in ipairs(KEYS) do
    -- Only remove entries for *this* lock value.
    if redis.call("get", key) == ARGV[1] then
      redis.pcall("del", key)
      count = count + 1
    end
  end

  -- Return the number of entries removed.
  return count
`,
		keys: 1, args: 1, usage: "node-redlock-release numkeys key [key ...] value", more: true,
	},
}
