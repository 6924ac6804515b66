import type { Environment, Host, Http, Network, Random, Spawn } from '@terrane/host';
import { ManualClock } from './manual-clock.ts';
import { MemoryFiles, type MemoryFilesOptions } from './memory-files.ts';

/** Options of a memory host. */
export interface MemoryHostOptions extends MemoryFilesOptions {
  readonly clock?: ManualClock;
  readonly variables?: Readonly<Record<string, string>>;
  readonly pid?: number;
  readonly hostName?: string;
  /** the pids of running processes, including this one; default: only this one */
  readonly running?: ReadonlySet<number>;
  /** the seed of the random number generator */
  readonly seed?: number;
  readonly platform?: string;
}

/** An in-memory host with access to its files and clock. */
export interface MemoryHost extends Host {
  readonly files: MemoryFiles;
  readonly clock: ManualClock;
}

/** Creates an in-memory host with a manual clock and seeded random numbers; programs and networks are not available. */
export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const clock = options.clock ?? new ManualClock();
  const files = new MemoryFiles({ ...options, clock });
  return {
    files,
    clock,
    environment: environmentOf(options),
    random: seededRandom(options.seed ?? 1),
    spawn: NO_PROGRAMS,
    network: NO_NETWORK,
    http: NO_SERVERS,
  };
}

function environmentOf(options: MemoryHostOptions): Environment {
  const variables = new Map(Object.entries(options.variables ?? {}));
  const pid = options.pid ?? 100;
  const running = options.running ?? new Set([pid]);
  return {
    get: (name) => variables.get(name),
    entries: () => variables,
    cwd: options.cwd ?? '/project',
    platform: options.platform ?? 'linux',
    arch: 'x64',
    homeDirectory: '/home/tester',
    hostName: options.hostName ?? 'machine',
    userName: 'tester',
    pid,
    processIdentity: (number) => (running.has(number) ? `start-${number}` : undefined),
  };
}

/** Random numbers that are the same in each run of a test (xorshift). */
export function seededRandom(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  const bytes = (n: number): Uint8Array => Uint8Array.from({ length: n }, () => next() & 0xff);
  return {
    bytes,
    uuid() {
      const raw = bytes(16);
      raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40;
      raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80;
      const hex = [...raw].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
  };
}

const NO_PROGRAMS: Spawn = {
  start: (command) => Promise.reject(new Error(`no program ${command} in memory`)),
  run: (command) => Promise.reject(new Error(`no program ${command} in memory`)),
};

const NO_NETWORK: Network = {
  connect: (host, port) => Promise.reject(new Error(`no machine ${host}:${port} in memory`)),
  connectLocal: (path) => Promise.reject(new Error(`nobody listens at ${path} in memory`)),
  secure: () => Promise.reject(new Error('no connections in memory')),
};

const NO_SERVERS: Http = {
  request: (url) => Promise.reject(new Error(`no server for ${url} in memory`)),
  openSession: () => ({ request: NO_SERVERS.request, close: () => {} }),
  serveLocally: (port) => Promise.reject(new Error(`no port ${port} in memory`)),
};
