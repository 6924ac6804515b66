import { type Glob, globOf, matchGlob } from '@terrane/addresses';

/** Splits at dots outside of brackets and quotes: `module.a["x.y"].t.n[0]` has four segments. */
function segmentsOf(text: string): readonly string[] {
  const segments: string[] = [];
  let segment = '';
  let isQuoted = false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isQuoted && char === '\\') {
      segment += char + text.charAt(++at);
      continue;
    }
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '[') depth += 1;
    else if (!isQuoted && char === ']') depth -= 1;
    if (char === '.' && !isQuoted && depth === 0) {
      segments.push(segment);
      segment = '';
    } else segment += char;
  }
  segments.push(segment);
  return segments;
}

/** A pattern of addresses, or of paths of attributes. */
export interface Pattern {
  matches(text: string): boolean;
}

/**
 * Compiles an address pattern. `*` represents any characters within one part between dots, `**` any number of parts. A
 * part without brackets matches all instances: `module.*.aws_instance.web` matches `module.a["x"].aws_instance.web[0]`.
 */
export function addressPattern(pattern: string): Pattern {
  const parts = segmentsOf(pattern).map((segment) => {
    if (segment === '**') return undefined;
    const isOpen = !segment.includes('[') && !segment.endsWith('*');
    return isOpen ? [globOf(segment), globOf(`${segment}[*]`)] : [globOf(segment)];
  });
  return { matches: (text) => matchParts(parts, segmentsOf(text), false) };
}

/**
 * Compiles a pattern of attribute paths such as `tags.*`, `tags["env"]` or `ingress[*].cidr_blocks`. `*` represents any
 * attribute, key or index. A pattern matches everything below it: `tags` matches `tags["env"]`.
 */
export function attributePattern(pattern: string): Pattern {
  const parts = stepsOf(pattern).map((step) => (step === '**' ? undefined : [globOf(step)]));
  return { matches: (text) => matchParts(parts, stepsOf(text), true) };
}

/** Splits a path into attribute names, keys and indexes: `tags["env"]` and `tags.env` are equal. */
function stepsOf(path: string): readonly string[] {
  const steps: string[] = [];
  for (const segment of segmentsOf(path)) {
    let rest = segment;
    const name = /^[^[]*/.exec(rest)?.[0] ?? '';
    if (name !== '') steps.push(name);
    rest = rest.slice(name.length);
    for (const [, quoted, bare] of rest.matchAll(/\[(?:"((?:[^"\\]|\\.)*)"|([^\]]*))\]/g))
      steps.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
  }
  return steps;
}

/** Alternatives for a part; undefined for any number of parts. */
type Part = readonly Glob[] | undefined;

/** Matches in time proportional to the product of both lengths. */
function matchParts(parts: readonly Part[], texts: readonly string[], isPrefix: boolean): boolean {
  // reachable[i]: the parts so far can match the first i texts
  let reachable = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (part === undefined) {
        for (let to = at; to <= texts.length; to++) next.add(to);
        continue;
      }
      const text = texts[at];
      if (text !== undefined && part.some((glob) => matchGlob(glob, text))) next.add(at + 1);
    }
    reachable = next;
  }
  return isPrefix ? reachable.size > 0 : reachable.has(texts.length);
}
