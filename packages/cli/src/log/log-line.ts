import type { LogFields, LogLevel } from '@terrane/host';
import { escaped, escapedLines } from './escaped.ts';

/** An entry of a log. */
export interface LogEntry {
  readonly at: Date;
  readonly level: LogLevel;
  readonly module: string;
  readonly message: string;
  readonly fields: LogFields;
}

/**
 * Formats an entry as text, as Terraform does: `2026-11-21T20:38:36.998Z [INFO]  module: message: field=value`. Messages
 * and fields may come from plugins and other systems: only lines of this function begin with a time.
 */
export function textLogLine({ at, level, module, message, fields }: LogEntry): string {
  const bracket = `[${level.toUpperCase()}]`.padEnd(7);
  const head = [escaped(module), escapedLines(message)].filter((text) => text !== '').join(': ');
  const names = Object.keys(fields);
  const rest = names.map((name) => fieldText(name, fields[name])).join('');
  return `${at.toISOString()} ${bracket} ${head}${names.length === 0 ? '' : ':'}${rest}`;
}

function fieldText(key: string, value: unknown): string {
  const name = escaped(key);
  if (Array.isArray(value)) {
    const all: readonly unknown[] = value;
    return ` ${name}=[${all.map((each) => escaped(JSON.stringify(plainText(each)))).join(', ')}]`;
  }
  const text = plainText(value);
  if (text === '') return ` ${name}=""`;
  if (text.includes('\n')) {
    const lines = text.replace(/\n$/, '').split('\n');
    return `\n  ${name}=\n${lines.map((line) => `  | ${escaped(line)}\n`).join('')}  `;
  }
  const needsQuotes = /[^\p{L}\p{M}\p{N}\p{P}\p{S}]|["=]/u.test(text);
  return ` ${name}=${needsQuotes ? quoted(text) : text}`;
}

const quoted = (text: string): string => `"${escaped(text.replaceAll('"', '\\"'))}"`;

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '<nil>' : (JSON.stringify(value) ?? String(value));
}

/** An entry for programs, as Terraform writes it with `TF_LOG=json`: one object, its members sorted. */
export function jsonLogLine({ at, level, module, message, fields }: LogEntry): string {
  const members: Record<string, unknown> = {
    '@level': level,
    '@message': message,
    ...(module === '' ? {} : { '@module': module }),
    // Microseconds, as those who read it expect.
    '@timestamp': at.toISOString().replace('Z', '000Z'),
    // Modules named by a plugin replace the name of the plugin.
    ...fields,
  };
  const sorted = Object.keys(members)
    .sort()
    .map((name) => [name, members[name]] as const);
  return JSON.stringify(Object.fromEntries(sorted));
}
