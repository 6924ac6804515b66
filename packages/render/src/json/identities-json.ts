import type { InstanceAddr } from '@terrane/addresses';
import type { State } from '@terrane/engine';
import { jsonObject, indentJson, jsonString } from './json-text.ts';

/**
 * Formats the identities of instances by address, as `state identities -json` prints them: in the layout of Go's
 * encoding/json, without a final line feed. Instances without an identity are omitted.
 */
export function identitiesJson(state: State, instances: Iterable<InstanceAddr>): string {
  const identities: (readonly [string, string])[] = [];
  for (const addr of instances) {
    const identity = state.instance(addr)?.current?.identityJson;
    if (identity !== undefined) identities.push([addr.text, goJson(JSON.parse(identity))]);
  }
  return indentJson(jsonObject(identities));
}

/** Formats a JSON value as Go does for an unknown type: keys are sorted. */
function goJson(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  return jsonObject(Object.entries(value).map(([key, inner]) => [key, goJson(inner)]));
}
