/** The bar at the foot: microphone, push to talk, typed words, stop. */
import type { Microphone } from "../audio/microphone";
import type { Page } from "./page";
import { say } from "./words";

/** What the bar does. */
export interface Acts {
  /** Open the microphone; undefined when there is none. */
  open(): Promise<Microphone | undefined>;
  stop(): boolean;
  /** Escape, when there is no answer to stop. */
  escape(): void;
  type(text: string): boolean;
  pushToTalk(on: boolean): void;
  press(): void;
  release(): void;
}

const FIELDS = "input:not([type=checkbox]), select, textarea, a, button";

export class Talk {
  private microphone?: Microphone;
  private opening?: Promise<Microphone | undefined>;
  private on = false; // the microphone is wanted
  private down = false; // the button of push to talk is held

  constructor(private readonly page: Page, private readonly acts: Acts) {
    page.talk.onsubmit = (event) => this.submit(event);
    page.stop.onclick = () => acts.stop();
    page.ptt.onchange = () => this.mode();
    page.mic.onclick = () => void this.click();
    page.mic.onpointerdown = (event) => page.ptt.checked && this.press(() => page.mic.setPointerCapture(event.pointerId));
    page.mic.onpointerup = page.mic.onpointercancel = () => this.release();
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("keyup", (event) => event.code === "Space" && this.release());
    addEventListener("blur", () => this.release());
  }

  /** Switch the microphone on. */
  async listen(): Promise<void> {
    this.opening ??= this.microphone ? undefined : this.acts.open(); // asked for once, however often it is wanted
    this.microphone ??= await this.opening;
    this.opening = undefined;
    this.on = this.microphone !== undefined;
    this.show();
  }

  /** It is gone. */
  lost(): void {
    this.microphone?.close();
    this.microphone = undefined;
    this.on = this.down = false;
    this.show();
  }

  /** How loud the user is, 0 to 1. */
  level(value: number): void {
    this.page.mic.style.setProperty("--level", Math.min(1, value * 5).toFixed(2));
  }

  /** Words and looks of the buttons, as things are. */
  show(): void {
    const { mic, ptt } = this.page;
    const hears = this.on && (!ptt.checked || this.down);
    this.microphone?.open(hears);
    mic.ariaPressed = String(this.on && (this.down || !ptt.checked));
    mic.classList.toggle("down", this.down);
    mic.title = ptt.checked ? say("hold") : say(this.on ? "micOn" : "micOff");
    if (!hears) this.level(0);
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.page.text.value.trim();
    if (text && this.acts.type(text)) this.page.text.value = "";
  }

  private async click(): Promise<void> {
    if (this.page.ptt.checked) return;
    if (!this.microphone) return this.listen();
    this.on = !this.on;
    this.show();
  }

  private mode(): void {
    this.acts.pushToTalk(this.page.ptt.checked);
    if (this.page.ptt.checked && !this.on) void this.listen();
    this.show();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") return void (this.acts.stop() || this.acts.escape());
    const free = !(event.target instanceof Element) || !event.target.matches(FIELDS) || event.target === this.page.mic;
    if (event.code !== "Space" || !this.page.ptt.checked || !free) return;
    event.preventDefault();
    if (!event.repeat) this.press();
  }

  private press(captured: () => void = () => undefined): void {
    if (this.down || !this.on) return;
    this.down = true;
    captured();
    this.acts.press();
    this.show();
  }

  private release(): void {
    if (!this.down) return;
    this.down = false;
    this.show();
    this.acts.release();
  }
}
