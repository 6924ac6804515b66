import { goExp, goLog } from './go-exponentials.ts';

/** Fraction in [½, 1) and exponent of a finite double. */
function frexp(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(x))) + 1);
  let fraction = x * 2 ** -exponent;
  while (Math.abs(fraction) < 0.5) {
    fraction *= 2;
    exponent--;
  }
  while (Math.abs(fraction) >= 1) {
    fraction /= 2;
    exponent++;
  }
  return [fraction, exponent];
}

function ldexp(fraction: number, exponent: number): number {
  const steps = Math.min(3, Math.ceil(Math.abs(exponent) / 1023));
  let result = fraction;
  for (let i = 0; i < steps; i++) result *= 2 ** Math.floor((exponent + i) / steps);
  return result;
}

/**
 * Computes Go's math.Pow, which multiplies out the integral part of the exponent: the last bits differ from those of
 * JavaScript's function, and they are visible in results.
 */
export function goPow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x ** y;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  let integerPart = Math.trunc(Math.abs(y));
  let rest = Math.abs(y) - integerPart;
  if (rest !== 0 && x < 0) return Number.NaN;
  if (integerPart >= 2 ** 63) {
    if (x === -1) return 1;
    return Math.abs(x) < 1 === y > 0 ? 0 : Infinity;
  }
  let result = 1;
  let exponent = 0;
  if (rest !== 0) {
    if (rest > 0.5) {
      rest--;
      integerPart++;
    }
    result = goExp(rest * goLog(x));
  }
  let [fraction, power] = frexp(x);
  for (let i = BigInt(integerPart); i !== 0n; i >>= 1n) {
    if (power < -4096 || power > 4096) {
      // Out of range already: the exact exponent no longer matters.
      exponent += power;
      break;
    }
    if ((i & 1n) === 1n) {
      result *= fraction;
      exponent += power;
    }
    fraction *= fraction;
    power *= 2;
    if (fraction < 0.5) {
      fraction += fraction;
      power--;
    }
  }
  if (y < 0) {
    result = 1 / result;
    exponent = -exponent;
  }
  return ldexp(result, exponent);
}
