import {
  compareNum,
  formatNumber,
  numFromFloat,
  numToFloat,
  numToInt,
  quoteText,
} from '@terrane/cty';
import type { Num, Path, Refinement, Type, Value } from '@terrane/cty';

/**
 * Formats a value in the Go syntax that cty prints for `%#v`. Messages about defective providers contain it because
 * they address the provider's developers. Marks are ignored.
 */
export function describeValue(value: Value): string {
  const v = value.isMarked ? value.unmark() : value;
  if (v.isNull) return `cty.NullVal(${describeType(v.type)})`;
  if (!v.isKnown) return describeUnknown(v);
  const type = v.type;
  switch (type.kind) {
    case 'bool':
      return v.asBool() ? 'cty.True' : 'cty.False';
    case 'number':
      return describeNumber(v.asNum());
    case 'string':
      return `cty.StringVal(${quoteText(v.asString())})`;
    case 'list':
      return elements('List', type.element, v);
    case 'set':
      return elements('Set', type.element, v);
    case 'map':
      if (v.length === 0) return `cty.MapValEmpty(${describeType(type.element)})`;
      return `cty.MapVal(${entries(v)})`;
    case 'tuple':
      if (v.length === 0) return 'cty.EmptyTupleVal';
      return `cty.TupleVal(${values(v)})`;
    case 'object':
      if (v.length === 0) return 'cty.EmptyObjectVal';
      return `cty.ObjectVal(${entries(v)})`;
    case 'capsule':
      return `cty.CapsuleVal(${describeType(type)})`;
    case 'dynamic':
      return 'cty.DynamicVal';
  }
}

function values(v: Value): string {
  return `[]cty.Value{${v.elements().map(describeValue).join(', ')}}`;
}

function entries(v: Value): string {
  const parts: string[] = [];
  for (const [key, inner] of v.entries()) {
    parts.push(`${quoteText(key.asString())}:${describeValue(inner)}`);
  }
  return `map[string]cty.Value{${parts.join(', ')}}`;
}

function elements(kind: 'List' | 'Set', element: Type, v: Value): string {
  if (v.length === 0) return `cty.${kind}ValEmpty(${describeType(element)})`;
  return `cty.${kind}Val(${values(v)})`;
}

function describeUnknown(v: Value): string {
  if (v.type.kind === 'dynamic') return 'cty.DynamicVal';
  const calls = v.refinement === undefined ? '' : refinementCalls(v.refinement);
  const base = `cty.UnknownVal(${describeType(v.type)})`;
  if (calls === '') return base;
  if (calls === '.NotNull()') return `${base}.RefineNotNull()`;
  return `${base}.Refine()${calls}.NewValue()`;
}

function refinementCalls(r: Refinement): string {
  let out = r.notNull === true ? '.NotNull()' : '';
  if (r.prefix !== undefined && r.prefix !== '') out += `.StringPrefixFull(${quoteText(r.prefix)})`;
  for (const [name, bound] of [
    ['Lower', r.min],
    ['Upper', r.max],
  ] as const) {
    if (bound === undefined || !isFinite(numToFloat(bound.value))) continue;
    out += `.Number${name}Bound(${describeNumber(bound.value)}, ${bound.inclusive})`;
  }
  if (r.minLength !== undefined && r.minLength !== 0) {
    out += `.CollectionLengthLowerBound(${r.minLength})`;
  }
  if (r.maxLength !== undefined) out += `.CollectionLengthUpperBound(${r.maxLength})`;
  return out;
}

function describeNumber(n: Num): string {
  const float = numToFloat(n);
  if (n === Infinity) return 'cty.NumberFloatVal(+Inf)';
  if (n === -Infinity) return 'cty.NumberFloatVal(-Inf)';
  if (numToInt(n) !== undefined) return `cty.NumberIntVal(${shortest(formatNumber(n))})`;
  if (isFinite(float) && compareNum(numFromFloat(float), n) === 0) {
    return `cty.NumberFloatVal(${shortest(formatNumber(n))})`;
  }
  return `cty.MustParseNumberVal(${quoteText(formatNumber(n))})`;
}

/** Go's `%g` at the shortest precision, from the same number in plain decimals. */
export function shortest(decimal: string): string {
  const negative = decimal.startsWith('-');
  const [integerPart = '', fraction = ''] = (negative ? decimal.slice(1) : decimal).split('.');
  const all = (integerPart + fraction).replace(/^0+/, '');
  if (all === '') return decimal;
  const leading = integerPart.replace(/^0+/, '').length;
  const point = leading > 0 ? leading : -(/^0*/.exec(fraction)?.[0].length ?? 0);
  const exponent = point - 1;
  if (exponent >= -4 && exponent < 6) return decimal;
  const digits = all.replace(/0+$/, '');
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${negative ? '-' : ''}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** A type in the Go syntax that cty prints for `%#v`. */
export function describeType(t: Type): string {
  switch (t.kind) {
    case 'bool':
      return 'cty.Bool';
    case 'number':
      return 'cty.Number';
    case 'string':
      return 'cty.String';
    case 'dynamic':
      return 'cty.DynamicPseudoType';
    case 'list':
      return `cty.List(${describeType(t.element)})`;
    case 'set':
      return `cty.Set(${describeType(t.element)})`;
    case 'map':
      return `cty.Map(${describeType(t.element)})`;
    case 'tuple':
      if (t.elements.length === 0) return 'cty.EmptyTuple';
      return `cty.Tuple([]cty.Type{${t.elements.map(describeType).join(', ')}})`;
    case 'object': {
      if (t.names.length === 0) return 'cty.EmptyObject';
      const parts = t.types.map(
        (type, i) => `${quoteText(t.names[i] ?? '')}:${describeType(type)}`,
      );
      const body = `map[string]cty.Type{${parts.join(', ')}}`;
      if (t.optional.size === 0) return `cty.Object(${body})`;
      const names = t.names.filter((name) => t.optional.has(name)).map(quoteText);
      return `cty.ObjectWithOptionalAttrs(${body}, []string{${names.join(', ')}})`;
    }
    case 'capsule':
      return `cty.Capsule(${quoteText(t.name)})`;
  }
}

/** A path in the Go syntax that cty prints for `%#v`. */
export function describePath(p: Path): string {
  const steps = p.map((step) =>
    step.kind === 'attr'
      ? `cty.GetAttrStep{Name:${quoteText(step.name)}}`
      : `cty.IndexStep{Key:${describeValue(step.key)}}`,
  );
  return `cty.Path{${steps.join(', ')}}`;
}
