import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { World } from '../world.ts';
import { openLogs } from './open-logs.ts';

const made: string[] = [];
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

function open(environment: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'logs-'));
  made.push(directory);
  let printed = '';
  const stderr = {
    write: (text: string | Uint8Array) => void (printed += String(text)),
    isTerminal: false,
    columns: 78,
  };
  // Nothing else of the world is asked for.
  const world = { directory, environment, stderr } as unknown as World;
  const logs = openLogs(world, () => new Date(0));
  return { logs, directory, printed: () => printed };
}

/** The levels that go somewhere. */
function levels(environment: Readonly<Record<string, string>>): readonly [string, string] {
  const { logs } = open(environment);
  const all = ['trace', 'debug', 'info', 'warn', 'error'] as const;
  const first = (log: 'core' | 'provider') => all.find((level) => logs?.[log].enabled(level)) ?? '';
  return [first('core'), first('provider')];
}

it.each([
  [{}, ['', '']],
  [{ TF_LOG: 'off' }, ['', '']],
  [{ TF_LOG: 'DEBUG' }, ['debug', 'debug']],
  [{ TF_LOG: 'warn', TF_LOG_PROVIDER: 'trace' }, ['warn', 'trace']],
  [{ TF_LOG: 'warn', TF_LOG_CORE: 'trace' }, ['warn', 'warn']],
  [{ TF_LOG_CORE: 'info' }, ['info', '']],
  [{ TF_LOG_PROVIDER: 'error' }, ['', 'error']],
  [{ TF_LOG: 'json' }, ['trace', 'trace']],
] as const)('%j asks for %j', (environment, expected) => {
  expect(levels(environment)).toEqual(expected);
});

it('logs everything for an unknown level, with a warning', () => {
  const { logs, printed } = open({ TF_LOG: 'loud' });
  expect(logs?.core.enabled('trace')).toBe(true);
  expect(printed()).toBe(
    '[WARN] Invalid log level: "LOUD". Defaulting to level: TRACE. Valid levels are: [TRACE DEBUG INFO WARN ERROR OFF]\n',
  );
});

it('writes to standard error, or adds to a file', () => {
  const plain = open({ TF_LOG: 'info' });
  plain.logs?.core.write('info', '', 'hello');
  plain.logs?.core.write('debug', '', 'unheard');
  expect(plain.printed()).toBe('1970-01-01T00:00:00.000Z [INFO]  hello\n');
  const filed = open({ TF_LOG: 'json', TF_LOG_PATH: 'all.log' });
  filed.logs?.core.write('info', '', 'one');
  filed.logs?.provider.write('warn', 'provider', 'two');
  expect(filed.printed()).toBe('');
  const lines = readFileSync(join(filed.directory, 'all.log'), 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as Record<string, unknown>)['@message'])).toEqual([
    'one',
    'two',
  ]);
});

it('reports a file that cannot be written, and continues without it', () => {
  const { logs, printed } = open({ TF_LOG: 'info', TF_LOG_PATH: 'none/all.log' });
  logs?.core.write('info', '', 'hello');
  expect(printed()).toMatch(/^Error opening log file: .*none\/all\.log.*\n.*\[INFO\] {2}hello\n$/);
});
