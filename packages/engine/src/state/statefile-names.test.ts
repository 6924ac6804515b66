import { describe, expect, it } from 'vitest';
import { stateFileText } from './next-state-file.ts';
import { readStateFile } from './statefile-read.ts';

const PROVIDER = String.raw`provider[\"registry.terraform.io/hashicorp/null\"]`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const v4 = (...members: string[]): string =>
  `{"version":4,"terraform_version":"1.11.4","serial":3,"lineage":"l",${members.join(',')}}`;
const resourceText = (name: string, instance = '{"attributes":{"id":"1"}}', more = ''): string =>
  `{"mode":"managed","type":"null_resource","name":"${name}","provider":"${PROVIDER}",${more}"instances":[${instance}]}`;
const check = (kind: string, address: string, objects = '[]', status = 'pass'): string =>
  `{"object_kind":"${kind}","config_addr":"${address}","status":"${status}","objects":${objects}}`;

function read(text: string): unknown {
  const { file, diagnostics } = readStateFile(encode(text));
  if (file === undefined) {
    return diagnostics.map(({ summary, detail }) =>
      detail === '' ? summary : `${summary}: ${detail}`,
    );
  }
  const again: unknown = JSON.parse(stateFileText(file));
  return again;
}

/** The members of a state that is read and written again. */
function members(text: string): Record<string, unknown> {
  const written = read(text);
  return typeof written === 'object' && written !== null ? { ...written } : {};
}

const instances = (name: string, instance: string, more = ''): unknown =>
  members(v4(`"resources":[${resourceText(name, instance, more)}]`))['resources'];
const object = (more: Readonly<Record<string, unknown>>): unknown => [
  {
    mode: 'managed',
    type: 'null_resource',
    name: 'a',
    provider: 'provider["registry.terraform.io/hashicorp/null"]',
    instances: [{ schema_version: 0, attributes: {}, sensitive_attributes: [], ...more }],
  },
];
const names = (text: string): readonly unknown[] => {
  const list = members(text)['resources'];
  return Array.isArray(list)
    ? list.map((entry: unknown) =>
        typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined,
      )
    : [read(text)];
};

// Each as `terraform` 1.11.4 reads it (`state pull`, `state list`).
describe('names of members in other letters', () => {
  it.each([
    ['Resources', v4(`"Resources":[${resourceText('b')}]`)],
    ['a long s for an s', v4(`"re\u017fources":[${resourceText('b')}]`)],
    ['escapes', v4(`"\\u0072esources":[${resourceText('b')}]`)],
    ['Version', `{"Version":4,"resources":[${resourceText('b')}]}`],
    ['VERSION after a version', `{"version":3,"VERSION":4,"resources":[${resourceText('b')}]}`],
  ])('%s', (_what, text) => {
    expect(names(text)).toEqual(['b']);
  });

  it('count as the proper ones, inside of resources too', () => {
    const text = v4(
      `"resources":[{"Mode":"managed","TYPE":"null_resource","Name":"a","PROVIDER":"${PROVIDER}","Instances":[{"Schema_Version":1,"Attributes":{"Id":"5"},"INDEX_KEY":2,"Status":"tainted","PRIVATE":"aGk=","Dependencies":["a.b"],"Create_before_destroy":true,"Sensitive_attributes":[[{"TYPE":"get_attr","Value":"Id"}]]}]}]`,
    );
    expect(members(text)['resources']).toEqual(
      object({
        index_key: 2,
        status: 'tainted',
        schema_version: 1,
        attributes: { Id: '5' },
        sensitive_attributes: [[{ type: 'get_attr', value: 'Id' }]],
        private: 'aGk=',
        dependencies: ['a.b'],
        create_before_destroy: true,
      }),
    );
  });

  it('are reported by their canonical names if their values are invalid', () => {
    expect(read('{"version":4,"Serial":"x","serial":3}')).toEqual([
      'Invalid state file format: The state file field "serial" has invalid value string',
    ]);
    expect(read(v4('"resources":[{"Mode":"managed","Instances":[{"STATUS":5}]}]'))).toEqual([
      'Invalid state file format: The state file field "resources.instances.status" has invalid value number',
    ]);
  });

  it('mean nothing where keys are names of the user', () => {
    expect(members(v4('"outputs":{"Value":{"value":1,"type":"number"}}'))['outputs']).toEqual({
      Value: { value: 1, type: 'number' },
    });
  });
});

describe('members that come more than once', () => {
  it('the last one applies, in any case', () => {
    expect(members('{"version":4,"SERIAL":9,"serial":2}')['serial']).toBe(2);
    expect(members('{"version":4,"serial":2,"SERIAL":9}')['serial']).toBe(9);
    expect(instances('a', '{"attributes":{"id":"1"},"attributes":{}}')).toEqual(object({}));
  });

  it('a null changes numbers and texts in nothing, but takes lists and the version away', () => {
    expect(instances('a', '{"attributes":{},"status":"tainted","status":null}')).toEqual(
      object({ status: 'tainted' }),
    );
    expect(names(v4(`"resources":[${resourceText('a')}]`, '"resources":null'))).toEqual([]);
    expect(read('{"version":4,"version":null}')).toEqual([
      'Unsupported state file format: The state file does not have a "version" attribute, which is required to identify the format version.',
    ]);
  });

  it('maps get the entries of all', () => {
    const flat =
      '{"attributes_flat":{"id":"1","x":"y"},"schema_version":0,"attributes_flat":{"id":"2"}}';
    expect(JSON.stringify(instances('a', flat))).toContain('"attributes_flat":{"id":"2","x":"y"}');
  });

  it('elements of a list keep members that the second list omits', () => {
    const first = `"resources":[${resourceText('a', undefined, '"module":"module.m",')},${resourceText('b')}]`;
    expect(members(v4(first, '"resources":[{"name":"z"}]'))['resources']).toMatchObject([
      { module: 'module.m', name: 'z', instances: [{ attributes: { id: '1' } }] },
    ]);
    expect(
      names(v4(first, '"resources":[{"name":"z"}]', '"resources":[{"name":"y"},{"name":"x"}]')),
    ).toEqual(['x', 'y']);
  });

  it('a wrong value is an error even where a right one follows', () => {
    expect(read('{"version":"x","version":4}')).toEqual([
      'Unsupported state file format: The version in the state file is string. A positive whole number is required.',
    ]);
  });
});

describe('results of checks', () => {
  const stored = (...results: string[]): unknown =>
    read(v4(`"check_results":[${results.join(',')}]`));
  const NAMELESS = 'Resource specification must include a resource type and name.';

  it.each([
    [check('resource', 'null_resource'), [`Invalid address: ${NAMELESS}`]],
    [
      check('check', 'module.a'),
      [
        'Invalid checkable address: Module path must be followed by either a resource instance address or an output value address.',
      ],
    ],
    [
      check('resource', 'null_resource.a[0]'),
      ['invalid checkable config address null_resource.a[0]'],
    ],
    [
      check('output', 'module.m[0].output.a'),
      ['invalid checkable config address module.m[0].output.a'],
    ],
    [
      check('resource', 'x.y', '[{"object_addr":"nope"},{"object_addr":"x.y"}]'),
      [`Invalid address: ${NAMELESS}`],
    ],
    // Terraform crashes.
    [
      check('output', 'outputs.a'),
      [
        "Invalid checkable address: Output address must follow the module address with the keyword 'output'.",
      ],
    ],
    [
      '{"object_kind":"output","objects":[{"status":4}]}',
      [
        'Invalid state file format: The state file field "check_results.objects.status" has invalid value number',
      ],
    ],
  ])('%s are refused', (result, problems) => {
    expect(stored(result)).toEqual(problems);
  });

  it('of the same object the last one counts', () => {
    const twice = [check('output', 'output.a'), check('output', ' output . a', '[]', 'fail')];
    expect(stored(...twice)).toMatchObject({
      check_results: [{ object_kind: 'output', config_addr: 'output.a', status: 'fail' }],
    });
  });

  it('of kinds that are not known are left out', () => {
    expect(stored(check('future', 'what[ever'))).toMatchObject({ check_results: null });
  });
});

describe('states of old versions', () => {
  it('are read under names in other letters', () => {
    expect(
      read(
        '{"Version":3,"Terraform_Version":"0.11.14","SERIAL":4,"Modules":[{"Path":["root"],"Outputs":{"o":{"Sensitive":true,"VALUE":["x"]}},"Resources":{"null_resource.a":{"Primary":{"Id":"1","meta":{"schema_version":"2","k":"<x>"},"Tainted":true},"PROVIDER":"provider.null"}}}]}',
      ),
    ).toMatchObject({
      serial: 4,
      terraform_version: '0.11.14',
      outputs: { o: { value: ['x'], type: ['list', 'string'], sensitive: true } },
      resources: [
        {
          name: 'a',
          instances: [
            {
              status: 'tainted',
              schema_version: 2,
              attributes_flat: { id: '1' },
              private: Buffer.from(String.raw`{"k":"\u003cx\u003e"}`).toString('base64'),
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['{"version":3,"serial":4,"modules":[{"path":"root"}]}', 'modules.path', 'string'],
    ['{"version":3,"serial":4.5}', 'serial', 'number 4.5'],
    [
      '{"version":2,"modules":[{"path":["root"],"resources":{"a.b":{"primary":{"attributes":{"x":1}}}}}]}',
      'modules.resources.primary.attributes',
      'number',
    ],
    ['{"version":1,"modules":[{"outputs":{"o":5}}]}', 'modules.outputs', 'number'],
  ])('%s is refused', (text, field, actual) => {
    expect(read(text)).toEqual([
      `Invalid state file format: The state file field "${field}" has invalid value ${actual}`,
    ]);
  });

  it.each([
    ['0x10', 16],
    ['010', 8],
    ['1_0', 10],
    ['-1', -1],
  ])('an index %s is %d', (index, key) => {
    expect(
      read(
        `{"version":3,"modules":[{"path":["root"],"resources":{"a.b.${index}":{"primary":{}}}}]}`,
      ),
    ).toMatchObject({ resources: [{ instances: [{ index_key: key }] }] });
  });

  it.each([
    ['9x', 'invalid syntax'],
    ['99999999999999999999', 'value out of range'],
  ])('an index %s is an error', (index, why) => {
    expect(
      read(
        `{"version":3,"modules":[{"path":["root"],"resources":{"a.b.${index}":{"primary":{}}}}]}`,
      ),
    ).toEqual([
      `State format upgrade failed: Error upgrading state file format from version 3 to version 4: error parsing resource address "a.b.${index}": strconv.ParseInt: parsing "${index}": ${why}.`,
    ]);
  });
});
