/** Loads a page again when the course that somebody writes has changed. The page has the version that it shows. */

import { element } from "../lib/element.js";

const { watch = "", version } = element("author").dataset;

/** A run that has begun keeps its course: it leads to the changed one. */
const begun = /\/t\/[a-z0-9]{10}$/;

/** Asks for the version, and follows another one. A server that does not answer is asked again. */
async function look() {
  const answer = await fetch(watch).catch(() => undefined);
  const now = answer?.ok ? await answer.text() : version;
  if (now === version) return false;
  if (begun.test(location.pathname)) location.replace(`${location.pathname}/fresh`);
  else location.reload();
  return true;
}

/** Looks once a second, as long as somebody can see the page. */
async function follow() {
  if (!document.hidden && (await look())) return;
  setTimeout(follow, 1000);
}

void follow();
