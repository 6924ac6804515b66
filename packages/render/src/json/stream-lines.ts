import type { Diagnostic } from '@terrane/hcl';
import { diagnosticJsonText } from './diagnostic-json.ts';
import { jsonObject, jsonString } from './json-text.ts';

/** The parts of a message that differ by kind; `body` is one member with its JSON text. */
export interface Message {
  readonly level: 'info' | 'warn' | 'error';
  readonly text: string;
  readonly type: string;
  readonly body: readonly (readonly [string, string])[];
}

/** Formats a message as a line. Its members are sorted by name, as in a Go map. */
export function lineOf(message: Message, timestamp: Date): string {
  const members = new Map<string, string>([
    ['@level', jsonString(message.level)],
    ['@message', jsonString(message.text)],
    ['@module', '"terraform.ui"'],
    ['@timestamp', jsonString(timestampText(timestamp))],
    ['type', jsonString(message.type)],
    ...message.body,
  ]);
  return `${jsonObject(members)}\n`;
}

/** RFC 3339 in UTC with microseconds; a Date only knows milliseconds. */
function timestampText(timestamp: Date): string {
  return timestamp.toISOString().replace('Z', '000Z');
}

/** Returns a message of level `info`. */
export function info(text: string, type: string, body: Message['body']): Message {
  return { level: 'info', text, type, body };
}

/** Returns the message for a diagnostic. */
export function diagnosticMessage(diagnostic: Diagnostic): Message {
  const { severity, summary } = diagnostic;
  return {
    level: severity === 'warning' ? 'warn' : 'error',
    text: `${severity === 'warning' ? 'Warning' : 'Error'}: ${summary}`,
    type: 'diagnostic',
    body: [['diagnostic', diagnosticJsonText(diagnostic)]],
  };
}
