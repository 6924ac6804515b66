import { str } from '@terrane/cty';
import { expect, it } from 'vitest';
import { addressOf, explainerOf, SampleProject } from './fixtures/sample-explainer.ts';
import type { Cause } from './model.ts';
import { hideSecrets, hidingSecrets, withSecrets } from './secrets.ts';
import { subjectOf } from './subject.ts';

const CAUSE: Cause = {
  kind: 'attribute',
  address: 'test_thing.a',
  attribute: [{ kind: 'attr', name: 'name' }],
  before: str('old'),
  causes: [{ kind: 'variable', address: 'var.v', after: str('new'), causes: [] }],
};

function isHidden(cause: Cause | undefined): readonly boolean[] {
  const [behind] = cause?.causes ?? [];
  return [cause?.before?.isMarked === true, behind?.after?.isMarked === true];
}

/** A planned change of the sensitive attribute `secret`. */
async function subject() {
  const text = 'resource "test_thing" "a" {\n  name = "a"\n  secret = "s"\n}\n';
  const { facts, worlds } = await explainerOf(new SampleProject(text));
  const change = facts.changes.get(addressOf('test_thing.a'));
  const created = change && subjectOf(facts, worlds, change);
  if (created === undefined) throw new Error('no subject');
  return created;
}

it('all values of a cause and of those behind it become sensitive', () => {
  expect(isHidden(withSecrets(CAUSE))).toEqual([true, true]);
  expect(isHidden(CAUSE)).toEqual([false, false]);
});

it('causes of a sensitive attribute are hidden, although their own values are not sensitive', async () => {
  const path = [{ kind: 'attr', name: 'secret' }] as const;
  expect(isHidden(hideSecrets(await subject(), path, CAUSE))).toEqual([true, true]);
  expect(hidingSecrets(await subject(), path, [CAUSE, CAUSE]).map(isHidden)).toEqual([
    [true, true],
    [true, true],
  ]);
});

it('causes of other attributes are unchanged', async () => {
  const path = [{ kind: 'attr', name: 'name' }] as const;
  expect(hideSecrets(await subject(), path, CAUSE)).toBe(CAUSE);
});
