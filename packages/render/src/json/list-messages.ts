import type { FoundObject, RunEvent } from '@terrane/engine';
import type { Value } from '@terrane/cty';
import { jsonObject, jsonString } from './json-text.ts';
import { valueJson } from './value-json.ts';

type ListEvent = Extract<RunEvent, { readonly kind: 'list-start' | 'list-complete' }>;

/** A message of level `info`. */
export interface ListMessage {
  readonly text: string;
  readonly type: string;
  readonly body: readonly (readonly [string, string])[];
}

/** Formats the start of a query and the objects it finds as Terraform 1.14 does. */
export function listMessages(event: ListEvent): readonly ListMessage[] {
  const { addr } = event;
  const { type } = addr.resource.resource;
  const about = [
    ['address', jsonString(addr.text)],
    ['resource_type', jsonString(type)],
  ] as const;
  if (event.kind === 'list-start') {
    const { input, sensitive } = event;
    const start = new Map<string, string>(about);
    if (!input.isNull) start.set('input_config', attributesJson(input));
    if (sensitive.length > 0)
      start.set('sensitive_attribute_paths', `[${sensitive.map(jsonString).join(',')}]`);
    return [info(`${addr.text}: Starting query...`, 'list_start', start)];
  }
  const { results, identityVersion } = event;
  const messages = results.map((result) =>
    info(`${addr.text}: Result found`, 'list_resource_found', [
      ...foundJson(addr.text, type, result, identityVersion),
    ]),
  );
  const total = new Map<string, string>([...about, ['total', String(results.length)]]);
  return [...messages, info(`${addr.text}: List complete`, 'list_complete', total)];
}

function foundJson(
  address: string,
  type: string,
  { displayName, identity, resource, generated }: FoundObject,
  identityVersion: number,
): ReadonlyMap<string, string> {
  return new Map([
    ['address', jsonString(address)],
    ['display_name', jsonString(displayName)],
    ['identity', identity.isNull ? 'null' : attributesJson(identity)],
    ['identity_version', String(identityVersion)],
    ['resource_type', jsonString(type)],
    ...(resource.isNull ? [] : [['resource_object', attributesJson(resource)] as const]),
    ...(generated === undefined
      ? []
      : [
          ['config', jsonString(generated.resource)] as const,
          ['import_config', jsonString(generated.import)] as const,
        ]),
  ]);
}

function attributesJson(value: Value): string {
  return valueJson(value) ?? '{}';
}

function info(text: string, type: string, body: Iterable<readonly [string, string]>): ListMessage {
  return { text, type, body: [[type, jsonObject(new Map(body))]] };
}
