/**
 * Returns a sentence in which no line ends between a number and its unit, as the
 * server writes it (web/present/markup.go).
 * @param {string} sentence
 */
export const unbroken = (sentence) => sentence.replace(/(?<=\d) (?=(?:m?s|[KM]B)\b|毫?秒)/g, "\u00a0");
