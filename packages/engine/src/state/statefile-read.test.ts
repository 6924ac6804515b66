import { AbsResource, ProviderConfigAddr, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import { StateDraft } from './draft.ts';
import { readStateFile } from './statefile-read.ts';
import { stateFileText } from './next-state-file.ts';

const read = (text: string) => readStateFile(new TextEncoder().encode(text));
const problems = (text: string) =>
  read(text).diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`);

const UNSUPPORTED = 'Unsupported state file format: ';
const NO_VERSION = `${UNSUPPORTED}The state file does not have a "version" attribute, which is required to identify the format version.`;
const syntax = (offset: number) => [
  `${UNSUPPORTED}The state file could not be parsed as JSON: syntax error at byte offset ${offset}.`,
  NO_VERSION,
];
const INVALID = 'Invalid state file format: ';
const v4 = (rest: string) => `{"version":4,"terraform_version":"1.11.4",${rest}}`;
const resource = (rest: string) =>
  v4(
    `"resources":[{"mode":"managed","type":"a","name":"b","provider":"provider[\\"registry.terraform.io/hashicorp/null\\"]",${rest}}]`,
  );

describe('text that is no statefile', () => {
  // Each as `terraform` 1.11.4 says it.
  it.each<[string, readonly string[]]>([
    [' ', syntax(1)],
    ['garbage', syntax(1)],
    ['{"version": 4, "serial', syntax(22)],
    ['{"version": 4}x', syntax(15)],
    ['{"version": 4,}', syntax(15)],
    ['{"version": 04}', syntax(14)],
    ['{"version": 4, "a": "\u0001"}', syntax(22)],
    ['{"version": 4, "a": "\\x"}', syntax(23)],
    ['{"version": 4, "a": tru}', syntax(24)],
    ['{"version": 4, "a": [1 2]}', syntax(24)],
    [
      'tfstatexx',
      [
        `${UNSUPPORTED}The state is stored in a legacy binary format that is not supported since Terraform v0.7. To continue, first upgrade the state using Terraform 0.6.16 or earlier.`,
      ],
    ],
    [
      '[]',
      [
        `${UNSUPPORTED}The version in the state file is array. A positive whole number is required.`,
        NO_VERSION,
      ],
    ],
    ['{"foo":1}', [NO_VERSION]],
    ['null', [NO_VERSION]],
    ['{"version": null}', [NO_VERSION]],
    [
      '{"version": 5, "terraform_version":"1.99.0"}',
      [
        `${UNSUPPORTED}The state file uses format version 5, which is not supported by Terraform 1.11.4. This state file was created by Terraform 1.99.0.`,
      ],
    ],
    [
      '{"version": 5}',
      [
        `${UNSUPPORTED}The state file uses format version 5, which is not supported by Terraform 1.11.4. This state file may have been created by a newer version of Terraform.`,
      ],
    ],
    [
      '{"version": 0}',
      [
        `${UNSUPPORTED}The state file uses JSON syntax but has a version number of zero. There was never a JSON-based state format zero, so this state file is invalid and cannot be processed.`,
      ],
    ],
    [
      '{"version": "4"}',
      [
        `${UNSUPPORTED}The version in the state file is string. A positive whole number is required.`,
      ],
    ],
    [
      '{"version": -1}',
      [
        `${UNSUPPORTED}The version in the state file is number -1. A positive whole number is required.`,
      ],
    ],
    [
      '{"version":4,"serial":"x"}',
      [`${INVALID}The state file field "serial" has invalid value string`],
    ],
    [
      '{"version":4,"terraform_version":"abc"}',
      [
        'Invalid Terraform version string: State file claims to have been written by Terraform version "abc", which is not a valid version string.',
      ],
    ],
    [
      v4('"resources":[{"mode":"foo","type":"a","name":"b"}]'),
      [
        'Invalid resource mode in state: State contains a resource with mode "foo" ("a" "b") which is not supported.',
      ],
    ],
    [
      resource(
        '"instances":[{"schema_version":0,"index_key":true},{"status":"weird"},{},{"deposed":"x"},{}]',
      ),
      [
        'Invalid resource instance metadata in state: Resource a.b has an instance with the invalid instance key true.',
        'Invalid resource instance metadata in state: Instance a.b has invalid status "weird".',
        'Invalid resource instance metadata in state: Instance a.b has an object with deposed key "x", which is not correctly formatted.',
        'Duplicate resource instance in state: Instance a.b appears multiple times in the state file.',
      ],
    ],
    [
      resource('"instances":[{"schema_version":"a","attributes":{}}]'),
      [
        `${INVALID}The state file field "resources.instances.schema_version" has invalid value string`,
      ],
    ],
    ...['1.0', '1e2', '-1', '1234567890123456'].map((number): [string, readonly string[]] => [
      resource(`"instances":[{"schema_version":${number},"attributes":{}}]`),
      [
        `${INVALID}The state file field "resources.instances.schema_version" has invalid value number ${number}`,
      ],
    ]),
    [
      v4('"outputs":{"a":{"value":1,"type":"strin"}}'),
      [
        'Invalid output value type in state: The state file has an invalid type specification for output "a": invalid primitive type name "strin".',
      ],
    ],
    [
      v4('"outputs":{"a":{"value":[1],"type":"string"}}'),
      [
        'Invalid output value saved in state: The state file has an invalid value for output "a": string is required.',
      ],
    ],
    [
      v4('"resources":[{"module":"foo","mode":"managed","type":"a","name":"b"}]'),
      ['Invalid module instance address: A module instance address must begin with "module.".'],
    ],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
    expect(read(text).file).toBeUndefined();
  });

  it('that is empty is no state and no error', () => {
    expect(read('')).toEqual({ diagnostics: [] });
  });

  it('is rejected if it is truncated at any byte', () => {
    const complete = resource('"instances":[{"attributes":{"a":[1,true,"x\\u00e9"]}}],"x":null');
    for (let length = 1; length < complete.length; length++) {
      expect(problems(complete.slice(0, length))[0], complete.slice(0, length)).toContain(
        `syntax error at byte offset ${length}.`,
      );
    }
    expect(problems(complete)).toEqual([]);
  });

  it('with a provider that cannot be understood is refused, where Terraform drops the resource', () => {
    const text = resource('"instances":[{}]').replace('provider[', 'rovider[');
    expect(problems(text)).toEqual([
      'Invalid provider configuration address: The state file has the invalid provider configuration address "rovider[\\"registry.terraform.io/hashicorp/null\\"]" for a.b.',
    ]);
  });
});

describe('accepted forms of a state file', () => {
  const B = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'a', 'b'));

  it('members come in any order, and those of later versions are ignored', () => {
    const { file, diagnostics } = read(
      `{"new":{"a":[1]},"resources":[{"instances":[{"extra":1,"attributes":{"id":"1"},"index_key":1.0}],"new":2,"provider":"provider[\\"registry.terraform.io/hashicorp/null\\"]","name":"b","type":"a","mode":"managed","each":"list"}],"serial":7,"lineage":"l","version":4}`,
    );
    expect(diagnostics).toEqual([]);
    expect(file?.serial).toBe(7);
    expect(file?.state.instance(B.instance(1))?.current?.attributesJson).toBe('{"id":"1"}');
  });

  it.each([
    ['0', 0],
    ['123456789012345', 123_456_789_012_345],
    ['1234567890123456', 1_234_567_890_123_456],
    ['1e3', 1000],
    ['1.9', 1],
    ['-2', -2],
  ])('has the number %s as an instance key', (number, key) => {
    const { file } = read(resource(`"instances":[{"index_key":${number}}]`));
    expect(file?.state.instance(B.instance(key))?.current).toBeDefined();
  });

  it('has instance keys in dependencies, which are left out', () => {
    const { file } = read(
      resource('"instances":[{"dependencies":["module.x[0].a.c","module.y.data.d.e"]}]'),
    );
    expect(file?.state.instance(B.instance(undefined))?.current?.dependencies).toEqual([
      'module.x.a.c',
      'module.y.data.d.e',
    ]);
  });

  it('shares the dependencies of neighbours', () => {
    const { file } = read(
      resource(
        '"instances":[{"index_key":0,"dependencies":["a.c"]},{"index_key":1,"dependencies":["a.c"]}]',
      ),
    );
    const [first, second] = [0, 1].map((key) => file?.state.instance(B.instance(key))?.current);
    expect(first?.dependencies).toBe(second?.dependencies);
  });

  it('is parsed once for each of the objects read last', () => {
    const large = 'x'.repeat(600 * 1024);
    const instances = [0, 1, 2].map((key) => `{"index_key":${key},"attributes":{"id":"${large}"}}`);
    const { file } = read(resource(`"instances":[${instances.join(',')}]`));
    const object = (key: number) => file?.state.instance(B.instance(key))?.current;
    const first = object(0);
    expect(object(0)).toBe(first);
    // Together they are larger than what is kept.
    expect(object(1)).not.toBe(first);
    expect(object(2)).toBe(object(2));
    expect(object(0)).not.toBe(first);
    expect(object(0)).toEqual(first);
  });

  it('has objects of the provider configuration that the resource has now', () => {
    const { file } = read(resource('"instances":[{"index_key":0}]'));
    if (file === undefined) throw new Error('the file is not readable');
    const addr = B.instance(0);
    const draft = new StateDraft(file.state);
    const before = draft.instance(addr)?.current;
    const other = ProviderConfigAddr.parse(
      'module.m.provider["registry.terraform.io/hashicorp/null"]',
    );
    if (before === undefined || other === undefined) throw new Error('nothing to compare');
    draft.apply({ kind: 'put', addr: B.instance(1), object: { ...before, provider: other } });
    expect(draft.instance(addr)?.current?.provider).toBe(other);
    expect(file.state.instance(addr)?.current).toEqual(before);
  });

  it('has check results of unknown kinds, which are left out, and of unknown status', () => {
    const { file } = read(
      v4(
        '"check_results":[{"object_kind":"new","config_addr":"x","status":"pass","objects":null},{"object_kind":"var","config_addr":"var.a","status":"odd","objects":null}]',
      ),
    );
    expect(file?.state.checks).toEqual([
      { kind: 'input_variable', configAddr: 'var.a', status: 'unknown', objects: [] },
    ]);
  });
});

describe('a statefile of an old version', () => {
  const module = (resources: string, outputs = '{}') =>
    `[{"path":["root"],"outputs":${outputs},"resources":${resources},"depends_on":[]},{"path":["root","child"],"outputs":{"x":{"sensitive":false,"type":"string","value":"y"}},"resources":{},"depends_on":[]}]`;

  it('3 is brought to version 4', () => {
    const { file, diagnostics } = read(
      `{"version":3,"terraform_version":"0.11.1","serial":8,"lineage":"l","modules":${module(
        `{"null_resource.bar.0":{"type":"null_resource","depends_on":["null_resource.baz"],"primary":{"id":"60","attributes":{"id":"60","triggers.%":"1"},"meta":{"schema_version":"1"},"tainted":true},"deposed":[{"id":"9","meta":{}}],"provider":"provider.null"},"data.null_data_source.q":{"type":"null_data_source","primary":{"id":"1","attributes":{"id":"1"},"meta":{"foo":"bar"}},"provider":""}}`,
        '{"m":{"sensitive":true,"type":"map","value":{"a":"1","b":"2"}},"l":{"type":"list","value":[]}}',
      )}}`,
    );
    expect(diagnostics).toEqual([]);
    expect(file === undefined ? '' : stateFileText(file)).toBe(`{
  "version": 4,
  "terraform_version": "0.11.1",
  "serial": 8,
  "lineage": "l",
  "outputs": {
    "l": {
      "value": [],
      "type": [
        "tuple",
        []
      ]
    },
    "m": {
      "value": {
        "a": "1",
        "b": "2"
      },
      "type": [
        "map",
        "string"
      ],
      "sensitive": true
    }
  },
  "resources": [
    {
      "mode": "data",
      "type": "null_data_source",
      "name": "q",
      "provider": "provider[\\"registry.terraform.io/-/null\\"]",
      "instances": [
        {
          "schema_version": 0,
          "attributes_flat": {
            "id": "1"
          },
          "sensitive_attributes": [],
          "private": "eyJmb28iOiJiYXIifQ=="
        }
      ]
    },
    {
      "mode": "managed",
      "type": "null_resource",
      "name": "bar",
      "provider": "provider[\\"registry.terraform.io/-/null\\"]",
      "instances": [
        {
          "index_key": 0,
          "status": "tainted",
          "schema_version": 1,
          "attributes_flat": {
            "id": "60",
            "triggers.%": "1"
          },
          "sensitive_attributes": []
        },
        {
          "index_key": 0,
          "deposed": "00000001",
          "schema_version": 0,
          "attributes_flat": {
            "id": "9"
          },
          "sensitive_attributes": []
        }
      ]
    }
  ],
  "check_results": null
}
`);
  });

  it('1 counted maps as lists, and had outputs without types', () => {
    const { file } = read(
      `{"version":1,"serial":2,"modules":[{"path":null,"outputs":{"o":"v"},"resources":{"aws_x.y":{"type":"aws_x","primary":{"id":"i","attributes":{"tags.#":"1","tags.Name":"n","list.#":"2","list.0":"a","list.1":"b","none.#":"0"}}}}}]}`,
    );
    const addr = [...(file?.state.instances() ?? [])][0]!;
    expect(file?.state.instance(addr)?.current?.attributesFlat).toEqual({
      'tags.%': '1',
      'tags.Name': 'n',
      'list.#': '2',
      'list.0': 'a',
      'list.1': 'b',
      id: 'i',
    });
    expect(file?.state.outputs.get('o')?.value.asString()).toBe('v');
    expect(file?.terraformVersion).toBe('0.0.0');
  });

  it.each([
    [
      '{"version":3,"serial":-1,"modules":[]}',
      'state has serial less than zero, which is invalid.',
    ],
    [
      '{"version":3,"serial":1,"modules":[{"path":["rot"]}]}',
      'state contains invalid module path []string{"rot"}.',
    ],
    [
      '{"version":3,"serial":1,"modules":[{"path":["root"],"resources":{"x":{}}}]}',
      'invalid internal resource address format: x.',
    ],
  ])('with a fault is refused: %s', (text, reason) => {
    expect(problems(text)).toEqual([
      `State format upgrade failed: Error upgrading state file format from version 3 to version 4: ${reason}`,
    ]);
  });
});
