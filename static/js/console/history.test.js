import assert from "node:assert/strict";
import test from "node:test";

import { history } from "./history.js";

test("the reader moves back and forward, and returns to the line they had begun", () => {
  const typed = history();
  assert.equal(typed.back("SET"), undefined);
  typed.add("SETNX mykey Hello");
  typed.add("GET mykey");
  typed.add("GET mykey");
  assert.equal(typed.back("DEL my"), "GET mykey");
  assert.equal(typed.back("GET mykey"), "SETNX mykey Hello");
  assert.equal(typed.back("SETNX mykey Hello"), undefined);
  assert.equal(typed.forward(), "GET mykey");
  assert.equal(typed.forward(), "DEL my");
  assert.equal(typed.forward(), undefined);
});
