import type { Diagnostic } from '@terrane/hcl';
import { diagnosticText } from '@terrane/render';

const PLAIN = { color: false, width: 100 } as const;

/** The failure of an acceptance test. */
export class AcceptanceFailure extends Error {
  /** number of the step, from 1; undefined: after the last one */
  readonly step: number | undefined;

  constructor(message: string, options: { readonly step?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'AcceptanceFailure';
    this.step = options.step;
  }
}

/** Formats diagnostics as text, with their source ranges. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((each) => diagnosticText(each, PLAIN)).join('\n');
}

/** Returns true if a text contains a match of a regular expression, or another text. */
export function matchesPattern(pattern: RegExp | string, text: string): boolean {
  // Lines are wrapped for reading, so white space counts as a single space.
  const flat = text.replaceAll(/\s+/g, ' ');
  return typeof pattern === 'string'
    ? flat.includes(pattern.replaceAll(/\s+/g, ' '))
    : pattern.test(text) || pattern.test(flat);
}
