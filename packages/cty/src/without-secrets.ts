import { formatNumber } from './number-text.ts';
import { walk } from './walk.ts';
import type { Value } from './value.ts';

/** Number of consecutive characters that disclose a part of a secret. */
const TELLING = 4;
/** The same of a secret that is a whole text, such as a script: any four characters may stand in it. */
const TELLING_OF_TEXTS = 8;
/** The minimum length of a secret that is redacted as a whole text. */
const TEXT = 100;
const INSTEAD = '(sensitive value)';

/**
 * A text without what it tells of secrets: the parts of known values that are marked sensitive or ephemeral. Where four
 * or more characters of it are also in one of them (eight, where that is a long text), or all of a shorter one stands by
 * itself and is no word of the sentence, they are replaced by `(sensitive value)`. For texts that others have written,
 * such as errors of functions.
 */
export function withoutSecrets(text: string, values: readonly Value[]): string {
  const secrets = [...new Set(values.flatMap(secretsIn))];
  if (secrets.length === 0) return text;
  const hidden: boolean[] = Array.from({ length: text.length }, () => false);
  for (const secret of secrets) {
    if (secret.length < TELLING) hideWords(text, secret, hidden);
    else hideShared(text, secret, hidden);
  }
  let result = '';
  for (const [i, isHidden] of hidden.entries()) {
    if (!isHidden) result += text[i] ?? '';
    else if (hidden[i - 1] !== true) result += INSTEAD;
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
    if (isWord(at - 1) || isWord(end) || isOfSentence(text, at, end)) continue;
    hidden.fill(true, at, end);
  }
}

/**
 * Returns true if some letters stand where the words of a sentence do, such as the `a` of `a number is required`: values are
 * quoted, or come last after a colon.
 */
function isOfSentence(text: string, start: number, end: number): boolean {
  if (!/^\p{L}+$/u.test(text.slice(start, end))) return false;
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (!/(^|\s)$/.test(before) || !/^([.,;!?]?(\s|$))/.test(after)) return false;
  return !/:\s*$/.test(before) || /^\s/.test(after);
}

/** Hides the substrings that a text shares with a secret, if they are long enough to disclose it. */
function hideShared(text: string, secret: string, hidden: boolean[]): void {
  const telling = secret.length < TEXT ? TELLING : TELLING_OF_TEXTS;
  const pieces = new Set<string>();
  for (let i = 0; i + telling <= secret.length; i++) pieces.add(secret.slice(i, i + telling));
  for (let i = 0; i + telling <= text.length; i++) {
    if (pieces.has(text.slice(i, i + telling))) hidden.fill(true, i, i + telling);
  }
}
