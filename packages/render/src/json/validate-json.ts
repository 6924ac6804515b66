import type { Diagnostic } from '@terrane/hcl';
import { diagnosticJsonText } from './diagnostic-json.ts';
import { indentJson, jsonArray, JsonMembers } from './json-text.ts';

/** Formats diagnostics as `validate -json` does: on several lines, without a final newline. */
export function validateJson(diagnostics: readonly Diagnostic[]): string {
  let errors = 0;
  for (const diagnostic of diagnostics) if (diagnostic.severity === 'error') errors++;
  const json = new JsonMembers()
    .add('format_version', '"1.0"')
    .add('valid', String(errors === 0))
    .add('error_count', String(errors))
    .add('warning_count', String(diagnostics.length - errors))
    .add('diagnostics', jsonArray(diagnostics.map(diagnosticJsonText)))
    .text();
  return indentJson(json);
}
