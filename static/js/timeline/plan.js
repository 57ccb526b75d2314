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
 * @property {(position: number) => number} after  px along the axis: where the playhead stands at a position; 0: nothing has happened
 * @property {(px: number) => number} at  the position at which the playhead stands there
 * @property {(from: number, to: number) => Group[]} groups  what touches that stretch of the axis
 * @property {(state: State) => Group[]} heads  the lane heads with the states after an event
 * @property {(state: State, position: number, carried?: Set<number>) => Group[]} waiting  what is in flight after an event, beside
 *   the playhead; without the calls that a motion carries, which are named by their ids
 * @property {(seq: number) => number} lasts  how long the motion of an event takes, ms
 * @property {(state: State, position: number, dropped?: Dropped) => Motion} motion  what moves at a position between two events;
 *   `state` is after the event before it
 * @property {(at: number) => Group[]} ahead  the lanes as they run on beyond the playhead at that px, while the veil hides them
 * @property {() => {name: string, node: boolean, at: number, seen: boolean}[]} lanes  at: px across the axis
 * @property {number} pitch  px from one lane to the next
 * @property {(left: number, right: number, now: number) => Group[]} [edge]  what is said again at the edges of the view, which cut it, with
 *   the playhead at `now`; this and the others only where time runs to the right
 * @property {number} [axisAt]  px across the axis: where it runs
 * @property {import("./rows.js").Rows} [rows]  from which those of a plan with more lanes move to theirs
 * @property {() => Outline} [outline]  for the minimap
 *
 * @typedef {{call: number, dx: number, dy: number}} Dropped  a call whose token the reader has dragged, and how far, px
 *
 * @typedef {object} Motion  empty where an action is over
 * @property {Group[]} groups  drawn over the veil
 * @property {number} shown  how much is seen of what the event brings little by little, from 0 to 1
 * @property {Set<number>} carried  ids of the calls that are among them: they wait nowhere
 *
 * @typedef {object} Outline  the whole run at a glance
 * @property {string[]} lanes
 * @property {{lane: number, from: number, to: number}[]} sections  px along the axis
 * @property {{from: number, to: number}[]} violations
 * @property {{lane: number, at: number}[]} crashes
 */

/** The most nodes of a plan that are live at once; what the playhead brings and the minimap stay below 100. */
export const BUDGET = 500;

/** Counts the nodes of a list of groups: a group of one shape is that shape.
 * @param {Group[]} groups
 */
export const nodeCount = (groups) => groups.reduce((n, { shapes }) => n + shapes.length + (shapes.length > 1 ? 1 : 0), 0);
