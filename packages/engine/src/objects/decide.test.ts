import {
  attrStep,
  bool,
  indexStep,
  integer,
  list,
  nullOf,
  number,
  NUMBER,
  object,
  type Path,
  str,
  STRING,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import {
  decideAction,
  type Decision,
  type Evidence,
  isEqual,
  isReplace,
  requiredReplacements,
} from './decide.ts';

const thing = (name: Value, size: Value = number(1)): Value =>
  object(
    new Map([
      ['name', name],
      ['size', size],
    ]),
  );
const NAME: Path = [attrStep('name')];
const A = thing(str('a'));
const B = thing(str('b'));
const NONE = nullOf(A.type);

const evidence = (prior: Value, planned: Value, more: Partial<Evidence> = {}): Evidence => ({
  prior,
  planned,
  createBeforeDestroy: false,
  forced: false,
  requiredReplace: [],
  ...more,
});

describe('the action', () => {
  it.each<[string, Evidence, Decision]>([
    ['nothing is there', evidence(NONE, A), { action: 'create' }],
    [
      'nothing is there, whatever is asked for',
      evidence(NONE, A, { forced: true, requiredReplace: [NAME], createBeforeDestroy: true }),
      { action: 'create' },
    ],
    ['nothing differs', evidence(A, thing(str('a'))), { action: 'no-op' }],
    ['something differs', evidence(A, B), { action: 'update' }],
    ['something is not known', evidence(A, thing(unknownOf(STRING))), { action: 'update' }],
    [
      'the provider cannot update',
      evidence(A, B, { requiredReplace: [NAME] }),
      { action: 'delete-then-create', reason: 'replace_because_cannot_update' },
    ],
    [
      'the provider cannot update, and creating comes first',
      evidence(A, B, { requiredReplace: [NAME], createBeforeDestroy: true }),
      { action: 'create-then-delete', reason: 'replace_because_cannot_update' },
    ],
    [
      'it is asked for',
      evidence(A, A, { forced: true }),
      { action: 'delete-then-create', reason: 'replace_by_request' },
    ],
    [
      'it is asked for, which outweighs what the provider says',
      evidence(A, B, { forced: true, requiredReplace: [NAME] }),
      { action: 'delete-then-create', reason: 'replace_by_request' },
    ],
  ])('where %s', (_what, facts, decision) => {
    expect(decideAction(facts)).toEqual(decision);
  });

  it('is a replacement where one object takes the place of another', () => {
    const all = [
      'no-op',
      'create',
      'read',
      'update',
      'delete',
      'delete-then-create',
      'create-then-delete',
      'forget',
      'create-then-forget',
    ] as const;
    expect(all.filter(isReplace)).toEqual([
      'delete-then-create',
      'create-then-delete',
      'create-then-forget',
    ]);
  });

  it('takes nothing that is unknown for equal', () => {
    expect(isEqual(A, A)).toBe(true);
    expect(isEqual(A, thing(str('a')))).toBe(true);
    expect(isEqual(UNKNOWN, str('a'))).toBe(false);
    expect(isEqual(bool(true), bool(false))).toBe(false);
  });
});

describe('the paths that require replacement', () => {
  const who = { provider: 'registry.terraform.io/hashicorp/test', address: 'test_thing.a' };
  const required = (
    asked: readonly Path[],
    prior: Value,
    planned: Value,
    writeOnly: readonly Path[] = [],
  ) => {
    const diagnostics: Diagnostic[] = [];
    return {
      kept: requiredReplacements(asked, prior, planned, writeOnly, who, diagnostics),
      diagnostics,
    };
  };

  it('are those at which the value changes, each once', () => {
    expect(required([NAME, [attrStep('size')], NAME], A, B)).toEqual({
      kept: [NAME],
      diagnostics: [],
    });
  });

  it('count where the new value is not known', () => {
    expect(required([NAME], A, thing(unknownOf(STRING))).kept).toEqual([NAME]);
  });

  it('are none where nothing was there', () => {
    expect(required([NAME], NONE, A).kept).toEqual([]);
  });

  it('count always if the written value is not kept', () => {
    expect(required([NAME], thing(nullOf(STRING)), thing(nullOf(STRING)), [NAME]).kept).toEqual([
      NAME,
    ]);
  });

  it('may be in one of the two values only, where the other then has nothing', () => {
    const items = (...numbers: number[]): Value =>
      object(
        new Map([
          [
            'items',
            list(
              NUMBER,
              numbers.map((n) => number(n)),
            ),
          ],
        ]),
      );
    const second: Path = [attrStep('items'), indexStep(integer(1))];
    expect(required([second], items(1), items(1, 2)).kept).toEqual([second]);
    expect(required([second], items(1, 2), items(1)).kept).toEqual([second]);
  });

  it('that are in neither are the fault of the provider', () => {
    const { kept, diagnostics } = required([[attrStep('other')], NAME], A, B);
    expect(kept).toEqual([NAME]);
    expect(diagnostics.map((diagnostic) => [diagnostic.summary, diagnostic.detail])).toEqual([
      [
        'Provider produced invalid plan',
        'Provider "registry.terraform.io/hashicorp/test" has indicated "requires replacement" on test_thing.a for a non-existent attribute path.\n\nThis is a bug in the provider, which should be reported in the provider\'s own issue tracker.',
      ],
    ]);
  });
});
