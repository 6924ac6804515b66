import { expect, it } from 'vitest';
import { jsonLogLine, textLogLine } from './log-line.ts';

const at = new Date('2026-11-21T20:38:36.998Z');
const entry = {
  at,
  level: 'info',
  module: 'provider',
  message: 'using plugin',
  fields: {},
} as const;

// The output of go-hclog 1.6.3, as Terraform 1.11.4 uses it.
it.each([
  ['info', {}, '[INFO]  provider: using plugin'],
  ['debug', { version: 5 }, '[DEBUG] provider: using plugin: version=5'],
  ['warn', { text: '' }, '[WARN]  provider: using plugin: text=""'],
  ['error', { text: 'a b' }, '[ERROR] provider: using plugin: text="a b"'],
  ['trace', { text: 'say "x"' }, '[TRACE] provider: using plugin: text="say \\"x\\""'],
  ['debug', { a: 'x=y', b: null }, '[DEBUG] provider: using plugin: a="x=y" b=<nil>'],
  ['debug', { args: ['a', 'b c'] }, '[DEBUG] provider: using plugin: args=["a", "b c"]'],
  [
    'debug',
    { text: 'one\ntwo\n', more: true },
    '[DEBUG] provider: using plugin:\n  text=\n  | one\n  | two\n   more=true',
  ],
] as const)('writes a line at %s with %j', (level, fields, expected) => {
  expect(textLogLine({ ...entry, level, fields })).toBe(`2026-11-21T20:38:36.998Z ${expected}`);
});

it.each([
  ['\u001B[2Jforged', '[INFO]  provider: \\x1b[2Jforged'],
  [
    'one\r\n2026-11-21T20:38:36.998Z [ERROR] two\n',
    '[INFO]  provider: one\\r\n  | 2026-11-21T20:38:36.998Z [ERROR] two',
  ],
  [
    'right \u202E left \u009B1m \u{E0001} \uD800',
    '[INFO]  provider: right \\u202e left \\u009b1m \\U000e0001 \\ufffd',
  ],
])('escapes the message %j', (message, expected) => {
  expect(textLogLine({ ...entry, message })).toBe(`2026-11-21T20:38:36.998Z ${expected}`);
});

// The output of go-hclog 1.6.3 for the first two.
it.each([
  [{ text: '\u001B[1mx "y" \\ \u007F' }, ' text="\\x1b[1mx \\"y\\" \\ \\u007f"'],
  [{ text: '\u001B[1m\n\u0007' }, '\n  text=\n  | \\x1b[1m\n  | \\a\n  '],
  [{ list: ['a\nb\u009B'] }, ' list=["a\\nb\\u009b"]'],
  [{ 'a\nb': 1 }, ' a\\nb=1'],
])('escapes the fields %j', (fields, expected) => {
  expect(textLogLine({ ...entry, fields })).toBe(
    `2026-11-21T20:38:36.998Z [INFO]  provider: using plugin:${expected}`,
  );
});

it('omits missing parts', () => {
  expect(textLogLine({ ...entry, module: '' })).toBe(
    '2026-11-21T20:38:36.998Z [INFO]  using plugin',
  );
  expect(textLogLine({ ...entry, message: '' })).toBe('2026-11-21T20:38:36.998Z [INFO]  provider');
});

it('writes an object with sorted members', () => {
  expect(jsonLogLine({ ...entry, fields: { version: 5, a: ['x'] } })).toBe(
    '{"@level":"info","@message":"using plugin","@module":"provider","@timestamp":"2026-11-21T20:38:36.998000Z","a":["x"],"version":5}',
  );
  expect(jsonLogLine({ ...entry, module: '' })).toBe(
    '{"@level":"info","@message":"using plugin","@timestamp":"2026-11-21T20:38:36.998000Z"}',
  );
  expect(jsonLogLine({ ...entry, fields: { '@module': 'sdk' } })).toContain('"@module":"sdk"');
});
