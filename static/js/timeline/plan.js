/**
 * A plan is a picture that is laid out but not drawn: the places along the direction
 * of time, and the groups of any stretch, made on demand. Each log and zoom has one
 * plan. A window of it is live, and the playhead moves over it without a new plan.
 *
 * @typedef {import("./shapes.js").Group} Group
 * @typedef {import("../trace/state.js").State} State
 *
 * @typedef {object} Plan
 * @property {"x" | "y"} axis  the direction of time
 * @property {number} width
 * @property {number} height
 * @property {number} head  how much of the axis the heads of the lanes take, which stay in view
 * @property {number} playhead  px along the axis: where the log ends
 * @property {number} reach  px along the axis up to which there is something to see
 * @property {(seq: number) => number} place  px along the axis: where an event stands
 * @property {(seq: number) => number} after  px along the axis: where the playhead stands when seq is the last event; 0: none is
 * @property {(from: number, to: number) => Group[]} groups  what touches that stretch of the axis, and what always shows
 * @property {(state: State) => Group[]} [heads]  the lane heads with the states after an event; without it, groups has them
 * @property {(state: State, at: number) => Group[]} [waiting]  what is in flight after an event, beside the playhead at `at`
 * @property {() => Outline} [outline]  for the minimap
 *
 * @typedef {object} Outline  the whole run at a glance
 * @property {string[]} lanes
 * @property {{lane: number, from: number, to: number}[]} sections  px along the axis
 * @property {{from: number, to: number}[]} violations
 * @property {{lane: number, at: number}[]} crashes
 */

/** At most so many nodes of a plan are live at once; what the playhead brings and the minimap stay below 100. */
export const BUDGET = 500;

/** Counts the nodes of a list of groups: a group of one shape is that shape.
 * @param {Group[]} groups
 */
export const nodeCount = (groups) => groups.reduce((n, { shapes }) => n + shapes.length + (shapes.length > 1 ? 1 : 0), 0);
