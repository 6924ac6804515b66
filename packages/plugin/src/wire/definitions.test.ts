// The messages against the field numbers of docs/plugin-protocol in Terraform 1.17.0-dev (883c7221), as data.
import { describe, expect, it } from 'vitest';
import { callPath } from './call-path.ts';
import { messagesOf, type ProtocolVersion } from './definitions.ts';
import recorded from './recorded/field-numbers.json' with { type: 'json' };

/** Messages by name, fields by name, each as `type=number` with `[]` for lists and `{}` for maps. */
type Messages = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Messages of ours that have another name in the protocol. */
const NAMES: Readonly<Record<string, string>> = {
  Attribute: 'Schema.Attribute',
  Block: 'Schema.Block',
  NestedBlock: 'Schema.NestedBlock',
  NestedObject: 'Schema.Object',
  Step: 'AttributePath.Step',
  IdentitySchema: 'ResourceIdentitySchema',
  IdentityAttribute: 'ResourceIdentitySchema.IdentityAttribute',
  IdentityData: 'ResourceIdentityData',
  Parameter: 'Function.Parameter',
  Return: 'Function.Return',
  ImportedResource: 'ImportResourceState.ImportedResource',
  TypeMetadata: 'GetMetadata.ResourceMetadata',
  FunctionMetadata: 'GetMetadata.FunctionMetadata',
  Progress: 'InvokeAction.Event.Progress',
  Completed: 'InvokeAction.Event.Completed',
  'ValidateStateStoreConfig.Request': 'ValidateStateStore.Request',
  'ValidateStateStoreConfig.Response': 'ValidateStateStore.Response',
  StateStoreCapabilities: 'StateStoreClientCapabilities',
  'ReadStateBytes.Event': 'ReadStateBytes.Response',
  'WriteStateBytes.Request': 'WriteStateBytes.RequestChunk',
  StateMeta: 'RequestChunkMeta',
};

/** Messages of gRPC, of go-plugin and of protobuf itself, which the protocol does not define. */
const FOREIGN =
  /^(Empty|Timestamp|Shutdown\..*|StreamStdio\..*|StdioData|ConnInfo|Knock|Check\..*)$/;

/** Fields of ours that have another name, or that only the other version has. */
const FIELDS: Readonly<Record<string, string>> = {
  'IdentitySchema.attributes': 'identityAttributes',
  'StopProvider.Response.error': 'Error',
};

/** Fields of the protocol that nothing uses: since Terraform 1.1 nested objects have no limits. */
const UNUSED: readonly string[] = ['NestedObject.minItems', 'NestedObject.maxItems'];

function protocolName(version: ProtocolVersion, name: string): string {
  const known = NAMES[name];
  if (known !== undefined) return known;
  const [call = '', part] = name.split('.');
  if (part === undefined) return name;
  const path = callPath(version, call).split('/').at(-1) ?? '';
  // The one call whose messages are not named for it.
  return `${path === 'GetSchema' ? 'GetProviderSchema' : path}.${part}`;
}

const many = (type: string): string => /\[\]|\{\}/.exec(type)?.[0] ?? '';
const numbered = (field: string): string => `${many(field)}=${field.split('=')[1] ?? ''}`;

describe.each([5, 6] as const)('messages of protocol %i', (version) => {
  const protocol: Messages = recorded[`tfplugin${version}`];
  const ours = Object.entries(messagesOf(version)).filter(([name, fields]) => {
    if (FOREIGN.test(name) || fields === '') return false;
    // Version 5 has no state stores, and its stored attributes no nested ones: their calls are never made.
    return (
      version === 6 ||
      !/State(Store|Bytes|s|Range|Meta)|^(Un)?[Ll]ockState|^DeleteState|^NestedObject/.test(name)
    );
  });

  it.each(ours)('%s', (name, text) => {
    const expected = protocol[protocolName(version, name)];
    if (expected === undefined) throw new Error(`${name} is not in the protocol`);
    const fields = text.split(' ').map((field): [string, string] => {
      const [key = '', type = ''] = field.split(':');
      return [FIELDS[`${name}.${key}`] ?? key, numbered(type)];
    });
    const isOurs = ([key]: readonly [string, string]): boolean =>
      !UNUSED.includes(`${name}.${key}`);
    const wanted = Object.entries(expected)
      .filter(isOurs)
      .map(([key, field]): [string, string] => [key, numbered(field)]);
    // Version 5 answers with a prepared configuration, version 6 with diagnostics only.
    const known =
      name === 'ValidateProviderConfig.Response' && version === 6 ? 'preparedConfig' : '';
    expect(Object.fromEntries(fields.filter(([key]) => key !== known))).toEqual(
      Object.fromEntries(wanted),
    );
  });

  it('are called by the names of the service', () => {
    const service = new Set<string>(recorded.services[`tfplugin${version}`]);
    const called = ours
      .map(([name]) => name.split('.'))
      .filter(([, part]) => part === 'Request')
      .map(([call = '']) => callPath(version, call).split('/').at(-1) ?? '');
    expect(called.filter((name) => !service.has(name))).toEqual([]);
  });
});
