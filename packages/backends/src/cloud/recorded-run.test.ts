import { expect, it } from 'vitest';
import { readApiDocument } from './api-object.ts';
import { recordedRuns } from './recorded-run.ts';

const related = (type: string, id: string) => ({ data: { type, id } });

it('decodes runs with their user and the counts of their plan and apply', () => {
  const document = readApiDocument({
    data: [
      {
        id: 'run-2',
        type: 'runs',
        attributes: {
          status: 'applied',
          message: 'Queued from the page',
          source: 'tfe-ui',
          'created-at': '2026-01-02T03:04:05.000Z',
          'is-destroy': true,
          'refresh-only': false,
          'plan-only': false,
        },
        relationships: {
          plan: related('plans', 'plan-2'),
          apply: related('applies', 'apply-2'),
          'created-by': related('users', 'user-1'),
        },
      },
      { id: 'run-1', type: 'runs', attributes: { status: 7 }, relationships: { plan: {} } },
    ],
    included: [
      { id: 'user-1', type: 'users', attributes: { username: 'ada' } },
      {
        id: 'plan-2',
        type: 'plans',
        attributes: { 'resource-additions': 1, 'resource-destructions': 2, 'resource-imports': 3 },
      },
      { id: 'apply-2', type: 'applies', attributes: { 'resource-additions': null } },
    ],
  });
  expect(recordedRuns(document)).toEqual([
    {
      id: 'run-2',
      created: '2026-01-02T03:04:05.000Z',
      createdBy: 'ada',
      source: 'tfe-ui',
      message: 'Queued from the page',
      status: 'applied',
      isDestroy: true,
      isRefreshOnly: false,
      isPlanOnly: false,
      plan: 'plan-2',
      planned: { created: 1, updated: 0, deleted: 2, imported: 3 },
      applied: undefined,
    },
    {
      id: 'run-1',
      created: '',
      createdBy: undefined,
      source: '',
      message: '',
      status: '',
      isDestroy: false,
      isRefreshOnly: false,
      isPlanOnly: false,
      plan: undefined,
      planned: undefined,
      applied: undefined,
    },
  ]);
});
