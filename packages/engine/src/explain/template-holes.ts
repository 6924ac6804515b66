import type { Value } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import { asText, isPlain } from './value-parts.ts';

/** What each part that varies must have been for a text to come out, where its literal parts allow that. */
export function templateHoles(
  parts: readonly Expression[],
  text: string,
  valueOf: (part: Expression) => Value | undefined,
): readonly (readonly [Expression, string])[] | 'other text' | 'unclear' {
  const known = parts.map((part) => {
    const value = valueOf(part);
    if (part.kind === 'literal') return part.value.asString();
    return value !== undefined && isPlain(value) ? asText(value) : undefined;
  });
  const varying = parts.flatMap((part, at) => (part.kind === 'literal' ? [] : [at]));
  // One part after the other is taken for the one that changed, while the others stayed.
  for (const hole of varying) {
    const fixed = known.filter((_text, at) => at !== hole);
    if (fixed.includes(undefined)) continue;
    const head = known.slice(0, hole).join('');
    const tail = known.slice(hole + 1).join('');
    const part = parts[hole];
    if (part === undefined || text.length < head.length + tail.length) continue;
    if (text.startsWith(head) && text.endsWith(tail))
      return [[part, text.slice(head.length, text.length - tail.length)]];
  }
  // All may have changed, where literals tell them apart.
  const found: (readonly [Expression, string])[] = [];
  let rest = text;
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'literal') {
      const literal = part.value.asString();
      if (!rest.startsWith(literal)) return 'other text';
      rest = rest.slice(literal.length);
      continue;
    }
    const next = parts[at + 1];
    if (next === undefined) {
      found.push([part, rest]);
      rest = '';
      continue;
    }
    if (next.kind !== 'literal') return 'unclear';
    const end = rest.indexOf(next.value.asString());
    if (end < 0) return 'other text';
    found.push([part, rest.slice(0, end)]);
    rest = rest.slice(end);
  }
  return rest === '' ? found : 'other text';
}
