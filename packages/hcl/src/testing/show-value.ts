import {
  DYNAMIC,
  formatNumber,
  num,
  type Num,
  quoteText,
  type Refinement,
  type Type,
  type Value,
} from '@terrane/cty';

/** A type in the notation of the recorded results (that of the original's debug output). */
export function showType(type: Type): string {
  switch (type.kind) {
    case 'bool':
      return 'cty.Bool';
    case 'number':
      return 'cty.Number';
    case 'string':
      return 'cty.String';
    case 'dynamic':
      return 'cty.DynamicPseudoType';
    case 'list':
      return `cty.List(${showType(type.element)})`;
    case 'set':
      return `cty.Set(${showType(type.element)})`;
    case 'map':
      return `cty.Map(${showType(type.element)})`;
    case 'tuple':
      return type.elements.length === 0
        ? 'cty.EmptyTuple'
        : `cty.Tuple([]cty.Type{${type.elements.map(showType).join(', ')}})`;
    case 'object': {
      if (type.names.length === 0) {
        return 'cty.EmptyObject';
      }
      const attributes = type.names
        .map((name, i) => `${quoteText(name)}:${showType(type.types[i] ?? DYNAMIC)}`)
        .join(', ');
      const optional = [...type.optional].sort().map(quoteText).join(', ');
      return optional === ''
        ? `cty.Object(map[string]cty.Type{${attributes}})`
        : `cty.ObjectWithOptionalAttrs(map[string]cty.Type{${attributes}}, []string{${optional}})`;
    }
    case 'capsule':
      return 'capsule';
  }
}

/** A value with its types, unknowns, refinements and marks, in the same notation. */
export function showValue(value: Value): string {
  if (value.isMarked) {
    const inner = showValue(value.unmark());
    return value.marks.size === 1
      ? `${inner}.Mark(${JSON.stringify([...value.marks][0])})`
      : `${inner}.WithMarks`;
  }
  if (value.isNull) {
    return `cty.NullVal(${showType(value.type)})`;
  }
  return value.isKnown ? showKnown(value) : showUnknown(value);
}

function showUnknown(value: Value): string {
  if (value.type.kind === 'dynamic') {
    return 'cty.DynamicVal';
  }
  const unknown = `cty.UnknownVal(${showType(value.type)})`;
  const { refinement } = value;
  if (refinement === undefined) {
    return unknown;
  }
  const parts = showRefinement(refinement);
  return parts === '.NotNull()'
    ? `${unknown}.RefineNotNull()`
    : `${unknown}.Refine()${parts}.NewValue()`;
}

function showRefinement(r: Refinement): string {
  const parts: string[] = [];
  if (r.notNull === true) {
    parts.push('.NotNull()');
  }
  if (r.prefix !== undefined) {
    parts.push(`.StringPrefixFull(${quoteText(r.prefix)})`);
  }
  if (r.min !== undefined) {
    parts.push(`.NumberLowerBound(${showNumber(r.min.value)}, ${r.min.inclusive})`);
  }
  if (r.max !== undefined) {
    parts.push(`.NumberUpperBound(${showNumber(r.max.value)}, ${r.max.inclusive})`);
  }
  if (r.minLength !== undefined && r.minLength !== 0) {
    parts.push(`.CollectionLengthLowerBound(${r.minLength})`);
  }
  if (r.maxLength !== undefined) {
    parts.push(`.CollectionLengthUpperBound(${r.maxLength})`);
  }
  return parts.join('');
}

function showNumber(n: Num): string {
  if (n === Infinity || n === -Infinity) {
    return `cty.NumberFloatVal(${n > 0 ? '+' : '-'}Inf)`;
  }
  return num.isInt(n)
    ? `cty.NumberIntVal(${formatNumber(n)})`
    : `cty.MustParseNumberVal(${JSON.stringify(formatNumber(n))})`;
}

function showKnown(value: Value): string {
  const { type } = value;
  switch (type.kind) {
    case 'bool':
      return value.asBool() ? 'cty.True' : 'cty.False';
    case 'number':
      return showNumber(value.asNum());
    case 'string':
      return `cty.StringVal(${quoteText(value.asString())})`;
    case 'list':
      return showSequence(value, 'List', `cty.ListValEmpty(${showType(type.element)})`);
    case 'set':
      return showSequence(value, 'Set', `cty.SetValEmpty(${showType(type.element)})`);
    case 'tuple':
      return showSequence(value, 'Tuple', 'cty.EmptyTupleVal');
    case 'map':
      return showMapping(value, 'Map', `cty.MapValEmpty(${showType(type.element)})`);
    case 'object':
      return showMapping(value, 'Object', 'cty.EmptyObjectVal');
    case 'dynamic':
    case 'capsule':
      return '?';
  }
}

function showSequence(value: Value, kind: string, empty: string): string {
  return value.length === 0
    ? empty
    : `cty.${kind}Val([]cty.Value{${value.elements().map(showValue).join(', ')}})`;
}

function showMapping(value: Value, kind: string, empty: string): string {
  const entries = [...value.entries()];
  const entriesText = entries
    .map(([k, v]) => `${quoteText(k.asString())}:${showValue(v)}`)
    .join(', ');
  return entries.length === 0 ? empty : `cty.${kind}Val(map[string]cty.Value{${entriesText}})`;
}
