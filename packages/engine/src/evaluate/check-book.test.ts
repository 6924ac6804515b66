import { describe, expect, it } from 'vitest';
import { CheckBook, type CheckStatus } from './check-book.ts';

describe('a check book', () => {
  it('reports an unknown result if the instances are unknown', () => {
    const book = new CheckBook();
    book.declare('resource', 'a.b');
    expect(book.results()).toEqual([
      { kind: 'resource', configAddr: 'a.b', status: 'unknown', objects: [] },
    ]);
  });

  it('passes where there is nothing to check', () => {
    const book = new CheckBook();
    book.declare('resource', 'a.b');
    book.expect('a.b', []);
    expect(book.results()[0]?.status).toBe('pass');
  });

  it('includes every expected object, in order of declaration', () => {
    const book = new CheckBook();
    book.declare('resource', 'a.b');
    book.expect('a.b', ['a.b[0]', 'a.b[1]']);
    book.report('a.b', 'a.b[1]', 'precondition.0', 'pass');
    expect(book.results()[0]?.objects).toEqual([
      { address: 'a.b[0]', status: 'unknown', messages: [] },
      { address: 'a.b[1]', status: 'pass', messages: [] },
    ]);
    expect(book.results()[0]?.status).toBe('unknown');
  });

  it.each<[readonly CheckStatus[], CheckStatus]>([
    [['pass', 'pass'], 'pass'],
    [['pass', 'unknown'], 'unknown'],
    [['unknown', 'fail'], 'fail'],
    [['fail', 'error', 'unknown'], 'error'],
  ])('takes the worst of %s: %s', (statuses, worst) => {
    const book = new CheckBook();
    book.declare('check', 'check.c');
    for (const [index, status] of statuses.entries())
      book.report('check.c', 'check.c', `assertion.${index}`, status);
    expect(book.status('check.c', 'check.c')).toBe(worst);
    expect(book.results()[0]?.status).toBe(worst);
  });

  it('keeps the messages of failures only, and of a condition the last result', () => {
    const book = new CheckBook();
    book.declare('check', 'check.c');
    book.report('check.c', 'check.c', 'one', 'fail', 'first');
    book.report('check.c', 'check.c', 'two', 'fail', 'second');
    book.report('check.c', 'check.c', 'three', 'pass', 'third');
    expect(book.results()[0]?.objects[0]?.messages).toEqual(['first', 'second']);
    book.report('check.c', 'check.c', 'one', 'pass');
    book.report('check.c', 'check.c', 'two', 'pass');
    expect(book.results()[0]?.objects).toEqual([
      { address: 'check.c', status: 'pass', messages: [] },
    ]);
  });

  it('ignores undeclared checks, and declares once', () => {
    const book = new CheckBook();
    book.report('x', 'x', 'one', 'fail', 'no');
    expect(book.results()).toEqual([]);
    expect(book.status('x', 'x')).toBe('unknown');
    book.declare('check', 'x');
    book.report('x', 'x', 'one', 'fail', 'no');
    book.declare('check', 'x');
    expect(book.results()[0]?.status).toBe('fail');
  });

  it('orders results by address', () => {
    const book = new CheckBook();
    for (const addr of ['var.z', 'check.a', 'output.m']) book.declare('check', addr);
    expect(book.results().map((check) => check.configAddr)).toEqual([
      'check.a',
      'output.m',
      'var.z',
    ]);
  });
});
