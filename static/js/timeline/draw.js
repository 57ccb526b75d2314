/**
 * Draws groups as SVG. It keeps nodes by the key of their group, and an update
 * touches only the changes. It remembers the drawing, because asking the page costs
 * more than drawing. It sets classes and presentation attributes only: the content
 * security policy forbids inline style.
 *
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./shapes.js").Shape} Shape
 * @typedef {import("./shapes.js").Box} Box
 *
 * @typedef {object} View  what changes the look of what is drawn, and not its place
 * @property {number} playhead  seq
 * @property {(seq: number) => boolean} selected
 * @property {number} hovered  seq; 0: none
 * @property {number} explained  seq of the guilty event that is pointed at; 0: none
 * @property {Coming | null} coming  null: nothing moves
 * @property {Box[]} taken  by words that are said now: those of the future give way
 * @property {(group: Group) => boolean} [lit]  words point at it
 * @property {Set<number>} [numbered]  seqs of the commands whose numbers are said in words
 *
 * @typedef {{until: number, now: number, shown: number}} Coming  what the motion on its way to the event `until` has not brought yet is not seen;
 *   `shown` is how much is seen of what it brings with the event `now`
 *
 * @typedef {{node: Element, group: Group, nodes: Element[], classes: string, stop: boolean, seen: number, cut: boolean}} Drawn
 */

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @returns {SVGElement} */
export const svgNode = (name) => /** @type {SVGElement} */ (document.createElementNS(SVG, name));

/**
 * A layer of a picture: draws groups into an element.
 * @param {Element} parent
 * @param {"en" | "zh"} lang
 * @param {string} [id]  with which the ids of its marks begin, of which each event has one; empty: it has none, as it says what another layer shows
 */
export function layer(parent, lang, id = "") {
  /** @type {Map<string, Drawn>} */
  let drawn = new Map();

  return {
    drawn: () => drawn,

    /** @param {Group[]} groups @param {View} view */
    draw(groups, view) {
      /** @type {Map<string, Drawn>} */
      const next = new Map();
      /** @type {Set<number>} */
      const stops = new Set();
      /** @type {ChildNode | null} */
      let at = parent.firstChild;
      for (const group of groups) {
        const old = drawn.get(group.key);
        const one = old && old.nodes.length === group.shapes.length && sameKinds(old.group, group) && old.group.hint === group.hint ? old : made(group);
        if (old && old !== one) {
          if (at === old.node) at = at.nextSibling;
          old.node.remove();
        }
        if (one === old) redo(one, group);
        // One stop for the keyboard for each event, however many nodes show it.
        const stop = id !== "" && group.title !== null && group.seq > 0 && !stops.has(group.seq);
        if (stop) stops.add(group.seq);
        mark(one, group, stop && `${id}-${group.seq}`, lang);
        one.group = group;
        dress(one, view);
        drawn.delete(group.key);
        next.set(group.key, one);
        if (at === one.node) at = at.nextSibling;
        else parent.insertBefore(one.node, at);
      }
      for (const { node } of drawn.values()) node.remove();
      drawn = next;
    },

    /** Shows as much as has come. @param {Coming | null} coming @param {number} playhead */
    reveal(coming, playhead) {
      for (const one of drawn.values()) if (one.group.opens || one.group.ends) reveal(one, coming, playhead);
    },

    /** Hides the words that an edge of the view cuts. @param {number} from @param {number} to  px along the axis */
    cut(from, to) {
      for (const one of drawn.values()) cut(one, from, to);
    },

    /** @param {View} view */
    dress(view) {
      for (const one of drawn.values()) dress(one, view);
    },
  };
}

/** @param {Group} a @param {Group} b */
const sameKinds = (a, b) => a.shapes.every((shape, i) => shape.kind === b.shapes[i].kind);

/** A group of one shape is that shape; others are held together. @param {Group} group @returns {Drawn} */
function made(group) {
  const nodes = group.shapes.map((shape) => {
    const node = svgNode(shape.kind);
    const { kind, ...attributes } = attributesOf(shape);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    if (shape.kind === "text") node.textContent = shape.text;
    return node;
  });
  const node = nodes.length === 1 ? nodes[0] : svgNode("g");
  if (nodes.length !== 1) node.append(...nodes);
  const hint = group.token?.whole ?? group.hint;
  if (hint) {
    const title = svgNode("title");
    title.textContent = hint;
    node.prepend(title);
  }
  if (group.token) node.setAttribute("data-token", group.key);
  return { node, group, nodes, classes: "", stop: false, seen: 1, cut: false };
}

/** @param {Drawn} one @param {Group} group */
function redo(one, group) {
  group.shapes.forEach((shape, i) => {
    const [before, after] = [attributesOf(one.group.shapes[i]), attributesOf(shape)];
    for (const name in after) {
      if (before[name] !== after[name] && !(name === "class" && one.nodes.length === 1)) one.nodes[i].setAttribute(name, String(after[name]));
    }
    const old = one.group.shapes[i];
    if (shape.kind === "text" && old.kind === "text" && old.text !== shape.text) one.nodes[i].textContent = shape.text;
  });
}

/** @param {Shape} shape @returns {Record<string, string | number | undefined>} */
function attributesOf(shape) {
  if (shape.kind !== "text") return shape;
  return { kind: shape.kind, class: shape.class, x: shape.x, y: shape.y, "text-anchor": shape.anchor, "font-size": shape.size };
}

/** Makes a node a mark, which the pointer and a screen reader find.
 * @param {Drawn} one
 * @param {Group} group
 * @param {string | false} id  false: the keyboard does not stop there
 * @param {"en" | "zh"} lang
 */
function mark(one, group, id, lang) {
  const { node } = one;
  const stop = id !== false;
  const fresh = one.classes === "";
  if (fresh || one.group.seq !== group.seq) {
    if (group.seq) node.setAttribute("data-seq", String(group.seq));
    else node.removeAttribute("data-seq");
  }
  if (stop && node.id !== id) node.id = id;
  if (fresh || one.stop !== stop) {
    one.stop = stop;
    if (stop) {
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", "-1");
      node.removeAttribute("aria-hidden");
    } else {
      node.setAttribute("aria-hidden", "true");
      for (const name of ["id", "role", "tabindex", "aria-label", "aria-pressed"]) node.removeAttribute(name);
    }
  }
  if (stop && group.title) {
    // A name begins with what can be read: whoever speaks to the page says that.
    const words = group.shapes.flatMap((s) => (s.kind === "text" ? [s.text] : []));
    const label = [...words, group.title[lang]].join(" ");
    if (node.getAttribute("aria-label") !== label) node.setAttribute("aria-label", label);
  }
}

/** @param {Drawn} one @param {Coming | null} coming @param {number} playhead */
function reveal(one, coming, playhead) {
  const seq = one.group.opens ?? one.group.ends ?? 0;
  const comes = coming !== null && seq > playhead && seq <= coming.until;
  const seen = !comes ? 1 : seq === coming.now && one.group.opens ? coming.shown : 0;
  if (seen === one.seen) return;
  one.seen = seen;
  if (seen < 1) one.node.setAttribute("opacity", String(seen));
  else one.node.removeAttribute("opacity");
}

/** A flag is cut as a whole: without its words it says nothing. @param {Drawn} one @param {number} from @param {number} to */
function cut(one, from, to) {
  const { group: { class: name, shapes }, node, nodes } = one;
  const is = shapes.some((s) => s.kind === "text" && (s.box.x < from && s.box.x + s.box.width > from || s.box.x < to && s.box.x + s.box.width > to));
  if (is === one.cut) return;
  one.cut = is;
  const hidden = name === "violation" ? [node] : nodes.filter((_, i) => shapes[i].kind === "text");
  for (const each of hidden) each.classList.toggle("cut", is);
}

/** @param {Drawn} one @param {View} view */
function dress(one, { playhead, coming, selected, hovered, explained, taken, lit, numbered }) {
  const { group, node, nodes } = one;
  if (group.opens || group.ends) reveal(one, coming, playhead);
  let classes = `mark ${group.class}`;
  if (nodes.length === 1) classes += ` ${group.shapes[0].class}`;
  if (group.blamed && group.blamed <= playhead) classes += " guilty";
  if (group.seq > 0) {
    const chosen = selected(group.seq);
    if (chosen) classes += " selected";
    if (one.stop && chosen !== (node.getAttribute("aria-pressed") === "true")) node.setAttribute("aria-pressed", String(chosen));
    if (group.seq === hovered) classes += " hovered";
    if (explained > 0 && group.seq === explained) classes += " explained";
    if (numbered?.has(group.seq)) classes += " numbered";
  }
  if (lit?.(group)) classes += " lit-mark";
  const comes = coming !== null && (group.opens ?? group.ends ?? Infinity) <= coming.until;
  if (group.since !== undefined && group.since > playhead && !comes) {
    classes += group.shapes.some((s) => s.kind === "text" && taken.some((box) => touch(box, s.box))) ? " future aside" : " future";
  }
  if (one.cut && (nodes.length === 1 || group.class === "violation")) classes += " cut";
  if (classes === one.classes) return;
  one.classes = classes;
  node.setAttribute("class", classes);
}

/** @param {Box} a @param {Box} b */
const touch = (a, b) => a.x < b.x + b.width + 4 && b.x < a.x + a.width + 4 && a.y < b.y + b.height && b.y < a.y + a.height;
