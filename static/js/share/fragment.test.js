import assert from "node:assert/strict";
import test from "node:test";
import { deflateRawSync } from "node:zlib";

import { decode, encode, linkTo } from "./fragment.js";
import { MAX_TEXT } from "./mistake.js";

const RACE = "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\nstep C1 2\nstep C2 2\nstep C1 2\nstep C2 2\n";

/** @param {Uint8Array} bytes */
const link = (bytes) => Buffer.from(deflateRawSync(bytes)).toString("base64url");

test("a link returns the text, letter for letter", async () => {
  for (const text of [RACE, "", "# 两个客户端\nspawn C1\r\n", "]]></metadata><script>alert(1)</script>\0\u2028", "x".repeat(MAX_TEXT)]) {
    const fragment = await encode(text);
    assert.match(fragment, /^[A-Za-z0-9_-]+$/);
    assert.equal(await decode(fragment), text);
  }
});

test("a run of one line repeated makes a short link", async () => {
  assert.ok((await encode(RACE)).length < RACE.length);
});

test("a fragment that is no link is refused", async () => {
  const whole = await encode(RACE);
  for (const broken of [whole.slice(0, -6), whole.slice(4), `${whole}.`, `${whole}=`, "%E4%B8%AD", "a", "----", link(Buffer.from([0xff, 0xfe, 0x41]))]) {
    await assert.rejects(decode(broken), { fault: "link-broken" }, broken);
  }
  await assert.rejects(decode(""), { fault: "link-empty" });
});

test("a bomb is not inflated", async () => {
  const bomb = link(Buffer.alloc(64 << 20)); // 64 MB in 87,000 letters
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(decode(bomb), { fault: "text-long" });
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20, "no more than a slice of it has been inflated");
  await assert.rejects(decode("A".repeat(1 << 20)), { fault: "text-long" });
  await assert.rejects(encode("锁".repeat(MAX_TEXT / 2)), { fault: "text-long" });
});

test("a link of 1,500 characters in all carries its run where the server sees it, and a longer one behind #", async () => {
  const page = "https://lockstep.example/p";
  for (const [step, begins] of [["", `${page}?s=`], ["12", `${page}?step=12&s=`]]) {
    const code = "x".repeat(1500 - begins.length);
    assert.equal(linkTo(page, code, step), begins + code);
    assert.equal(linkTo(page, `${code}x`, step), `${page}${step && `?step=${step}`}#${code}x`);
  }
});
