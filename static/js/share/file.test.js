import assert from "node:assert/strict";
import test from "node:test";

import { intoSVG } from "./carry.js";
import { MAX_FILE, isLog, runIn } from "./file.js";

const RACE = "program del-setnx\nspawn C1 C2\n# 锁\n";
const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const header = { format: "lockstep.trace", version: 1, scenario: RACE };

test("the content tells the kind of a file", () => {
  const run = { scenario: RACE, step: "", lang: "" };
  assert.deepEqual(runIn(bytes(RACE)), run);
  assert.deepEqual(runIn(bytes(`\ufeff${RACE}`)), run, "an editor has put a byte order mark before it");
  assert.deepEqual(runIn(bytes(JSON.stringify({ ...header, events: [] }, null, 2))), run);
  assert.deepEqual(runIn(bytes(`${JSON.stringify(header)}\n{"seq":1}\n`)), run);
  assert.deepEqual(runIn(bytes(`<!DOCTYPE html>\n<html><script type="application/json" id="trace">${JSON.stringify(header)}</script></html>`)), run);
  const there = { ...run, step: "9" };
  assert.deepEqual(runIn(bytes(`<!DOCTYPE html>\n<html><script type="application/json" id="trace">${JSON.stringify({ ...header, step: 9 })}</script></html>`)), there, "it opens where it was saved");
  const svg = intoSVG('<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>', { ...run, step: "2", lang: "zh" });
  assert.deepEqual(runIn(bytes(`<?xml version="1.0"?>\n${svg}`)), { ...run, step: "2", lang: "zh" });
});

test("a log of a Redis is known by its first lines", () => {
  const line = '1795816209.869404 [0 127.0.0.1:40974] "FLUSHALL"\n';
  const wide = Uint8Array.from([0xff, 0xfe, ...[...line].flatMap((c) => [c.charCodeAt(0), 0])]);
  for (const log of [line, `OK\n${line}`, `\ufeff${line}`, `redis-0 redis 2026-11-27T21:50:09Z ${line}`, '{"recording":1,"began":1795816238916}\n']) {
    assert.ok(isLog(bytes(log)), log);
  }
  assert.ok(isLog(wide), "PowerShell writes UTF-16");
  for (const other of [RACE, "{}", JSON.stringify(header), "# at 1795816209.869404 something was [0 wrong]"]) assert.ok(!isLog(bytes(other)), other);
});

test("a foreign file is called foreign", () => {
  const faults = {
    "\u0000asm": "file-foreign",
    "{}": "file-foreign",
    "{not json": "file-foreign",
    "null": undefined, // a text like any other: the parser of scenarios will say what is wrong with it
    "<!DOCTYPE html><title>a page</title>": "file-foreign",
    "<svg></svg>": "picture-bare",
    '{"format":"lockstep.trace","version":2}': "file-newer",
    '{"format":"lockstep.trace","version":1}': "trace-bare",
  };
  for (const [text, fault] of Object.entries(faults)) {
    if (fault) assert.throws(() => runIn(bytes(text)), { fault }, text);
    else assert.equal(runIn(bytes(text)).scenario, text);
  }
  assert.throws(() => runIn(Uint8Array.of(0xff, 0xd8, 0xff)), { fault: "file-foreign" });
  assert.throws(() => runIn(new Uint8Array(MAX_FILE + 1)), { fault: "file-large" });
  assert.throws(() => runIn(bytes("x".repeat(300_000))), { fault: "text-long" });
});
