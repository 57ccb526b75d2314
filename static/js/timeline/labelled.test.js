import assert from "node:assert/strict";
import { test } from "node:test";

import { loadDown } from "./downwards.js";
import { layout } from "./layout.js";
import { marks } from "./model.js";
import { approximate, labelText } from "./text.js";
import { english } from "./words.testdata.js";
import { race } from "../trace/traces.testdata.js";
import { fold } from "../trace/state.js";

await loadDown();

/** @type {typeof layout} */
const down = (marks, given) => layout(marks, { ...given, axis: "y" });

const options = { words: english, measure: approximate, columnWidth: 48 };

/** @param {string} [label] @param {number} [began] */
const labelled = (label, began) => race().events.map((e) => ({
  ...e, ...(began && e.seq === 1 ? { began } : {}), ...(label && e.kind === "spawn" ? { spawned: { ...e.spawned, label: `${label}${e.lane?.slice(1)}` } } : {}),
}));

/** @param {import("./plan.js").Plan} plan @param {import("../trace/state.js").Event[]} events */
const heads = (plan, events) => plan.heads(fold(events));

/** @param {import("./shapes.js").Group[]} groups @param {string} name @returns {import("./shapes.js").Text[]} */
const said = (groups, name) => groups.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" && s.class === name ? [s] : [])));

/** @param {import("./shapes.js").Text[]} texts */
function apart(texts) {
  texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
    const clear = a.box.x + a.box.width <= b.box.x || b.box.x + b.box.width <= a.box.x || a.box.y + a.box.height <= b.box.y || b.box.y + b.box.height <= a.box.y;
    assert.ok(clear, `${a.text} touches ${b.text}`);
  }));
}

test("a lane's head says who the client is, and stays clear of the lanes and of the other words", () => {
  const events = labelled("10.0.0.7:4099");
  for (const height of [0, 480, 300, 240]) {
    const plan = layout(marks(events), { ...options, width: 900, height });
    const all = heads(plan, events);
    const who = said(all, "lane-label");
    assert.deepEqual(who.map((t) => t.text), ["10.0.0.7:40993", "10.0.0.7:40991", "10.0.0.7:40992"], `in ${height} px`);
    for (const t of who) assert.ok(t.box.x + t.box.width <= plan.head - 8, `${t.text} reaches the lanes in ${height} px`);
    apart(all.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s] : []))));
    assert.equal(all.find((g) => g.key === "head C1")?.hint, "C1 · 10.0.0.7:40991");
  }
});

test("who a client is has a bound in the head, and is whole under a pointer", () => {
  const long = "x".repeat(63);
  const events = labelled(long);
  const plan = layout(marks(events), { ...options, width: 1200, height: 480 });
  const all = heads(plan, events);
  for (const t of said(all, "lane-label")) assert.ok(t.box.width <= 176 && t.text.endsWith("…"), t.text);
  assert.equal(all.find((g) => g.key === "head C2")?.hint, `C2 · ${long}2`);
});

test("where time runs down, the heads of the columns say it while they have room", () => {
  const events = labelled("10.0.0.7:4099");
  for (const width of [390, 700]) {
    const plan = down(marks(events), { ...options, width });
    const all = heads(plan, events);
    const who = said(all, "lane-label");
    assert.equal(who.length, 3);
    for (const t of who) assert.ok(t.box.x >= 0 && t.box.y + t.box.height <= plan.head, `${t.text} leaves the head at ${width} px`);
    apart(all.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s] : []))));
  }
});

test("where time runs down, few clients have a line for the address and one for the name", () => {
  const events = labelled("10.0.0.7:40990 billing-consumer-");
  const two = events.filter((e) => e.kind === "spawn" && e.lane !== "C3").map((e, i) => ({ ...e, seq: i + 1 }));
  const plan = down(marks(two), { ...options, width: 390 });
  const all = heads(plan, two);
  assert.deepEqual(said(all, "lane-label").map((t) => t.text), ["10.0.0.7:40990", "billing-consu…", "10.0.0.7:40990", "billing-consu…"]);
  apart(all.flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s] : []))));
});

test("the axis tells the times of a wall clock; without one it is as ever", () => {
  const began = Date.UTC(2026, 10, 27, 21, 54, 7, 133);
  for (const lay of [layout, down]) {
    /** @param {import("../trace/state.js").Event[]} events */
    const times = (events) => lay(marks(events), { ...options, width: 390 }).groups(-Infinity, Infinity).flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" && /^time\b/.test(s.class) ? [s] : []))).map((t) => t.text);
    assert.deepEqual(times(race().events), ["1000", "1012"]);
    assert.deepEqual(times(labelled("", began)), ["21:54:07.133", "21:54:19.133"]);
  }
  const plain = layout(marks(race().events), { ...options, width: 900, height: 480 });
  assert.deepEqual(said(heads(plain, race().events), "lane-label"), []);
});

test("who a client is is shortened to what tells it from its neighbours", () => {
  /** @param {string} label @param {number} letters */
  const short = (label, letters) => labelText(label, 1, letters, (text) => [...text].length);
  assert.equal(short("10.0.0.7:40990", 14), "10.0.0.7:40990");
  assert.equal(short("10.0.0.7:40990", 8), "…7:40990");
  assert.equal(short("10.0.0.7:40990", 4), "");
  assert.equal(short("10.0.0.7:40990 worker-3", 22), "worker-3");
  assert.equal(short("10.0.0.7:40990 billing-consumer", 10), "billing-c…");
  assert.equal(short("billing-consumer", 10), "billing-c…");
  assert.equal(short("10.0.0.7:1, 10.0.0.8:2", 14), "10.0.0.7:1, 1…");
});

test("lanes far apart have a line for the address and one for the name", () => {
  const events = labelled("10.0.0.7:40990 billing-consumer-eu-west-1a-");
  const plan = layout(marks(events), { ...options, width: 1200, height: 720 });
  assert.deepEqual(said(heads(plan, events), "lane-label").slice(0, 2).map((t) => t.text), ["10.0.0.7:40990", "billing-consumer-eu…"]);
  apart(heads(plan, events).flatMap((g) => g.shapes.flatMap((s) => (s.kind === "text" ? [s] : []))));
});
