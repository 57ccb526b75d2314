import assert from "node:assert/strict";
import test from "node:test";
import { crc32, deflateSync } from "node:zlib";

import { fromPNG, fromSVG, intoPNG, intoSVG } from "./carry.js";
import { MAX_TEXT } from "./mistake.js";
import { crc, textOf, withText } from "./png.js";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>';

/** One white pixel. */
const PNG = file(
  chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
  chunk("IDAT", deflateSync(Uint8Array.of(0, 255))),
  chunk("IEND", []),
);

/** @param {string} type @param {Iterable<number>} data */
function chunk(type, data) {
  const content = Buffer.from([...Buffer.from(type), ...data]);
  const made = Buffer.alloc(content.length + 8);
  made.writeUInt32BE(content.length - 4);
  content.copy(made, 4);
  made.writeUInt32BE(crc(content), content.length + 4);
  return made;
}

/** @param {Buffer[]} chunks */
function file(...chunks) {
  return new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]));
}

const HOSTILE = [
  "spawn C1\n",
  "# 两个客户端，一把锁 🔒\nspawn C1 C2\n",
  '# ]]></scenario></metadata><script>alert("1")</script>&lt;&#x41;\n',
  "# </scenario> <scenario xmlns='urn:lockstep'>spawn C9</scenario>\n",
  "# bell \u0007, return \r, nothing \0, last \uffff \ufffe, half \ud83d, lines \u2028\u2029\n",
  "# " + "&".repeat(MAX_TEXT - 2),
  "",
];

test("a picture returns its run, whatever the run has", () => {
  for (const scenario of HOSTILE) {
    for (const [step, lang] of [["9", "zh"], ["", ""]]) {
      const svg = intoSVG(SVG, { scenario, step, lang });
      assert.deepEqual(fromSVG(svg), { scenario, step, lang });
      assert.ok(!svg.includes("<script>"));
      assert.ok(!/[\0-\x08\x0b-\x1f\ufffe\uffff]/.test(svg), "XML can hold it");
      const whole = !/[\ud800-\udfff]/u.test(scenario); // UTF-8 has no half of a pair
      if (whole) assert.deepEqual(fromPNG(intoPNG(PNG, { scenario, step, lang })), { scenario, step, lang });
    }
  }
});

test("a text stands before the end of the PNG, with its checksum", () => {
  assert.equal(crc(Buffer.from("IEND")), 0xae426082); // as in every PNG file
  if (crc32) assert.equal(crc(PNG), crc32(PNG));
  const made = Buffer.from(withText(PNG, "lockstep-scenario", "spawn C1"));
  assert.equal(made.subarray(-8, -4).toString(), "IEND");
  assert.deepEqual(made.subarray(0, PNG.length - 12), Buffer.from(PNG).subarray(0, -12));
  assert.ok(made.includes(Buffer.from("iTXtlockstep-scenario\0\0\0\0\0spawn C1")));
});

test("text of another program around the run is skipped", () => {
  const moved = '<?xml version="1.0"?>\n<svg:svg xmlns:svg="http://www.w3.org/2000/svg"><metadata><l:scenario xmlns:l="urn:lockstep" lang=\'en\' step="3">spawn C1&#10;# &apos;&#x4e2d;</l:scenario></metadata></svg:svg>';
  assert.deepEqual(fromSVG(moved), { scenario: "spawn C1\n# '中", step: "3", lang: "en" });
  const described = file(...[PNG.subarray(8, 33), PNG.subarray(33, -12)].map((part) => Buffer.from(part)),
    chunk("iTXt", Buffer.from("Comment\0\0\0\0\0by another")),
    chunk("iTXt", Buffer.from("lockstep-scenario\0\0\0en\0Szenario\0spawn C1")),
    Buffer.from(PNG.subarray(-12)));
  assert.equal(textOf(described, "lockstep-scenario"), "spawn C1");
});

test("a picture without a run says so", () => {
  assert.throws(() => fromSVG(SVG), { fault: "picture-bare" });
  assert.throws(() => fromSVG("<svg><scenario>spawn C1</scenario></svg>"), { fault: "picture-bare" });
  assert.throws(() => fromSVG(`${SVG}<scenario xmlns="urn:lockstep">spawn`), { fault: "picture-bare" });
  assert.throws(() => fromPNG(PNG), { fault: "picture-bare" });
});

test("a run that is too long, cut off or damaged is refused", () => {
  const long = "x".repeat(MAX_TEXT + 1);
  assert.throws(() => fromSVG(intoSVG(SVG, { scenario: long, step: "", lang: "" })), { fault: "text-long" });
  const large = withText(PNG, "lockstep-scenario", long);
  assert.throws(() => fromPNG(large), { fault: "text-long" });
  const made = withText(PNG, "lockstep-scenario", "spawn C1");
  for (const cut of [9, 20, 40, made.length - 13]) assert.throws(() => fromPNG(made.subarray(0, cut)), { fault: "file-broken" }, String(cut));
  const damaged = made.slice();
  damaged[made.length - 20] ^= 1;
  assert.throws(() => fromPNG(damaged), { fault: "file-broken" });
  const strange = intoSVG(SVG, { scenario: "\0", step: "", lang: "" }).replace("&quot;", "");
  assert.throws(() => fromSVG(strange), { fault: "file-broken" });
});
