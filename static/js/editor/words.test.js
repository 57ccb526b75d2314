import assert from "node:assert/strict";
import test from "node:test";
import { inProgram, inScenario } from "./words.js";

const words = {
  program: [
    { of: "client", name: "set", takes: "(key, value)" },
    { of: "client", name: "setnx", takes: "(key, value)" },
    { of: "storage", name: "write", takes: "(…)" },
    { of: "lease", name: "token" },
    { of: "script", name: "compare-and-delete" },
    { of: "", name: "acquire", takes: "(c)" },
    { of: "keyword", name: "and" },
    { of: "literal", name: "None" },
  ],
  actions: ["spawn", "step", "tick", "redis crash", "redis restart"],
  programs: ["naive", "getset"],
};

/** @param {typeof inProgram} choose @param {string} line @param {string} [text] */
function offered(choose, line, text = line) {
  const choice = choose(words, line, text);
  return choice && `${line.slice(0, choice.from)}|${choice.words.map(({ name }) => name).join(" ")}`;
}

test("a word of a program is completed by what it stands behind", () => {
  assert.equal(offered(inProgram, "    c.se"), "    c.|set setnx");
  assert.equal(offered(inProgram, "    node."), "    node.|set setnx");
  assert.equal(offered(inProgram, "    c.storage."), "    c.storage.|write");
  assert.equal(offered(inProgram, "    lease.t"), "    lease.|token");
  assert.equal(offered(inProgram, "    c.eval(\"comp"), "    c.eval(\"|compare-and-delete");
  assert.equal(offered(inProgram, "    a"), "    |acquire and");
  assert.equal(offered(inProgram, "    x = ow", "def own(c):\n    owner = 1\n    x = ow"), "    x = |own owner");
});

test("nothing is offered in a comment, a text, a number, after a space, or for a word that is whole", () => {
  for (const line of ["# a", "    c.now()  # c.s", "    c.set(\"a", "    1a", "    ", "    c.write", "    c.setnx"]) assert.equal(offered(inProgram, line), null, line);
});

test("a scenario's line begins with an action, and goes on with its clients", () => {
  assert.equal(offered(inScenario, "s"), "|spawn step");
  assert.equal(offered(inScenario, "redis "), "redis |crash restart");
  assert.equal(offered(inScenario, "spawn C1 na"), "spawn C1 |naive");
  assert.equal(offered(inScenario, "step ", "spawn C1\nspawn C2\nstep "), "step |C1 C2");
  assert.equal(offered(inScenario, "# s"), null);
  assert.equal(offered(inScenario, "note \"s"), null);
});
