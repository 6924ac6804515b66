// Random edits of random texts: unaffected text keeps its bytes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printHcl } from '../print/print-hcl.ts';
import { bodies } from '../testing/arbitrary-trees.ts';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { parseHcl } from '../toolkit/parse-hcl.ts';
import { editHcl } from './edit-hcl.ts';
import type { BodyEditor, ItemEditor } from './editors.ts';
import type { HclInput } from './source-text.ts';

const seed = Number(process.env['LAWS_SEED'] ?? '1');
const numRuns = Number(process.env['LAWS_RUNS'] ?? '30');

/** Printed texts with added comments and irregular spacing. */
const texts = fc
  .tuple(bodies, fc.array(fc.nat(200), { maxLength: 8 }), fc.boolean())
  .map(([body, places, crlf]) => {
    const lines = printHcl(body).split('\n');
    const extras = [
      '# comment',
      '',
      '/* two\n\nlines */',
      '   // odd',
      '\t',
      '/* in front */ ',
      '',
    ];
    for (const [i, place] of places.entries()) {
      lines.splice(place % (lines.length + 1), 0, extras[i % extras.length] ?? '');
    }
    const text = lines.join('\n');
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  })
  // A line put inside of an expression can break it.
  .filter((text) => !hasErrors(parseHcl(text).diagnostics));

const values: fc.Arbitrary<HclInput> = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constantFrom(null, true),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.constant([{}])), {
    maxKeys: 2,
  }),
);

type Edit = (body: BodyEditor, pick: number, value: HclInput) => ItemEditor | undefined;

/** Each returns the affected item, which may have been removed. */
const edits: readonly Edit[] = [
  (body, pick, value) => body.set(['new', 'a', 'b'][pick % 3] ?? 'new', value),
  (body, pick) => {
    const item = body.items[pick % body.items.length];
    item?.remove();
    return item;
  },
  (body, pick, value) =>
    body.addBlock('made', ['label'], { x: value }, pick % 2 ? first(body) : {}),
  (body, pick) => {
    const item = body.items[pick % body.items.length];
    const other = body.items[(pick >> 4) % body.items.length];
    if (item !== undefined && other !== undefined) item.moveTo(body, { after: other });
    return item;
  },
  (body, pick) => {
    const block = body.blocks()[pick % body.blocks().length];
    block?.setLabels('one', 't"wo');
    return block;
  },
  (body, pick) => {
    const item = body.items[pick % body.items.length];
    item?.setComment('A new\ncomment');
    return item;
  },
];

function first(body: BodyEditor): { before?: ItemEditor } {
  const [item] = body.items;
  return item === undefined ? {} : { before: item };
}

test('an unedited text is unchanged', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(String(editHcl(text))).toBe(text);
    }),
    { seed, numRuns },
  );
});

test('an edit keeps every other item byte for byte, and all comments', () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.tuple(fc.nat(edits.length - 1), fc.nat(1000), values), {
        minLength: 1,
        maxLength: 4,
      }),
      (text, list) => {
        let current = text;
        for (const [kind, pick, value] of list) {
          const body = editHcl(current);
          const before = body.items.map((item) => ({ item, text: item.toString() }));
          const touched = edits[kind]?.(body, pick, value);
          const result = String(body);
          const after = parseHcl(result);
          expect(after.diagnostics, `${current}\n----\n${result}`).toEqual([]);
          for (const { item, text: old } of before) {
            // The last line of a file may have been without a newline.
            if (item !== touched) expect(item.toString().trimEnd()).toBe(old.trimEnd());
          }
          const detached = (of: string): string[] =>
            of.split(/\r?\n/).filter((line) => /odd|lines \*\//.test(line));
          if (kind === 0) expect(detached(result)).toEqual(detached(current));
          current = result;
        }
      },
    ),
    { seed, numRuns },
  );
});

test('a value that was set is read back', () => {
  fc.assert(
    fc.property(texts, values, (text, value) => {
      const body = editHcl(text);
      body.set('a', value);
      const normalized = JSON.parse(JSON.stringify(value).normalize('NFC')) as unknown;
      expect(editHcl(String(body)).get('a')).toEqual(normalized);
    }),
    { seed, numRuns },
  );
});
