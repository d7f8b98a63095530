/** The page's elements, by their ids. */
function the<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`the page has no ${kind.name} #${id}`);
  return found;
}

export const page = () => ({
  backdrop: the("backdrop", HTMLCanvasElement),
  person: the("person", HTMLCanvasElement),
  state: the("state", HTMLElement),
  welcome: the("welcome", HTMLElement),
  start: the("start", HTMLButtonElement),
  type: the("type", HTMLButtonElement),
  talk: the("talk", HTMLFormElement),
  text: the("text", HTMLInputElement),
  mic: the("mic", HTMLButtonElement),
  stop: the("stop", HTMLButtonElement),
  ptt: the("ptt", HTMLInputElement),
  persona: the("persona", HTMLSelectElement),
  language: the("language", HTMLSelectElement),
  details: the("details", HTMLButtonElement),
  panel: the("panel", HTMLElement),
  shut: the("shut", HTMLButtonElement),
  them: the("them", HTMLElement),
  you: the("you", HTMLElement),
  live: the("live", HTMLElement),
  log: the("log", HTMLElement),
  bars: the("bars", HTMLElement),
  figures: the("figures", HTMLElement),
  notice: the("notice", HTMLElement),
  said: the("said", HTMLElement),
  dismiss: the("dismiss", HTMLButtonElement),
});

export type Page = ReturnType<typeof page>;

/** An element with a class and content. */
export function make(tag: string, name: string, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...content);
  return made;
}
