import { DYNAMIC, object, quoteText, str, STRING, UNKNOWN, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { evaluate, formatSource, hasErrors, parseNative, Source, valueToHcl } from '@terrane/hcl';
import type { Diagnostic } from '@terrane/hcl';
import type { CallAnswer, FunctionSignature } from '@terrane/provider';

/** A function of the built-in provider. */
export interface BuiltInFunction extends FunctionSignature {
  readonly call: (argument: Value) => CallAnswer;
}

/** The functions of the built-in provider. */
export const FUNCTIONS: Readonly<Record<string, BuiltInFunction>> = {
  decode_tfvars: {
    summary: 'Parse a string containing syntax like that used in a `.tfvars` file',
    description:
      'A rarely-needed function which takes a string containing the content of a `.tfvars` file and returns an object describing the raw variable values it defines.',
    parameters: [{ name: 'src', type: STRING }],
    returns: DYNAMIC,
    call: decodeTfvars,
  },
  encode_expr: {
    summary:
      'Produce a string representation of an arbitrary value using Terraform expression syntax',
    description:
      'A rarely-needed function which takes any value and produces a string containing Terraform language expression syntax approximating that value.',
    parameters: [{ name: 'value', type: DYNAMIC, allowUnknown: true }],
    returns: STRING,
    call: encodeExpr,
  },
  encode_tfvars: {
    summary:
      'Produce a string representation of an object using the same syntax as for `.tfvars` files',
    description:
      'A rarely-needed function which takes an object value and produces a string containing a description of that object using the same syntax as Terraform CLI would expect in a `.tfvars`.',
    parameters: [{ name: 'value', type: DYNAMIC, allowUnknown: true }],
    returns: STRING,
    call: encodeTfvars,
  },
};

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

// The published provider gives the index of an argument that does not exist, so that the message is
// shown without one.
function refused(message: string): CallAnswer {
  return { error: { message, argument: 1 } };
}

function encodeTfvars(v: Value): CallAnswer {
  if (v.isNull) return refused('cannot encode a null value in tfvars syntax');
  if (!v.isWhollyKnown()) return { result: unknownOf(STRING, { notNull: true }) };
  if (v.type.kind !== 'object' && v.type.kind !== 'map') {
    return refused(
      'invalid value to encode: must be an object whose attribute names will become the encoded variable names',
    );
  }
  let text = '';
  for (const [key, inner] of v.entries()) {
    const name = key.asString();
    if (!IDENTIFIER.test(name)) {
      return refused(
        `invalid variable name ${quoteText(name)}: must be a valid identifier, per Terraform's rules for input variable declarations`,
      );
    }
    text += `${name} = ${valueToHcl(inner)}\n`;
  }
  return { result: str(formatSource(text)) };
}

function encodeExpr(v: Value): CallAnswer {
  if (v.isWhollyKnown()) return { result: str(valueToHcl(v).trim()) };
  const notNull = v.isKnown ? !v.isNull : v.refinement?.notNull === true;
  const prefix = notNull ? firstCharacter(v) : '';
  return { result: unknownOf(STRING, { notNull: true, ...(prefix !== '' && { prefix }) }) };
}

/** How the expression for a value of the type begins. */
function firstCharacter({ type }: Value): string {
  switch (type.kind) {
    case 'object':
    case 'map':
      return '{';
    case 'tuple':
    case 'list':
    case 'set':
      return '[';
    case 'string':
      return '"';
    default:
      return '';
  }
}

function decodeTfvars(v: Value): CallAnswer {
  if (v.isNull) return { error: { message: 'cannot decode tfvars from a null value' } };
  if (!v.isKnown) return { result: UNKNOWN };
  const source = new Source('<decode_tfvars argument>', v.asString());
  const { body, diagnostics } = parseNative(source);
  if (hasErrors(diagnostics)) {
    return { error: { message: `invalid tfvars syntax: ${summaryOf(diagnostics)}` } };
  }
  const content = body.justAttributes();
  if (hasErrors(content.diagnostics)) {
    return { error: { message: `invalid tfvars content: ${summaryOf(content.diagnostics)}` } };
  }
  const values = new Map<string, Value>();
  for (const [name, attribute] of content.attributes) {
    const problems: Diagnostic[] = [];
    const value = evaluate(attribute.expression, undefined, problems);
    if (hasErrors(problems)) {
      const message = `invalid expression for variable ${quoteText(name)}: ${summaryOf(problems)}`;
      return { error: { message } };
    }
    values.set(name, value);
  }
  return { result: object(values) };
}

/** The first diagnostic on one line, and how many there are beside it. */
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
