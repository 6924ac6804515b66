import type { Diagnostic } from '@terrane/hcl';

/** Joins diagnostics into the end of a sentence: a single one as it is, several as a list. */
export function problemsText(diagnostics: readonly Diagnostic[]): string {
  const texts = diagnostics.map(({ summary, detail }) =>
    detail === '' ? summary : `${summary}: ${detail}`,
  );
  if (texts.length < 2) return texts[0] ?? 'no errors';
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
