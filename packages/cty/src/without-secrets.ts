import { formatNumber } from './number-text.ts';
import { walk } from './walk.ts';
import type { Value } from './value.ts';

/** Number of consecutive characters that disclose a part of a secret. */
const MIN_SHARED = 4;
/**
 * The number of equal characters that disclose a secret consisting of a long text, such as a script: any four
 * characters may occur in it.
 */
const MIN_SHARED_OF_TEXTS = 8;
/** The minimum length of a secret that is treated as a long text. */
const LONG_TEXT_LENGTH = 100;
const REPLACEMENT = '(sensitive value)';

/**
 * Returns a text in which substrings of secrets are replaced by `(sensitive value)`. Secrets are the known parts of
 * values marked sensitive or ephemeral. A substring is replaced if it has at least four characters in common with a
 * secret (eight for a long text), or if it is a whole shorter secret that stands alone and is not a word of the
 * sentence. Used for texts that this program does not compose, such as errors of functions.
 */
export function withoutSecrets(text: string, values: readonly Value[]): string {
  const secrets = [...new Set(values.flatMap(secretsIn))];
  if (secrets.length === 0) return text;
  const hidden: boolean[] = Array.from({ length: text.length }, () => false);
  for (const secret of secrets) {
    if (secret.length < MIN_SHARED) hideWords(text, secret, hidden);
    else hideShared(text, secret, hidden);
  }
  let result = '';
  for (const [i, isHidden] of hidden.entries()) {
    if (!isHidden) result += text[i] ?? '';
    else if (hidden[i - 1] !== true) result += REPLACEMENT;
  }
  return result;
}

/** Returns the texts of the secrets in a value, verbatim and quoted. */
function secretsIn(value: Value): readonly string[] {
  const secrets: string[] = [];
  const visit = (v: Value, inherited: boolean): void => {
    const isSecret = inherited || v.hasMark('sensitive') || v.hasMark('ephemeral');
    const plain = v.unmark();
    if (!plain.isKnown || plain.isNull) return;
    const { kind } = plain.type;
    if (kind === 'string' || kind === 'number') {
      const text = kind === 'string' ? plain.asString() : formatNumber(plain.asNum());
      if (isSecret && text !== '') secrets.push(text, JSON.stringify(text).slice(1, -1));
      return;
    }
    walk(plain, (path, part) => {
      if (path.length === 0) return true;
      visit(part, isSecret);
      return false;
    });
  };
  visit(value, false);
  return secrets;
}

function hideWords(text: string, secret: string, hidden: boolean[]): void {
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(text[at] ?? '');
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    const end = at + secret.length;
    if (isWord(at - 1) || isWord(end) || isSentenceWord(text, at, end)) continue;
    hidden.fill(true, at, end);
  }
}

/**
 * Returns true if a match is a word of a sentence, such as the `a` of `a number is required`: values are quoted, or
 * come last after a colon.
 */
function isSentenceWord(text: string, start: number, end: number): boolean {
  if (!/^\p{L}+$/u.test(text.slice(start, end))) return false;
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (!/(^|\s)$/.test(before) || !/^([.,;!?]?(\s|$))/.test(after)) return false;
  return !/:\s*$/.test(before) || /^\s/.test(after);
}

/** Hides the substrings that a text shares with a secret, if they are long enough to disclose it. */
function hideShared(text: string, secret: string, hidden: boolean[]): void {
  const minShared = secret.length < LONG_TEXT_LENGTH ? MIN_SHARED : MIN_SHARED_OF_TEXTS;
  const pieces = new Set<string>();
  for (let i = 0; i + minShared <= secret.length; i++) pieces.add(secret.slice(i, i + minShared));
  for (let i = 0; i + minShared <= text.length; i++) {
    if (pieces.has(text.slice(i, i + minShared))) hidden.fill(true, i, i + minShared);
  }
}
