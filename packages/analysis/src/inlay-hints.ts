import type { Value } from '@terrane/cty';
import { type Expression, type NativeBlock, type NativeBody, variables } from '@terrane/hcl';
import type { AnalysisContext, ModuleValues } from './analysis-context.ts';
import { spanOf } from './symbol-syntax.ts';
import { sourceText } from './hover.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';
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
  if (values === undefined || native === undefined || document.kind.role !== 'module') return [];
  const collector = new HintCollector(values, within);
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
        const isSecret = ['sensitive', 'ephemeral'].some((name) => {
          const declared = block.body.attributes.get(name)?.expression;
          return declared !== undefined && sourceText(declared) !== 'false';
        });
        if (value !== undefined && !isSecret)
          this.#hint(value, this.#values.valueOf(sourceText(value)), true);
        return;
      }
      case 'resource':
      case 'data':
      case 'ephemeral':
      case 'module':
        this.#body(block.body, repetitionOf(block, this.#values));
        return;
    }
  }

  #variable(block: NativeBlock): void {
    const value = this.#values.valueOf(`var.${block.labels[0] ?? ''}`);
    if (value === undefined || !value.isKnown) return;
    const label = valueOnOneLine(value, LABEL_LENGTH);
    const written = block.body.attributes.get('default')?.expression;
    // The default is already there to read.
    if (written !== undefined && sourceText(written) === label) return;
    this.#add(spanOf(block.openBraceRange).end, label, valueOnOneLine(value, LINE_LENGTH));
  }

  #body(body: NativeBody, repetition: Repetition | undefined): void {
    for (const { name, expression } of body.attributes.values()) {
      if (SKIPPED.has(name)) continue;
      const text = sourceText(expression);
      if (/\b(?:each|count)\./.test(text)) {
        if (repetition !== undefined) this.#instances(expression, text, repetition);
      } else this.#hint(expression, this.#values.valueOf(text), false);
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

/** The instances of a block, if their keys are known and no secret. */
function repetitionOf({ body }: NativeBlock, values: ModuleValues): Repetition | undefined {
  const forEach = body.attributes.get('for_each')?.expression;
  if (forEach !== undefined) {
    const text = sourceText(forEach);
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
  const count = body.attributes.get('count')?.expression;
  if (count === undefined) return undefined;
  const number = values.valueOf(sourceText(count));
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
  return JSON.stringify(text).replaceAll('${', '$${').replaceAll('%{', '%%{');
}

/** An expression that shows its value itself. */
function isPlain(expression: Expression): boolean {
  if (expression.kind === 'literal') return true;
  if (variables(expression).length > 0) return false;
  return (
    expression.kind === 'template' || expression.kind === 'object' || expression.kind === 'tuple'
  );
}
