// Globals of Node that the engine uses, for a browser. esbuild injects them wherever they are used.
export { Buffer } from 'buffer/';

const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.addEventListener('message', () => waiting.shift()?.());
channel.port1.start();
// Node would wait for messages for ever; browsers have no such method.
(channel.port1 as { unref?: () => void }).unref?.();

/** Calls back after the current turn of the event loop, without the delay that browsers add to timers. */
export function setImmediate(callback: () => void): void {
  waiting.push(callback);
  channel.port2.postMessage(undefined);
}

/** The part of `process` that the engine reads. */
interface Process {
  readonly version: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly pid: number;
  cwd(): string;
  once(): void;
  on(): void;
  off(): void;
  nextTick(callback: () => void): void;
}

export const process: Process = {
  version: 'v26.0.0',
  versions: {},
  platform: 'linux',
  arch: 'x64',
  env: {},
  argv: [],
  execArgv: [],
  pid: 1,
  cwd: () => '/project',
  once: () => undefined,
  on: () => undefined,
  off: () => undefined,
  nextTick: (callback) => queueMicrotask(callback),
};
