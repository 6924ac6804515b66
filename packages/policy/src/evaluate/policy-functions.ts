import { compareVersions, parseVersionConstraint } from '@terrane/addresses';
import {
  ArgumentError,
  bool,
  BOOL,
  callFunction,
  commonType,
  CtyError,
  DYNAMIC,
  formatNumber,
  friendlyName,
  type FunctionSpec,
  jsonText,
  list,
  listType,
  number,
  NUMBER,
  type Parameter,
  refine,
  str,
  STRING,
  tuple,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { PolicyWorld } from './world.ts';

/** Requests of functions whose answers arrive later; the evaluation is repeated when they are there. */
export class PendingRequests {
  readonly #answers = new Map<string, Value | Error>();
  readonly #open = new Map<string, Promise<void>>();

  /** Returns the answer to a request; unknown while there is none. Throws the error that the request ended with. */
  answer(key: string, start: () => Promise<Value>): Value {
    const existing = this.#answers.get(key);
    if (existing instanceof Error) throw new CtyError(existing.message);
    if (existing !== undefined) return existing;
    if (!this.#open.has(key)) {
      const request = start().then(
        (value) => void this.#answers.set(key, value),
        (error: unknown) =>
          void this.#answers.set(key, error instanceof Error ? error : new Error(String(error))),
      );
      this.#open.set(key, request);
    }
    return UNKNOWN;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Waits for all open requests. */
  async settle(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open);
  }
}

const anything: Omit<Parameter, 'name'> = {
  type: DYNAMIC,
  allowNull: true,
  allowUnknown: true,
  allowDynamic: true,
  allowMarked: true,
};
const text = (name: string): Parameter => ({ name, type: STRING });

function define(
  name: string,
  description: string,
  parameters: readonly Parameter[],
  returnType: FunctionSpec['returnType'],
  implementation: (args: readonly Value[]) => Value,
  variadic?: Parameter,
): FunctionSpec {
  return {
    name: `core::${name}`,
    description,
    parameters,
    returnType,
    implementation,
    ...(variadic === undefined ? {} : { variadic }),
  };
}

function textArgument(args: readonly Value[], i: number): string {
  return (args[i] as Value).asString(); // the call protocol guarantees that it is there
}

/** The functions that Terraform Policy adds to those of the language and that have no dependencies. */
const PURE: readonly FunctionSpec[] = [
  define(
    'semverconstraint',
    'Returns true if the version satisfies the constraint.',
    [text('version'), text('constraint')],
    BOOL,
    (args) => {
      const constraint = parseVersionConstraint(textArgument(args, 1));
      if (constraint.allows === undefined) throw new ArgumentError(1, constraint.error ?? '');
      const version = textArgument(args, 0);
      if (compareVersions(version, version) === undefined)
        throw new ArgumentError(0, `malformed version: ${version}`);
      return bool(constraint.allows(version));
    },
  ),
  define(
    'semvercmp',
    'Compares two versions: -1 if the first is lower, 1 if it is higher, 0 if both are equal.',
    [text('version_a'), text('version_b')],
    NUMBER,
    (args) => {
      for (const i of [0, 1]) {
        const version = textArgument(args, i);
        if (compareVersions(version, version) === undefined)
          throw new ArgumentError(i, `malformed version: ${version}`);
      }
      return number(Math.sign(compareVersions(textArgument(args, 0), textArgument(args, 1)) ?? 0));
    },
  ),
  define(
    'contains_substring',
    'Returns true if the string contains the substring.',
    [text('string'), text('substring')],
    BOOL,
    (args) => bool(textArgument(args, 0).includes(textArgument(args, 1))),
  ),
  define(
    'valuetostring',
    'Returns a value as text: primitives as they are, others as indented JSON.',
    [{ ...anything, name: 'value', allowMarked: false }],
    STRING,
    (args) => str(valueText(args[0] as Value)),
  ),
];

function valueText(value: Value): string {
  if (!value.isKnown) return '(unknown)';
  if (value.isNull) return '(null)';
  switch (value.type.kind) {
    case 'string':
      return value.asString();
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    default:
      return nestedText(value, '');
  }
}

function nestedText(value: Value, indent: string): string {
  if (!value.isKnown) return '"(unknown)"';
  if (value.isNull) return '"(null)"';
  const inner = `${indent}  `;
  switch (value.type.kind) {
    case 'object':
    case 'map': {
      const lines = value
        .entries()
        .map(
          ([key, each]) => `${inner}${jsonText(key.asString(), false)}: ${nestedText(each, inner)}`,
        );
      return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`;
    }
    case 'list':
    case 'set':
    case 'tuple': {
      const lines = value.elements().map((each) => `${inner}${nestedText(each, inner)}`);
      return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n${indent}]`;
    }
    case 'string':
      return jsonText(value.asString(), false);
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    case 'number':
      return formatNumber(value.asNum());
    default:
      return jsonText(friendlyName(value.type), false);
  }
}

/** The functions of Terraform Policy that look something up. */
function lookups(world: PolicyWorld, pending: PendingRequests): readonly FunctionSpec[] {
  return [
    define(
      'getresources',
      'Returns the objects of a resource type whose attributes equal those of the filter.',
      [text('type')],
      DYNAMIC,
      (args) => getResources(world, args),
      { ...anything, name: 'filter' },
    ),
    define(
      'getdatasource',
      'Reads a data source with a provider of the configuration.',
      [text('type')],
      DYNAMIC,
      (args) => getDataSource(world, pending, args),
      { ...anything, name: 'config' },
    ),
    define(
      'gethttprequest',
      'Sends an HTTP GET request and returns statusCode, status and body.',
      [text('url')],
      DYNAMIC,
      (args) => getHttp(world, pending, args),
      { ...anything, name: 'headers' },
    ),
  ];
}

/** The second argument of a lookup: an object or map. Undefined if it is unknown as a whole. */
function entriesOf(
  args: readonly Value[],
  subject: string,
): ReadonlyMap<string, Value> | undefined {
  if (args.length > 2) throw new ArgumentError(2, `only a type and one ${subject} are expected`);
  const argument = args[1]?.unmark();
  if (argument === undefined || argument.isNull) return new Map();
  if (!argument.isKnown) return undefined;
  if (argument.type.kind !== 'object' && argument.type.kind !== 'map')
    throw new ArgumentError(1, `the ${subject} must be an object`);
  return new Map(argument.entries().map(([key, value]) => [key.asString(), value] as const));
}

function getResources(world: PolicyWorld, args: readonly Value[]): Value {
  const filter = entriesOf(args, 'filter');
  if (filter === undefined) return UNKNOWN;
  const { matched, undecided } = world.resourcesOf(textArgument(args, 0)).matching(filter);
  const type = commonType(matched);
  if (undecided === 0)
    return type === undefined || matched.length === 0 ? tuple(matched) : list(type, matched);
  // The number of objects is known within bounds, which is enough to decide many conditions.
  const bounds = {
    notNull: true,
    minLength: matched.length,
    ...(undecided === Number.POSITIVE_INFINITY ? {} : { maxLength: matched.length + undecided }),
  } as const;
  return refine(unknownOf(listType(type ?? DYNAMIC)), bounds);
}

function getDataSource(
  world: PolicyWorld,
  pending: PendingRequests,
  args: readonly Value[],
): Value {
  const config = args[1];
  if (config !== undefined && !config.unmarkDeep().value.isWhollyKnown()) return UNKNOWN;
  const entries = entriesOf(args, 'configuration');
  const type = textArgument(args, 0);
  const { readData } = world;
  if (readData === undefined) throw new CtyError('data sources cannot be read in this evaluation');
  if (entries === undefined || config === undefined)
    throw new ArgumentError(1, 'a configuration is required');
  const { value, marks } = config.unmarkDeep();
  const key = `data ${type} ${nestedText(value, '')}`;
  return pending.answer(key, () => readData(type, value)).withMarks(marks);
}

function getHttp(world: PolicyWorld, pending: PendingRequests, args: readonly Value[]): Value {
  const entries = entriesOf(args, 'map of headers');
  const { request } = world;
  if (request === undefined) throw new CtyError('HTTP requests cannot be sent in this evaluation');
  if (entries === undefined) return UNKNOWN;
  const headers = new Map<string, string>();
  for (const [name, value] of entries) {
    const plain = value.unmark();
    if (!plain.isKnown) return UNKNOWN;
    if (plain.isNull || plain.type.kind !== 'string')
      throw new ArgumentError(1, `the header ${JSON.stringify(name)} must be a string`);
    headers.set(name, plain.asString());
  }
  const url = textArgument(args, 0);
  const key = `http ${url} ${JSON.stringify([...headers])}`;
  return pending.answer(key, () => request(url, headers));
}

/** `regex_match`, by the regular expressions of the language. */
function regexMatch(language: ReadonlyMap<string, FunctionSpec>): FunctionSpec {
  return define(
    'regex_match',
    'Returns true if the string matches the regular expression.',
    [text('string'), text('pattern')],
    BOOL,
    ([string, pattern]) => {
      const regexall = language.get('core::regexall');
      if (regexall === undefined || string === undefined || pattern === undefined)
        throw new CtyError('regular expressions are not available');
      return bool(callFunction(regexall, [pattern, string]).length > 0);
    },
  );
}

/** Returns the functions that policies have in addition to those of the language, by name with prefix. */
export function policyFunctions(
  language: ReadonlyMap<string, FunctionSpec>,
  world: PolicyWorld,
  pending: PendingRequests,
): ReadonlyMap<string, FunctionSpec> {
  const specs = [...PURE, regexMatch(language), ...lookups(world, pending)];
  return new Map(specs.map((spec) => [spec.name, spec]));
}
