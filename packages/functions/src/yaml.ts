import {
  Bug,
  convert,
  DYNAMIC,
  type FunctionSpec,
  STRING,
  str,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { anything, argument, define, text } from './spec.ts';
import { encodeYaml } from './yaml-encode.ts';

let decoder: ((source: string) => Value) | undefined;

/** Loads the library of `yamldecode`, which cannot be called before. */
export async function loadYaml(): Promise<void> {
  decoder ??= (await import('./yaml-decode.ts')).decodeYaml;
}

function decodeYaml(source: string): Value {
  if (decoder === undefined) throw new Bug('the reader of YAML is not loaded');
  return decoder(source);
}

/** `yamlencode` and `yamldecode`. */
export const YAML_FUNCTIONS: readonly FunctionSpec[] = [
  define('yamldecode', {
    description: 'The value that a YAML text stands for.',
    parameters: [text('src')],
    nullable: true,
    returns: (args) => {
      const source = argument(args, 0);
      return source.isKnown ? decodeYaml(source.asString()).type : DYNAMIC;
    },
    run: (args, type) => convert(decodeYaml(argument(args, 0).asString()), type),
  }),
  define('yamlencode', {
    description: 'The value as YAML.',
    parameters: [anything('value', 'null', 'dynamic')],
    nullable: true,
    returns: STRING,
    run: (args) => {
      const value = argument(args, 0);
      return value.isWhollyKnown() ? str(encodeYaml(value)) : unknownOf(STRING);
    },
  }),
];
