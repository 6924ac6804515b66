import { list, number, object, str, STRING, tuple, type Value } from '@terrane/cty';
import { type Comparison, errorDiagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { diagnosticJsonText } from '../json/diagnostic-json.ts';
import { comparisonLines } from './comparison-text.ts';

const PLAIN = { color: false, width: 78 };

function compared(left: Value, right: Value, isShownInFull = false): Comparison {
  return { left, right, isShownInFull };
}

const lines = (comparison: Comparison): readonly string[] => comparisonLines(comparison, PLAIN);

describe('the differences of a failed assertion', () => {
  it('is shown as a change of the left side to the right one', () => {
    const left = object({ a: number(1), b: tuple([str('x')]) });
    const right = object({ a: number(2), b: tuple([str('x')]) });
    expect(lines(compared(left, right))).toStrictEqual([
      'Diff: ',
      '    {',
      '      ~ a = 1 -> 2',
      '        # (1 unchanged attribute hidden)',
      '    }',
    ]);
    expect(lines(compared(str('one\ntwo'), str('one\nthree')))).toContain('      - two');
  });

  it('is omitted for single values, which the source excerpt contains, unless requested', () => {
    expect(lines(compared(str('x'), str('y')))).toStrictEqual([]);
    expect(lines(compared(str('x'), str('y'), true))).toStrictEqual(['Diff: ', '    "x" -> "y"']);
  });

  it('names the types if only they differ', () => {
    expect(lines(compared(list(STRING, [str('x')]), tuple([str('x')])))).toStrictEqual([
      'Only the types differ: list of string on the left, tuple on the right',
    ]);
    expect(
      lines(compared(object({ a: list(STRING, [str('x')]) }), object({ a: tuple([str('x')]) }))),
    ).toStrictEqual([
      'Only the types differ: object({a=list(string)}) on the left, object({a=tuple([string])}) on the right',
    ]);
    expect(lines(compared(number(5), str('5')))).toStrictEqual(['Diff: ', '    5 -> "5"']);
  });

  it('contains no sensitive value of either side', () => {
    const left = object({ a: str('hunter2').mark('sensitive'), b: number(1) });
    const right = object({ a: str('hunter3'), b: number(1) });
    const text = lines(compared(left, right)).join('\n');
    expect(text).toContain('~ a = (sensitive value)');
    expect(text).not.toContain('hunter');
    const extra = { kind: 'assertion', compared: compared(left, right, true) } as const;
    const json = diagnosticJsonText(errorDiagnostic('s', 'd', undefined, { extra }));
    expect(JSON.parse(json)).toMatchObject({
      difference: {
        before: { a: null, b: 1 },
        after: { a: 'hunter3', b: 1 },
        after_unknown: false,
        before_sensitive: { a: true },
        after_sensitive: {},
      },
    });
  });

  it("is absent from Terraform's JSON", () => {
    const extra = { kind: 'assertion', compared: compared(str('x'), str('y')) } as const;
    const json = diagnosticJsonText(errorDiagnostic('s', 'd', undefined, { extra }));
    expect(JSON.parse(json)).toStrictEqual({ severity: 'error', summary: 's', detail: 'd' });
  });
});
