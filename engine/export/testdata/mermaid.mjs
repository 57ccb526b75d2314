// Reads diagrams with Mermaid's own parser, as node mermaid.mjs MODULE with a JSON
// object of texts on standard input, and prints what it has read of each: an error,
// or the participants and the texts of all messages and notes.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { default: mermaid } = await import(pathToFileURL(process.argv[2]).href);

// Mermaid keeps an entity like #59; in a form of its own until it draws it.
const readable = (kept) =>
  kept.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(Number(code))).replaceAll("<br/>", " ");

const found = {};
for (const [name, diagram] of Object.entries(JSON.parse(await text(process.stdin)))) {
  try {
    await mermaid.parse(diagram);
    const { db } = await mermaid.mermaidAPI.getDiagramFromText(diagram);
    found[name] = {
      participants: [...db.getActors().values()].map((actor) => actor.description),
      texts: db.getMessages().filter((message) => typeof message.message === "string" && message.from).map((message) => readable(message.message)),
    };
  } catch (error) {
    found[name] = { error: String(error) };
  }
}
console.log(JSON.stringify(found));
