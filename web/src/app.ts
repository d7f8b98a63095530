/** Puts the page together, and keeps it in step with the conversation. */
import { Microphone, NoMicrophone } from "./audio/microphone";
import type { Heard } from "./audio/messages";
import { Player } from "./audio/player";
import { Conversation, type Listener, type State } from "./conversation";
import { backdrop } from "./face/backdrop";
import { Drawn, Filmed, type Painter, accelerated } from "./face/painter";
import { Stage } from "./face/stage";
import { Viewer } from "./face/viewer";
import type { Config, Persona, SessionObject } from "./protocol/events";
import { type Address, Link } from "./protocol/link";
import { Captions } from "./ui/captions";
import { type Stages, figures, waterfall } from "./ui/latency";
import { Notice } from "./ui/notice";
import type { Page } from "./ui/page";
import { Panel } from "./ui/panel";
import { Talk } from "./ui/talk";
import { type Word, say, speak, write } from "./ui/words";

const FIGURES_MS = 500;
const TROUBLES: Record<string, Word> = { busy: "taken" };

export class App implements Listener {
  private readonly address: Address;
  private readonly notice: Notice;
  private readonly panel: Panel;
  private readonly captions: Captions;
  private readonly talk: Talk;
  private readonly painter: Painter;
  private readonly stage: Stage;
  private player?: Player;
  private conversation?: Conversation;
  private now: State | "ready" = "ready";
  private last: { stages: Stages; playout_ms?: number } | undefined;
  private reckoned = 0;

  constructor(private readonly page: Page, private readonly config: Config, asked: URLSearchParams) {
    const wanted = asked.get("persona") ?? config.default;
    const { id, languages } = config.personas.find((each) => each.id === wanted) ?? this.someone;
    const own = document.documentElement.lang.split("-")[0]!;
    const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? undefined;
    this.address = { persona: id, language: languages.includes(own) ? own : languages[0]!, token };
    this.notice = new Notice(page);
    this.panel = new Panel(page);
    this.captions = new Captions(page.them, page.you, page.live);
    const fast = accelerated();
    this.painter = this.easel(fast);
    const manner = { still: matchMedia("(prefers-reduced-motion: reduce)").matches, slow: fast === false };
    this.stage = new Stage(page.person, this.painter, (ms) => this.player?.at(ms) ?? NaN, manner);
    this.talk = new Talk(page, {
      open: () => this.microphone(),
      stop: () => this.conversation?.stop() ?? false,
      escape: () => this.panel.open && this.panel.show(false),
      type: (text) => this.conversation?.type(text) ?? false,
      pushToTalk: (on) => this.conversation?.pushToTalk(on),
      press: () => this.conversation?.press(),
      release: () => this.conversation?.release(),
    });
  }

  /** Show the person, and wait to be asked. */
  begin(): void {
    const { page, config } = this;
    page.persona.replaceChildren(...config.personas.map(({ id, name }) => new Option(name, id)));
    page.persona.onchange = () => this.meet(page.persona.value);
    page.language.onchange = () => this.change(page.language.value);
    page.start.onclick = () => void this.start(true);
    page.type.onclick = () => void this.start(false);
    page.start.disabled = page.type.disabled = false;
    page.stop.disabled = true;
    new ResizeObserver(() => this.paint()).observe(document.body);
    page.language.value = document.documentElement.lang.split("-")[0]!;
    this.rewrite();
    void this.wear();
  }

  state(state: State): void {
    this.now = state;
    this.page.stop.disabled = !["speaking", "thinking"].includes(state);
    if (state === "busy" || state === "replaced" || state === "refused") this.notice.show(state);
    else this.notice.hide("busy", ...(state === "lost" ? (["draining"] as const) : []));
    this.rewriteState();
  }

  session({ mien }: SessionObject): void {
    this.address.language = mien.language;
    this.address.persona = mien.persona;
  }

  user(text: string, stable: number, done: boolean): void {
    this.captions.user(text, stable);
    if (done) this.panel.line(say("you"), text);
  }

  answered(text: string): void {
    this.panel.line(this.who.name, text);
  }

  latency(stages: Stages, playout_ms?: number): void {
    this.last = { stages, playout_ms };
    waterfall(this.page.bars, stages, playout_ms);
  }

  trouble(message: string): void {
    console.warn(message);
  }

  draining(): void {
    this.notice.show("draining");
  }

  handedOver(): void {
    this.notice.show("handOver");
    this.panel.line(this.who.name, say("handOver"));
  }

  private get someone(): Persona {
    return this.config.personas[0]!;
  }

  private get who(): Persona {
    return this.config.personas.find(({ id }) => id === this.address.persona) ?? this.someone;
  }

  private easel(fast: boolean | undefined): Painter {
    if (fast !== undefined) return new Drawn(new Viewer(this.page.person, undefined, fast));
    this.notice.show("nowebgl");
    this.page.person.classList.add("film");
    return new Filmed(this.page.person);
  }

  /** Begin to talk; the click lets the browser play sound. */
  private async start(voice: boolean): Promise<void> {
    const { page } = this;
    page.start.disabled = page.type.disabled = true;
    this.notice.hide("nowebgl");
    const context = new AudioContext({ latencyHint: "interactive" });
    document.body.dataset.phase = "talking";
    if (!context.audioWorklet) return this.notice.show("nosound");
    this.player = new Player(context, () => this.jumped());
    const film = this.painter instanceof Filmed ? this.painter : undefined;
    this.conversation = new Conversation(this.player, this.stage, film, this);
    this.conversation.open((hear, miss) => new Link(this.address, hear, miss));
    this.state("connecting");
    addEventListener("pointerdown", () => void context.resume());
    requestAnimationFrame(this.tick);
    await Promise.all([context.resume(), this.player.start(), voice && this.talk.listen()]);
    (voice ? page.mic : page.text).focus();
  }

  private jumped(): void {
    this.stage.jumped();
    this.conversation?.report(performance.now(), true);
  }

  private readonly tick = (now: number): void => {
    requestAnimationFrame(this.tick);
    const { conversation, player } = this;
    if (!conversation || !player) return;
    conversation.tick(now);
    conversation.report(now, false);
    if (!conversation.waits) this.captions.show(conversation.script, player.at(now));
    if (now - this.reckoned < FIGURES_MS) return;
    this.reckoned = now;
    figures(this.page.figures, this.stage.measure.figures(), player.underruns);
  };

  private async microphone(): Promise<Microphone | undefined> {
    try {
      const opened = await Microphone.open(this.player!.context, (heard) => this.heard(heard), () => this.unplugged());
      this.notice.hide("denied", "missing", "taken", "insecure", "unplugged");
      return opened;
    } catch (error) {
      if (!(error instanceof NoMicrophone)) throw error;
      this.notice.show(TROUBLES[error.trouble] ?? (error.trouble as Word));
      return undefined;
    }
  }

  private heard({ samples, level }: Heard): void {
    this.conversation?.push(samples);
    this.talk.level(level);
  }

  private unplugged(): void {
    this.talk.lost();
    this.notice.show("unplugged");
  }

  /** Another person. */
  private meet(id: string): void {
    this.address.persona = id;
    const own = this.page.language.value;
    this.address.language = this.who.languages.includes(own) ? own : this.who.languages[0]!;
    this.conversation?.address({ persona: id, language: this.address.language });
    this.rewrite();
    void this.wear();
  }

  /** Another language, of the page and of who can speak it. */
  private change(language: string): void {
    speak(language);
    if (this.who.languages.includes(language)) {
      this.address.language = language;
      this.conversation?.address({ language });
    }
    this.rewrite();
  }

  private async wear(): Promise<void> {
    try {
      const token = this.address.token ? `?${new URLSearchParams({ token: this.address.token })}` : "";
      await this.painter.load(this.who.avatar + token);
      this.notice.hide("nohead");
    } catch (error) {
      console.warn(error);
      this.notice.show("nohead");
    }
    if (document.body.dataset.phase === "loading") document.body.dataset.phase = "ready";
  }

  private rewrite(): void {
    const { name } = this.who;
    write({ name });
    document.querySelectorAll("[data-name]").forEach((each) => (each.textContent = name));
    this.page.person.ariaLabel = say("picture", { name });
    this.page.persona.value = this.who.id;
    this.notice.rewrite();
    this.panel.rewrite();
    this.talk.show();
    if (this.last) waterfall(this.page.bars, this.last.stages, this.last.playout_ms);
    this.rewriteState();
  }

  private rewriteState(): void {
    document.body.dataset.state = this.now;
    this.page.state.textContent = say(this.now);
  }

  private paint(): void {
    this.page.backdrop.width = innerWidth;
    this.page.backdrop.height = innerHeight;
    backdrop(this.page.backdrop);
  }
}
