const CODES = {
  reset: 0,
  bold: 1,
  red: 31,
  green: 32,
  yellow: 33,
} as const;

/** Wraps text in escape sequences if colors are enabled. */
export function paint(
  color: boolean,
  text: string,
  ...styles: readonly (keyof typeof CODES)[]
): string {
  if (!color) return text;
  return `${styles.map((style) => `\u001b[${CODES[style]}m`).join('')}${text}\u001b[0m`;
}
