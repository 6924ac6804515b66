import type { Cause, Explanation } from '@terrane/engine';
import { colorize, type TextStyle } from '../text/style.ts';
import { actionWords, causeWords, pathWords } from './cause-words.ts';

/** Why a plan does what it does, one paragraph for each thing, what is behind a cause indented below it. */
export function explanationsText(explanations: readonly Explanation[], style: TextStyle): string {
  return explanations.map((one) => explanationText(one, style)).join('\n');
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
    lines.push(`  ${name} is not known yet:`);
    addCauses(causes, 2, lines);
  }
  if (computed.length > 0)
    lines.push(`  only the provider can tell, once it is done: ${computed.join(', ')}`);
  return `${lines.join('\n')}\n`;
}

function addCauses(
  causes: readonly Cause[],
  depth: number,
  lines: string[],
  isUnsure = false,
): void {
  for (const cause of causes) {
    const told = cause.told === true ? ' (see above)' : '';
    const perhaps = cause.possible === true && !isUnsure ? 'perhaps ' : '';
    lines.push(`${'  '.repeat(depth)}- ${perhaps}${causeWords(cause)}${told}`);
    addCauses(cause.causes, depth + 1, lines, isUnsure || cause.possible === true);
  }
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
