// The documentation page of the consistency rules, and that no resource type is missing on it.
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { consistencyPage } from './page.ts';
import { SERVICES } from './services.ts';

const PAGE = resolve(import.meta.dirname, '../../../docs/aws-consistency.md');

it('the page has the rules that the tests run', async () => {
  await expect(consistencyPage(SERVICES)).toMatchFileSnapshot(PAGE);
});

it('every resource type names the sources that it was compared with', () => {
  for (const { type, sources } of SERVICES.flatMap((service) => service.types)) {
    expect(sources.length, type).toBeGreaterThan(0);
    for (const { commit, release } of sources) {
      expect(commit ?? release, type).toMatch(/^([0-9a-f]{40}|[56])$/);
    }
  }
});
