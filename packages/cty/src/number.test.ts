import { describe, expect, it } from 'vitest';
import {
  add,
  BigFloat,
  compareNum,
  CtyError,
  divide,
  double,
  equalNum,
  formatNumber,
  integer,
  lengthOf,
  modulo,
  multiply,
  negate,
  num,
  number,
  numFromFloat,
  numToFloat,
  numToInt,
  parseNumber,
  tuple,
  type Num,
  type Value,
} from './index.ts';
import { formatNumberGeneral, formatNumberShort } from './number-text.ts';

const read = (text: string): Num => {
  const n = parseNumber(text);
  if (n === undefined) throw new Error(`${text} is no number`);
  return n;
};
const text = (v: Value): string => formatNumber(v.asNum());

describe('safe integers', () => {
  it('are JavaScript numbers, however they are written', () => {
    for (const written of ['7', '7.0', '70e-1', '0.7e1', '9007199254740991', '-9007199254740991']) {
      expect(typeof read(written)).toBe('number');
    }
  });

  it('become big floats only when they leave the range', () => {
    expect(num.add(Number.MAX_SAFE_INTEGER, 1)).toBeInstanceOf(BigFloat);
    expect(num.sub(num.add(Number.MAX_SAFE_INTEGER, 1), 1)).toBe(Number.MAX_SAFE_INTEGER);
    expect(num.mul(2 ** 30, 2 ** 30)).toBeInstanceOf(BigFloat);
    expect(num.div(6, 3)).toBe(2);
    expect(num.div(num.mul(2 ** 30, 2 ** 30), 2 ** 30)).toBe(2 ** 30);
  });
});

describe('precision', () => {
  it.each([
    ['text by text', number(1), number(3), 154],
    ['length by text', integer(1), number(3), 154],
    ['length by length', integer(1), integer(3), 20],
    ['double by double', double(1), double(3), 16],
    ['double by length', double(1), integer(3), 20],
  ])('of %s is the greater one', (_, a, b, digits) => {
    const written = text(divide(a, b)).replace('0.', '');
    expect(Math.abs(written.length - digits)).toBeLessThanOrEqual(1);
  });

  it('of lengths is that of machine integers', () => {
    const three = lengthOf(tuple([number(1), number(2), number(3)]));
    expect(text(divide(lengthOf(tuple([number(1)])), three))).toBe('0.33333333333333333334');
  });

  it('grows with a product that needs it', () => {
    const big = integer(2n ** 62n - 1n);
    expect(text(multiply(big, big))).toBe(String((2n ** 62n - 1n) ** 2n));
  });
});

describe('negative zero', () => {
  it.each([
    ['negated zero', negate(number(0)), '-0'],
    ['zero by a negative number', multiply(number(0), number(-1)), '-0'],
    ['zero by a negative fraction', multiply(number(0), number(read('-0.5'))), '-0'],
    ['zero divided by a negative fraction', divide(number(0), number(read('-0.5'))), '-0'],
    ['a sum of opposites', add(number(5), number(-5)), '0'],
    ['a remainder of a negative number', modulo(number(-6), number(3)), '0'],
  ])('is distinguished from zero in text: %s', (_, v, want) => {
    expect(text(v)).toBe(want);
  });

  it('equals zero', () => {
    expect(equalNum(-0, 0)).toBe(true);
    expect(compareNum(-0, 0)).toBe(0);
  });
});

describe('infinity', () => {
  it.each([
    ["can't compute sum of opposing infinities", () => num.add(Infinity, -Infinity)],
    ["can't subtract infinity from itself", () => num.sub(Infinity, Infinity)],
    ["can't multiply zero by infinity", () => num.mul(0, Infinity)],
    ["can't divide zero by zero or infinity by infinity", () => num.div(0, 0)],
    ["can't use modulo with zero and infinity", () => num.mod(0, Infinity)],
    ["can't use modulo with zero and infinity", () => num.mod(2, Infinity)],
    ["can't use modulo with zero and infinity", () => num.mod(-Infinity, 5)],
  ])('has no result if undefined: %s', (message, run) => {
    expect(run).toThrow(CtyError);
    expect(run).toThrow(message);
  });

  it('is reached by dividing by zero and stays', () => {
    expect(num.div(1, 0)).toBe(Infinity);
    expect(num.div(-1, 0)).toBe(-Infinity);
    expect(num.add(Infinity, read('0.1'))).toBe(Infinity);
    expect(formatNumber(-Infinity)).toBe('-Inf');
  });
});

describe('comparison', () => {
  const ascending = ['-inf', '-1e40', '-3', '-0.1', '0', '1e-40', '0.1', '1', '1.5', '1e40', 'inf'];
  it('orders numbers of all kinds', () => {
    const sorted = ascending.map(read);
    for (let i = 0; i < sorted.length; i++) {
      for (let j = 0; j < sorted.length; j++) {
        expect(compareNum(sorted[i] as Num, sorted[j] as Num)).toBe(Math.sign(i - j));
      }
    }
  });

  it('finds a number equal to the double with the same text, though not the same bits', () => {
    expect(equalNum(read('0.1'), numFromFloat(0.1))).toBe(true);
    expect(compareNum(read('0.1'), numFromFloat(0.1))).not.toBe(0);
    expect(equalNum(read('0.1'), read('0.10000000000000000001'))).toBe(false);
  });
});

describe('rounding to integers', () => {
  it.each([
    ['1.5', 1, 2],
    ['-1.5', -2, -1],
    ['-0.5', -1, 0],
    ['7', 7, 7],
  ])('of %s is %s down and %s up', (written, down, up) => {
    expect(num.floor(read(written))).toBe(down);
    expect(num.ceil(read(written)) === up).toBe(true);
  });

  it('recognizes integers of any size', () => {
    expect(numToInt(read('1e30'))).toBe(10n ** 30n);
    expect(numToInt(read('1.5'))).toBeUndefined();
    expect(num.isInt(read('1e30'))).toBe(true);
    expect(num.isInt(read('0.1'))).toBe(false);
  });
});

describe('doubles', () => {
  it.each([0.1, 1e300, 5e-324, -2.5e-310, 1 / 3, 2 ** 60])('%s is kept exactly', (n) => {
    expect(numToFloat(numFromFloat(n))).toBe(n);
  });

  it('are the nearest to numbers beyond them', () => {
    expect(numToFloat(read('1e400'))).toBe(Infinity);
    expect(numToFloat(read('1e-400'))).toBe(0);
    expect(numToFloat(read('0.1'))).toBe(0.1);
  });

  it('must be numbers', () => {
    expect(() => numFromFloat(Number.NaN)).toThrow(CtyError);
  });
});

describe('text', () => {
  it.each(['', ' 1', '1 ', '1_000', '0x10', 'e5', '.', '--1', '1e', 'NaN', 'infinity', '1,5'])(
    '%j is no number',
    (written) => {
      expect(parseNumber(written)).toBeUndefined();
    },
  );

  it.each([
    ['12345678901234', '1.23456789e+13', '1.2345678901234e+13'],
    ['9999999999.9', '1e+10', '9.9999999999e+09'],
    ['0.00001', '1e-05', '1e-05'],
    ['0.0001', '0.0001', '0.0001'],
    ['1000000', '1000000', '1e+06'],
    ['123', '123', '123'],
  ])('%s is %s in ten digits and %s in general form', (written, short, general) => {
    expect(formatNumberShort(read(written))).toBe(short);
    expect(formatNumberGeneral(read(written))).toBe(general);
  });
});
