import type { RedirectAllRequestsTo, RoutingRule } from '@aws-sdk/client-s3';
import { normalJson } from '../json-policy/normal-json.ts';

/** Parses rules in Amazon's JSON format; undefined if there are none. */
export function routingRulesOf(text: string | undefined): RoutingRule[] | undefined {
  if (text === undefined || text === '') return undefined;
  const rules: unknown = JSON.parse(text);
  // The service rejects unknown values.
  return Array.isArray(rules) ? rules : undefined;
}

/** Rules as JSON, ordered by name, without unset members. */
export function routingText(rules: readonly RoutingRule[] | undefined): string {
  if (rules === undefined || rules.length === 0) return '';
  const text = JSON.stringify(rules, (_, value: unknown) => (value === '' ? undefined : value));
  return normalJson(text);
}

/** An address to which all requests are sent, as requests have it. */
export function requestedRedirect(to: string): RedirectAllRequestsTo {
  const [, protocol, host] = /^(https?):\/\/(.*)$/.exec(to) ?? [];
  if (protocol === undefined || host === undefined) return { HostName: to };
  return { HostName: host, Protocol: protocol === 'https' ? 'https' : 'http' };
}

/** An address to which all requests are sent, as it is written. */
export function foundRedirect({ HostName = '', Protocol }: RedirectAllRequestsTo): string {
  return Protocol === undefined ? HostName : `${Protocol}://${HostName}`;
}
