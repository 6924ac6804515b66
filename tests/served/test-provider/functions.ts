import {
  DYNAMIC,
  list as listOf,
  number as numberOf,
  str,
  STRING,
  tuple,
  typeToJsonText,
  object as objectOf,
  objectType,
} from '@terrane/cty';
import {
  bool,
  dynamic,
  isUnknown,
  list,
  nullable,
  number,
  object,
  parameter,
  providerFunction,
  string,
} from '@terrane/provider/sdk';
import type { ProviderFunction } from '@terrane/provider/sdk';

const PART = objectType({ a: STRING });

/** Functions with every kind of parameter. */
export const functions: Readonly<Record<string, ProviderFunction>> = {
  echo: providerFunction({
    summary: 'gives back what it gets',
    parameters: { value: parameter(dynamic, { allowNull: true }) },
    returns: nullable(dynamic),
    call: ({ value }) => value,
  }),
  sum: providerFunction({
    parameters: { first: number },
    variadic: { more: number },
    returns: number,
    call: ({ first, more }) => more.reduce((sum, each) => sum + each, first),
  }),
  or_default: providerFunction({
    parameters: { value: parameter(string, { allowNull: true }), default: string },
    returns: string,
    call: ({ value, default: otherwise }) => value ?? otherwise,
  }),
  is_known: providerFunction({
    parameters: { value: parameter(string, { allowUnknown: true, allowNull: true }) },
    returns: bool,
    call: ({ value }) => !isUnknown(value),
  }),
  describe: providerFunction({
    variadic: { values: parameter(dynamic, { allowNull: true }) },
    returns: object({ count: number, types: list(string) }),
    call: ({ values }) => ({
      count: values.length,
      types: values.map((each) => typeToJsonText(each?.type ?? DYNAMIC)),
    }),
  }),
  pair: providerFunction({
    parameters: { value: list(object({ a: string })) },
    returns: dynamic,
    call: ({ value }) => {
      const parts = value.map(({ a }) => objectOf({ a: str(a) }));
      return tuple([numberOf(value.length), listOf(PART, parts)]);
    },
  }),
  fail: providerFunction({
    parameters: { text: string },
    variadic: { more: string },
    returns: string,
    call: ({ text, more }, { fail }) => {
      if (text === 'here') fail('this one is wrong', 'text');
      const at = more.indexOf('here');
      if (at >= 0) fail('this one is wrong', 'more', at);
      if (text === 'throw') throw new Error('out of order');
      return text === 'all' ? fail('all of it is wrong\nas a whole') : 'fine';
    },
  }),
};
