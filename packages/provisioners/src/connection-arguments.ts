import type { Value } from '@terrane/cty';
import { parseDuration } from '@terrane/host';

const DEFAULT_TIMEOUT_MS = 5 * 60_000;
const MAX_PORT = 65_535;

/** Returns a string argument of a connection; empty if absent. */
export function textOf(value: Value): string {
  return value.isNull ? '' : value.asString();
}

/** Returns true if a boolean argument of a connection is true. */
export function isTrue(value: Value): boolean {
  return !value.isNull && value.asBool();
}

/** Returns a port; 0 if absent. Throws Terraform's error for invalid ports. */
export function portOf(value: Value): number {
  if (value.isNull) return 0;
  const port = Number(value.asNum().toString());
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new Error(`value must be a whole number, between 0 and ${MAX_PORT} inclusive`);
}

/** Parses the time limit for connecting, in milliseconds. Invalid durations mean no limit. */
export function timeoutOf(text: string): number {
  return text === '' ? DEFAULT_TIMEOUT_MS : (parseDuration(text) ?? DEFAULT_TIMEOUT_MS);
}

/** Formats a host for URLs: an IPv6 address in brackets. */
export function inBrackets(host: string): string {
  return host.includes(':') && URL.canParse(`http://[${host}]`) ? `[${host}]` : host;
}

/** Returns the path of a script, with a random number in place of `%RAND%`. */
export function randomPath(template: string, bytes: Uint8Array): string {
  return template.replaceAll('%RAND%', String(Buffer.from(bytes).readUInt32BE() >>> 1));
}
