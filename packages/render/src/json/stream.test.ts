import {
  AbsResource,
  MODULE_ROOT,
  ProviderConfigAddr,
  ProviderSource,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import { expect, test } from 'vitest';
import { nullOf, number, object, parseNumber, str, STRING, tuple } from '@terrane/cty';
import type { PlannedChange } from '@terrane/engine';
import { warningDiagnostic } from '@terrane/hcl';
import { streamLine, type StreamMessage } from './stream.ts';

const TIME = new Date('2026-11-21T14:05:57.845Z');

const inModule = AbsResource.of(
  ROOT_INSTANCE.child('m', undefined),
  ResourceAddr.of('managed', 'terraform_data', 'b'),
).instance(1);
const each = (name: string): PlannedChange['addr'] =>
  AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'terraform_data', name)).instance('k<');
const data = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('data', 'local_file', 'f')).instance(
  undefined,
);

const B =
  '{"addr":"module.m.terraform_data.b[1]","module":"module.m","resource":"terraform_data.b[1]","implied_provider":"terraform","resource_type":"terraform_data","resource_name":"b","resource_key":1}';
const eachJson = (name: string): string =>
  `{"addr":"terraform_data.${name}[\\"k\\u003c\\"]","module":"","resource":"terraform_data.${name}[\\"k\\u003c\\"]","implied_provider":"terraform","resource_type":"terraform_data","resource_name":"${name}","resource_key":"k\\u003c"}`;
const DATA =
  '{"addr":"data.local_file.f","module":"","resource":"data.local_file.f","implied_provider":"local","resource_type":"local_file","resource_name":"f","resource_key":null}';

function change(part: Partial<PlannedChange> & Pick<PlannedChange, 'addr'>): PlannedChange {
  return {
    previousAddr: part.addr,
    provider: ProviderConfigAddr.of(MODULE_ROOT, ProviderSource.implied('terraform')),
    action: 'create',
    before: nullOf(STRING),
    after: nullOf(STRING),
    schemaVersion: 0,
    requiredReplace: [],
    ...part,
  };
}

function line(level: string, message: string, members: string, type = ''): string {
  const end = type === '' ? '' : `,"type":"${type}"`;
  return `{"@level":"${level}","@message":"${message}","@module":"terraform.ui","@timestamp":"2026-11-21T14:05:57.845000Z",${members}${end}}\n`;
}

// Right-hand sides are lines of `terraform apply -json`.
const cases: readonly (readonly [StreamMessage, string])[] = [
  [
    { kind: 'version' },
    line('info', 'Terraform 1.11.4', '"terraform":"1.11.4","type":"version","ui":"1.2"'),
  ],
  [
    { kind: 'event', event: { kind: 'read-start', addr: data } },
    line(
      'info',
      'data.local_file.f: Refreshing...',
      `"hook":{"resource":${DATA},"action":"read"}`,
      'apply_start',
    ),
  ],
  [
    {
      kind: 'event',
      event: { kind: 'read-complete', addr: data, elapsedMs: 5, idKey: 'id', idValue: 'f38' },
    },
    line(
      'info',
      'data.local_file.f: Refresh complete after 0s [id=f38]',
      `"hook":{"resource":${DATA},"action":"read","id_key":"id","id_value":"f38","elapsed_seconds":0}`,
      'apply_complete',
    ),
  ],
  [
    { kind: 'planned-change', change: change({ addr: inModule }) },
    line(
      'info',
      'module.m.terraform_data.b[1]: Plan to create',
      `"change":{"resource":${B},"action":"create"}`,
      'planned_change',
    ),
  ],
  [
    {
      kind: 'planned-change',
      change: change({
        addr: inModule,
        action: 'delete',
        reason: 'delete_because_count_index',
      }),
    },
    line(
      'info',
      'module.m.terraform_data.b[1]: Plan to delete',
      `"change":{"resource":${B},"action":"delete","reason":"delete_because_count_index"}`,
      'planned_change',
    ),
  ],
  [
    {
      kind: 'planned-change',
      change: change({ addr: each('z'), previousAddr: each('a'), action: 'update' }),
    },
    line(
      'info',
      'terraform_data.z[\\"k\\u003c\\"]: Plan to update',
      `"change":{"resource":${eachJson('z')},"previous_resource":${eachJson('a')},"action":"update"}`,
      'planned_change',
    ),
  ],
  [
    {
      kind: 'resource-drift',
      change: change({ addr: each('z'), previousAddr: each('a'), action: 'no-op' }),
    },
    line(
      'info',
      'terraform_data.z[\\"k\\u003c\\"]: Drift detected (move)',
      `"change":{"resource":${eachJson('z')},"previous_resource":${eachJson('a')},"action":"move"}`,
      'resource_drift',
    ),
  ],
  [
    {
      kind: 'change-summary',
      operation: 'plan',
      add: 3,
      change: 0,
      remove: 0,
      import: 0,
    },
    line(
      'info',
      'Plan: 3 to add, 0 to change, 0 to destroy.',
      '"changes":{"add":3,"change":0,"import":0,"remove":0,"operation":"plan"}',
      'change_summary',
    ),
  ],
  [
    {
      kind: 'change-summary',
      operation: 'apply',
      add: 1,
      change: 2,
      remove: 3,
      import: 4,
    },
    line(
      'info',
      'Apply complete! Resources: 4 imported, 1 added, 2 changed, 3 destroyed.',
      '"changes":{"add":1,"change":2,"import":4,"remove":3,"operation":"apply"}',
      'change_summary',
    ),
  ],
  [
    {
      kind: 'outputs',
      outputs: [
        { name: 's', action: 'create', before: nullOf(STRING), after: str('x'), sensitive: true },
        { name: 'o', action: 'no-op', before: str('x'), after: str('x'), sensitive: false },
      ],
    },
    line(
      'info',
      'Outputs: 2',
      '"outputs":{"o":{"sensitive":false,"action":"noop"},"s":{"sensitive":true,"action":"create"}}',
      'outputs',
    ),
  ],
  [
    {
      kind: 'outputs',
      outputs: new Map([
        ['s', { value: str('x'), sensitive: true }],
        [
          'o',
          {
            value: object({
              a: tuple([number(1), number(parseNumber('1.5') ?? 0)]),
              b: str('<x>'),
            }),
            sensitive: false,
          },
        ],
      ]),
    },
    line(
      'info',
      'Outputs: 2',
      '"outputs":{"o":{"sensitive":false,"type":["object",{"a":["tuple",["number","number"]],"b":"string"}],"value":{"a":[1,1.5],"b":"\\u003cx\\u003e"}},"s":{"sensitive":true,"type":"string"}}',
      'outputs',
    ),
  ],
  [
    {
      kind: 'event',
      event: { kind: 'provision-start', addr: each('a'), provisioner: 'local-exec' },
    },
    line(
      'info',
      'terraform_data.a[\\"k\\u003c\\"]: Provisioning with \'local-exec\'...',
      `"hook":{"resource":${eachJson('a')},"provisioner":"local-exec"}`,
      'provision_start',
    ),
  ],
  [
    {
      kind: 'event',
      event: {
        kind: 'provision-progress',
        addr: each('a'),
        provisioner: 'local-exec',
        output: 'one\n\ntwo  \n',
      },
    },
    ['one', 'two']
      .map((text) =>
        line(
          'info',
          `terraform_data.a[\\"k\\u003c\\"]: (local-exec): ${text}`,
          `"hook":{"resource":${eachJson('a')},"provisioner":"local-exec","output":"${text}"}`,
          'provision_progress',
        ),
      )
      .join(''),
  ],
  [
    {
      kind: 'event',
      event: {
        kind: 'refresh-start',
        addr: inModule,
        idKey: 'id',
        idValue: 'ID',
      },
    },
    line(
      'info',
      'module.m.terraform_data.b[1]: Refreshing state... [id=ID]',
      `"hook":{"resource":${B},"id_key":"id","id_value":"ID"}`,
      'refresh_start',
    ),
  ],
  [
    {
      kind: 'event',
      event: { kind: 'apply-progress', addr: inModule, action: 'delete', elapsedMs: 20_400 },
    },
    line(
      'info',
      'module.m.terraform_data.b[1]: Still destroying... [20s elapsed]',
      `"hook":{"resource":${B},"action":"delete","elapsed_seconds":20}`,
      'apply_progress',
    ),
  ],
  [
    { kind: 'event', event: { kind: 'apply-errored', addr: inModule, action: 'create' } },
    line(
      'info',
      'module.m.terraform_data.b[1]: Creation errored after 0s',
      `"hook":{"resource":${B},"action":"create","elapsed_seconds":0}`,
      'apply_errored',
    ),
  ],
  [
    { kind: 'diagnostic', diagnostic: warningDiagnostic('Check block assertion failed', 'No.') },
    line(
      'warn',
      'Warning: Check block assertion failed',
      '"diagnostic":{"severity":"warning","summary":"Check block assertion failed","detail":"No."}',
      'diagnostic',
    ),
  ],
  [{ kind: 'log', text: 'Apply cancelled' }, line('info', 'Apply cancelled', '"type":"log"')],
];

test.each(cases)('%#', (message, text) => {
  expect(streamLine(message, TIME)).toBe(text);
});
