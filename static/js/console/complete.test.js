import assert from "node:assert/strict";
import test from "node:test";

import { accept, parts, read } from "./complete.js";

const SYNTAXES = [
  "DEL key [key ...]",
  "EVAL script numkeys [key [key ...]] [arg [arg ...]]",
  "GET key",
  "GETSET key value",
  "MSET key value [key value ...]",
  "PING [message]",
  "SET key value [NX | XX] [GET] [EX seconds | PX milliseconds | KEEPTTL]",
  "SETNX key value",
  "TIME",
];
const commands = SYNTAXES.map((syntax) => ({
  name: syntax.split(" ")[0],
  syntax,
  forms: syntax.startsWith("EVAL") ? ["EVAL compare-and-delete 1 key value", "EVAL compare-and-set 1 key old new"] : undefined,
  summary: "",
  since: "",
  complexity: "",
  categories: "",
  replies: [],
}));
const keys = ["lock.foo", "my key", "mykey"];

/**
 * The line is read with the cursor at |.
 * @param {string} marked
 */
function at(marked) {
  const cursor = marked.indexOf("|");
  const reading = read(marked.replace("|", ""), cursor, commands, keys);
  return {
    choices: reading.choices.map((choice) => choice.text),
    current: reading.current.map((i) => reading.parts[i]),
    command: reading.help?.name,
    word: [reading.start, reading.end],
  };
}

test("a syntax has its options as parts", () => {
  assert.deepEqual(parts(SYNTAXES[6]), ["SET", "key", "value", "[NX | XX]", "[GET]", "[EX seconds | PX milliseconds | KEEPTTL]"]);
  assert.deepEqual(parts(SYNTAXES[1]), ["EVAL", "script", "numkeys", "[key [key ...]]", "[arg [arg ...]]"]);
});

for (const [line, choices, current] of /** @type {[string, string[], string[]][]} */ ([
  // Commands, in either case; one that is complete stays while others begin like it.
  ["|", SYNTAXES.map((s) => s.split(" ")[0]), []],
  ["set|", ["SET", "SETNX"], ["SET"]],
  ["setn|", ["SETNX"], []],
  ["SETNX|", [], ["SETNX"]],
  ["FLUSH|", [], []],
  // Keys that exist, quoted where they must be.
  ["SETNX |", ["lock.foo", '"my key"', "mykey"], ["key"]],
  ["SETNX my|", ['"my key"', "mykey"], ["key"]],
  ['GET "my k|', ['"my key"'], ["key"]],
  ["SETNX my|key Hello", ['"my key"', "mykey"], ["key"]],
  ["GET mykey|", [], ["key"]],
  ["setnx mykey |", [], ["value"]],
  ["SETNX mykey Hello |", [], []],
  ["DEL lock.foo my|", ['"my key"', "mykey"], ["[key ...]"]],
  ["MSET mykey 1 lo|", ["lock.foo"], ["[key value ...]"]],
  ["MSET mykey 1 lock.foo lo|", [], ["[key value ...]"]],
  // Options: those that are still open, one of a group.
  ["SET mykey 1 |", ["NX", "XX", "GET", "EX", "PX", "KEEPTTL"], ["[NX | XX]", "[GET]", "[EX seconds | PX milliseconds | KEEPTTL]"]],
  ["SET mykey 1 NX |", ["GET", "EX", "PX", "KEEPTTL"], ["[GET]", "[EX seconds | PX milliseconds | KEEPTTL]"]],
  ["SET mykey 1 p|", ["PX"], ["[EX seconds | PX milliseconds | KEEPTTL]"]],
  ["SET mykey 1 PX |", [], ["[EX seconds | PX milliseconds | KEEPTTL]"]],
  ["SET mykey 1 PX 100 |", ["NX", "XX", "GET"], ["[NX | XX]", "[GET]"]],
  ["SET mykey NX |", ["NX", "XX", "GET", "EX", "PX", "KEEPTTL"], ["[NX | XX]", "[GET]", "[EX seconds | PX milliseconds | KEEPTTL]"]],
  ["PING h|", [], ["[message]"]],
  ["TIME |", [], []],
  // The named scripts, each with its own arguments.
  ["EVAL |", ["compare-and-delete", "compare-and-set"], ["script"]],
  ["EVAL compare-and-delete |", ["1"], ["1"]],
  ["EVAL compare-and-delete 1 m|", ['"my key"', "mykey"], ["key"]],
  ["EVAL compare-and-set 1 mykey a |", [], ["new"]],
  ["FLUSHALL |", [], []],
])) {
  test(`at the cursor of ${line}`, () => {
    assert.deepEqual(at(line).choices, choices);
    assert.deepEqual(at(line).current.filter(Boolean), current);
  });
}

test("a choice replaces the word at the cursor and leaves the rest", () => {
  const line = "SETNX my Hello";
  assert.deepEqual(accept(line, read(line, 8, commands, keys), "mykey"), { line: "SETNX mykey Hello", cursor: 12 });
  assert.deepEqual(accept("se", read("se", 2, commands, keys), "SETNX"), { line: "SETNX ", cursor: 6 });
});
