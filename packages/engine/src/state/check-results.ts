import type { CheckObjectResult, CheckResult, CheckResults, CheckStatus } from './model.ts';
import { CHECK_KIND_NAMES } from './statefile-write.ts';

const KINDS: ReadonlyMap<string, CheckResult['kind']> = new Map(
  Object.entries(CHECK_KIND_NAMES).map(([kind, name]) => [name, kind as CheckResult['kind']]), // its keys
);

/**
 * Check results from the JSON of a statefile, whose syntax is known to be right. Kinds that later
 * versions may add are left out, statuses they may add are unknown.
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
