import assert from "node:assert/strict";
import test from "node:test";

import { END, standing } from "./standing.js";

const RUN = "/t/run";

/** A reader of the run's page; by default a follower. @param {object} [options] */
const reader = (options) => standing({ run: RUN, shown: RUN, state: "follows", presenter: false, owner: false, apart: false, ...options });

/** A presenter who drives. */
const driver = () => reader({ presenter: true, state: "drives" });

/** News of a room that shows the run, and whose presenter drives. @param {object} [said] */
const room = (said) => ({ type: /** @type {const} */ ("room"), run: RUN, at: END, gathered: 0, driver: 0, black: false, locked: false, over: "", panels: {}, ...said });

test("a follower goes to the driver", () => {
  const here = reader();
  assert.deepEqual(here.hear(room()), { to: END });
  assert.equal(here.state, "follows");
  assert.deepEqual(here.hear(room({ at: 4 })), { to: 4 });
});

test("who moves before the room has told anything stays there", () => {
  const follows = reader();
  follows.look(9, 9);
  follows.look(8, 9);
  assert.deepEqual([follows.hear(room({ at: 4 })), follows.state], [{}, "away"]);
  const drives = driver();
  drives.look(4, 9);
  drives.look(9, 9);
  assert.deepEqual(drives.hear(room({ at: 4 })), {});
  assert.equal(drives.look(9, 9), END, "the room hears of it");
  const still = reader();
  still.look(9, 9);
  still.look(10, 10); // the run has gone on
  assert.deepEqual([still.hear(room({ at: 4 })), still.state], [{ to: 4 }, "follows"]);
});

test("a reader who looks at something else is away until they come back", () => {
  const here = reader();
  here.hear(room());
  here.look(3, 9);
  assert.equal(here.state, "away");
  assert.deepEqual(here.hear(room({ at: 4 })), {}, "the driver has moved on");
  assert.deepEqual(here.back(), { to: 4 });
  assert.equal(here.state, "follows");
});

test("a reader who reaches the driver's position follows again", () => {
  const here = reader();
  here.hear(room({ at: 4 }));
  here.look(3, 9);
  here.look(4, 9);
  assert.equal(here.state, "follows");
});

test("a run that grows leads nobody away", () => {
  const here = reader();
  here.hear(room());
  here.look(9, 9);
  here.look(10, 10);
  assert.equal(here.state, "follows");
});

test("a presenter who presses Next twice comes to the second run, and not to the first", () => {
  const here = driver();
  here.hear(room());
  assert.deepEqual(here.hear(room({ run: "/t/second" })), { leave: "/t/second" });
  assert.deepEqual(here.hear(room({ run: "/t/third" })), { leave: "/t/third" }, "the page has not left yet");
  assert.deepEqual(here.hear(room({ run: "/t/third", at: 2 })), { leave: "/t/third" });
});

test("a page that has not left yet stays when the room comes back", () => {
  const here = driver();
  here.hear(room());
  here.hear(room({ run: "/t/second" }));
  assert.deepEqual(here.hear(room()), { to: END, stay: true });
  assert.deepEqual(here.hear(room({ run: "/t/second" })), { leave: "/t/second" });
});

test("the presenter brings everybody back", () => {
  const here = reader();
  here.hear(room({ gathered: 1 }));
  here.look(3, 9);
  assert.deepEqual(here.hear(room({ gathered: 1 })), {}, "that was before");
  assert.deepEqual(here.hear(room({ gathered: 2 })), { to: END });
  assert.equal(here.state, "follows");
});

test("a page that was opened at a position stays there", () => {
  const here = reader({ apart: true });
  assert.deepEqual(here.hear(room()), {});
  assert.equal(here.state, "away");
});

test("a new driver stays where they are, and tells it; one who drives no more goes back to the new driver", () => {
  const here = reader();
  here.hear(room({ at: 4 }));
  here.look(3, 9);
  here.hear(room({ at: 4, driver: 2 }));
  assert.deepEqual(here.sit("drives"), {});
  assert.equal(here.state, "drives");
  assert.equal(here.look(3, 9), 3);
  here.tell(3);
  here.hear(room({ at: 4, driver: 3 }));
  assert.deepEqual(here.sit("follows"), { to: 4 });
  assert.equal(here.state, "follows");
});

test("a driver tells where they look, and the end is the end however far it is", () => {
  const here = driver();
  here.hear(room());
  assert.equal(here.look(9, 9), undefined);
  assert.equal(here.look(4, 9), 4);
  here.tell(4);
  assert.equal(here.look(4, 9), undefined, "it is on its way");
  assert.equal(here.look(9, 9), END);
});

test("the echo of a driver's position does not lead them back", () => {
  const here = driver();
  here.hear(room());
  here.tell(4);
  here.tell(5);
  assert.deepEqual(here.hear(room({ at: 4 })), {});
  assert.deepEqual(here.hear(room({ at: 5 })), {});
  assert.deepEqual(here.hear(room({ at: 2 })), { to: 2 }, "from the phone remote");
});

test("a driver's position that was lost with the connection is told again", () => {
  const here = driver();
  here.hear(room());
  here.look(4, 9);
  here.tell(4);
  here.untell(4);
  here.hear(room());
  assert.equal(here.look(4, 9), 4);
});

test("a presenter who reloads the page returns to their position", () => {
  const here = driver();
  assert.deepEqual(here.hear(room({ at: 4 })), { to: 4 });
});

test("before the server has spoken nobody is away, and nobody tells a position", () => {
  const here = driver();
  assert.equal(here.look(4, 9), undefined);
});

test("when the room shows another run, everybody goes there", () => {
  assert.deepEqual(reader().hear(room({ run: "/t/branch" })), { leave: "/t/branch" });
  const away = reader();
  away.hear(room());
  away.look(3, 9);
  assert.deepEqual(away.hear(room({ run: "/t/branch" })), { leave: "/t/branch" });
});

test("an owner stays in their copy until the presenter brings everybody back", () => {
  const here = reader({ run: "/t/own", state: "own", owner: true });
  assert.deepEqual(here.hear(room({ gathered: 1 })), {});
  here.look(3, 9);
  assert.equal(here.state, "own");
  assert.deepEqual(here.hear(room({ gathered: 1, run: "/t/branch" })), {});
  assert.deepEqual(here.hear(room({ gathered: 2, run: "/t/branch" })), { leave: "/t/branch" });
});

test("the owner of a copy that everybody is shown follows in it", () => {
  const here = reader({ run: "/t/own", state: "own", owner: true });
  here.hear(room());
  assert.deepEqual(here.hear(room({ run: "/t/own" })), { to: END });
  here.sit("follows");
  assert.equal(here.state, "follows");
});

test("an owner goes on in a copy that was shown", () => {
  const here = reader({ run: "/t/own", owner: true });
  here.hear(room({ run: "/t/own" }));
  assert.deepEqual(here.hear(room({ run: "/t/room" })), {});
  here.sit("own");
  assert.equal(here.state, "own");
});

test("a presenter may prepare a run that the room does not show", () => {
  const here = reader({ run: "/t/prepared", state: "elsewhere", presenter: true });
  assert.deepEqual(here.hear(room({ gathered: 1 })), {});
  assert.deepEqual(here.hear(room({ gathered: 2 })), {});
  assert.equal(here.state, "elsewhere");
});

test("after the class nobody follows", () => {
  const here = driver();
  here.hear(room());
  assert.deepEqual(here.hear(room({ at: 4, over: "/t/replay" })), {});
  here.sit("over");
  assert.equal(here.state, "over");
  assert.equal(here.look(3, 9), undefined);
});
