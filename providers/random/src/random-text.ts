import type { Random } from '@terrane/host';
import { drawBelow, shuffled } from './drawing.ts';
import { readFailure } from './failures.ts';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SPECIAL = '!@#$%&*()-_=+[]{}<>:?';

/** The character classes of a random string. */
export interface TextRules {
  /** in characters */
  readonly length: number;
  readonly upper: boolean;
  readonly lower: boolean;
  readonly numeric: boolean;
  readonly special: boolean;
  readonly minUpper: number;
  readonly minLower: number;
  readonly minNumeric: number;
  readonly minSpecial: number;
  /** replaces the default special characters unless empty */
  readonly overrideSpecial: string;
}

/** Returns a random string; throws a ProviderError if the rules cannot be satisfied. */
export function randomText(random: Random, rules: TextRules): string {
  const special = rules.overrideSpecial === '' ? SPECIAL : rules.overrideSpecial;
  const all = [
    rules.upper ? UPPER : '',
    rules.lower ? LOWER : '',
    rules.numeric ? DIGITS : '',
    rules.special ? special : '',
  ].join('');
  if (all === '') throw readFailure('the character set specified is empty');
  const drawn: string[] = [];
  draw(random, DIGITS, rules.minNumeric, drawn);
  draw(random, LOWER, rules.minLower, drawn);
  draw(random, UPPER, rules.minUpper, drawn);
  draw(random, special, rules.minSpecial, drawn);
  if (drawn.length > rules.length) {
    throw readFailure(`the minimum counts add up to more than the length of ${rules.length}`);
  }
  draw(random, all, rules.length - drawn.length, drawn);
  return shuffled(random, drawn).join('');
}

function draw(random: Random, from: string, count: number, into: string[]): void {
  const characters = [...from];
  for (let i = 0; i < count; i++) {
    into.push(characters[drawBelow(random, characters.length)] ?? '');
  }
}
