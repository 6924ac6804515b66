import { normalizeText } from './text.ts';

/** The second characters of all canonical compositions: they may merge with the preceding character. */
const COMPOSING: readonly (readonly [number, number])[] = [
  [0x300, 0x304],
  [0x306, 0x30c],
  [0x30f, 0x30f],
  [0x311, 0x311],
  [0x313, 0x314],
  [0x31b, 0x31b],
  [0x323, 0x328],
  [0x32d, 0x32e],
  [0x330, 0x331],
  [0x338, 0x338],
  [0x342, 0x342],
  [0x345, 0x345],
  [0x653, 0x655],
  [0x93c, 0x93c],
  [0x9be, 0x9be],
  [0x9d7, 0x9d7],
  [0xb3e, 0xb3e],
  [0xb56, 0xb57],
  [0xbbe, 0xbbe],
  [0xbd7, 0xbd7],
  [0xc56, 0xc56],
  [0xcc2, 0xcc2],
  [0xcd5, 0xcd6],
  [0xd3e, 0xd3e],
  [0xd57, 0xd57],
  [0xdca, 0xdca],
  [0xdcf, 0xdcf],
  [0xddf, 0xddf],
  [0x102e, 0x102e],
  [0x1161, 0x1175],
  [0x11a8, 0x11c2],
  [0x1b35, 0x1b35],
  [0x3099, 0x309a],
  [0x110ba, 0x110ba],
  [0x11127, 0x11127],
  [0x1133e, 0x1133e],
  [0x11357, 0x11357],
  [0x114b0, 0x114b0],
  [0x114ba, 0x114ba],
  [0x114bd, 0x114bd],
  [0x115af, 0x115af],
  [0x11930, 0x11930],
];

const composes = new Map<string, boolean>();

/** Returns true if some character after this one may merge with it, or with its last mark, under normalisation. Cached. */
function combinesForward(character: string): boolean {
  let result = composes.get(character);
  if (result === undefined) {
    const decomposed = character.normalize('NFD');
    result =
      combinesBackward(lastCharacter(decomposed, decomposed.length)) ||
      COMPOSING.some(([first, last]) => {
        for (let code = first; code <= last; code++) {
          const pair = character + String.fromCodePoint(code);
          if ([...pair.normalize('NFC')].length < [...pair].length) return true;
        }
        return false;
      });
    composes.set(character, result);
  }
  return result;
}

/** Returns true if normalisation may merge the character with the one before it. */
function combinesBackward(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    /^\p{M}$/u.test(character) || COMPOSING.some(([first, last]) => code >= first && code <= last)
  );
}

/** A line feed or carriage return that is not part of a CR LF pair. */
const bareLineBreak = /(?<!\r)\n|\r(?!\n)/;
/** Characters after which a grapheme cluster always ends. */
const clusterEnd = /^[-_:;/\\,.(){}[\]|?!~ \t@#$%^&*+"']$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the part of a text that is unaffected by appended text: without a last character that could combine with the
 * next one ("hello" returns "hell", "a-" is unchanged). For prefixes of partly unknown strings.
 */
export function safePrefix(text: string): string {
  const prefix = normalizeText(text);
  const last = lastCharacter(prefix, prefix.length);
  if (last === '') return '';
  if (clusterEnd.test(last)) return upToLineBreak(prefix);
  const starter = lastStarter(prefix);
  if (starter.character === '') return withoutLastCluster(prefix);
  if (starter.at + starter.character.length < prefix.length || combinesForward(starter.character)) {
    return prefix.slice(0, starter.at);
  }
  return withoutLastCluster(prefix);
}

function lastCharacter(text: string, end: number): string {
  if (end === 0) return '';
  const low = text.charCodeAt(end - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && end > 1;
  return text.slice(end - (pair ? 2 : 1), end);
}

function lastStarter(text: string): { readonly at: number; readonly character: string } {
  let end = text.length;
  let character = lastCharacter(text, end);
  while (character !== '' && combinesBackward(character)) {
    end -= character.length;
    character = lastCharacter(text, end);
  }
  return { at: end - character.length, character };
}

/** cty's search for the last cluster stops at a lone line feed; it retains only the text before it. */
function upToLineBreak(text: string): string {
  const at = text.search(bareLineBreak);
  return at < 0 ? text : text.slice(0, at);
}

function withoutLastCluster(text: string): string {
  const line = upToLineBreak(text);
  if (line !== text) return line;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let start = 0;
  for (const { index } of segmenter.segment(text)) start = index;
  return text.slice(0, start);
}
