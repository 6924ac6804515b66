const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Decodes base64 text, or returns the error message of Go's `encoding/base64`. `standard` is padded, `raw-url` has the
 * URL alphabet and no padding; line breaks are skipped.
 */
export function decodeBase64(text: string, kind: 'standard' | 'raw-url'): Buffer | string {
  const fault = faultAt(Buffer.from(text), kind);
  if (fault !== undefined) return `illegal base64 data at input byte ${fault}`;
  return Buffer.from(text, 'base64');
}

/** Returns the offset of the first invalid byte of base64 text, as Go counts it. */
function faultAt(bytes: Buffer, kind: 'standard' | 'raw-url'): number | undefined {
  const alphabet = kind === 'standard' ? STANDARD : URL;
  let inGroup = 0;
  for (let i = 0; i < bytes.length; i++) {
    const char = String.fromCharCode(bytes[i] ?? 0);
    if (char === '\n' || char === '\r') continue;
    if (alphabet.includes(char)) {
      inGroup = (inGroup + 1) % 4;
      continue;
    }
    if (char !== '=' || kind !== 'standard' || inGroup < 2) return i;
    return faultInPadding(bytes, i, inGroup);
  }
  if (inGroup === 0 || (kind === 'raw-url' && inGroup > 1)) return undefined;
  return bytes.length - inGroup;
}

function faultInPadding(bytes: Buffer, at: number, inGroup: number): number | undefined {
  let next = skipBreaks(bytes, at + 1);
  if (inGroup === 2) {
    if (next === bytes.length) return bytes.length;
    if (bytes[next] !== 0x3d) return next - 1;
    next = skipBreaks(bytes, next + 1);
  }
  return next < bytes.length ? next : undefined;
}

function skipBreaks(bytes: Buffer, from: number): number {
  let i = from;
  while (bytes[i] === 0x0a || bytes[i] === 0x0d) i++;
  return i;
}
