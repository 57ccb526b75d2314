// Does what its standard input says with the lock of the page.
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { acquire } from "./lock.mjs";

const [, , modules, socket, ttl] = process.argv;
const { createClient } = createRequire(modules)("redis");
const redis = createClient({ socket: { path: socket } });
redis.on("error", () => {});
await redis.connect();

/** Adds one to a counter, which nobody else may touch meanwhile. */
async function inside(dir) {
  try {
    closeSync(openSync(`${dir}/inside`, "wx"));
  } catch {
    console.log("two are inside");
    process.exit(1);
  }
  const n = existsSync(`${dir}/counter`) ? Number(readFileSync(`${dir}/counter`, "utf8")) : 0;
  await pause(1);
  writeFileSync(`${dir}/counter`, String(n + 1));
  rmSync(`${dir}/inside`);
}

const take = () => acquire(redis, "foo", Number(ttl), 3_600_000);

let lease;
for await (const line of createInterface({ input: process.stdin })) {
  const words = line.split(" ");
  switch (words[0]) {
    case "acquire":
      lease = await take();
      console.log(lease ? `acquired ${lease.fence}` : "taken");
      break;
    case "lost":
      console.log(lease.lost());
      break;
    case "release":
      await lease.release();
      console.log("released");
      break;
    case "work":
      for (let i = 0; i < Number(words[1]); i++) {
        while (!(lease = await take())) await pause(Math.random() * 5);
        await inside(words[2]);
        await lease.release();
      }
      console.log("worked");
      break;
  }
}
process.exit(0);
