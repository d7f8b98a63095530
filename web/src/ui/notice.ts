/** One friendly line about what is not as it should be. */
import type { Page } from "./page";
import { type Word, say } from "./words";

export class Notice {
  private word?: Word;

  constructor(private readonly on: Pick<Page, "notice" | "said" | "dismiss">) {
    on.dismiss.onclick = () => this.hide();
  }

  show(word: Word): void {
    this.word = word;
    this.on.said.textContent = say(word);
    this.on.notice.dataset.about = word;
    this.on.notice.hidden = false;
  }

  /** Take it away, if it is about one of `words`, or whatever it is about. */
  hide(...words: Word[]): void {
    if (words.length && !words.includes(this.word!)) return;
    this.word = undefined;
    this.on.notice.hidden = true;
  }

  /** In the language of now. */
  rewrite(): void {
    if (this.word) this.show(this.word);
  }
}
