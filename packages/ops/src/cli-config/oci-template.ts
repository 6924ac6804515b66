import {
  errorDiagnostic,
  parseTemplate,
  rootName,
  Source,
  variables,
  type Diagnostic,
} from '@terrane/hcl';
import { parseSourcePatterns } from './source-pattern.ts';

const SUMMARY = 'Invalid oci_mirror repository template';
const PARTS = ['hostname', 'namespace', 'type'] as const;
const SELECTS: Readonly<Record<(typeof PARTS)[number], string>> = {
  hostname: 'one registry hostname',
  namespace: 'one provider namespace',
  type: 'one provider',
};

/** Validates the template of an `oci_mirror` independently of a provider. */
export function checkRepositoryTemplate(
  template: string,
  include: readonly string[],
  at: string,
): readonly Diagnostic[] {
  const source = new Source('<oci_mirror repository_template>', template, { unshown: true });
  const parsed = parseTemplate(source);
  if (parsed.diagnostics.length > 0) return parsed.diagnostics;
  const diagnostics: Diagnostic[] = [];
  const names = new Set(variables(parsed.expression).map(rootName));
  for (const name of names) {
    if (PARTS.some((part) => part === name)) continue;
    diagnostics.push(
      errorDiagnostic(
        SUMMARY,
        `Invalid oci_mirror block at ${at}: the symbol ${JSON.stringify(name)} is not available for an OCI mirror repository address template. Only "hostname", "namespace", and "type" are available.`,
      ),
    );
  }
  const patterns = parseSourcePatterns(include);
  // Invalid patterns are reported when the methods are combined.
  if ('error' in patterns) return diagnostics;
  for (const part of PARTS) {
    const selected = new Set(patterns.map((each) => each[part]).filter((name) => name !== '*'));
    if (selected.size === 1 || names.has(part)) continue;
    diagnostics.push(
      errorDiagnostic(
        SUMMARY,
        `Invalid oci_mirror block at ${at}: template must refer to the "${part}" symbol unless the "include" argument selects exactly ${SELECTS[part]}.`,
      ),
    );
  }
  return diagnostics;
}
