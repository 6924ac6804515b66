import { describe, expect, it } from 'vitest';
import {
  ArgumentCountError,
  ArgumentError,
  Bug,
  callFunction,
  CtyError,
  DYNAMIC,
  functionReturnType,
  type FunctionSpec,
  list,
  listType,
  NULL,
  nullOf,
  NUMBER,
  number,
  type Parameter,
  str,
  STRING,
  TRUE,
  UNKNOWN,
  unknownOf,
  type Value,
} from './index.ts';

function joined(
  parameter: Partial<Parameter> = {},
  more: Partial<FunctionSpec> = {},
): FunctionSpec {
  return {
    name: 'joined',
    description: '',
    parameters: [{ name: 'first', type: STRING, ...parameter }],
    variadic: { name: 'rest', type: STRING },
    returnType: STRING,
    refineResult: () => ({ notNull: true }),
    implementation: (args) => str(args.map((v) => (v.isNull ? '∅' : v.asString())).join()),
    ...more,
  };
}

const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('a function call', () => {
  it('passes plain values and returns the result', () => {
    expect(callFunction(joined(), [str('a'), str('b')]).asString()).toBe('a,b');
  });

  it('counts its arguments', () => {
    expect(() => callFunction(joined(), [])).toThrow(ArgumentCountError);
    expect(() => callFunction(joined(), [])).toThrow(
      'wrong number of arguments (at least 1 required; 0 given)',
    );
    const { variadic: _, ...fixed } = joined();
    expect(() => callFunction(fixed, [TRUE, TRUE])).toThrow(
      'wrong number of arguments (1 required; 2 given)',
    );
  });

  it('rejects null, unless it is allowed', () => {
    const error = thrown(() => callFunction(joined(), [str('a'), NULL]));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error).toMatchObject({ index: 1, message: 'argument must not be null' });
    expect(callFunction(joined({ allowNull: true }), [nullOf(STRING)]).asString()).toBe('∅');
  });

  it('rejects arguments that do not conform, with their path', () => {
    const f = joined({ type: listType(STRING) });
    const error = thrown(() => callFunction(f, [list(NUMBER, [number(1)])]));
    expect(error).toMatchObject({ index: 0, message: 'string required, but received number' });
    expect((error as ArgumentError).path).toHaveLength(1);
  });

  it('is unknown, with the refinements of all results, if an argument is unknown', () => {
    const want = unknownOf(STRING, { notNull: true });
    expect(callFunction(joined(), [unknownOf(STRING)]).rawEquals(want)).toBe(true);
  });

  it('has no type if an argument has none, unless that is allowed', () => {
    expect(callFunction(joined(), [UNKNOWN])).toBe(UNKNOWN);
    expect(functionReturnType(joined(), [UNKNOWN])).toBe(DYNAMIC);
    const typed = callFunction(joined({ allowDynamic: true }), [UNKNOWN]);
    expect(typed.type).toBe(STRING);
    expect(typed.isKnown).toBe(false);
  });

  it('passes unknown values on if allowed', () => {
    const f = joined({ allowUnknown: true }, { implementation: (args) => args[0] as Value });
    expect(callFunction(f, [unknownOf(STRING, { prefix: 'a' })]).refinement).toEqual({
      notNull: true,
      prefix: 'a',
    });
  });

  it('takes marks off the arguments, at all depths, and puts them on the result', () => {
    const f = joined(
      { type: listType(STRING) },
      { implementation: (args) => ((args[0] as Value).containsMarked() ? TRUE : str('plain')) },
    );
    const result = callFunction(f, [list(STRING, [str('a').mark('sensitive')])]);
    expect(result.hasMark('sensitive')).toBe(true);
    expect(result.unmark().asString()).toBe('plain');
  });

  it('leaves marks to the function if requested', () => {
    const f = joined(
      { allowMarked: true },
      { implementation: (args) => (args[0] as Value).unmark() },
    );
    expect(callFunction(f, [str('a').mark('sensitive')]).isMarked).toBe(false);
  });

  it('collects the marks of all arguments even if one is unknown', () => {
    const result = callFunction(joined(), [unknownOf(STRING), str('a').mark('ephemeral')]);
    expect(result.isKnown).toBe(false);
    expect(result.hasMark('ephemeral')).toBe(true);
  });

  it('computes its type from unmarked arguments, perhaps failing', () => {
    const f = joined(
      {},
      {
        returnType: (args) => {
          if (args[0]?.isMarked === true) throw new Bug('marked');
          throw new CtyError('no such thing');
        },
      },
    );
    expect(() => callFunction(f, [str('a').mark('sensitive')])).toThrow('no such thing');
  });

  it('throws if the function violates its declaration', () => {
    const f = joined({}, { implementation: () => TRUE });
    expect(() => callFunction(f, [str('a')])).toThrow(Bug);
  });
});
