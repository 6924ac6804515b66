const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Parses a duration in Go's syntax ("1h15m", "300ms", "-1.5h", "0") to milliseconds; undefined if it is invalid. */
export function parseDuration(text: string): number | undefined {
  const signed = /^[+-]/.test(text);
  const body = signed ? text.slice(1) : text;
  if (body === '0') return 0;
  if (body === '') return undefined;
  let total = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const part = PART.exec(body);
    if (part === null) return undefined;
    total += Number(part[1]) * (UNITS[part[2] ?? ''] ?? 0);
  }
  return text.startsWith('-') ? -total : total;
}
