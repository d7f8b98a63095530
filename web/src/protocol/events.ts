/** What the page says and hears: OpenAI's Realtime events (GA names) and mien's, as docs/protocol.md has them. */

export interface Config {
  personas: Persona[];
  default: string;
  auth: boolean;
}

export interface Persona {
  id: string;
  name: string;
  languages: string[];
  avatar: string;
}

export const STAGES = ["pause", "words", "understanding", "breath", "endpoint", "sound", "sent"] as const;
export type Stage = (typeof STAGES)[number];

interface Placed {
  mien?: { start: number };
}

/** The settings that the page reads. */
export interface SessionObject {
  id: string;
  mien: { persona: string; language: string; resumed: boolean; sample: number; warnings: string[] };
}

export type ServerEvent =
  | { type: "session.created"; session: SessionObject }
  | { type: "session.updated"; session: SessionObject }
  | { type: "input_audio_buffer.speech_started" }
  | { type: "input_audio_buffer.speech_stopped" }
  | { type: "conversation.item.input_audio_transcription.delta"; item_id: string; delta: string;
      mien?: { text: string; stable: number } }
  | { type: "conversation.item.input_audio_transcription.completed"; item_id: string; transcript: string }
  | { type: "response.created"; response: { id: string } }
  | ({ type: "response.output_audio.delta"; response_id: string; delta: string } & Placed)
  | ({ type: "response.output_audio_transcript.delta"; response_id: string; delta: string } & Placed)
  | { type: "response.output_audio.done"; response_id: string }
  | { type: "response.output_audio_transcript.done"; response_id: string; transcript: string }
  | { type: "response.done"; response: { id: string; status: string } }
  | { type: "mien.face.delta"; response_id: string | null; start: number; count: number; frames: string }
  | { type: "mien.cut"; start: number; response_id: string | null; reason: "held" | "interrupted" }
  | { type: "mien.continued"; response_id: string }
  | { type: "mien.latency"; response_id: string; stages: Partial<Record<Stage, number>> }
  | { type: "mien.video.frame"; start: number; jpeg: string }
  | { type: "mien.draining"; within_s: number }
  | { type: "mien.hand_over"; response_id: string; reason: string }
  | { type: "error"; error: { code: string | null; message: string } };

export type ServerEventType = ServerEvent["type"];
export type Of<Type extends ServerEventType> = Extract<ServerEvent, { type: Type }>;

export interface Settings {
  audio?: { input?: { turn_detection: { type: "semantic_vad" } | null } };
  mien?: { face?: boolean; video?: false | { width: number; height: number; fps: number }; language?: string };
}

export type ClientEvent =
  | { type: "session.update"; session: Settings & { type: "realtime" } }
  | { type: "input_audio_buffer.append"; audio: string }
  | { type: "input_audio_buffer.commit" }
  | { type: "input_audio_buffer.clear" }
  | { type: "conversation.item.create";
      item: { type: "message"; role: "user"; content: [{ type: "input_text"; text: string }] } }
  | { type: "response.create" }
  | { type: "response.cancel" }
  | { type: "mien.playhead"; sample: number }
  | { type: "mien.presented"; response_id: string; ms: number; av_offset_ms?: number };

/** The event in a message, or undefined for what is no event. */
export function parse(message: unknown): ServerEvent | undefined {
  if (typeof message !== "string") return undefined;
  try {
    const said: unknown = JSON.parse(message);
    return typeof said === "object" && said !== null && "type" in said ? (said as ServerEvent) : undefined;
  } catch {
    return undefined;
  }
}
