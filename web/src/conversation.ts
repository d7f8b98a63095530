/** A conversation with the server: sound, face and words go where they belong, on one clock. */
import type { Player } from "./audio/player";
import { FRAME } from "./face/rate";
import type { Filmed } from "./face/painter";
import type { Stage as Face } from "./face/stage";
import { base64, bytes, sound } from "./protocol/bytes";
import type { Of, ServerEvent, ServerEventType, SessionObject, Settings } from "./protocol/events";
import { frames } from "./protocol/frames";
import type { Address, Link, Loss } from "./protocol/link";
import { Script } from "./ui/captions";
import type { Stages } from "./ui/latency";

export type State = "connecting" | "listening" | "hearing" | "thinking" | "speaking" | Loss;

/** What the page wants to know. */
export interface Listener {
  state(state: State): void;
  session(session: SessionObject): void;
  /** The user's words so far; `done`: that was all. */
  user(text: string, stable: number, done: boolean): void;
  /** What was heard of an answer. */
  answered(text: string): void;
  latency(stages: Stages, playout_ms?: number): void;
  trouble(message: string): void;
  draining(): void;
  /** A human takes over. */
  handedOver(): void;
}

interface Voice {
  response: string;
  came: number; // ms
  start: number;
  end: number;
  ticket: number;
  presented: boolean;
}

const PLAYHEAD_MS = 250;
const FILM_FPS = 15;

type Handlers = { [Type in ServerEventType]?: (event: Of<Type>) => void };

export class Conversation {
  readonly script = new Script();
  private link?: Link;
  private voice?: Voice;
  private busy = false; // an answer is being given
  private answer = "";
  private asks = false; // an answer is wanted when this one has ended
  private typed = ""; // what it is to answer, when that was typed
  private awaited = false; // the user's turn is over
  private hearing = false;
  private loss?: Loss;
  private joined = false;
  private said = "connecting" as State;
  private told = 0;
  private stages?: { response: string; stages: Stages };
  private playout = new Map<string, number>();
  private partial = "";

  constructor(
    private readonly player: Player,
    private readonly face: Face,
    private readonly film: Filmed | undefined,
    private readonly listener: Listener,
  ) {}

  /** Begin; `link` makes the connection and calls back. */
  open(link: (hear: (event: ServerEvent) => void, miss: (why: Loss) => void) => Link): void {
    this.link = link((event) => this.hear(event), (why) => this.miss(why));
  }

  /** Sound of the microphone. */
  push(samples: Int16Array): void {
    this.link?.say({ type: "input_audio_buffer.append", audio: base64(samples) });
  }

  /** Typed words. */
  type(text: string): boolean {
    const content: [{ type: "input_text"; text: string }] = [{ type: "input_text", text }];
    if (!this.link?.say({ type: "conversation.item.create", item: { type: "message", role: "user", content } })) return false;
    this.ask();
    this.awaited = true;
    this.listener.user(text, text.length, !this.asks);
    if (this.asks) this.typed = text;
    return true;
  }

  /** Let what was said be answered: at once, or when the answer before has ended. */
  private ask(): void {
    this.asks = this.stop();
    if (!this.asks) this.link?.say({ type: "response.create" });
  }

  private ended(): void {
    this.busy = this.awaited = false;
    if (!this.asks) return;
    if (this.typed) this.listener.user(this.typed, this.typed.length, true);
    this.typed = "";
    this.asks = false;
    this.ask();
    this.awaited = true;
  }

  /** Stop the answer; returns whether there was one. */
  stop(): boolean {
    if (!this.busy) return false;
    this.player.stop();
    this.link?.say({ type: "response.cancel" });
    return true;
  }

  /** Push to talk: the button goes down. */
  press(): void {
    this.stop();
    this.link?.say({ type: "input_audio_buffer.clear" });
    this.hearing = true;
  }

  /** It is let go: that was the turn. */
  release(): void {
    this.link?.say({ type: "input_audio_buffer.commit" });
    this.ask();
    this.heard();
  }

  pushToTalk(on: boolean): void {
    const turn_detection = on ? null : { type: "semantic_vad" as const };
    this.update({ audio: { input: { turn_detection } } });
  }

  address({ persona, language }: Partial<Address>): void {
    this.update({ mien: { ...(persona && { persona }), ...(language && { language }) } });
  }

  /** Look at the clock: captions, the state, what was presented. Called for each picture. */
  tick(now: number): void {
    const sample = this.player.at(now);
    this.present(now);
    const speaking = this.speaks(sample);
    this.face.speaking = speaking;
    this.tell(this.state(speaking));
  }

  /** The sample that is heard now. */
  now(): number {
    return this.player.at(performance.now());
  }

  /** Say where the clock stands. */
  report(now: number, jumped: boolean): void {
    if (!this.joined || (!jumped && now - this.told < PLAYHEAD_MS)) return;
    const sample = Math.floor(this.player.at(now));
    if (!(sample >= 0)) return;
    this.told = now;
    this.link?.say({ type: "mien.playhead", sample });
  }

  close(): void {
    this.link?.close();
  }

  private hear(event: ServerEvent): void {
    const handler = this.handlers[event.type] as ((event: ServerEvent) => void) | undefined;
    handler?.(event);
  }

  private miss(why: Loss): void {
    this.loss = why;
    this.joined = this.hearing = false;
    this.tell(this.state(false));
  }

  private readonly handlers: Handlers = {
    "session.created": ({ session }) => this.join(session),
    "session.updated": ({ session }) => this.listener.session(session),
    "input_audio_buffer.speech_started": () => (this.hearing = true),
    "input_audio_buffer.speech_stopped": () => this.heard(),
    "conversation.item.input_audio_transcription.delta": (event) => this.understand(event),
    "conversation.item.input_audio_transcription.completed": ({ transcript }) => this.understood(transcript),
    "response.created": ({ response }) => this.begin(response.id),
    "response.output_audio.delta": (event) => this.play(event),
    "response.output_audio.done": ({ response_id }) => this.voice && this.script.end(response_id, this.voice.end),
    "response.output_audio_transcript.delta": (event) => this.caption(event),
    "response.output_audio_transcript.done": ({ transcript }) => transcript && this.listener.answered(transcript),
    "response.done": () => this.ended(),
    "mien.face.delta": (event) => this.move(event),
    "mien.cut": (event) => this.cut(event),
    "mien.latency": ({ response_id, stages }) => this.measured(response_id, stages),
    "mien.video.frame": ({ start, jpeg }) => void this.film?.put(start, bytes(jpeg)),
    "mien.draining": () => this.listener.draining(),
    "mien.hand_over": () => this.listener.handedOver(),
    error: ({ error }) => this.listener.trouble(error.message),
  };

  private join(session: SessionObject): void {
    if (!session.mien.resumed) this.forget();
    this.loss = undefined;
    this.joined = true;
    this.update({ mien: { face: true, video: this.film ? { ...this.film.size, fps: FILM_FPS } : false } });
    this.listener.session(session);
  }

  /** It is another session: its clock begins anew. */
  private forget(): void {
    this.player.reset();
    this.face.clear();
    this.busy = this.awaited = this.hearing = this.asks = false;
    this.voice = undefined;
  }

  private update(session: Settings): void {
    this.link?.say({ type: "session.update", session: { type: "realtime", ...session } });
  }

  private heard(): void {
    this.hearing = false;
    this.awaited = true;
  }

  private understand({ delta, mien }: Of<"conversation.item.input_audio_transcription.delta">): void {
    this.partial = mien?.text ?? this.partial + delta;
    this.listener.user(this.partial, mien?.stable ?? this.partial.length, false);
  }

  private understood(transcript: string): void {
    this.partial = "";
    this.hearing = false;
    if (transcript) this.listener.user(transcript, transcript.length, true);
    else this.awaited = false;
  }

  private begin(response: string): void {
    this.busy = true;
    this.answer = response;
  }

  private play({ response_id, delta, mien }: Of<"response.output_audio.delta">): void {
    const samples = sound(delta);
    const start = mien?.start ?? this.voice?.end ?? 0;
    const end = start + samples.length;
    const ticket = this.player.put(start, samples);
    this.script.resume(start);
    if (this.voice?.response === response_id) this.voice.end = end;
    else this.voice = { response: response_id, came: performance.now(), start, end, ticket, presented: false };
  }

  private caption({ response_id, delta, mien }: Of<"response.output_audio_transcript.delta">): void {
    const start = mien?.start ?? this.voice?.end ?? 0;
    if (delta) this.script.add({ response: response_id, start, text: delta });
  }

  private move({ response_id, start, count, frames: text }: Of<"mien.face.delta">): void {
    this.face.put(start, frames(text, count));
    if (response_id === null) this.player.rest(start, count * FRAME);
  }

  private cut({ start, reason }: Of<"mien.cut">): void {
    this.player.cut(start);
    this.face.cut(start);
    this.film?.cut(start);
    this.script.cut(Math.max(start, this.now() || 0), reason === "interrupted");
    if (this.voice) this.voice.end = Math.min(this.voice.end, start);
  }

  private measured(response: string, stages: Stages): void {
    this.stages = { response, stages };
    this.listener.latency(stages, this.playout.get(response));
  }

  /** Whether an answer is heard at `sample`. */
  private speaks(sample: number): boolean {
    return this.voice !== undefined && this.voice.presented && sample >= this.voice.start && sample < this.voice.end;
  }

  /** Whether sound came that is not heard yet: the clock may still be set back for it. */
  get waits(): boolean {
    return this.voice !== undefined && !this.voice.presented;
  }

  /** Tell when the first sound of an answer was heard. */
  private present(now: number): void {
    const voice = this.voice;
    const heard = voice && !voice.presented ? this.player.when(voice.ticket, voice.start) : NaN;
    if (!voice || !(heard <= now)) return;
    voice.presented = true;
    const ms = Math.max(0, heard - voice.came);
    const { offset_ms } = this.face.measure.figures();
    const av_offset_ms = Number.isFinite(offset_ms) ? { av_offset_ms: Math.round(offset_ms * 10) / 10 } : {};
    this.link?.say({ type: "mien.presented", response_id: voice.response, ms: Math.round(ms), ...av_offset_ms });
    this.playout = new Map([[voice.response, ms]]);
    if (this.stages?.response === voice.response) this.listener.latency(this.stages.stages, ms);
  }

  private state(speaking: boolean): State {
    if (this.loss) return this.loss;
    if (!this.joined) return "connecting";
    if (speaking) return "speaking";
    if (this.hearing) return "hearing";
    if (this.busy && this.voice?.presented && this.voice.response === this.answer) return "speaking"; // between two breaths
    return this.awaited ? "thinking" : "listening";
  }

  private tell(state: State): void {
    if (state !== this.said) this.listener.state(state);
    this.said = state;
  }
}
