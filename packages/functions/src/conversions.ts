import {
  ArgumentError,
  applyDefaults,
  BOOL,
  Bug,
  CtyError,
  DYNAMIC,
  NUMBER,
  STRING,
  bool,
  canConvert,
  convert,
  friendlyName,
  friendlyNameForConstraint,
  internMarks,
  listType,
  mapType,
  mismatchMessage,
  quoteText,
  setType,
  unknownOf,
  withoutOptional,
} from '@terrane/cty';
import type { FunctionSpec, Type, Value } from '@terrane/cty';
import { TYPE_ARGUMENT, typeArgumentOf, type TypeArgument } from '@terrane/hcl';
import { withoutEphemeral } from './without-ephemeral.ts';
import { anything, argument, define, parameter } from './spec.ts';

function conversion(name: string, description: string, target: Type): FunctionSpec {
  return define(name, {
    description,
    parameters: [anything('v', 'null', 'marked', 'dynamic', 'unknown')],
    nullable: true,
    returns: (args) => {
      const { type } = argument(args, 0);
      if (type === target || canConvert(type, target) !== 'no') return target;
      throw new ArgumentError(0, incompatible(type, target));
    },
    run: (args, type) => {
      const value = argument(args, 0);
      if (!value.isKnown) return unknownOf(type).withSameMarks(value);
      try {
        return convert(value, type);
      } catch (error) {
        if (!(error instanceof CtyError)) throw error;
        throw new ArgumentError(0, failure(value, target));
      }
    },
  });
}

function incompatible(type: Type, target: Type): string {
  if (type.kind === target.kind && (type.kind === 'tuple' || type.kind === 'object')) {
    return `incompatible ${type.kind} type for conversion: ${mismatchMessage(type, target)}`;
  }
  return `cannot convert ${friendlyName(type)} to ${friendlyNameForConstraint(target)}`;
}

function failure(input: Value, target: Type): string {
  const { value } = input.unmarkDeep();
  const sourceName = friendlyName(value.type);
  const want = friendlyNameForConstraint(target);
  if (input.hasMarkDeep('sensitive'))
    return `cannot convert this sensitive ${sourceName} to ${want}`;
  if (value.type === STRING && (target === BOOL || target === NUMBER)) {
    const valueText = value.isNull ? 'string' : quoteText(value.asString());
    return target === BOOL
      ? `cannot convert ${valueText} to bool; only the strings "true" or "false" are allowed`
      : `cannot convert ${valueText} to number; given string must be a decimal representation of a number`;
  }
  return `cannot convert ${sourceName} to ${want}`;
}

function wantedType(args: readonly Value[]): TypeArgument {
  const target = typeArgumentOf(argument(args, 1));
  if (target === undefined) throw new Bug('convert was called without a type');
  return target;
}

const EVERY_VALUE = ['unknown', 'null', 'marked', 'dynamic'] as const;
const sameType = (args: readonly Value[]): Type => argument(args, 0).type;

function evaluatedElsewhere(name: string): never {
  throw new CtyError(`${name} is evaluated by the expression evaluator`);
}

/** Functions that convert values, and functions that add, remove or check marks. */
export const CONVERSION_FUNCTIONS: readonly FunctionSpec[] = [
  define('can', {
    description: 'Whether an expression can be evaluated without errors.',
    parameters: [anything('expression')],
    returns: BOOL,
    run: () => evaluatedElsewhere('can'),
  }),
  define('convert', {
    description: 'The value converted to a type, with the defaults of optional attributes.',
    parameters: [anything('value', 'null', 'dynamic'), parameter('type', TYPE_ARGUMENT)],
    nullable: true,
    returns: (args) => withoutOptional(wantedType(args).type),
    run: (args) => {
      const { type, defaults } = wantedType(args);
      try {
        const converted = convert(argument(args, 0), type);
        return defaults === undefined ? converted : applyDefaults(defaults, converted);
      } catch (error) {
        if (!(error instanceof CtyError)) throw error;
        throw new ArgumentError(0, error.message);
      }
    },
  }),
  define('ephemeralasnull', {
    description: 'The value with null in place of what is ephemeral in it.',
    parameters: [anything('value', ...EVERY_VALUE)],
    nullable: true,
    returns: sameType,
    run: (args) => withoutEphemeral(argument(args, 0)),
  }),
  define('issensitive', {
    description: 'Whether a value is sensitive.',
    parameters: [anything('value', ...EVERY_VALUE)],
    nullable: true,
    returns: BOOL,
    run: (args) => {
      const value = argument(args, 0);
      if (value.hasMark('sensitive')) return bool(true);
      return value.isKnown ? bool(false) : unknownOf(BOOL);
    },
  }),
  define('nonsensitive', {
    description: 'The value, no longer treated as sensitive.',
    parameters: [anything('value', ...EVERY_VALUE)],
    nullable: true,
    returns: sameType,
    run: (args) => {
      const value = argument(args, 0);
      const rest = [...value.marks].filter((mark) => mark !== 'sensitive');
      return value.unmark().withMarks(internMarks(new Set(rest)));
    },
  }),
  define('sensitive', {
    description: 'The value, treated as sensitive from here on.',
    parameters: [anything('value', ...EVERY_VALUE)],
    nullable: true,
    returns: sameType,
    run: (args) => argument(args, 0).mark('sensitive'),
  }),
  conversion('tobool', 'The value as a bool.', BOOL),
  conversion('tolist', 'The value as a list.', listType(DYNAMIC)),
  conversion('tomap', 'The value as a map.', mapType(DYNAMIC)),
  conversion('tonumber', 'The value as a number.', NUMBER),
  conversion('toset', 'The value as a set.', setType(DYNAMIC)),
  conversion('tostring', 'The value as a string.', STRING),
  define('try', {
    description: 'The first of several expressions that can be evaluated without errors.',
    variadic: anything('expressions'),
    nullable: true,
    returns: DYNAMIC,
    run: () => evaluatedElsewhere('try'),
  }),
];
