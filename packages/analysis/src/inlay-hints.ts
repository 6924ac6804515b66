import type { Value } from '@terrane/cty';
import {
  type Expression,
  jsonExpression,
  type JsonSyntaxNode,
  type NativeBlock,
  type NativeBody,
  parseExpression,
  Source,
  variables,
} from '@terrane/hcl';
import type { AnalysisContext, ModuleValues } from './analysis-context.ts';
import { spanOf } from './symbol-syntax.ts';
import { sourceText } from './hover.ts';
import { nativeText } from './json-native-text.ts';
import type { SourceDocument } from './source-document.ts';
import type { Declaration, Span } from './symbol.ts';
import { hasSecrets, valueOnOneLine } from './value-display.ts';

/** The value of an expression, shown after it. */
export interface ValueHint {
  /** offset after the expression */
  readonly offset: number;
  readonly label: string;
  /** the value at more length; one line for each instance */
  readonly tooltip: string;
}

const LABEL_LENGTH = 60;
const LINE_LENGTH = 200;
const MAX_INSTANCES = 20;

/** Returns values of expressions in a span of a document, from the values of its module as root module. */
export function valueHints(
  context: AnalysisContext,
  document: SourceDocument,
  within: Span,
): readonly ValueHint[] {
  const values = context.values(context.project.moduleDirectoryOf(document));
  const { native } = document;
  if (values === undefined || document.kind.role !== 'module') return [];
  const collector = new HintCollector(values, within);
  if (native === undefined) {
    for (const declaration of document.symbols.declarations) collector.jsonDeclaration(declaration);
    return collector.hints;
  }
  for (const block of native.blocks) collector.block(block);
  return collector.hints;
}

class HintCollector {
  readonly hints: ValueHint[] = [];
  readonly #values: ModuleValues;
  readonly #within: Span;

  constructor(values: ModuleValues, within: Span) {
    this.#values = values;
    this.#within = within;
  }

  block(block: NativeBlock): void {
    const { start, end } = spanOf(block.range);
    if (end < this.#within.start || start > this.#within.end) return;
    switch (block.type) {
      case 'variable':
        this.#variable(block);
        return;
      case 'locals':
        for (const { name, expression } of block.body.attributes.values())
          this.#hint(expression, this.#values.valueOf(`local.${name}`), true);
        return;
      case 'output': {
        const value = block.body.attributes.get('value')?.expression;
        // The value of an output that is declared sensitive or ephemeral is not, but stands for one that is.
        const isSecret = isDeclaredSecret((name) => block.body.attributes.get(name)?.expression);
        if (value !== undefined && !isSecret)
          this.#hint(value, this.#values.valueOf(sourceText(value)), true);
        return;
      }
      case 'resource':
      case 'data':
      case 'ephemeral':
      case 'module':
        this.#body(block.body, this.#repetition(block.body));
        return;
    }
  }

  /** A declaration in JSON syntax. Arguments have hints after each template. */
  jsonDeclaration({ kind, key, nameSpan, arguments: values }: Declaration): void {
    if (kind === 'variable') {
      this.#value(key, nameSpan.end + 1, values.get('default'));
      return;
    }
    const value = values.get('value');
    if (kind === 'local' || kind === 'output') {
      const isSecret = kind === 'output' && isDeclaredSecret((name) => values.get(name));
      if (value === undefined || isSecret) return;
      const text = kind === 'local' ? key : nativeText(value);
      this.#hint(value, this.#values.valueOf(text), true);
      return;
    }
    if (kind !== 'resource' && kind !== 'data' && kind !== 'ephemeral' && kind !== 'module') return;
    const repetition = repetitionOf((name) => values.get(name), this.#values);
    for (const [name, expression] of values) {
      if (!SKIPPED.has(name) && !NO_JSON_ARGUMENTS.has(name) && expression.kind === 'json')
        this.#jsonNode(expression.node, repetition);
    }
  }

  /** The templates in a value. Which objects are nested blocks does not matter. */
  #jsonNode(node: JsonSyntaxNode, repetition: Repetition | undefined): void {
    if (node.kind === 'array') for (const each of node.elements) this.#jsonNode(each, repetition);
    if (node.kind === 'object')
      for (const { name, value } of node.properties)
        if (!NO_JSON_ARGUMENTS.has(name)) this.#jsonNode(value, repetition);
    if (node.kind === 'string' && node.value.includes('${'))
      this.#argument(jsonExpression(node), repetition);
  }

  #variable(block: NativeBlock): void {
    const written = block.body.attributes.get('default')?.expression;
    this.#value(`var.${block.labels[0] ?? ''}`, spanOf(block.openBraceRange).end, written);
  }

  /** The value of a variable, unless it is written there as its default. */
  #value(key: string, offset: number, written: Expression | undefined): void {
    const value = this.#values.valueOf(key);
    if (value === undefined || !value.isKnown) return;
    const label = valueOnOneLine(value, LABEL_LENGTH);
    if (written !== undefined && nativeText(written) === label) return;
    this.#add(offset, label, valueOnOneLine(value, LINE_LENGTH));
  }

  #repetition({ attributes }: NativeBody): Repetition | undefined {
    return repetitionOf((name) => attributes.get(name)?.expression, this.#values);
  }

  #argument(expression: Expression, repetition: Repetition | undefined): void {
    const text = nativeText(expression);
    if (/\b(?:each|count)\./.test(text)) {
      if (repetition !== undefined) this.#instances(expression, text, repetition);
    } else this.#hint(expression, this.#values.valueOf(text), false);
  }

  #body(body: NativeBody, repetition: Repetition | undefined): void {
    for (const { name, expression } of body.attributes.values()) {
      if (!SKIPPED.has(name)) this.#argument(expression, repetition);
    }
    for (const block of body.blocks) {
      if (block.type !== 'dynamic' && block.type !== 'provisioner' && block.type !== 'connection')
        this.#body(block.body, repetition);
    }
  }

  #instances(expression: Expression, text: string, repetition: Repetition): void {
    const lines: string[] = [];
    for (const instance of repetition.instances) {
      const value = this.#values.valueOf(instance.substitute(text));
      if (value === undefined) return;
      lines.push(`[${instance.key}] = ${valueOnOneLine(value, LINE_LENGTH)}`);
    }
    if (lines.length === 0) return;
    const label = lines.join(', ');
    const shortLabel = label.length > LABEL_LENGTH ? `${label.slice(0, LABEL_LENGTH - 1)}…` : label;
    this.#add(spanOf(expression.range).end, shortLabel, lines.join('\n'));
  }

  #hint(expression: Expression, value: Value | undefined, isUnknownShown: boolean): void {
    if (value === undefined || isPlain(expression)) return;
    if (!value.isKnown && !isUnknownShown && !hasSecrets(value)) return;
    this.#add(
      spanOf(expression.range).end,
      valueOnOneLine(value, LABEL_LENGTH),
      valueOnOneLine(value, LINE_LENGTH),
    );
  }

  #add(offset: number, label: string, tooltip: string): void {
    if (offset < this.#within.start || offset > this.#within.end) return;
    this.hints.push({ offset, label, tooltip });
  }
}

/** Arguments whose values are not shown. */
const SKIPPED: ReadonlySet<string> = new Set([
  'source',
  'version',
  'providers',
  'provider',
  'depends_on',
]);

interface Instance {
  readonly key: string;
  readonly substitute: (text: string) => string;
}

interface Repetition {
  readonly instances: readonly Instance[];
}

/** Members of blocks in JSON that are not evaluated in the scope of the module. */
const NO_JSON_ARGUMENTS: ReadonlySet<string> = new Set([
  '//',
  'dynamic',
  'provisioner',
  'connection',
  'lifecycle',
]);

/** Returns true for an output that is declared sensitive or ephemeral. */
function isDeclaredSecret(argument: (name: string) => Expression | undefined): boolean {
  return ['sensitive', 'ephemeral'].some((name) => {
    const declared = argument(name);
    return declared !== undefined && nativeText(declared) !== 'false';
  });
}

/** The instances of a block with these arguments, if their keys are known and no secret. */
function repetitionOf(
  argument: (name: string) => Expression | undefined,
  values: ModuleValues,
): Repetition | undefined {
  const forEach = argument('for_each');
  if (forEach !== undefined) {
    const text = nativeText(forEach);
    const collection = values.valueOf(text);
    if (collection === undefined || !collection.isKnown || collection.isNull || collection.isMarked)
      return undefined;
    const { kind } = collection.type;
    if (kind !== 'map' && kind !== 'object' && kind !== 'set') return undefined;
    const instances: Instance[] = [];
    for (const [key, element] of collection.entries().slice(0, MAX_INSTANCES)) {
      const plain = kind === 'set' ? element : key;
      if (plain.type.kind !== 'string' || !plain.isKnown || plain.isNull || plain.isMarked)
        return undefined;
      const quoted = stringLiteral(plain.asString());
      const each = kind === 'set' ? quoted : `(${text})[${quoted}]`;
      instances.push({
        key: quoted,
        substitute: (code) =>
          code
            .replaceAll(/\beach\.key\b/g, () => quoted)
            .replaceAll(/\beach\.value\b/g, () => each),
      });
    }
    return { instances };
  }
  const count = argument('count');
  if (count === undefined) return undefined;
  const number = values.valueOf(nativeText(count));
  if (number?.type.kind !== 'number' || !number.isKnown || number.isNull || number.isMarked)
    return undefined;
  const instances = Array.from(
    { length: Math.max(0, Math.min(number.asInt(), MAX_INSTANCES)) },
    (_, i) => ({
      key: String(i),
      substitute: (code: string) => code.replaceAll(/\bcount\.index\b/g, String(i)),
    }),
  );
  return { instances };
}

/** A string literal of the language. */
function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll('${', '$$$${').replaceAll('%{', '%%{');
}

/** An expression that shows its value itself. */
function isPlain(expression: Expression): boolean {
  if (expression.kind === 'literal') return true;
  if (expression.kind === 'json') {
    const native = parseExpression(new Source('', nativeText(expression))).expression;
    return native !== undefined && isPlain(native);
  }
  if (variables(expression).length > 0) return false;
  return (
    expression.kind === 'template' || expression.kind === 'object' || expression.kind === 'tuple'
  );
}
