/** The texts that have been asked for, by address. @type {Map<string, Promise<string>>} */
const texts = new Map();

/** Brings a text of the site, once. If it does not come, the next time asks again. @param {string} address */
export async function text(address) {
  const known = texts.get(address) ?? fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))));
  texts.set(address, known);
  try {
    return await known;
  } catch (error) {
    texts.delete(address);
    throw error;
  }
}
