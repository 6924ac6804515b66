// The documentation page of the consistency rules, and that no resource type is missing on it.
import { resolve } from 'node:path';
import { provider } from '@terrane/provider-aws';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { consistencyPage } from './page.ts';
import { SERVICES } from './services.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/aws-consistency.md');

it('the page has the rules that the tests run', async () => {
  await expect(consistencyPage(SERVICES)).toMatchFileSnapshot(PAGE);
});

it('every resource type has rules or the reason for their absence', async () => {
  const { resources } = await provider.create(memoryHost()).schema();
  const types = SERVICES.flatMap((service) => service.types);
  expect(types.map(({ type }) => type).toSorted()).toEqual(Object.keys(resources).toSorted());
  const silent = types.filter(({ rules, note }) => rules.length === 0 && note === undefined);
  expect(silent.map(({ type }) => type)).toEqual([]);
});

it('every resource type names the sources that it was compared with', () => {
  for (const { type, sources } of SERVICES.flatMap((service) => service.types)) {
    expect(sources.length, type).toBeGreaterThan(0);
    for (const { commit, release } of sources) {
      expect(commit ?? release, type).toMatch(/^([0-9a-f]{40}|[56])$/);
    }
  }
});
