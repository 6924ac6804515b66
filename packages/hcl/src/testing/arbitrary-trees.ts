// Random syntax trees as the parser produces them, without positions.

import { bool, NULL, number, parseNumber, str, type Value } from '@terrane/cty';
import fc from 'fast-check';
import type { Expression, SplatItemExpr, TemplateExpr, TraversalStep } from '../model.ts';
import { levelOf } from '../print/print-expression.ts';
import { Range, Source } from '../source/source.ts';
import { AttributeList, type NativeAttribute } from '../syntax/attribute-list.ts';
import { type NativeBlock, NativeBody } from '../syntax/native-body.ts';
import { literalIndexKey } from '../syntax/literal-key.ts';

const range = new Range(new Source('', ''), 0, 0);
const ends = { openRange: range, closeRange: range };

const names = fc.constantFrom(
  'a',
  'b',
  'var',
  'each',
  'x-y',
  'é',
  'type_2',
  'e1',
  'in',
  'resource',
);
const texts = fc.string({
  unit: fc.constantFrom(
    'a',
    ' ',
    '$',
    '%',
    '{',
    '}',
    '"',
    '\\',
    '\n',
    '\t',
    'é',
    '😀',
    '~',
    '#',
    '\u0001',
  ),
  minLength: 1,
  maxLength: 8,
});
const numbers: fc.Arbitrary<Value> = fc
  .constantFrom('0', '1', '42', '1.5', '1e3', '0.1', '123456789012345678901234567890', '3.14e-7')
  .map((text) => number(parseNumber(text) ?? 0));

const OPERATORS = ['||', '&&', '==', '!=', '>', '>=', '<', '<=', '+', '-', '*', '/', '%'] as const;

/** Any expression except those that only occur inside a splat or template. */
export const expressions: fc.Arbitrary<Expression> = fc.letrec<{
  any: Expression;
  term: Expression;
  template: TemplateExpr;
}>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('term'),
    conditional(tie('any')),
    binary(tie('any')),
    unary(tie('any')),
  ),
  term: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    constants(),
    reference(),
    tie('template'),
    tie('any').map((wrapped): Expression => ({ kind: 'templateWrap', range, wrapped })),
    tie('any').map((inner): Expression => ({ kind: 'parentheses', range, inner })),
    fc
      .array(tie('any'), { maxLength: 3 })
      .map((elements): Expression => ({ kind: 'tuple', range, elements, openRange: range })),
    object(tie('any')),
    call(tie('any')),
    loop(tie('any')),
    traversals(tie('term')),
    index(tie('term'), tie('any')),
    splat(tie('term'), tie('any')),
  ),
  template: template(tie('any')),
})).any;

function fit(e: Expression, level: number): Expression {
  return levelOf(e) < level ? { kind: 'parentheses', range, inner: e } : e;
}

function constants(): fc.Arbitrary<Expression> {
  return fc
    .oneof(numbers, fc.constantFrom(NULL, bool(true), bool(false)))
    .map((value) => ({ kind: 'literal', range, value }));
}

function steps(minLength: number): fc.Arbitrary<TraversalStep[]> {
  const step = fc.oneof(
    names.map((name): TraversalStep => ({ kind: 'attr', name, range })),
    fc.oneof(numbers, texts.map(str)).map((key): TraversalStep => ({ kind: 'index', key, range })),
  );
  return fc.array(step, { minLength, maxLength: 3 });
}

function reference(): fc.Arbitrary<Expression> {
  return fc.tuple(names, steps(0)).map(([name, rest]) => ({
    kind: 'scopeTraversal',
    range,
    traversal: { steps: [{ kind: 'root', name, range }, ...rest], range },
  }));
}

function conditional(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.tuple(any, any, any).map(([condition, ifTrue, ifFalse]) => ({
    kind: 'conditional',
    range,
    condition: fit(condition, 1),
    ifTrue,
    ifFalse,
  }));
}

function binary(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.tuple(fc.constantFrom(...OPERATORS), any, any).map(([operator, left, right]) => {
    const level = levelOf({ kind: 'binary', range, operator, left, right });
    return {
      kind: 'binary',
      range,
      operator,
      left: fit(left, level),
      right: fit(right, level + 1),
    };
  });
}

function unary(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.tuple(fc.constantFrom('-', '!'), any).map(([operator, operand]) => ({
    kind: 'unary',
    range,
    operator,
    operand: fit(operand, 7),
    symbolRange: range,
  }));
}

function object(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.array(fc.tuple(any, any), { maxLength: 3 }).map((items) => ({
    kind: 'object',
    range,
    openRange: range,
    items: items.map(([wrapped, value]) => ({
      key: { kind: 'objectKey', range, wrapped, forceNonLiteral: beginsWithParenthesis(wrapped) },
      value,
    })),
  }));
}

function beginsWithParenthesis(e: Expression): boolean {
  switch (e.kind) {
    case 'parentheses':
      return true;
    case 'conditional':
      return beginsWithParenthesis(e.condition);
    case 'binary':
      return beginsWithParenthesis(e.left);
    case 'relativeTraversal':
    case 'splat':
      return beginsWithParenthesis(e.source);
    case 'index':
      return beginsWithParenthesis(e.collection);
    default:
      return false;
  }
}

function call(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const name = fc.constantFrom('f', 'provider::a::b', 'core::max');
  return fc
    .tuple(name, fc.array(any, { maxLength: 3 }), fc.boolean())
    .map(([called, args, expand]) => ({
      kind: 'call',
      range,
      name: called,
      args,
      expandFinal: expand && args.length > 0,
      nameRange: range,
      ...ends,
    }));
}

function loop(any: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const options = { nil: undefined };
  return fc
    .tuple(
      fc.option(names, options),
      names,
      any,
      fc.option(any, options),
      any,
      fc.option(any, options),
      fc.boolean(),
    )
    .map(([keyName, valueName, collection, key, value, condition, group]) => ({
      kind: 'for',
      range,
      keyName,
      valueName,
      collection,
      key,
      value,
      condition,
      group: group && key !== undefined,
      ...ends,
    }));
}

/** A traversal merges with that of a reference, and a splat includes the following steps. */
function base(e: Expression): Expression {
  const merges =
    e.kind === 'scopeTraversal' ||
    e.kind === 'relativeTraversal' ||
    e.kind === 'splat' ||
    e.kind === 'literal';
  return merges ? { kind: 'parentheses', range, inner: e } : e;
}

function traversals(term: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  return fc.tuple(term, steps(1)).map(([e, appliedSteps]) => ({
    kind: 'relativeTraversal',
    range,
    source: base(e),
    traversal: { steps: appliedSteps, range },
  }));
}

function index(
  term: fc.Arbitrary<Expression>,
  any: fc.Arbitrary<Expression>,
): fc.Arbitrary<Expression> {
  return fc.tuple(term, any).map(([collection, key]) => ({
    kind: 'index',
    range,
    collection:
      collection.kind === 'splat' ? { kind: 'parentheses', range, inner: collection } : collection,
    key: literalIndexKey(key) === undefined ? key : { kind: 'parentheses', range, inner: key },
    openRange: range,
    bracketRange: range,
  }));
}

function splat(
  term: fc.Arbitrary<Expression>,
  any: fc.Arbitrary<Expression>,
): fc.Arbitrary<Expression> {
  const item: SplatItemExpr = { kind: 'splatItem', range };
  const keys = any.filter((key) => literalIndexKey(key) === undefined);
  const traversalSplat = steps(1).map((all): Expression => ({
    kind: 'relativeTraversal',
    range,
    source: item,
    traversal: { steps: all, range },
  }));
  const indexed = fc
    .tuple(fc.oneof(traversalSplat, fc.constant<Expression>(item)), keys)
    .map(([collection, key]): Expression => ({
      kind: 'index',
      range,
      collection,
      key,
      openRange: range,
      bracketRange: range,
    }));
  const plain = fc.oneof(fc.constant<Expression>(item), traversalSplat, indexed);
  const make = (source: Expression, each: Expression): Expression => ({
    kind: 'splat',
    range,
    source,
    each,
    item,
    markerRange: range,
  });
  const nested = fc.oneof(
    plain,
    fc.tuple(traversalSplat, plain).map(([source, each]) => make(source, each)),
  );
  // `a.*.b[0]`: steps after an attribute-only splat are outside of it.
  const attributes = fc.array(names, { maxLength: 2 }).map((all): Expression =>
    all.length === 0
      ? item
      : {
          kind: 'relativeTraversal',
          range,
          source: item,
          traversal: {
            steps: all.map((name): TraversalStep => ({ kind: 'attr', name, range })),
            range,
          },
        },
  );
  const operatorSplat = fc
    .tuple(term, attributes, numbers, steps(0))
    .map(([e, each, key, rest]): Expression => ({
      kind: 'relativeTraversal',
      range,
      source: make(e.kind === 'splat' ? base(e) : e, each),
      traversal: { steps: [{ kind: 'index', key, range }, ...rest], range },
    }));
  const plainSplat = fc
    .tuple(term, nested)
    .map(([e, each]) => make(e.kind === 'splat' ? base(e) : e, each));
  return fc.oneof(plainSplat, operatorSplat);
}

function template(any: fc.Arbitrary<Expression>): fc.Arbitrary<TemplateExpr> {
  const literal = fc
    .oneof(texts, fc.constant(''))
    .map((text): Expression => ({ kind: 'literal', range, value: str(text) }));
  const empty: Expression = { kind: 'literal', range, value: str('') };
  const contents = fc.array(fc.oneof(literal, any), { maxLength: 3 }).map((parts): TemplateExpr => {
    const mergedParts = unmelded(parts);
    return { kind: 'template', range, parts: mergedParts.length === 0 ? [empty] : mergedParts };
  });
  const ifDirective = fc
    .tuple(any, contents, contents)
    .map(([condition, ifTrue, ifFalse]): Expression => ({
      kind: 'conditional',
      range,
      condition,
      ifTrue,
      ifFalse,
    }));
  const forDirective = fc
    .tuple(fc.option(names, { nil: undefined }), names, any, contents)
    .map(([keyName, valueName, collection, value]): Expression => ({
      kind: 'templateJoin',
      range,
      tuple: {
        kind: 'for',
        range,
        keyName,
        valueName,
        collection,
        key: undefined,
        value,
        condition: undefined,
        group: false,
        ...ends,
      },
    }));
  const directives = fc.oneof(ifDirective, forDirective);
  const combined = fc
    .array(fc.oneof(literal, any, directives), { minLength: 2, maxLength: 4 })
    .map(unmelded)
    .filter((parts) => parts.length > 1);
  return fc
    .oneof(
      literal.map((part) => [part]),
      directives.map((part) => [part]),
      combined,
    )
    .map((parts) => ({ kind: 'template', range, parts }));
}

/** Removes adjacent literals, which the parser would join. */
function unmelded(parts: readonly Expression[]): Expression[] {
  return parts.filter((part, i) => !(isText(part) && i > 0 && isText(parts[i - 1])));
}

function isText(e: Expression | undefined): boolean {
  return e?.kind === 'literal' && !e.value.isNull && e.value.type.kind === 'string';
}

/** Any body of the native syntax. */
export const bodies: fc.Arbitrary<NativeBody> = bodyOf(2);

function bodyOf(depth: number): fc.Arbitrary<NativeBody> {
  const attributes = fc.uniqueArray(fc.tuple(names, expressions), {
    maxLength: 3,
    selector: ([name]) => name,
  });
  const blocks: fc.Arbitrary<NativeBlock[]> =
    depth === 0
      ? fc.constant([])
      : fc.array(
          fc
            .tuple(names, fc.array(texts, { maxLength: 2 }), bodyOf(depth - 1))
            .map(([type, labels, body]) => ({
              type,
              labels,
              body,
              defRange: range,
              typeRange: range,
              labelRanges: labels.map(() => range),
              openBraceRange: range,
              closeBraceRange: range,
              range,
            })),
          { maxLength: 2 },
        );
  return fc.tuple(attributes, blocks).map(([list, nested]) => {
    const attributes = list.map(([name, expression]): NativeAttribute => ({
      name,
      expression,
      range,
      nameRange: range,
      equalsRange: range,
    }));
    return new NativeBody(new AttributeList(attributes), nested, range);
  });
}
