import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytes, JsonSyntaxError } from './json-bytes.ts';
import { ObjectFields } from './object-fields.ts';
import { ObjectSource } from './object-json.ts';
import { ObjectTemplates } from './object-template.ts';
import { readStateFile } from './statefile-read.ts';

/** Only large buffers have templates. */
const PADDING = ' '.repeat(1024 * 1024);

/** Returns the positions of the members of objects, and the offset of the error that ends them. */
function read(texts: readonly string[], withTemplates: boolean): readonly unknown[] {
  const json = new JsonBytes(new TextEncoder().encode(texts.join('') + PADDING));
  const source = new ObjectSource(json);
  const results: unknown[] = [];
  let from = 0;
  try {
    for (const text of texts) {
      const fields = withTemplates
        ? source.fieldsAt(from, new ObjectFields())
        : new ObjectFields().read(json, from);
      results.push({ ...fields, isAscii: undefined });
      from += new TextEncoder().encode(text).length;
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    results.push(error.offset);
  }
  return results;
}

const thing = (key: number | string, value: string): string =>
  `{
  "index_key": ${JSON.stringify(key)},
  "schema_version": 0,
  "attributes": {"id": "${value}", "n": [1, -2.5e3], "empty": "", "none": null},
  "sensitive_attributes": [],
  "private": "bnVsbA==",
  "dependencies": ["a.b", "c.d"],
  "create_before_destroy": true
}`;

describe('templates of stored objects', () => {
  it.each<[string, readonly string[]]>([
    ['strings and numbers of other lengths', [thing(1, 'x'), thing(23, ''), thing(-4, 'yyy')]],
    ['keys of another kind', [thing(1, 'x'), thing('one', 'x'), thing(2, 'x')]],
    ['escapes', [thing(1, 'x'), thing(1, String.raw`\" \\ \u00e9`), thing(2, 'é')]],
    ['null', [thing(1, 'x'), thing(2, 'x').replace('"bnVsbA=="', 'null'), thing(3, 'x')]],
    ['other members', [thing(1, 'x'), thing(2, 'x').replace('private', 'deposed')]],
    ['duplicate members', [thing(1, 'x'), thing(2, 'x').replace('private', 'attributes')]],
    ['members in other case', [thing(1, 'x'), thing(2, 'x').replace('private', 'Private')]],
    ['numbers as attributes', ['{"attributes": 1}', '{"attributes": 23}', '{"attributes": "1"}']],
    ['no members', ['{}', '{}', '{ }']],
    ['an invalid escape', [thing(1, 'x'), thing(2, String.raw`\x`)]],
    ['a control character', [thing(1, 'x'), thing(2, 'x\n')]],
    ['a leading zero', [thing(1, 'x'), thing(2, 'x').replace('-2.5', '-02.5')]],
    ['a missing number', [thing(1, 'x'), thing(2, 'x').replace('-2.5e3', '-')]],
  ])('find the members of objects with %s', (_, texts) => {
    expect(read(texts, true)).toEqual(read(texts, false));
  });

  it('find the members of objects that are changed anywhere', () => {
    const edits = fc.record({
      at: fc.nat(),
      remove: fc.nat(3),
      insert: fc.constantFrom('', ' ', '"', '\\', '0', '-', 'null', '{', '}', ']', ',', ':', '\n'),
    });
    fc.assert(
      fc.property(edits, fc.string(), ({ at, remove, insert }, value) => {
        const other = thing(at, JSON.stringify(value).slice(1, -1));
        const position = 1 + (at % (other.length - 1));
        const edited = other.slice(0, position) + insert + other.slice(position + remove);
        const texts = [thing(1, 'x'), other, edited];
        expect(read(texts, true)).toEqual(read(texts, false));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('are replaced by later ones, and given up if they rarely match', () => {
    const shapes = Array.from({ length: 60 }, (_, i) =>
      thing(i, 'x').replace('{', `{${' '.repeat(i)}`),
    );
    const texts = [...shapes, ...shapes];
    expect(read(texts, true)).toEqual(read(texts, false));
  });

  it('match in a buffer of Node, whose slices are not copies', () => {
    const [first, second] = [thing(1, 'x'), thing(2, 'yy')];
    const json = new JsonBytes(Buffer.from(`  ${first}${second}`));
    const templates = new ObjectTemplates();
    templates.add(json, 2, new ObjectFields().read(json, 2));
    const fields = new ObjectFields();
    expect(templates.read(json, 2 + first.length, fields)).toBe(true);
    expect({ ...fields, isAscii: false }).toEqual({
      ...new ObjectFields().read(json, 2 + first.length),
    });
  });

  it('decode attributes beyond ASCII', () => {
    const ids = Array.from(
      { length: 4000 },
      (_, i) => `${'x'.repeat(300)}${i % 3 === 0 ? 'é' : i}`,
    );
    const instances = ids.map((id, i) => thing(i, id)).join(',');
    const text = `{"version":4,"terraform_version":"1.11.4","resources":[{"mode":"managed","type":"a","name":"b","provider":"provider[\\"registry.terraform.io/hashicorp/null\\"]","instances":[${instances}]}]}`;
    const { file, diagnostics } = readStateFile(new TextEncoder().encode(text));
    expect(diagnostics).toEqual([]);
    const found = [...(file?.state.instances() ?? [])].map((addr) => {
      const json = file?.state.instance(addr)?.current?.attributesJson ?? '';
      return (JSON.parse(json) as { readonly id: string }).id;
    });
    expect(found).toEqual(ids);
  });
});
