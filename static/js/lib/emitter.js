/**
 * Calls the handlers of an event by name, in the order in which they were added.
 *
 * @template {Record<string, (...args: any[]) => unknown>} Handlers  by the name of the event
 */
export function emitter() {
  /** @type {{[Name in keyof Handlers]?: Handlers[Name][]}} */
  const handlers = {};
  return {
    /** @template {keyof Handlers} Name @param {Name} name @param {Handlers[Name]} handler */
    on(name, handler) {
      (handlers[name] ??= []).push(handler);
    },
    /**
     * Reports whether every handler lets the event pass: one that returns false stops it.
     * @template {keyof Handlers} Name
     * @param {Name} name
     * @param {Parameters<Handlers[Name]>} args
     */
    emit: (name, ...args) => (handlers[name] ?? []).every((handler) => handler(...args) !== false),
  };
}
