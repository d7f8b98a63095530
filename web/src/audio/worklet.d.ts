// What lives in an AudioWorkletGlobalScope.
declare const sampleRate: number;
declare const currentTime: number;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, kind: new () => AudioWorkletProcessor): void;
