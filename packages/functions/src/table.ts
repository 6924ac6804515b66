import { unknownOf, type FunctionSpec, type Value } from '@terrane/cty';
import type { Clock, Random } from '@terrane/host';
import { ASSUMPTION_FUNCTIONS } from './assumptions.ts';
import { CIDR_FUNCTIONS } from './cidr.ts';
import { CONVERSION_FUNCTIONS } from './conversions.ts';
import { cryptoFunctions } from './crypto.ts';
import { datetimeFunctions } from './datetime.ts';
import { ENCODING_FUNCTIONS } from './encodings.ts';
import { FileReader, filesystemFunctions, type FilePorts } from './filesystem.ts';
import { FORMAT_FUNCTIONS } from './format.ts';
import { MAPPING_FUNCTIONS } from './mappings.ts';
import { NUMERIC_FUNCTIONS } from './numeric.ts';
import { REGEX_FUNCTIONS } from './regex.ts';
import { SEQUENCE_FUNCTIONS } from './sequences.ts';
import { SET_FUNCTIONS } from './sets.ts';
import { STRING_FUNCTIONS } from './strings.ts';
import { FILE_FUNCTIONS, templateFunctionSpecs } from './templates.ts';
import { TYPE_FUNCTION } from './type-function.ts';
import { withVerifiedResult, type VerifyResult } from './verified-function.ts';
import { YAML_FUNCTIONS } from './yaml.ts';

/** Host interfaces that functions use. */
export interface FunctionPorts extends FilePorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/** Options of a function table. */
export interface FunctionTableOptions {
  /** the directory that relative paths are relative to */
  readonly baseDir: string;
  /** true during planning: impure functions such as `timestamp` return unknown values */
  readonly pure: boolean;
  /** the result of `plantimestamp()`; default: unknown */
  readonly plantimestamp?: Value;
  /** verifies results of functions that read files; undefined: no verification */
  readonly verifyResult?: VerifyResult;
  /** true in the console, where `type()` is available and `plantimestamp()` is not */
  readonly consoleMode?: boolean;
}

const INDEPENDENT: readonly FunctionSpec[] = [
  ...ASSUMPTION_FUNCTIONS,
  ...CIDR_FUNCTIONS,
  ...CONVERSION_FUNCTIONS,
  ...ENCODING_FUNCTIONS,
  ...FORMAT_FUNCTIONS,
  ...MAPPING_FUNCTIONS,
  ...NUMERIC_FUNCTIONS,
  ...REGEX_FUNCTIONS,
  ...SEQUENCE_FUNCTIONS,
  ...SET_FUNCTIONS,
  ...STRING_FUNCTIONS,
  ...YAML_FUNCTIONS,
];

/** The functions that read files, whose results may change although their arguments are equal. */
const FILE_READERS: ReadonlySet<string> = new Set([...FILE_FUNCTIONS, 'templatefile']);

/**
 * Returns true if the result of a function depends only on its arguments, so that no plan has to record it. Results of
 * provider functions and of functions that read files may change. The name may have the prefix "core::".
 */
export function isDeterminedByArguments(name: string): boolean {
  if (name.startsWith('provider::')) return false;
  const plain = name.replace(/^core::/, '');
  // A template may call functions that read files.
  return !FILE_READERS.has(plain) && plain !== 'templatestring';
}

const IMPURE: ReadonlySet<string> = new Set(['bcrypt', 'timestamp', 'uuid']);

/** Returns all functions of the language, by their plain names and with the prefix "core::". */
export function functionTable(
  ports: FunctionPorts,
  options: FunctionTableOptions,
): ReadonlyMap<string, FunctionSpec> {
  const table = new Map<string, FunctionSpec>();
  const reader = new FileReader(ports, options.baseDir);
  const specs = [
    ...INDEPENDENT,
    ...cryptoFunctions(ports.random),
    ...datetimeFunctions(() => ports.clock.now(), options.plantimestamp),
    ...filesystemFunctions(reader),
    ...templateFunctionSpecs(reader, () => table),
    ...(options.consoleMode === true ? [TYPE_FUNCTION] : []),
  ].filter((spec) => options.consoleMode !== true || spec.name !== 'plantimestamp');
  for (const baseSpec of specs) {
    const spec = variantFor(baseSpec, options);
    table.set(spec.name, spec);
    table.set(`core::${spec.name}`, spec);
  }
  return table;
}

/**
 * Returns the variant of a function for a run: impure functions are unknown while planning, and functions that read
 * files are verified.
 */
function variantFor(
  spec: FunctionSpec,
  { pure, verifyResult }: FunctionTableOptions,
): FunctionSpec {
  if (pure && IMPURE.has(spec.name)) return withUnknownResult(spec);
  return verifyResult !== undefined && FILE_READERS.has(spec.name)
    ? withVerifiedResult(spec, verifyResult)
    : spec;
}

/** Returns a variant of a function whose result is unknown. */
function withUnknownResult(spec: FunctionSpec): FunctionSpec {
  return { ...spec, implementation: (_args, type) => unknownOf(type) };
}
