/**
 * Computes the whole run at a glance, for the minimap.
 *
 * @typedef {import("./model.js").Marks} Marks
 * @typedef {import("./layout.js").Frame} Frame
 */

/**
 * @param {Marks} marks
 * @param {Pick<Frame, "along">} frame
 * @returns {import("./plan.js").Outline}
 */
export function outline({ lanes, sections, violations, crashes }, { along }) {
  const names = lanes.map((l) => l.name);
  const index = new Map(names.map((name, i) => [name, i]));
  /** @param {string} name */
  const lane = (name) => index.get(name) ?? 0;
  return {
    lanes: names,
    sections: sections.map((s) => ({ lane: lane(s.client), from: along(s.from), to: along(s.to) })),
    violations: violations.map((v) => ({ from: along(v.from), to: along(v.to) })),
    crashes: crashes.map((c) => ({ lane: lane(c.lane), at: along(c.at) })),
  };
}
