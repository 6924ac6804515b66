import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AcceptanceFailure,
  acceptanceTest,
  inAnyOrder,
  isSet,
  type Step,
  UNKNOWN,
} from '@terrane/provider-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type Fault, Shelf } from './shelf-provider.ts';

const parentDirectory = mkdtempSync(join(tmpdir(), 'provider-testing-'));
afterAll(() => rmSync(parentDirectory, { recursive: true }));

const BOOK = `
  variable "title" { default = "Moby-Dick" }
  resource "shelf_book" "a" {
    title = var.title
    shelf = "sea"
    tags  = { lang = "en" }
  }
  output "revision" { value = shelf_book.a.revision }
`;

/** Runs steps against books of their own and gives these, and why it failed. */
async function run(
  steps: readonly Step[] | ((shelf: Shelf) => readonly Step[]),
  fault?: Fault,
): Promise<{ readonly shelf: Shelf; readonly failure: AcceptanceFailure | undefined }> {
  const shelf = new Shelf(fault);
  const providers = { shelf: shelf.provider };
  const made = typeof steps === 'function' ? steps(shelf) : steps;
  try {
    await acceptanceTest({ providers, steps: made, parentDirectory });
  } catch (error) {
    if (error instanceof AcceptanceFailure) return { shelf, failure: error };
    throw error;
  }
  return { shelf, failure: undefined };
}

async function failureOf(
  steps: readonly Step[] | ((shelf: Shelf) => readonly Step[]),
  fault?: Fault,
): Promise<string> {
  const { failure } = await run(steps, fault);
  if (failure === undefined) throw new Error('the test did not fail');
  return failure.message;
}

describe('a test that holds', () => {
  test('creates, updates, replaces, reads, imports and destroys', async () => {
    const shelf = new Shelf();
    const seen: string[] = [];
    await acceptanceTest({
      parentDirectory,
      providers: { 'acme/shelf': shelf.provider },
      steps: [
        {
          config: BOOK,
          plan: {
            'shelf_book.a': {
              action: 'create',
              after: { title: 'Moby-Dick', id: UNKNOWN, tags: { lang: 'en' } },
            },
          },
          state: {
            'shelf_book.a': {
              id: /^b\d+$/,
              title: 'Moby-Dick',
              borrowed: false,
              tags: { lang: isSet },
              revision: (value) => value === 1,
              pin: null,
            },
            'shelf_book.b': null,
          },
          outputs: { revision: 1 },
          check: ({ objects }) => void seen.push(...objects.keys()),
        },
        { import: 'shelf_book.a' },
        {
          config: BOOK,
          variables: { title: 'Omoo' },
          plan: {
            'shelf_book.a': {
              action: 'update',
              before: { title: 'Moby-Dick' },
              after: { title: 'Omoo', id: 'b1' },
            },
          },
          state: { 'shelf_book.a': { title: 'Omoo', revision: 2 } },
        },
        {
          config: BOOK.replace('"sea"', '"land"'),
          plan: { 'shelf_book.a': { action: 'replace', replacedBy: ['shelf'] } },
          state: { 'shelf_book.a': { title: 'Moby-Dick', id: 'b2', revision: 1 } },
        },
        {
          name: 'a data source',
          config: `${BOOK.replace('"sea"', '"land"')}
            data "shelf_titles" "all" {
              shelf      = shelf_book.a.shelf
            }`,
          plan: 'empty',
          planAfter: 'empty',
          state: { 'data.shelf_titles.all': { titles: inAnyOrder('Moby-Dick') } },
        },
        {
          name: 'somebody borrows it',
          refresh: true,
          before: () => void (shelf.books.get('b2')!.borrowed = true),
          drift: { 'shelf_book.a': { borrowed: true } },
          state: { 'shelf_book.a': { borrowed: true } },
        },
        {
          name: 'somebody renames it',
          refresh: true,
          before: () => void (shelf.books.get('b2')!.title = 'Typee'),
          drift: { 'shelf_book.a': { title: 'Typee' } },
          plan: { 'shelf_book.a': { action: 'update', after: { title: 'Moby-Dick' } } },
        },
        {
          name: 'somebody throws it away',
          refresh: true,
          before: () => shelf.books.clear(),
          drift: { 'shelf_book.a': null },
          state: { 'shelf_book.a': null },
          plan: { 'shelf_book.a': 'create' },
        },
        { config: BOOK, planOnly: true, plan: 'changes' },
        { config: BOOK, plan: { 'shelf_book.a': 'create' } },
        { config: BOOK, destroy: true, plan: { 'shelf_book.a': 'delete' } },
        {
          config: {
            'main.tf': 'module "m" {\n  source = "./m"\n  for_each = toset(["x", "y"])\n}',
            'm/main.tf': BOOK,
          },
          plan: {
            'module.m["x"].shelf_book.a': 'create',
            'module.m["y"].shelf_book.a': 'create',
          },
        },
        { import: 'module.m["y"].shelf_book.a', id: ({ id }) => String(id) },
      ],
      afterDestroy: ({ objects }) => {
        seen.push(...objects.keys());
        expect(shelf.books.size).toBe(0);
      },
    });
    expect(seen).toEqual([
      'shelf_book.a',
      'module.m["x"].shelf_book.a',
      'module.m["y"].shelf_book.a',
    ]);
  });

  test('expects errors, of validating and of applying', async () => {
    const { failure, shelf } = await run([
      { config: BOOK },
      { config: BOOK, variables: { title: '' }, error: 'A book has to have a title.' },
      {
        config: `${BOOK} resource "shelf_book" "b" {\n title = "x"\n shelf = "full"\n }`,
        error: /no room on the shelf \w+/,
      },
      { config: 'output "x" {', error: 'Unclosed configuration block' },
      { import: 'shelf_book.a', error: 'there is none' },
    ]);
    expect(failure).toMatchObject({ step: 5 });
    expect(failure?.message).toContain('there is no error with there is none');
    expect(shelf.books.size).toBe(0);
  });

  test('imports without some attributes, and expects errors of imports', async () => {
    const config = BOOK.replace('tags ', 'pin = "1234"\n tags ');
    const { failure } = await run([
      { config },
      { import: 'shelf_book.a', ignore: ['pin'] },
      {
        import: 'shelf_book.a',
        ignore: ['pin'],
        plan: { action: 'update', after: { pin: '1234' } },
      },
      { import: 'shelf_book.a', id: 'b9', error: 'Cannot import non-existent remote object' },
    ]);
    expect(failure).toBeUndefined();
  });
});

describe('a test fails, with the reason,', () => {
  test.each<[string, readonly Step[], string, Fault?]>([
    [
      'where the state is not as expected',
      [
        {
          config: BOOK,
          state: { 'shelf_book.a': { title: 'Omoo', id: null }, 'shelf_book.b': {} },
        },
      ],
      `step 1 of 1: the state is not as expected
  - shelf_book.a: title is "Moby-Dick", expected "Omoo"
  - shelf_book.a: id is "b1", expected null
  - shelf_book.b is not in the state, which has shelf_book.a`,
    ],
    [
      'where an output is not as expected',
      [{ config: BOOK, outputs: { revision: 2, other: 1 } }],
      `  - output revision is 1, expected 2\n  - there is no output other`,
    ],
    [
      'where an attribute does not exist',
      [{ config: BOOK, state: { 'shelf_book.a': { titel: 'x', tags: { color: 'red' } } } }],
      `  - shelf_book.a: titel does not exist, expected "x"\n  - shelf_book.a: tags.color does not exist, expected "red"`,
    ],
    [
      'where something should not be there',
      [{ config: BOOK, state: { 'shelf_book.a': null } }],
      'shelf_book.a should not be in the state',
    ],
    [
      'where the plan has another action',
      [{ name: 'first', config: BOOK, plan: { 'shelf_book.a': 'update' } }],
      'step 1 of 1 (first): the plan is not as expected: shelf_book.a should have the action update, but has create',
    ],
    [
      'where the plan changes more',
      [{ config: BOOK, plan: {} }],
      'the plan is not as expected: it also changes shelf_book.a (create)',
    ],
    [
      'where the plan should be empty',
      [{ config: BOOK, plan: 'empty' }],
      'it should change nothing, but changes shelf_book.a, revision',
    ],
    [
      'where the plan should change something',
      [{ config: BOOK }, { config: BOOK, plan: 'changes' }],
      'step 2 of 2: the plan is not as expected: it should change something',
    ],
    [
      'where a planned value is not as expected',
      [{ config: BOOK, plan: { 'shelf_book.a': { action: 'create', after: { id: 'b1' } } } }],
      'shelf_book.a is not as expected after the change: id is (known after apply), expected "b1"',
    ],
    [
      'where something else replaces it',
      [
        { config: BOOK },
        {
          config: BOOK.replace('"sea"', '"land"'),
          plan: { 'shelf_book.a': { action: 'replace', replacedBy: ['title'] } },
        },
      ],
      'shelf_book.a is replaced because of [shelf], expected [title]',
    ],
    [
      'where an error does not come',
      [{ config: BOOK, error: 'No room' }],
      'step 1 of 1: there is no error with No room',
    ],
    [
      'where another error comes',
      [{ config: BOOK, variables: { title: '' }, error: /No room/ }],
      'planning failed, but not with /No room/\n\nError: Invalid title',
    ],
    [
      'where an error comes',
      [{ config: BOOK.replace('"sea"', '"full"') }],
      'applying failed\n\nError: No room',
    ],
    [
      'where a warning does not come',
      [{ config: BOOK, warning: 'Deprecated' }],
      'there is no warning with Deprecated',
    ],
    [
      'where reading gives something else than creating',
      [{ config: BOOK }],
      'step 1 of 1: the plan after a refresh is not as expected: it should change nothing, but changes shelf_book.a',
      'reads another title',
    ],
    [
      'where the plan after is expected to change something and does not',
      [{ config: BOOK, planAfter: 'changes' }],
      'the plan after the apply, without a refresh, is not as expected: it should change something',
    ],
    [
      'where the provider breaks the contract',
      [{ config: BOOK }],
      'Provider produced inconsistent result after apply',
      'shouts',
    ],
    [
      'where nothing has drifted',
      [{ config: BOOK }, { refresh: true, drift: { 'shelf_book.a': { title: 'x' } } }],
      'step 2 of 2: shelf_book.a has not changed outside',
    ],
    [
      'where there is nothing to import',
      [{ config: BOOK }, { import: 'shelf_book.b' }],
      'there is no shelf_book.b to import: the state does not have it',
    ],
    [
      'where an imported object is not imported',
      [{ config: BOOK }, { import: 'shelf_book.a', id: 'b9' }],
      'Cannot import non-existent remote object',
    ],
    [
      'where an import misses something',
      [{ config: BOOK }, { import: 'shelf_book.a' }],
      'the imported shelf_book.a differs from its state\n  - tags: { lang: "en" } became null',
      'imports no tags',
    ],
    [
      'where an import needs a change',
      [
        { config: BOOK.replace('tags ', 'pin = "1"\n tags ') },
        { import: 'shelf_book.a', ignore: ['pin'], plan: 'no-op' },
      ],
      'the imported shelf_book.a should have the action no-op, but has update',
    ],
    [
      'where a check throws',
      [
        {
          config: BOOK,
          check: () => {
            throw new Error('the telephone rings');
          },
        },
      ],
      'step 1 of 1: the telephone rings',
    ],
  ])('%s', async (_, steps, message, fault) => {
    expect(await failureOf(steps, fault)).toContain(message);
  });

  test('if drift is not as expected', async () => {
    const message = await failureOf((shelf) => [
      { config: BOOK },
      {
        refresh: true,
        before: () => void (shelf.books.get('b1')!.title = 'Typee'),
        drift: { 'shelf_book.a': { title: 'Omoo' } },
      },
    ]);
    expect(message).toContain(
      'shelf_book.a has not changed outside as expected: title is "Typee", expected "Omoo"',
    );
  });

  test('if drift is not fixed', async () => {
    const message = await failureOf((shelf) => [
      { config: BOOK },
      { refresh: true, before: () => void (shelf.books.get('b1')!.title = 'Typee') },
    ]);
    expect(message).toContain('the plan after the refresh is not as expected');
  });

  test('if objects remain after the destroy', async () => {
    const shelf = new Shelf('forgets to delete');
    const work = acceptanceTest({
      parentDirectory,
      providers: { shelf: shelf.provider },
      steps: [{ config: BOOK }],
      afterDestroy: () => expect(shelf.books.size).toBe(0),
    });
    await expect(work).rejects.toThrow('after the destroy: expected 1 to be +0');
  });

  test('and reports errors of the destroy, too', async () => {
    const shelf = new Shelf();
    const work = acceptanceTest({
      parentDirectory,
      providers: { shelf: shelf.provider },
      steps: [{ config: BOOK, outputs: { revision: 2 } }],
      afterDestroy: () => {
        throw new Error('dust');
      },
    });
    await expect(work).rejects.toThrow(/output revision is 1[^]*Besides: after the destroy: dust/);
    await expect(work).rejects.toMatchObject({ step: 1 });
  });
});

test('destroys everything after a failed step', async () => {
  const { shelf, failure } = await run([{ config: BOOK, outputs: { revision: 2 } }]);
  expect(failure?.step).toBe(1);
  expect(shelf.books.size).toBe(0);
});

test('leaves no directory behind, unless requested', async () => {
  expect(readdirSync(parentDirectory)).toEqual([]);
  const work = acceptanceTest({
    parentDirectory,
    keepDirectory: true,
    providers: { shelf: new Shelf().provider },
    steps: [{ config: BOOK, outputs: { revision: 2 } }],
  });
  await expect(work).rejects.toThrow(`The working directory is ${parentDirectory}`);
  const [kept = ''] = readdirSync(parentDirectory);
  expect(readdirSync(join(parentDirectory, kept))).toContain('main.tf');
  rmSync(join(parentDirectory, kept), { recursive: true });
});

test('rejects an invalid provider address', async () => {
  const work = acceptanceTest({ providers: { 'a/b/c/d': new Shelf().provider }, steps: [] });
  await expect(work).rejects.toThrow('a/b/c/d is not a provider address');
});
