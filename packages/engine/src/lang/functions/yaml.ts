import { convert, DYNAMIC, type FunctionSpec, STRING, str, unknownOf } from '@terrane/cty';
import { anything, argument, define, text } from './spec.ts';
import { decodeYaml } from './yaml-decode.ts';
import { encodeYaml } from './yaml-encode.ts';

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
