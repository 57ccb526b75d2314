/** What the pictures of tests say. @type {import("./layout.js").Words} */
export const english = {
  waits: "asks Redis", asleep: "asleep", inside: "inside", releasing: "releasing", done: "done", crashed: "crashed", down: "down", failed: "failed",
  timeline: "Timeline", paused: "paused", expired: "expired", by: "by {client}", until: "until {time}", lost: "lost", storage: "Storage", accepted: "accepted {n}",
  rejected: "rejected {n}", read: "read {n}", wrote: "wrote {n}", staged: "wrote {n}, uncommitted", committed: "committed {n}", nothing: "no transaction",
  cause: "the cause", leave: "Leave", work: "Work on",
  property: {
    "mutual-exclusion": "{n} holders: {clients}", overlap: "{n} inside: {clients}", "foreign-delete": "{a} deleted {b}’s lock",
    "lease-drift": "lease drift: {clients}", stuck: "stuck: {clients}",
  },
};

/** @type {import("./layout.js").Words} */
export const chinese = {
  ...english, inside: "临界区内", waits: "等回复", paused: "停顿", expired: "已过期", by: "{client} 写入", until: "至 {time}", lost: "丢失",
  cause: "起因", property: { ...english.property, "mutual-exclusion": "{n} 个持有者：{clients}", "foreign-delete": "{a} 删除了 {b} 的锁" },
};
