import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { lines, quote, split } from "./cli.js";

const samples = JSON.parse(readFileSync(new URL("../../../engine/redis/testdata/cli.json", import.meta.url), "utf8"));

test("a line is read as redis-cli reads it", () => {
  for (const { line, words, refused, quoted } of samples.split) {
    const read = split(line);
    assert.equal(read.closed, !refused, line);
    if (quoted) assert.equal(quote(read.words.map((w) => w.text)), quoted); // bytes that are not UTF-8, which JSON cannot hold
    else if (!refused) assert.deepEqual(read.words.map((w) => w.text), words, line);
  }
});

test("a quoted word reads back, and says where it stands", () => {
  for (const { words } of samples.split) {
    if (words) assert.deepEqual(split(quote(words)).words.map((w) => w.text), words);
  }
  assert.equal(quote(["SETNX", "mykey", "Hello World", "#1", ""]), 'SETNX mykey "Hello World" "#1" ""');
  assert.deepEqual(split(' GET  "my key" ').words.map((w) => [w.start, w.end]), [[1, 4], [6, 14]]);
});

test("an array has a line for each value", () => {
  for (const { text, cli } of samples.replies) assert.deepEqual(lines(text), cli);
});
