import { parseCheckable } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { CheckObjectResult, CheckResult, CheckResults, CheckStatus } from './model.ts';
import { CHECK_KIND_NAMES } from './statefile-write.ts';
import { withoutPlace } from './without-place.ts';

const KINDS: ReadonlyMap<string, CheckResult['kind']> = new Map(
  Object.entries(CHECK_KIND_NAMES).map(([kind, name]) => [name, kind as CheckResult['kind']]), // its keys
);

/**
 * Parses check results from JSON written by Terrane, whose syntax is valid. Kinds that later versions may add are
 * omitted, statuses they may add are unknown.
 */
export function readChecks(text: string): CheckResults {
  const parsed: unknown = JSON.parse(text);
  const results: CheckResult[] = [];
  for (const entry of listOf(parsed)) {
    const kind = KINDS.get(textOf(entry['object_kind']));
    if (kind === undefined) continue;
    results.push({
      kind,
      configAddr: textOf(entry['config_addr']),
      status: statusOf(entry['status']),
      objects: listOf(entry['objects']).map((object): CheckObjectResult => ({
        address: textOf(object['object_addr']),
        status: statusOf(object['status']),
        messages: Array.isArray(object['failure_messages'])
          ? object['failure_messages'].map(textOf)
          : [],
      })),
    });
  }
  return results;
}

/**
 * As {@link readChecks}, of a statefile: addresses that cannot be understood are errors, and of results of the
 * same object the last one counts.
 */
export function readStoredChecks(text: string): {
  readonly checks: CheckResults;
  readonly diagnostics: readonly Diagnostic[];
} {
  const checks = new Map<string, CheckResult>();
  const diagnostics: Diagnostic[] = [];
  for (const check of readChecks(text)) {
    const { address: config, diagnostics: problems } = parseCheckable(check.kind, check.configAddr);
    diagnostics.push(...problems.map(withoutPlace));
    if (config === undefined) continue;
    if (config.text !== config.config) {
      diagnostics.push(errorDiagnostic(`invalid checkable config address ${check.configAddr}`, ''));
      continue;
    }
    const objects = new Map<string, CheckObjectResult>();
    for (const object of check.objects) {
      const { address, diagnostics: faults } = parseCheckable(check.kind, object.address);
      diagnostics.push(...faults.map(withoutPlace));
      if (address !== undefined) objects.set(address.text, { ...object, address: address.text });
    }
    checks.set(`${check.kind} ${config.text}`, {
      ...check,
      configAddr: config.text,
      objects: [...objects.values()],
    });
  }
  return { checks: [...checks.values()], diagnostics };
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function statusOf(value: unknown): CheckStatus {
  return value === 'pass' || value === 'fail' || value === 'error' ? value : 'unknown';
}
