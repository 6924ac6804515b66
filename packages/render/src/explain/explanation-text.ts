import type { Cause, Explanation } from '@terrane/engine';
import { colorize, type TextStyle } from '../text/style.ts';
import { wrapLine } from '../text/word-wrap.ts';
import { actionWords, briefWords, causeWords, pathWords, placeWords } from './cause-words.ts';

/** Formats explanations as text: one paragraph for each object, with causes indented below it. */
export function explanationsText(explanations: readonly Explanation[], style: TextStyle): string {
  return explanations.map((explanation) => explanationText(explanation, style)).join('\n');
}

function explanationText(explanation: Explanation, style: TextStyle): string {
  const lines: string[] = [];
  lines.push(colorize(`[bold]${headline(explanation)}[reset]`, style.color));
  addCauses(explanation.causes, 1, lines);
  const computed: string[] = [];
  for (const { attribute, causes } of explanation.unknown) {
    const [only, more] = causes;
    if (only?.kind === 'computed' && more === undefined) {
      computed.push(pathWords(attribute));
      continue;
    }
    const name = attribute.length === 0 ? 'the value' : pathWords(attribute);
    const awaited = onlyAwaited(causes);
    if (awaited !== undefined) {
      lines.push(`  ${name} is not known yet: ${causeWords(awaited)}`);
      continue;
    }
    lines.push(`  ${name} is not known yet:`);
    addCauses(causes, 2, lines);
  }
  if (computed.length > 0)
    lines.push(`  only the provider can tell, once it is done: ${computed.join(', ')}`);
  return `${lines.map((line) => wrapped(line, style)).join('\n')}\n`;
}

/** Returns the end of a chain without branches if the provider computes it; undefined otherwise. */
function onlyAwaited(causes: readonly Cause[]): Cause | undefined {
  const [only, more] = causes;
  if (only === undefined || more !== undefined) return undefined;
  if (only.kind === 'computed') return only;
  return onlyAwaited(only.causes);
}

function addCauses(
  causes: readonly Cause[],
  depth: number,
  lines: string[],
  isUnsure = false,
): void {
  const indent = '  '.repeat(depth);
  const sure = causes.filter(({ possible }) => possible !== true || isUnsure);
  for (const cause of sure) {
    lines.push(`${indent}- ${wordsOf(cause)}`);
    addCauses(cause.causes, depth + 1, lines, isUnsure);
  }
  const possible = isUnsure ? [] : causes.filter((cause) => cause.possible === true);
  // Alternatives without further causes share a line, with the least informative one, the text, at the end.
  const ends = possible.filter((cause) => cause.causes.length === 0);
  const texts = ends.filter(isText);
  const words = [...ends.filter((cause) => !isText(cause)).map(wordsOf), ...texts.map(textWords)];
  const last = words.length === 0 ? '' : `${words.join(', or ')}`;
  let [begin, end] = ['perhaps ', last === '' ? '' : `, or ${last}`];
  for (const cause of possible.filter((each) => each.causes.length > 0)) {
    lines.push(`${indent}- ${begin}${wordsOf(cause)}${end}`);
    addCauses(cause.causes, depth + 1, lines, true);
    [begin, end] = ['or ', ''];
  }
  if (begin === 'perhaps ' && last !== '') lines.push(`${indent}- perhaps ${last}`);
}

/** Returns true if a cause is a location in the configuration whose text may have changed. */
function isText({ kind, name, range }: Cause): boolean {
  return kind === 'source' && name === undefined && range !== undefined;
}

function textWords(cause: Cause): string {
  const { range, before } = cause;
  // The line above states the earlier value, unless only this cause has it.
  return range === undefined || before === undefined
    ? causeWords(cause)
    : `${placeWords(range)} has changed`;
}

function wordsOf(cause: Cause): string {
  if (cause.isExplainedElsewhere !== true) return causeWords(cause);
  return `${briefWords(cause)} (see above)`;
}

/** Wraps a line to the width of the terminal, with a hanging indent. */
function wrapped(line: string, { terminal, width }: TextStyle): string {
  if (terminal !== true || width <= 1) return line;
  const [, indent = '', mark = '', text = ''] = /^( *)(- )?(.*)$/s.exec(line) ?? [];
  const rest = indent + ' '.repeat(mark.length);
  const limit = Math.max(20, width - 1 - rest.length);
  return indent + mark + wrapLine(text, limit, true).replaceAll('\n', `\n${rest}`);
}

function headline({ address, kind, action, deposed, deferred }: Explanation): string {
  const object = deposed === undefined ? address : `${address} (deposed object ${deposed})`;
  if (deferred !== undefined) return `${object} is left to a later plan, because`;
  if (action === 'invoke') return `${object} is to be invoked, because`;
  if (kind !== 'output') return `${object} ${actionWords(action)}, because`;
  switch (action) {
    case 'create':
      return `${object} is new, because`;
    case 'delete':
      return `${object} goes, because`;
    case 'no-op':
      return `${object} stays as it is, because`;
    default:
      return `${object} changes, because`;
  }
}
