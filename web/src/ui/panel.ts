/** The panel at the side: figures, and what was said. */
import type { Page } from "./page";
import { make } from "./page";
import { say } from "./words";

const MOST = 200; // lines that are kept

export class Panel {
  private empty = true;

  constructor(private readonly on: Page) {
    on.details.onclick = () => this.show(on.panel.hidden);
    on.shut.onclick = () => this.show(false);
  }

  get open(): boolean {
    return !this.on.panel.hidden;
  }

  /** Show or hide it; the focus goes along. */
  show(open: boolean): void {
    this.on.panel.hidden = !open;
    this.on.details.ariaExpanded = String(open);
    (open ? this.on.shut : this.on.details).focus();
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
