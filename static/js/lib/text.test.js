import assert from "node:assert/strict";
import test from "node:test";

import { browser } from "./globals.testdata.js";
import { text } from "./text.js";

/**
 * Gives these answers, one after another, and returns the addresses that are asked for.
 * @param {test.TestContext} t
 * @param {...(string | number)} answers  texts, or statuses of errors
 */
function network(t, ...answers) {
  /** @type {string[]} */
  const asked = [];
  browser(t, {
    /** @param {string} address */
    async fetch(address) {
      asked.push(address);
      const answer = answers.shift();
      return new Response(String(answer), { status: typeof answer === "number" ? answer : 200 });
    },
  });
  return asked;
}

test("a text is asked for once, also while it is on its way", async (t) => {
  const asked = network(t, "the help");
  assert.deepEqual(await Promise.all([text("/a"), text("/a"), text("/a")]), ["the help", "the help", "the help"]);
  assert.equal(await text("/a"), "the help");
  assert.deepEqual(asked, ["/a"]);
});

test("a page of an error is no text, and the next time asks again", async (t) => {
  const asked = network(t, 503, "the help");
  await assert.rejects(text("/b"), /503/);
  assert.equal(await text("/b"), "the help");
  assert.deepEqual(asked, ["/b", "/b"]);
});
