package redis

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
)

// Help sums up the documentation of a command in our own words. A test compares its facts with those of a real server.
type Help struct {
	Command    string
	Syntax     string // as Redis prints it, without what miniredis lacks
	Summary    lang.Text
	Since      string    // the version of Redis that brought it, or Valkey and its version
	Complexity string    // O(1) or O(N); empty: only the words of Of
	Of         lang.Text // the meaning of N, or what the complexity depends on; empty for a plain O(1)
	Categories []string
	Replies    []Meaning
	Deprecated string // the version of Redis that deprecated it; empty: none
	Instead    string // the replacement that the documentation recommends
}

// A Meaning explains a reply.
type Meaning struct {
	Reply string // as redis-cli shows it, or the kind of reply where it varies, such as "…"
	lang.Text
}

// HelpOf returns the help for a command of the allow-list, by its name in capitals.
func HelpOf(command string) (Help, bool) {
	i := slices.IndexFunc(helps, func(h Help) bool { return h.Command == command })
	if i < 0 {
		return Help{}, false
	}
	return helps[i], true
}

// Forms returns the ways to write a command that Check restricts: EVAL takes named scripts, each with its own arguments.
// Other commands have none.
func (h Help) Forms() []string {
	if allowed[h.Command].keys != scriptKeys {
		return nil
	}
	var forms []string
	for _, name := range ScriptNames() {
		forms = append(forms, h.Command+" "+named(name).usage)
	}
	return forms
}

// arity returns how many words the command wants with its name, and negative if it takes more.
func (h Help) arity() int {
	required, _, more := strings.Cut(h.Syntax, " [")
	if n := len(strings.Fields(required)); !more {
		return n
	} else {
		return -n
	}
}

// Words that several commands share.
const (
	anInteger = "(integer) n"
	aString   = `"…"`
	aNil      = "(nil)"
)

var (
	stored   = Meaning{"OK", lang.Both("The value is stored.", "值已写入。")}
	wasNil   = Meaning{aNil, lang.Both("The key did not exist.", "键不存在。")}
	theValue = Meaning{aString, lang.Both("The key's value.", "键的值。")}
	oldValue = Meaning{aString, lang.Both("The value before the command.", "命令执行前的值。")}
	newCount = Meaning{anInteger, lang.Both("The number after the command.", "命令执行后的数值。")}
	lifeSet  = Meaning{"(integer) 1", lang.Both("The time to live is set.", "生存时间已设置。")}
	lifeLeft = Meaning{"(integer) 0", lang.Both("Nothing changed: there is no such key, or the condition did not hold.", "没有变化：键不存在，或条件不满足。")}
	noSuch   = Meaning{"(integer) -2", lang.Both("There is no such key.", "键不存在。")}
	forever  = Meaning{"(integer) -1", lang.Both("The key has no time to live: it never expires.", "键没有生存时间，永不过期。")}
)

// helps stand in the order in which a lock needs them.
var helps = []Help{
	{
		Command: "SETNX", Syntax: "SETNX key value", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Sets the key only if it does not exist: SET if Not eXists.", "仅当键不存在时才设置它（SET if Not eXists）。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The key did not exist and is now set.", "键原本不存在，现已设置。")},
			{"(integer) 0", lang.Both("The key exists already; nothing changed.", "键已存在，没有任何变化。")},
		},
		Deprecated: "2.6.12", Instead: "SET … NX",
	},
	{
		Command: "GET", Syntax: "GET key", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Reads the value of a key.", "读取键的值。"),
		Categories: []string{"@read", "@string", "@fast"},
		Replies:    []Meaning{theValue, wasNil},
	},
	{
		Command: "GETSET", Syntax: "GETSET key value", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Sets the key and returns the value it had before, in one step.", "设置键的值，并返回它原来的值，一步完成。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{oldValue, {aNil, lang.Both("The key did not exist before; it is set now.", "键原本不存在；现在已设置。")}},
		Deprecated: "6.2.0", Instead: "SET … GET",
	},
	{
		Command: "SET", Since: "1.0.0", Complexity: "O(1)",
		Syntax:     "SET key value [NX | XX | IFEQ ifeq-value | IFNE ifne-value] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | KEEPTTL]",
		Summary:    lang.Both("Sets the value of a key, with a time to live on request. It can insist that the key is absent (NX) or present (XX) and, from Redis 8.4 on, that its value is (IFEQ) or is not (IFNE) the given one.", "设置键的值，并可同时设定生存时间。可要求键不存在 (NX) 或已存在 (XX)；从 Redis 8.4 起，还可要求现值等于 (IFEQ) 或不等于 (IFNE) 给定值。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies: []Meaning{
			stored,
			{aNil, lang.Both("Nothing was stored because the condition did not hold; with GET: the key did not exist before.", "未写入，因为条件不满足；带 GET 时：键原本不存在。")},
			{aString, lang.Both("Only with GET: the value before the command.", "仅在带 GET 时：命令执行前的值。")},
		},
	},
	{
		Command: "DEL", Syntax: "DEL key [key ...]", Since: "1.0.0", Complexity: "O(N)", Of: lang.Both("where N is the number of keys that are removed", "N 为被删除的键的数量"),
		Summary:    lang.Both("Removes keys, whoever wrote them.", "删除键，不管是谁写入的。"),
		Categories: []string{"@keyspace", "@write", "@slow"},
		Replies:    []Meaning{{anInteger, lang.Both("How many of the keys existed and are gone.", "实际存在并被删除的键的数量。")}},
	},
	{
		Command: "DELEX", Syntax: "DELEX key [IFEQ ifeq-value | IFNE ifne-value]", Since: "8.4.0", Complexity: "O(1)",
		Summary:    lang.Both("Removes a key only if its value is (IFEQ) or is not (IFNE) the given one: one step, where GET and DEL are two.", "仅当键的值等于 (IFEQ) 或不等于 (IFNE) 给定值时才删除：一步完成，而 GET 加 DEL 是两步。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The key is removed.", "键已删除。")},
			{"(integer) 0", lang.Both("The key does not exist, or the condition did not hold.", "键不存在，或条件不满足。")},
		},
	},
	{
		Command: "DELIFEQ", Syntax: "DELIFEQ key value", Since: "Valkey 9.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Removes a key only if its value is the given one, in one step. Valkey has it, and Redis does not: there, it is DELEX with IFEQ.", "仅当键的值等于给定值时才删除，一步完成。这是 Valkey 的命令，Redis 没有；Redis 中对应的是带 IFEQ 的 DELEX。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The key is removed.", "键已删除。")},
			{"(integer) 0", lang.Both("The key does not exist or has another value.", "键不存在，或是别的值。")},
		},
	},
	{
		Command: "EVAL", Syntax: "EVAL script numkeys [key [key ...]] [arg [arg ...]]", Since: "2.6.0", Of: lang.Both("depends on the script", "取决于脚本"),
		Summary:    lang.Both("Runs a Lua script as one step that nothing interrupts. Here it runs named scripts only; EVALSHA runs the same ones by their SHA-1.", "把一段 Lua 脚本作为不可打断的一步来执行。这里只运行具名脚本；EVALSHA 用 SHA-1 指定的也是这些脚本。"),
		Categories: []string{"@slow", "@scripting"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The key held the given value, and what the script's name says was done.", "键的值与给定值相同，脚本名所说的操作已执行。")},
			{"(integer) 0", lang.Both("The key held something else, or did not exist; nothing changed.", "键的值不同，或键不存在；没有任何变化。")},
			{anInteger, lang.Both("Only from set-and-fence: the key was free and is now set; this is its fencing token.", "仅 set-and-fence：键原本不存在，现已设置；这个数就是防护令牌。")},
			{aNil, lang.Both("Only from set-and-fence: the key exists already; nothing changed.", "仅 set-and-fence：键已存在，没有任何变化。")},
		},
	},
	{
		Command: "TTL", Syntax: "TTL key", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("How long a key still lives, in seconds.", "键还能存活多久，以秒计。"),
		Categories: []string{"@keyspace", "@read", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("The seconds that are left.", "剩余的秒数。")}, forever, noSuch},
	},
	{
		Command: "PTTL", Syntax: "PTTL key", Since: "2.6.0", Complexity: "O(1)",
		Summary:    lang.Both("How long a key still lives, in milliseconds.", "键还能存活多久，以毫秒计。"),
		Categories: []string{"@keyspace", "@read", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("The milliseconds that are left.", "剩余的毫秒数。")}, forever, noSuch},
	},
	{
		Command: "EXPIRE", Syntax: "EXPIRE key seconds [NX | XX | GT | LT]", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Lets a key expire after a number of seconds.", "让键在若干秒后过期。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies:    []Meaning{lifeSet, lifeLeft},
	},
	{
		Command: "PEXPIRE", Syntax: "PEXPIRE key milliseconds [NX | XX | GT | LT]", Since: "2.6.0", Complexity: "O(1)",
		Summary:    lang.Both("Lets a key expire after a number of milliseconds.", "让键在若干毫秒后过期。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies:    []Meaning{lifeSet, lifeLeft},
	},
	{
		Command: "EXPIREAT", Syntax: "EXPIREAT key unix-time-seconds [NX | XX | GT | LT]", Since: "1.2.0", Complexity: "O(1)",
		Summary:    lang.Both("Lets a key expire at a Unix time in seconds, by the clock of Redis.", "让键在指定的 Unix 时间（秒）过期，以 Redis 的时钟为准。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies:    []Meaning{lifeSet, lifeLeft},
	},
	{
		Command: "PEXPIREAT", Syntax: "PEXPIREAT key unix-time-milliseconds [NX | XX | GT | LT]", Since: "2.6.0", Complexity: "O(1)",
		Summary:    lang.Both("Lets a key expire at a Unix time in milliseconds, by the clock of Redis.", "让键在指定的 Unix 时间（毫秒）过期，以 Redis 的时钟为准。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies:    []Meaning{lifeSet, lifeLeft},
	},
	{
		Command: "PERSIST", Syntax: "PERSIST key", Since: "2.2.0", Complexity: "O(1)",
		Summary:    lang.Both("Takes a key's time to live away, so that it never expires.", "去掉键的生存时间，使它永不过期。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The time to live is removed.", "生存时间已去掉。")},
			{"(integer) 0", lang.Both("There is no such key, or it had no time to live.", "键不存在，或本来就没有生存时间。")},
		},
	},
	{
		Command: "SETEX", Syntax: "SETEX key seconds value", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Sets a key together with its time to live in seconds.", "设置键的值，同时设定以秒计的生存时间。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies:    []Meaning{stored},
		Deprecated: "2.6.12", Instead: "SET … EX",
	},
	{
		Command: "PSETEX", Syntax: "PSETEX key milliseconds value", Since: "2.6.0", Complexity: "O(1)",
		Summary:    lang.Both("Sets a key together with its time to live in milliseconds.", "设置键的值，同时设定以毫秒计的生存时间。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies:    []Meaning{stored},
		Deprecated: "2.6.12", Instead: "SET … PX",
	},
	{
		Command: "GETDEL", Syntax: "GETDEL key", Since: "6.2.0", Complexity: "O(1)",
		Summary:    lang.Both("Reads the value of a key and removes the key, in one step.", "读取键的值并删除该键，一步完成。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{{aString, lang.Both("The value that the key had; the key is gone.", "键原来的值；键已删除。")}, wasNil},
	},
	{
		Command: "GETEX", Since: "6.2.0", Complexity: "O(1)",
		Syntax:     "GETEX key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST]",
		Summary:    lang.Both("Reads the value of a key and, on request, changes its time to live.", "读取键的值，并可同时更改它的生存时间。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{theValue, wasNil},
	},
	{
		Command: "STRLEN", Syntax: "STRLEN key", Since: "2.2.0", Complexity: "O(1)",
		Summary:    lang.Both("How long the value of a key is, in bytes.", "键的值的长度，以字节计。"),
		Categories: []string{"@read", "@string", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("The number of bytes; 0 where there is no such key.", "字节数；键不存在时为 0。")}},
	},
	{
		Command: "TYPE", Syntax: "TYPE key", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("What kind of value a key holds.", "键中存放的是哪种类型的值。"),
		Categories: []string{"@keyspace", "@read", "@fast"},
		Replies: []Meaning{
			{"string", lang.Both("The key holds a string.", "键中是字符串。")},
			{"hash", lang.Both("The key holds a hash: fields, each with a value.", "键中是哈希：若干字段，每个字段有一个值。")},
			{"none", lang.Both("There is no such key.", "键不存在。")},
		},
	},
	{
		Command: "INCR", Syntax: "INCR key", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Adds one to the number that a key holds; a missing key counts as 0.", "把键中的数值加一；键不存在时按 0 计。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{newCount},
	},
	{
		Command: "DECR", Syntax: "DECR key", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Takes one from the number that a key holds; a missing key counts as 0.", "把键中的数值减一；键不存在时按 0 计。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{newCount},
	},
	{
		Command: "INCRBY", Syntax: "INCRBY key increment", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Adds an amount to the number that a key holds.", "把键中的数值加上给定的量。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{newCount},
	},
	{
		Command: "DECRBY", Syntax: "DECRBY key decrement", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Takes an amount from the number that a key holds.", "把键中的数值减去给定的量。"),
		Categories: []string{"@write", "@string", "@fast"},
		Replies:    []Meaning{newCount},
	},
	{
		Command: "EXISTS", Syntax: "EXISTS key [key ...]", Since: "1.0.0", Complexity: "O(N)", Of: lang.Both("where N is the number of keys that are asked for", "N 为查询的键的数量"),
		Summary:    lang.Both("How many of the given keys exist.", "给出的键中有多少个存在。"),
		Categories: []string{"@keyspace", "@read", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("The number of them; a key that is named twice counts twice.", "存在的个数；重复给出的键重复计数。")}},
	},
	{
		Command: "UNLINK", Syntax: "UNLINK key [key ...]", Since: "4.0.0", Complexity: "O(1)", Of: lang.Both("for each key", "按每个键计"),
		Summary:    lang.Both("Removes keys like DEL, and frees their memory later in another thread.", "像 DEL 一样删除键，但稍后在另一个线程中回收内存。"),
		Categories: []string{"@keyspace", "@write", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("How many of the keys existed and are gone.", "实际存在并被删除的键的数量。")}},
	},
	{
		Command: "MGET", Syntax: "MGET key [key ...]", Since: "1.0.0", Complexity: "O(N)", Of: lang.Both("where N is the number of keys that are read", "N 为读取的键的数量"),
		Summary:    lang.Both("Reads the values of several keys at once.", "一次读取多个键的值。"),
		Categories: []string{"@read", "@string", "@fast"},
		Replies:    []Meaning{{`1) "…"`, lang.Both("One value for each key, in order; (nil) for a key that does not exist.", "按顺序每个键一个值；不存在的键为 (nil)。")}},
	},
	{
		Command: "MSET", Syntax: "MSET key value [key value ...]", Since: "1.0.1", Complexity: "O(N)", Of: lang.Both("where N is the number of keys that are set", "N 为设置的键的数量"),
		Summary:    lang.Both("Sets several keys in one step.", "一步设置多个键。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies:    []Meaning{stored},
	},
	{
		Command: "MSETNX", Syntax: "MSETNX key value [key value ...]", Since: "1.0.1", Complexity: "O(N)", Of: lang.Both("where N is the number of keys that are set", "N 为设置的键的数量"),
		Summary:    lang.Both("Sets several keys in one step, and only if none of them exists.", "一步设置多个键，但仅当它们全都不存在时。"),
		Categories: []string{"@write", "@string", "@slow"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("All keys are set.", "所有键都已设置。")},
			{"(integer) 0", lang.Both("At least one of them exists already; nothing changed.", "至少有一个键已存在，没有任何变化。")},
		},
	},
	{
		Command: "HSET", Syntax: "HSET key field value [field value ...]", Since: "2.0.0", Complexity: "O(1)", Of: lang.Both("for each field", "按每个字段计"),
		Summary:    lang.Both("Sets fields of a hash. A reentrant lock is a hash: its field is the owner, and the value counts the acquisitions.", "设置哈希的字段。可重入锁就是一个哈希：字段是持有者，值是加锁次数。"),
		Categories: []string{"@write", "@hash", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("How many of the fields are new.", "新增字段的数量。")}},
	},
	{
		Command: "HSETNX", Syntax: "HSETNX key field value", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Sets a field of a hash only if the field does not exist.", "仅当哈希中没有该字段时才设置它。"),
		Categories: []string{"@write", "@hash", "@fast"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The field did not exist and is now set.", "字段原本不存在，现已设置。")},
			{"(integer) 0", lang.Both("The field exists already; nothing changed.", "字段已存在，没有任何变化。")},
		},
	},
	{
		Command: "HGET", Syntax: "HGET key field", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Reads a field of a hash.", "读取哈希的一个字段。"),
		Categories: []string{"@read", "@hash", "@fast"},
		Replies:    []Meaning{{aString, lang.Both("The field's value.", "字段的值。")}, {aNil, lang.Both("There is no such key, or the hash has no such field.", "键不存在，或哈希中没有该字段。")}},
	},
	{
		Command: "HGETALL", Syntax: "HGETALL key", Since: "2.0.0", Complexity: "O(N)", Of: lang.Both("where N is the number of fields", "N 为字段的数量"),
		Summary:    lang.Both("Reads all fields of a hash with their values.", "读取哈希的所有字段及其值。"),
		Categories: []string{"@read", "@hash", "@slow"},
		Replies:    []Meaning{{`1) "…"`, lang.Both("Each field, followed by its value. Real Redis orders fields by no rule; here the order is alphabetical.", "依次列出每个字段及其值。真实 Redis 不保证字段的顺序；这里按字母顺序排列。")}},
	},
	{
		Command: "HEXISTS", Syntax: "HEXISTS key field", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Whether a hash has a field.", "哈希中是否有某个字段。"),
		Categories: []string{"@read", "@hash", "@fast"},
		Replies: []Meaning{
			{"(integer) 1", lang.Both("The hash has the field.", "哈希中有该字段。")},
			{"(integer) 0", lang.Both("There is no such key, or the hash has no such field.", "键不存在，或哈希中没有该字段。")},
		},
	},
	{
		Command: "HLEN", Syntax: "HLEN key", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("How many fields a hash has.", "哈希有多少个字段。"),
		Categories: []string{"@read", "@hash", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("The number of fields; 0 where there is no such key.", "字段的数量；键不存在时为 0。")}},
	},
	{
		Command: "HINCRBY", Syntax: "HINCRBY key field increment", Since: "2.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Adds an amount to the number in a field of a hash; a missing field counts as 0.", "把哈希某个字段中的数值加上给定的量；字段不存在时按 0 计。"),
		Categories: []string{"@write", "@hash", "@fast"},
		Replies:    []Meaning{newCount},
	},
	{
		Command: "HDEL", Syntax: "HDEL key field [field ...]", Since: "2.0.0", Complexity: "O(N)", Of: lang.Both("where N is the number of fields that are removed", "N 为被删除的字段的数量"),
		Summary:    lang.Both("Removes fields of a hash. A hash without fields does not exist.", "删除哈希的字段。没有字段的哈希不会存在。"),
		Categories: []string{"@write", "@hash", "@fast"},
		Replies:    []Meaning{{anInteger, lang.Both("How many of the fields existed and are gone.", "实际存在并被删除的字段的数量。")}},
	},
	{
		Command: "MULTI", Syntax: "MULTI", Since: "1.2.0", Complexity: "O(1)",
		Summary:    lang.Both("Begins a transaction: EXEC executes all its commands, and nothing comes between them. Here a transaction is one line: "+transactionForm+".", "开始一个事务：EXEC 依次执行其中的所有命令，中间不会插入别的命令。这里整个事务写成一行："+transactionForm+"。"),
		Categories: []string{"@fast", "@transaction"},
		Replies:    []Meaning{{`1) "…"`, lang.Both("The reply of each command, in order. An error among them undoes nothing.", "按顺序列出每条命令的回复。其中某条出错，也不会撤销其他命令。")}},
	},
	{
		Command: "PUBLISH", Syntax: "PUBLISH channel message", Since: "2.0.0", Complexity: "O(N+M)", Of: lang.Both("where N is the number of subscribers to the channel, and M the number of subscriptions by pattern", "N 为该频道的订阅者数量，M 为按模式订阅的数量"),
		Summary:    lang.Both("Sends a message to everybody who listens to a channel. Nobody listens here.", "向监听某个频道的所有客户端发送消息。这里没有人监听。"),
		Categories: []string{"@pubsub", "@fast"},
		Replies:    []Meaning{{"(integer) 0", lang.Both("Nobody received the message.", "没有人收到这条消息。")}},
	},
	{
		Command: "TIME", Syntax: "TIME", Since: "2.6.0", Complexity: "O(1)",
		Summary:    lang.Both("What the clock of Redis shows. Here it is the time of the run.", "Redis 的时钟。这里就是这次运行的时间。"),
		Categories: []string{"@fast"},
		Replies:    []Meaning{{`1) "…"`, lang.Both("The Unix time in seconds, then the microseconds of the current second.", "Unix 时间的秒数，然后是当前这一秒内的微秒数。")}},
	},
	{
		Command: "PING", Syntax: "PING [message]", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Asks whether Redis answers.", "询问 Redis 是否应答。"),
		Categories: []string{"@fast", "@connection"},
		Replies: []Meaning{
			{"PONG", lang.Both("It does.", "有应答。")},
			{aString, lang.Both("The message that came along.", "随命令发出的消息。")},
		},
	},
	{
		Command: "ECHO", Syntax: "ECHO message", Since: "1.0.0", Complexity: "O(1)",
		Summary:    lang.Both("Sends the message back.", "把消息原样送回。"),
		Categories: []string{"@fast", "@connection"},
		Replies:    []Meaning{{aString, lang.Both("The message.", "该消息。")}},
	},
}
