export { canConvert, convert, mismatchMessage, unify } from './convert/conversion.ts';
export { conformanceErrors, conforms } from './conformance.ts';
export { bool, EMPTY_STRING, FALSE, NULL, TRUE, UNKNOWN } from './constants.ts';
export { applyDefaults, type Defaults } from './defaults.ts';
export { equal, membershipIn } from './equality.ts';
export { Bug } from './bug.ts';
export { CtyError } from './cty-error.ts';
export { exactNumber } from './exact-number.ts';
export { limitError } from './limit-error.ts';
export {
  ArgumentCountError,
  ArgumentError,
  callFunction,
  functionReturnType,
  type FunctionSpec,
  type Parameter,
} from './function.ts';
export { type JsonSource, jsonSourceOf, valueFromJson, valueFromJsonNode } from './json-decode.ts';
export { type JsonOptions, valueToJson } from './json-encode.ts';
export { impliedJsonType, type JsonNode, type JsonNumber, parseJson } from './json-node.ts';
export { JsonSyntaxError } from './json-reader.ts';
export { jsonText } from './json-text.ts';
export { parsePlainJson } from './plain-json.ts';
export {
  type DeprecationMark,
  EPHEMERAL_MARKS,
  differenceMarks,
  internMarks,
  type Mark,
  type Marks,
  NO_MARKS,
  SENSITIVE_MARKS,
  type TypeValueMark,
  unionMarks,
} from './marks.ts';
export { decodeMsgpack } from './msgpack-decode.ts';
export { encodeMsgpack, MsgpackBuffer } from './msgpack-encode.ts';
export {
  BigFloat,
  compareNum,
  equalNum,
  type Num,
  num,
  numFromBigInt,
  numFromFloat,
  numToFloat,
  numToInt,
} from './number.ts';
export { formatNumber, parseNumber } from './number-text.ts';
export {
  add,
  and,
  divide,
  greaterOrEqual,
  greaterThan,
  hasIndex,
  index,
  lengthOf,
  lessOrEqual,
  lessThan,
  modulo,
  multiply,
  negate,
  not,
  notEqual,
  or,
  subtract,
} from './ops.ts';
export { EMPTY_OBJECT, objectType, withoutOptional } from './object-type.ts';
export {
  applyPath,
  attrStep,
  formatPath,
  indexStep,
  pathEquals,
  pathKey,
  pathStartsWith,
  valueAt,
} from './path.ts';
export type { Path, PathMarks, PathStep } from './path-step.ts';
export { PathSet } from './path-set.ts';
export {
  plainFromValue,
  type PlainInput,
  type PlainValue,
  SensitiveValue,
  UNKNOWN_VALUE,
  type UnknownValue,
  valueFromPlain,
} from './plain-value.ts';
export { safePrefix } from './prefix.ts';
export { lengthRange } from './range.ts';
export { refine, refineNotNull, unknownAsNull, unknownOf, unrefined } from './refine.ts';
export { compareCanonical, equalityText, hashText } from './set-order.ts';
export { type TemplateLimits, TemplateList } from './template-list.ts';
export { compareText, normalizeText, quoteText, trimSpace, trimSpaceRight } from './text.ts';
export {
  BOOL,
  capsuleType,
  type CapsuleType,
  type CollectionType,
  MAX_TYPE_DEPTH,
  DYNAMIC,
  type DynamicType,
  EMPTY_TUPLE,
  hasDynamic,
  hasOptional,
  isCollection,
  isPrimitive,
  listType,
  mapType,
  NUMBER,
  type ObjectType,
  type PrimitiveType,
  setType,
  STRING,
  tupleType,
  type TupleType,
  type Type,
} from './type.ts';
export { typeFromJson, typeToJson, typeToJsonText } from './type-json.ts';
export { friendlyName, friendlyNameForConstraint, typeToString } from './type-name.ts';
export type { Bound, Refinement } from './unknown.ts';
export { nullOf, type Payload, Value } from './value.ts';
export {
  capsule,
  commonType,
  double,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  emptyCollection,
  integer,
  list,
  map,
  number,
  object,
  ObjectLayout,
  objectOf,
  set,
  str,
  tuple,
} from './values.ts';
export { infiniteAsNull, infinitePaths, rebuilt, transform, walk } from './walk.ts';
export { withoutSecrets } from './without-secrets.ts';
