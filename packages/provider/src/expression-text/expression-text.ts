import { object, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { evaluate, formatSource, hasErrors, parseNative, Source, valueToHcl } from '@terrane/hcl';
import type { Diagnostic } from '@terrane/hcl';

/** A value or text, or the reason why it is not available, as part of a sentence. */
export type TextResult<T> = { readonly result: T } | { readonly problem: string };

// Created when it is needed, because classes of Unicode take half a millisecond.
const isIdentifier = (name: string): boolean => /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u.test(name);

/** A wholly known value as an expression of the Terraform language. */
export function encodeExpression(v: Value): string {
  return valueToHcl(v).trim();
}

/** A wholly known object or map in the syntax of `.tfvars` files; its keys have to be identifiers. */
export function encodeTfvars(v: Value): TextResult<string> {
  let text = '';
  for (const [key, inner] of v.entries()) {
    const name = key.asString();
    if (!isIdentifier(name)) {
      return {
        problem: `invalid variable name ${quoteText(name)}: must be a valid identifier, per Terraform's rules for input variable declarations`,
      };
    }
    text += `${name} = ${valueToHcl(inner)}\n`;
  }
  return { result: formatSource(text) };
}

/**
 * The object that text in the syntax of `.tfvars` files describes.
 *
 * @param filename how problems name the text
 */
export function decodeTfvars(text: string, filename: string): TextResult<Value> {
  const { body, diagnostics } = parseNative(new Source(filename, text));
  if (hasErrors(diagnostics)) {
    return { problem: `invalid tfvars syntax: ${summaryOf(diagnostics)}` };
  }
  const content = body.justAttributes();
  if (hasErrors(content.diagnostics)) {
    return { problem: `invalid tfvars content: ${summaryOf(content.diagnostics)}` };
  }
  const values = new Map<string, Value>();
  for (const [name, attribute] of content.attributes) {
    const problems: Diagnostic[] = [];
    const value = evaluate(attribute.expression, undefined, problems);
    if (hasErrors(problems)) {
      const reason = summaryOf(problems);
      return { problem: `invalid expression for variable ${quoteText(name)}: ${reason}` };
    }
    values.set(name, value);
  }
  return { result: object(values) };
}

/** Formats the first diagnostic on one line, with the number of others. */
function summaryOf(diagnostics: readonly Diagnostic[]): string {
  const [first] = diagnostics;
  if (first === undefined) return 'no diagnostics';
  const text = `${placeOf(first)}: ${first.summary}; ${first.detail}`;
  const more = diagnostics.length - 1;
  return more === 0 ? text : `${text}, and ${more} other diagnostic(s)`;
}

function placeOf({ subject }: Diagnostic): string {
  if (subject === undefined) return '<nil>';
  const { from, to, filename } = subject;
  const end = from.line === to.line ? `${to.column}` : `${to.line},${to.column}`;
  return `${filename}:${from.line},${from.column}-${end}`;
}
