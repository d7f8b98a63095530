/** The connection to the server: it comes back by itself, to the same session. */
import { Backoff } from "./backoff";
import { type ClientEvent, type ServerEvent, parse } from "./events";

const MOST_WAITING = 1 << 19; // bytes of sound that may wait; what is later is not worth sending
const STEADY_MS = 5000; // a connection that held so long was good

/** Why there is no connection now; `over`: it will not come back by itself. */
export type Loss = "lost" | "busy" | "replaced" | "refused";

export interface Address {
  persona: string;
  language: string;
  token?: string;
}

export class Link {
  private socket?: WebSocket;
  private readonly backoff = new Backoff();
  private timer?: ReturnType<typeof setTimeout>;
  private session?: string;
  private ended = false;

  constructor(
    private readonly address: Address,
    private readonly hear: (event: ServerEvent) => void,
    private readonly miss: (why: Loss, wait_ms: number) => void,
  ) {
    addEventListener("online", this.now);
    this.open();
  }

  get ready(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Say something; what can not be said now is dropped. Returns whether it was said. */
  say(event: ClientEvent): boolean {
    const late = event.type === "input_audio_buffer.append" && (this.socket?.bufferedAmount ?? 0) > MOST_WAITING;
    if (!this.ready || late) return false;
    this.socket!.send(JSON.stringify(event));
    return true;
  }

  /** End it, for good. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.now);
    this.socket?.close(1000);
  }

  private readonly now = (): void => {
    if (this.ended || this.socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.timer);
    this.open();
  };

  private open(): void {
    const socket = new WebSocket(where(this.address, this.session), protocols(this.address.token));
    this.socket = socket;
    let opened = 0;
    socket.onopen = () => (opened = performance.now());
    socket.onmessage = ({ data }) => {
      const event = parse(data);
      if (event?.type === "session.created") this.session = event.session.id;
      if (event && socket === this.socket && !this.ended) this.hear(event);
    };
    socket.onclose = ({ code }) => {
      if (this.ended || socket !== this.socket) return;
      if (opened && performance.now() - opened > STEADY_MS) this.backoff.reset();
      void this.lost(code, opened > 0);
    };
  }

  private async lost(code: number, opened: boolean): Promise<void> {
    const why = code === 1008 && opened ? "replaced" : opened ? "lost" : await reason(this.address.token);
    if (this.ended) return;
    if (why === "replaced" || why === "refused") return this.miss(why, Infinity);
    const wait = this.backoff.next();
    this.miss(why, wait);
    this.timer = setTimeout(() => this.open(), wait);
  }
}

/** A browser does not tell why a connection was refused: ask. */
async function reason(token?: string): Promise<Loss> {
  const headers = token ? { authorization: `Bearer ${token}` } : undefined;
  try {
    const { status } = await fetch(new URL("v1/mien/place", document.baseURI), { cache: "no-store", headers });
    return status === 503 || status === 429 ? "busy" : status === 401 || status === 403 ? "refused" : "lost";
  } catch {
    return "lost";
  }
}

function where({ persona, language }: Address, session?: string): URL {
  const url = new URL("v1/realtime", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  url.search = new URLSearchParams({ model: "mien", persona, language, ...(session && { session }) }).toString();
  return url;
}

function protocols(token?: string): string[] {
  return token ? ["realtime", `openai-insecure-api-key.${token}`] : [];
}
