import { friendlyNameForConstraint } from '@terrane/cty';
import type { FunctionSignature } from '@terrane/functions';
import type { AttributeSchema, BlockSchema } from '@terrane/provider';
import { literalText } from '../symbol-syntax.ts';
import { variableType } from '../schema-lookup.ts';
import type { Declaration, Span } from '../symbol.ts';

/** The kind of a completion item, for icons. */
export type CompletionKind =
  | 'block'
  | 'argument'
  | 'type'
  | 'variable'
  | 'constant'
  | 'function'
  | 'property'
  | 'module'
  | 'keyword'
  | 'file';

/** A completion proposal. `insert` replaces `span`; in snippets, `$1` and `${1:text}` are tab stops. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  readonly documentation?: string;
  readonly insert: string;
  readonly isSnippet?: true;
  readonly span: Span;
  readonly deprecated?: boolean;
  /** lower ranks come first */
  readonly rank: number;
}

/** Completion proposals; incomplete if there are more than are listed. */
export interface Completions {
  readonly items: readonly CompletionItem[];
  readonly isIncomplete: boolean;
}

/** Describes an argument: its type and whether it must be set. */
export function attributeDetail(attribute: AttributeSchema): string {
  const parts: string[] = [];
  if (attribute.required === true) parts.push('required');
  else if (attribute.optional === true) parts.push('optional');
  if (attribute.computed === true) parts.push('computed');
  if (attribute.sensitive === true) parts.push('sensitive');
  if (attribute.writeOnly === true) parts.push('write-only');
  if (attribute.deprecated === true) parts.push('deprecated');
  parts.push(attributeType(attribute));
  return parts.join(', ');
}

/** The type of an argument in words. */
export function attributeType({ type, nested }: AttributeSchema): string {
  if (type !== undefined) return friendlyNameForConstraint(type);
  return nested?.nesting === 'single' ? 'object' : `${nested?.nesting ?? ''} of object`;
}

/** Required arguments and blocks of a new block as a snippet, indented by two spaces, with the next free tab stop. */
export function requiredSnippet(block: BlockSchema, firstStop: number): string {
  let stop = firstStop;
  const lines: string[] = [];
  const required = Object.entries(block.attributes).filter(
    ([, attribute]) => attribute.required === true,
  );
  const width = Math.max(0, ...required.map(([name]) => name.length));
  for (const [name, attribute] of required) {
    lines.push(`  ${name.padEnd(width)} = ${valueSnippet(attribute, stop)}`);
    stop++;
  }
  for (const [name, { minItems, block: inner, nesting }] of Object.entries(block.blocks)) {
    if (minItems === undefined || minItems === 0 || nesting === 'map') continue;
    const innerLines = requiredSnippet(inner, stop)
      .split('\n')
      .filter((line) => line !== '');
    stop += innerLines.length;
    if (lines.length > 0) lines.push('');
    lines.push(`  ${name} {`, ...innerLines.map((line) => `  ${line}`), '  }');
  }
  return lines.length === 0 ? '  $0\n' : `${lines.join('\n')}\n`;
}

/** A placeholder for a value of an argument. */
export function valueSnippet({ type, nested }: AttributeSchema, stop: number): string {
  if (nested !== undefined)
    return nested.nesting === 'single' || nested.nesting === 'map'
      ? `{ $${stop} }`
      : `[{ $${stop} }]`;
  switch (type?.kind) {
    case 'string':
      return `"$${stop}"`;
    case 'bool':
      return `\${${stop}:false}`;
    case 'list':
    case 'set':
    case 'tuple':
      return type.kind !== 'tuple' && type.element.kind === 'string'
        ? `["$${stop}"]`
        : `[$${stop}]`;
    case 'map':
    case 'object':
      return `{ $${stop} }`;
    default:
      return `$${stop}`;
  }
}

/** Proposes a call of a function. */
export function functionItem(signature: FunctionSignature, span: Span): CompletionItem {
  return {
    label: signature.name,
    kind: 'function',
    detail: signatureText(signature),
    documentation: signature.description,
    insert: `${signature.name}($1)`,
    isSnippet: true,
    span,
    rank: 5,
  };
}

/** A signature such as `cidrsubnet(prefix, newbits, netnum) string`. */
export function signatureText({ name, parameters, variadic, returns }: FunctionSignature): string {
  const names = parameters.map((parameter) => parameter.name);
  if (variadic !== undefined) names.push(`${variadic.name}...`);
  return `${name}(${names.join(', ')}) ${friendlyNameForConstraint(returns)}`;
}

/** The description of a declaration. */
export function documentationOf(declaration: Declaration): { readonly documentation?: string } {
  const description = declaration.arguments.get('description');
  const text = description === undefined ? undefined : literalText(description);
  return text === undefined ? {} : { documentation: text };
}

/** Describes a declaration: its kind, or the type of a variable. */
export function declarationDetail({ kind, arguments: values }: Declaration): string {
  if (kind !== 'variable') return kind;
  const type = variableType(values.get('type'));
  return friendlyNameForConstraint(type);
}
