import type { Value } from '@terrane/cty';
import type { Expression } from '@terrane/hcl';
import { asText, isPlain } from './value-parts.ts';

/** Returns the texts that the interpolations of a template had when it produced a text. */
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
  const varying = parts.flatMap((part, index) => (part.kind === 'literal' ? [] : [index]));
  // Prefer a solution in which one interpolation changed and the others have their known values.
  for (const hole of varying) {
    const fixed = known.filter((_text, index) => index !== hole);
    if (fixed.includes(undefined)) continue;
    const head = known.slice(0, hole).join('');
    const tail = known.slice(hole + 1).join('');
    const part = parts[hole];
    if (part === undefined || text.length < head.length + tail.length) continue;
    if (text.startsWith(head) && text.endsWith(tail))
      return [[part, text.slice(head.length, text.length - tail.length)]];
  }
  // Otherwise all may have changed, if literals separate them.
  const holes: (readonly [Expression, string])[] = [];
  let rest = text;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'literal') {
      const literal = part.value.asString();
      if (!rest.startsWith(literal)) return 'other text';
      rest = rest.slice(literal.length);
      continue;
    }
    const next = parts[index + 1];
    if (next === undefined) {
      holes.push([part, rest]);
      rest = '';
      continue;
    }
    if (next.kind !== 'literal') return 'unclear';
    const end = rest.indexOf(next.value.asString());
    if (end < 0) return 'other text';
    holes.push([part, rest.slice(0, end)]);
    rest = rest.slice(end);
  }
  return rest === '' ? holes : 'other text';
}
