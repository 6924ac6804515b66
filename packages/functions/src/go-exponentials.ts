// Go's exponential and logarithm on amd64, the most common platform of Terraform. JavaScript's functions differ in the
// last bit of about one result in ten, which is visible in the results of `log` and `pow`.
const float = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  float.setFloat64(0, x);
  return float.getBigUint64(0);
}

function floatOf(bits: bigint): number {
  float.setBigUint64(0, bits);
  return float.getFloat64(0);
}

const FRACTION = (1n << 52n) - 1n;

/** A finite double as a whole number times a power of two. */
function decompose(x: number): { readonly mantissa: bigint; readonly power: number } {
  const bits = bitsOf(x);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & FRACTION;
  const size = biased === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: bits >> 63n === 1n ? -size : size, power: Math.max(biased, 1) - 1075 };
}

/** Returns `a * b + c`, rounded once, for results far from the limits of doubles. */
function fusedMultiplyAdd(a: number, b: number, c: number): number {
  const [multiplicand, other, addend] = [decompose(a), decompose(b), decompose(c)];
  const power = Math.min(multiplicand.power + other.power, addend.power);
  const product =
    (multiplicand.mantissa * other.mantissa) << BigInt(multiplicand.power + other.power - power);
  const sum = product + (addend.mantissa << BigInt(addend.power - power));
  // Of the bits below the highest 64, only their presence affects rounding (a sticky bit).
  const dropped = Math.max(0, sum.toString(2).length - 65);
  const significand = sum >> BigInt(dropped);
  const sticky = significand << BigInt(dropped) === sum ? significand : significand | 1n;
  return Number(sticky) * 2 ** -64 * 2 ** (power + dropped + 64);
}

function roundToEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

/** The coefficients of the series of (e^r - 1) / r, the highest first. */
const SERIES = [40_320, 5_040, 720, 120, 24, 6, 2, 1].map((factorial) => 1 / factorial);

/** Computes Go's math.Exp, as on processors with fused multiply-add. */
export function goExp(x: number): number {
  if (!Number.isFinite(x)) return x === -Infinity ? 0 : x;
  if (x > 7.09782712893384e2) return Infinity;
  const exponent = roundToEven(x * Math.LOG2E);
  let rest = fusedMultiplyAdd(-0.693147180559663, exponent, x);
  rest = fusedMultiplyAdd(-2.8235290563031577e-13, exponent, rest) * 0.0625;
  const sum = SERIES.reduce((higher, coefficient) => fusedMultiplyAdd(rest, higher, coefficient));
  // e^r - 1 of a sixteenth of the remainder; (e^r - 1) (e^r + 1) is e^2r - 1.
  let less = rest * sum;
  for (let doubling = 0; doubling < 3; doubling++) less *= less + 2;
  const result = fusedMultiplyAdd(less + 2, less, 1);
  if (exponent >= 1024) return Infinity;
  if (exponent > -1023) return result * 2 ** exponent;
  return exponent < -1075 ? 0 : result * 2 ** (exponent + 1022) * 2 ** -1022;
}

/** Go's math.Log. */
export function goLog(x: number): number {
  if (x === 0) return -Infinity;
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === Infinity) return x;
  const bits = bitsOf(x);
  let exponent = Number(bits >> 52n) - 1022;
  let fraction = floatOf((bits & FRACTION) | bitsOf(0.5));
  if (fraction <= Math.SQRT1_2) {
    exponent--;
    fraction *= 2;
  }
  const f = fraction - 1;
  const s = f / (2 + f);
  const s2 = s * s;
  const s4 = s2 * s2;
  const oddTerms =
    s2 *
    (6.66666666666673513e-1 +
      s4 *
        (2.857142874366239149e-1 + s4 * (1.818357216161805012e-1 + s4 * 1.479819860511658591e-1)));
  const even =
    s4 * (3.999999999940941908e-1 + s4 * (2.222219843214978396e-1 + s4 * 1.531383769920937332e-1));
  const half = 0.5 * f * f;
  const low = s * (half + (oddTerms + even)) + exponent * 1.90821492927058770002e-10;
  return exponent * 6.9314718036912381649e-1 - (half - low - f);
}
