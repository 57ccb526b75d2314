import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { changed, panelReader } from "./change.js";

// The server's tests make these changes (web/live/change_test.go).
for (const { what, before, now, told } of JSON.parse(readFileSync(new URL("../../../web/live/testdata/changes.json", import.meta.url), "utf8"))) {
  test(`a change reads as the server means it: ${what}`, () => assert.equal(changed(before, told), now));
}

test("each message tells the changes since the one before, but for a view of another position", () => {
  const read = panelReader();
  assert.deepEqual(read({ type: "hello", panels: { caption: "<p>One</p>", limit: "<i></i>" } }), { caption: "<p>One</p>", limit: "<i></i>" });
  assert.deepEqual(read({ type: "view", panels: { caption: "<p>Nothing</p>" } }), { caption: "<p>Nothing</p>" });
  assert.deepEqual(read({ type: "events", panels: { caption: ["<p>Two", 1, 1] } }), { caption: "<p>Two</p>" });
  assert.deepEqual(read({ type: "room", panels: { room: "<b>Here</b>" } }), { room: "<b>Here</b>" });
  assert.deepEqual(read({ type: "events", panels: { caption: [0, 2], limit: "" } }), { caption: "<p>Two</p>", limit: "" });
});
