import { explanationsJson, explanationsText } from '@terrane/render';
import { describe, expect, it } from 'vitest';
import { CHANGES } from './changes.ts';
import { applied, explained, planned } from './project.ts';

const STYLE = { color: false, width: 78 };

describe('explanations of', () => {
  it.each(CHANGES.map((change) => [change.name, change] as const))('%s', async (name, change) => {
    const project = await applied(change);
    const plan = await planned(project, change.after);
    const text = explanationsText(await explained(plan), STYLE);
    await expect(text).toMatchFileSnapshot(`recorded/${name.replaceAll(' ', '-')}.txt`);
  });
});

describe('the JSON of explanations', () => {
  it('is a document with a version, places and values', async () => {
    const change = CHANGES.find(({ name }) => name === 'a variable');
    if (change === undefined) throw new Error('no such change');
    const plan = await planned(await applied(change), change.after);
    const document: unknown = JSON.parse(explanationsJson(await explained(plan, ['test_thing.a'])));
    await expect(JSON.stringify(document, undefined, 2)).toMatchFileSnapshot(
      'recorded/document.json',
    );
  });
});
