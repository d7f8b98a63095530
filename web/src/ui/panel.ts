/** The panel at the side: figures, and what was said. */
import type { Page } from "./page";
import { make } from "./page";
import { say } from "./words";

const MOST = 200; // lines that are kept
const NARROW = matchMedia("(max-width: 52rem)"); // as in page.css

export class Panel {
  private empty = true;

  constructor(private readonly on: Page) {
    on.details.onclick = () => this.show(on.panel.hidden);
    on.shut.onclick = () => this.show(false);
    NARROW.onchange = () => this.cover();
  }

  get open(): boolean {
    return !this.on.panel.hidden;
  }

  /** Show or hide it; the focus goes along. */
  show(open: boolean): void {
    this.on.panel.hidden = !open;
    this.on.details.ariaExpanded = String(open);
    this.cover();
    (open ? this.on.shut : this.on.details).focus();
  }

  /** Where it covers the page, nothing else can be reached. */
  private cover(): void {
    for (const each of document.querySelectorAll("header, main")) (each as HTMLElement).inert = this.open && NARROW.matches;
  }

  /** Note what was said. */
  line(who: string, text: string): void {
    if (this.empty) this.on.log.replaceChildren();
    this.empty = false;
    this.on.log.append(make("p", "", make("b", "", who), text));
    while (this.on.log.childElementCount > MOST) this.on.log.firstElementChild?.remove();
    this.on.log.scrollTop = this.on.log.scrollHeight;
  }

  rewrite(): void {
    if (this.empty) this.on.log.replaceChildren(make("p", "", say("empty")));
  }
}
