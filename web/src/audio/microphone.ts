/** The microphone, without the echo of the loudspeaker. */
import capture from "./capture.worklet?worker&url";
import type { Heard, ToCapture } from "./messages";

export type Trouble = "denied" | "missing" | "busy" | "insecure";

const WANTED: MediaTrackConstraints = {
  echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1,
};

export class NoMicrophone extends Error {
  constructor(readonly trouble: Trouble) {
    super(`no microphone: ${trouble}`);
  }
}

export class Microphone {
  private constructor(private readonly stream: MediaStream, private readonly node: AudioWorkletNode) {}

  /** Ask for it; throws `NoMicrophone`. `lost` is called when it is unplugged or taken away. */
  static async open(context: AudioContext, heard: (heard: Heard) => void, lost: () => void): Promise<Microphone> {
    if (!navigator.mediaDevices) throw new NoMicrophone("insecure");
    const stream = await navigator.mediaDevices.getUserMedia({ audio: WANTED }).catch((error: unknown) => {
      throw new NoMicrophone(trouble(error));
    });
    await context.audioWorklet.addModule(capture);
    const node = new AudioWorkletNode(context, "mien-capture", { numberOfOutputs: 0, channelCount: 1,
      channelCountMode: "explicit" });
    node.port.onmessage = ({ data }: MessageEvent<Heard>) => heard(data);
    context.createMediaStreamSource(stream).connect(node);
    for (const track of stream.getAudioTracks()) track.onended = lost;
    return new Microphone(stream, node);
  }

  /** Let it hear, or shut it; it then sends a second of silence, and nothing more. */
  open(open: boolean): void {
    const said: ToCapture = { open };
    this.node.port.postMessage(said);
  }

  close(): void {
    this.node.disconnect();
    for (const track of this.stream.getTracks()) track.stop();
  }
}

function trouble(error: unknown): Trouble {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotReadableError" || name === "AbortError" ? "busy" : "missing";
}
