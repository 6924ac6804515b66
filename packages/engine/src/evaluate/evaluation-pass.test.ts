import { ROOT_INSTANCE, ResourceAddr } from '@terrane/addresses';
import { Bug, DYNAMIC, number } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { CheckBook } from './check-book.ts';
import { ModuleCells, ResourceCell } from './module-cells.ts';
import { NO_REPETITION, SINGLE } from './repetition.ts';
import { evaluateOnce, expectNoPass } from '../config/evaluation-pass.ts';
import type { Module, Resource } from '../config/model.ts';

const MODULE = {} as Module; // cells only keep it
const RESOURCE = { addr: ResourceAddr.of('managed', 'a', 'b') } as Resource; // all that a cell reads

describe('an evaluation pass', () => {
  it('commits its diagnostics and effects after it has ended', () => {
    const diagnostics: Diagnostic[] = [];
    const cells = new ModuleCells(MODULE, ROOT_INSTANCE, undefined, NO_REPETITION);
    const value = evaluateOnce(diagnostics, (pass) => {
      pass.diagnostics.push(errorDiagnostic('a', ''));
      pass.commit(() => cells.setLocal('x', number(1)));
      expect(cells.locals.has('x')).toBe(false);
      return 7;
    });
    expect(value).toBe(7);
    expect(diagnostics).toHaveLength(1);
    expect(cells.locals.has('x')).toBe(true);
  });

  it('leaves its effects to the pass that it is nested in', () => {
    const effects: string[] = [];
    evaluateOnce([], (outer) => {
      outer.commit(() => effects.push('first'));
      evaluateOnce(outer.diagnostics, (inner) => inner.commit(() => effects.push('second')));
      expect(effects).toEqual([]);
    });
    expect(effects).toEqual(['first', 'second']);
  });

  it('must not report to diagnostics outside', () => {
    const diagnostics: Diagnostic[] = [];
    const work = (): void => void diagnostics.push(errorDiagnostic('a', ''));
    expect(() => evaluateOnce(diagnostics, work)).toThrow(Bug);
  });

  const cells = new ModuleCells(MODULE, ROOT_INSTANCE, undefined, NO_REPETITION);
  const cell = new ResourceCell(RESOURCE, DYNAMIC, SINGLE);
  const book = new CheckBook();
  it.each<[string, () => void]>([
    ['a variable', () => cells.setVariable('x', number(1), number(1))],
    ['a local', () => cells.setLocal('x', number(1))],
    ['an output', () => cells.setOutput('x', number(1))],
    ['a resource', () => cells.setResource('a.b', cell)],
    ['an action', () => cells.setAction('a.b', SINGLE)],
    ['the declaration of a check', () => book.declare('check', 'check.c')],
    ['the result of a check', () => book.report('check.c', 'check.c', 'rule', 'pass')],
  ])('must not change %s', (_, change) => {
    expect(() => evaluateOnce([], change)).toThrow(Bug);
    expect(expectNoPass).not.toThrow();
  });

  it('may change a cell that it has created, until others see it', () => {
    const cell = new ResourceCell(RESOURCE, DYNAMIC, SINGLE);
    evaluateOnce([], () => cell.set(undefined, number(1)));
    cells.setResource('a.b', cell);
    expect(() => evaluateOnce([], () => cell.set(undefined, number(2)))).toThrow(Bug);
    cell.set(undefined, number(3));
    expect(cell.combinedValue().rawEquals(number(3))).toBe(true);
  });
});
