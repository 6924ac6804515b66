/** Variables of a template by name. */
export type UriVariables = Readonly<Record<string, string>>;

/** A parsed URI template. */
export interface UriTemplate {
  /** Substitutes percent-encoded values. Undefined variables expand to the empty string. */
  expand(variables: UriVariables): string;
}

type Part = { readonly literal: string } | { readonly variable: string };

const VARIABLE = /^(?:\w|%[\dA-Fa-f]{2})+(?:\.(?:\w|%[\dA-Fa-f]{2})+)*$/;
// Characters that RFC 6570 (2.1) excludes from literals, and percent signs without a valid encoding.
const NO_LITERAL = /[\p{Cc} "'<>\\^`|}]|%(?![\dA-Fa-f]{2})/u;

/** Parses a level 1 URI template (RFC 6570): literals and `{variable}`, without operators and modifiers. */
export function parseUriTemplate(text: string): UriTemplate | { readonly error: string } {
  const parts: Part[] = [];
  let offset = 0;
  while (offset < text.length) {
    const open = text.indexOf('{', offset);
    const literal = text.slice(offset, open < 0 ? undefined : open);
    const invalid = NO_LITERAL.exec(literal)?.[0];
    if (invalid === '%') return { error: 'invalid percent-encoded character' };
    if (invalid !== undefined) return { error: `disallowed character '${invalid}' in literal` };
    parts.push({ literal });
    if (open < 0) break;
    const close = text.indexOf('}', open);
    if (close < 0) return { error: 'unclosed URI template expression' };
    const variable = text.slice(open + 1, close);
    const error = variableError(variable);
    if (error !== undefined) return { error };
    parts.push({ variable });
    offset = close + 1;
  }
  return { expand: (variables) => parts.map((part) => expandPart(part, variables)).join('') };
}

function variableError(name: string): string | undefined {
  const [first = ''] = name;
  if (first === '') return 'zero-length expression sequence';
  const level = '+#'.includes(first) ? 2 : './;?&'.includes(first) ? 3 : undefined;
  if (level !== undefined) {
    return `level ${level} template expression operator '${first}' not allowed; only level 1 templates are supported`;
  }
  if ('=,!@|'.includes(first)) {
    return `reserved template expression operator '${first}' not allowed`;
  }
  const modifier = /[*:]/.exec(name)?.[0];
  if (modifier !== undefined) return `level 4 modifier '${modifier}' not allowed`;
  if (name.includes(',')) return 'expression may include only one variable name';
  return VARIABLE.test(name) ? undefined : `invalid variable name "${name}"`;
}

function expandPart(part: Part, variables: UriVariables): string {
  if ('literal' in part) return part.literal.replaceAll(/[^\x20-\x7e]+/gu, percentEncode);
  const value = Object.hasOwn(variables, part.variable) ? variables[part.variable] : undefined;
  return (value ?? '').replaceAll(/[^\w\-.~]+/g, percentEncode);
}

function percentEncode(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
