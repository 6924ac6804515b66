import { formatNumber, type Value } from '@terrane/cty';
import { quotedText } from '../format/value-tokens.ts';
import type {
  BinaryOperator,
  ConditionalExpr,
  Expression,
  ForExpr,
  FunctionCallExpr,
  ObjectExpr,
  SplatExpr,
  TraversalStep,
} from '../model.ts';

// Operator precedence in the grammar; expressions of lower precedence than their context need parentheses.
const CONDITIONAL = 0;
const UNARY = 7;
const TERM = 8;

const LEVELS: Readonly<Record<BinaryOperator, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '>': 4,
  '>=': 4,
  '<': 4,
  '<=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};

/**
 * Prints an expression in the native syntax from its tree, regardless of its source. Parsing the result returns the
 * same tree except for positions; parentheses are added if a synthetic tree needs them. Throws a TypeError for nodes
 * without native syntax: syntax errors, unknown values, blocks of a schema.
 */
export function printExpression(e: Expression): string {
  return print(e, CONDITIONAL);
}

function print(e: Expression, level: number): string {
  const text = source(e);
  return levelOf(e) < level ? `(${text})` : text;
}

/** Returns the precedence of an expression; an operand of lower precedence needs parentheses. */
export function levelOf(e: Expression): number {
  switch (e.kind) {
    case 'conditional':
      return CONDITIONAL;
    case 'binary':
      return LEVELS[e.operator];
    case 'unary':
      return UNARY;
    case 'literal':
      return e.value.type.kind === 'number' && !e.value.isNull && isNegative(e.value)
        ? UNARY
        : TERM;
    case 'objectKey':
      return levelOf(e.wrapped);
    default:
      return TERM;
  }
}

function isNegative(value: Value): boolean {
  return formatNumber(value.asNum()).startsWith('-');
}

function source(e: Expression): string {
  switch (e.kind) {
    case 'literal':
      return literal(e.value);
    case 'template':
      return `"${templateContent(e.parts)}"`;
    case 'templateWrap':
      return `"\${${print(e.wrapped, CONDITIONAL)}}"`;
    case 'templateJoin':
      return `"${templateSequence(e, true)}"`;
    case 'scopeTraversal':
      return e.traversal.steps.map(step).join('');
    case 'relativeTraversal':
      return operand(e.source, e.traversal.steps[0]) + e.traversal.steps.map(step).join('');
    case 'call':
      return call(e);
    case 'conditional':
      return `${print(e.condition, 1)} ? ${print(e.ifTrue, CONDITIONAL)} : ${print(e.ifFalse, CONDITIONAL)}`;
    case 'binary': {
      const level = LEVELS[e.operator];
      return `${print(e.left, level)} ${e.operator} ${print(e.right, level + 1)}`;
    }
    case 'unary':
      return e.operator + print(e.operand, UNARY);
    case 'object':
      return object(e);
    case 'objectKey':
      return source(e.wrapped);
    case 'tuple':
      return `[${e.elements.map((element, i) => (i === 0 ? first(element) : source(element))).join(', ')}]`;
    case 'for':
      return forExpression(e);
    case 'index':
      return `${operand(e.collection, undefined)}[${source(e.key)}]`;
    case 'splat':
      return splat(e, false);
    case 'splatItem':
      return '';
    case 'parentheses':
      return `(${source(e.inner)})`;
    case 'syntaxError':
    case 'json':
    case 'iteration':
    case 'blocks':
      throw new TypeError(`a node of kind ${e.kind} cannot be printed`);
  }
}

function literal(value: Value): string {
  if (!value.isKnown) throw new TypeError('a value that is not known cannot be printed');
  if (value.isNull) return 'null';
  switch (value.type.kind) {
    case 'string':
      return quotedText(value.asString());
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    case 'number':
      return formatNumber(value.asNum());
    default:
      throw new TypeError(`a literal of type ${value.type.kind} cannot be printed`);
  }
}

/** Prints the operand of a traversal. */
function operand(e: Expression, next: TraversalStep | undefined): string {
  if (e.kind === 'splat') return splat(e, true);
  if (e.kind === 'literal' && next?.kind === 'attr' && /^e[0-9]/i.test(next.name)) {
    // It would be read as an exponent.
    return `(${source(e)})`;
  }
  return print(e, TERM);
}

function step(s: TraversalStep): string {
  switch (s.kind) {
    case 'root':
      return s.name;
    case 'attr':
      return `.${s.name}`;
    case 'index':
      return `[${literal(s.key)}]`;
    case 'splat':
      return '[*]';
  }
}

function call(e: FunctionCallExpr): string {
  return `${e.name}(${e.args.map(source).join(', ')}${e.expandFinal ? '...' : ''})`;
}

/** Prints the first expression in brackets: a reference named "for" would begin a loop. */
function first(e: Expression): string {
  const text = source(e);
  return /^for(?![\p{ID_Continue}-])/u.test(text) ? `(${text})` : text;
}

function object(e: ObjectExpr): string {
  if (e.items.length === 0) return '{}';
  const items = e.items.map(({ key, value }, i) => {
    const text = key.forceNonLiteral ? source(key) : print(key.wrapped, CONDITIONAL);
    return `${i === 0 && /^for(?![\p{ID_Continue}-])/u.test(text) ? `"${text}"` : text} = ${source(value)}`;
  });
  return `{\n${items.join('\n')}\n}`;
}

function forExpression(e: ForExpr): string {
  const names = e.keyName === undefined ? e.valueName : `${e.keyName}, ${e.valueName}`;
  const intro = `for ${names} in ${source(e.collection)} : `;
  const condition = e.condition === undefined ? '' : ` if ${source(e.condition)}`;
  if (e.key === undefined) return `[${intro}${source(e.value)}${condition}]`;
  const group = e.group ? '...' : '';
  return `{${intro}${source(e.key)} => ${source(e.value)}${group}${condition}}`;
}

/**
 * A splat includes all steps after `[*]`. If other steps follow, it must be written with `.*`, which accepts only
 * attributes and numbers, or in parentheses.
 */
function splat(e: SplatExpr, followed: boolean): string {
  const from = operand(e.source, undefined);
  if (!followed) return `${from}[*]${source(e.each)}`;
  const steps =
    e.each.kind === 'relativeTraversal' && e.each.source.kind === 'splatItem'
      ? e.each.traversal.steps
      : [];
  const plain = e.each.kind === 'splatItem' || (steps.length > 0 && steps.every(isLegacyStep));
  if (!plain) return `(${from}[*]${source(e.each)})`;
  return `${from}.*${steps.map((s) => (s.kind === 'index' ? `.${literal(s.key)}` : step(s))).join('')}`;
}

/** Two numbers in a row would be read as one with a fraction. */
function isLegacyStep(s: TraversalStep, i: number, all: readonly TraversalStep[]): boolean {
  if (s.kind === 'attr') return !(all[i - 1]?.kind === 'index' && /^e[0-9]/i.test(s.name));
  const isNumber = s.kind === 'index' && s.key.type.kind === 'number';
  return isNumber && /^[0-9]+$/.test(literal(s.key)) && all[i - 1]?.kind !== 'index';
}

// ----- templates

function templateContent(parts: readonly Expression[], end = ''): string {
  const only = parts.length === 1;
  let result = '';
  let trimNext = false;
  for (const [i, part] of parts.entries()) {
    const text = stringOf(part);
    if (text === undefined) {
      const sequence = templateSequence(part, only);
      result += trimNext ? `${sequence.slice(0, 2)}~${sequence.slice(2)}` : sequence;
      trimNext = false;
    } else if (text !== '' || only) {
      const isFollowed = i < parts.length - 1 || end !== '';
      result += isFollowed ? beforeSequence(text) : quotedText(text).slice(1, -1);
    } else if (i < parts.length - 1) {
      // White space removed by a trim marker leaves an empty part, which is reproduced in the same way.
      result += ' ';
      trimNext = true;
    } else {
      result = `${result.slice(0, -1)} ~} `;
    }
  }
  return result + end;
}

/** Escapes the last character of a text if it would form an escape with the sequence that follows. */
function beforeSequence(text: string): string {
  const inner = quotedText(text).slice(1, -1);
  if (text.endsWith('$')) return `${inner.slice(0, -1)}\\u0024`;
  return text.endsWith('%') ? `${inner.slice(0, -1)}\\u0025` : inner;
}

function stringOf(e: Expression): string | undefined {
  if (e.kind !== 'literal' || e.value.isNull || !e.value.isKnown) return undefined;
  return e.value.type.kind === 'string' ? e.value.asString() : undefined;
}

function templateSequence(e: Expression, isOnly: boolean): string {
  if (e.kind === 'conditional' && (isOnly || isDirective(e))) return directiveIf(e);
  if (e.kind === 'templateJoin' && e.tuple.kind === 'for') return directiveFor(e.tuple);
  return `\${${source(e)}}`;
}

/** Returns true for a conditional that a template directive produces; an interpolation can produce the same tree. */
function isDirective(e: ConditionalExpr): boolean {
  return e.ifTrue.kind === 'template' && e.ifFalse.kind === 'template';
}

function directiveIf(e: ConditionalExpr): string {
  const elseContent = content(e.ifFalse);
  const middle = elseContent === '' ? '' : `%{ else }${content(e.ifFalse, '%{ endif }')}`;
  const end = middle === '' ? '%{ endif }' : middle;
  return `%{ if ${source(e.condition)} }${content(e.ifTrue, end)}`;
}

function directiveFor(e: ForExpr): string {
  const names = e.keyName === undefined ? e.valueName : `${e.keyName}, ${e.valueName}`;
  return `%{ for ${names} in ${source(e.collection)} }${content(e.value, '%{ endfor }')}`;
}

/** Prints the content of a directive, in which a single part is not a separate template. */
function content(e: Expression, end = ''): string {
  if (e.kind !== 'template') return `\${${source(e)}}${end}`;
  const [part] = e.parts;
  if (e.parts.length !== 1 || part === undefined || stringOf(part) !== undefined) {
    return templateContent(e.parts, end);
  }
  const asDirective = part.kind === 'conditional' && isDirective(part);
  return templateSequence(part, asDirective) + end;
}
