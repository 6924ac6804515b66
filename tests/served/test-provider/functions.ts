import {
  bool,
  BOOL,
  DYNAMIC,
  list,
  listType,
  number,
  NUMBER,
  object,
  objectType,
  str,
  STRING,
  tuple,
  typeToJsonText,
  unknownOf,
} from '@terrane/cty';
import type { CallAnswer, FunctionSignature } from '@terrane/provider';
import type { Value } from '@terrane/cty';

interface TestFunction extends FunctionSignature {
  readonly call: (args: readonly Value[]) => CallAnswer;
}

/** Functions with every kind of parameter. */
export const functions: Readonly<Record<string, TestFunction>> = {
  echo: {
    summary: 'gives back what it gets',
    parameters: [{ name: 'value', type: DYNAMIC, allowNull: true }],
    returns: DYNAMIC,
    call: ([value]) => ({ result: value ?? unknownOf(DYNAMIC) }),
  },
  sum: {
    parameters: [{ name: 'first', type: NUMBER }],
    variadic: { name: 'more', type: NUMBER },
    returns: NUMBER,
    call: (args) => ({ result: number(args.reduce((sum, each) => sum + each.asInt(), 0)) }),
  },
  or_default: {
    parameters: [
      { name: 'value', type: STRING, allowNull: true },
      { name: 'default', type: STRING },
    ],
    returns: STRING,
    call: ([value, otherwise]) => ({
      result: (value?.isNull === true ? otherwise : value) ?? str(''),
    }),
  },
  is_known: {
    parameters: [{ name: 'value', type: STRING, allowUnknown: true, allowNull: true }],
    returns: BOOL,
    call: ([value]) => ({ result: bool(value?.isKnown === true) }),
  },
  describe: {
    parameters: [],
    variadic: { name: 'values', type: DYNAMIC, allowNull: true },
    returns: objectType({ count: NUMBER, types: listType(STRING) }),
    call: (args) => ({
      result: object({
        count: number(args.length),
        types: list(
          STRING,
          args.map((each) => str(typeToJsonText(each.type))),
        ),
      }),
    }),
  },
  pair: {
    parameters: [{ name: 'value', type: listType(objectType({ a: STRING })) }],
    returns: DYNAMIC,
    call: ([value]) => ({ result: tuple([number(value?.length ?? 0), value ?? str('')]) }),
  },
  fail: {
    parameters: [{ name: 'text', type: STRING }],
    variadic: { name: 'more', type: STRING },
    returns: STRING,
    call: (args) => {
      const at = args.findIndex((each) => each.asString() === 'here');
      if (at >= 0) return { error: { message: 'this one is wrong', argument: at } };
      if (args[0]?.asString() === 'throw') throw new Error('out of order');
      return args[0]?.asString() === 'all'
        ? { error: { message: 'all of it is wrong\nas a whole' } }
        : { result: str('fine') };
    },
  },
};
