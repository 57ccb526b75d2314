/**
 * From geometry to SVG. Nodes are kept by the key of their group, so that an
 * update changes only what has changed. Classes and presentation attributes
 * only: the content security policy forbids inline style.
 *
 * @typedef {import("./shapes.js").Geometry} Geometry
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("./shapes.js").Shape} Shape
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {SVGSVGElement} svg
 * @param {Geometry} geometry
 * @param {{lang: "en" | "zh", label: string}} options  label names the picture
 */
export function draw(svg, geometry, { lang, label }) {
  set(svg, {
    class: "timeline", role: "group", "aria-label": label,
    viewBox: `0 0 ${geometry.width} ${geometry.height}`, width: geometry.width, height: geometry.height,
  });
  /** @type {Map<string, Element>} */
  const kept = new Map([...svg.children].map((node) => [node.getAttribute("data-key") ?? "", node]));
  /** @type {Element | null} */
  let before = null;
  for (const group of geometry.groups) {
    const node = kept.get(group.key) ?? document.createElementNS(SVG, "g");
    kept.delete(group.key);
    update(node, group, lang);
    /** @type {ChildNode | null} */
    const next = before ? before.nextSibling : svg.firstChild;
    if (next !== node) svg.insertBefore(node, next);
    before = node;
  }
  for (const node of kept.values()) node.remove();
}

/**
 * Marks the event as selected: its own mark or, when it has none, the one it belongs to.
 * @param {SVGSVGElement} svg
 * @param {number} seq  0: nothing is selected
 */
export function mark(svg, seq) {
  const nodes = [...svg.querySelectorAll("g[data-seq]")];
  const seqs = nodes.map((n) => Number(n.getAttribute("data-seq"))).filter((n) => n <= seq);
  const nearest = seq > 0 ? Math.max(0, ...seqs) : 0;
  for (const node of nodes) node.classList.toggle("selected", nearest > 0 && Number(node.getAttribute("data-seq")) === nearest);
}

/**
 * Keeps the heads of the lanes in view when the picture is scrolled.
 * @param {SVGSVGElement} svg
 * @param {number} left  px scrolled
 */
export function follow(svg, left) {
  for (const node of svg.querySelectorAll(":scope > g.head")) node.setAttribute("transform", `translate(${left})`);
}

/** @param {Element} node @param {Group} group @param {"en" | "zh"} lang */
function update(node, group, lang) {
  set(node, { "data-key": group.key, class: `mark ${group.class}`, ...(group.seq ? { "data-seq": group.seq } : {}) });
  const wanted = group.title ? [{ kind: /** @type {const} */ ("title"), text: group.title[lang] }, ...group.shapes] : group.shapes;
  wanted.forEach((shape, i) => {
    const old = node.children[i];
    const child = old?.tagName === shape.kind ? old : document.createElementNS(SVG, shape.kind);
    if (old !== child) old ? old.replaceWith(child) : node.append(child);
    if (shape.kind === "title") write(child, shape.text);
    else show(child, shape);
  });
  while (node.children.length > wanted.length) node.lastElementChild?.remove();
}

/** @param {Element} node @param {Shape} shape */
function show(node, shape) {
  if (shape.kind !== "text") {
    const { kind, ...attributes } = shape;
    set(node, attributes);
    return;
  }
  set(node, { class: shape.class, x: shape.x, y: shape.y, "text-anchor": shape.anchor });
  write(node, shape.text);
}

/** @param {Element} node @param {Record<string, string | number>} attributes */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
  }
}

/** @param {Element} node @param {string} text */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
