import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serverRunJson, serverRunsText, serverRunText } from './server-runs-view.ts';

const run: Parameters<typeof serverRunJson>[0] = {
  id: 'run-2',
  created: '2026-01-02T03:04:05.678Z',
  createdBy: 'ada',
  source: 'tfe-api',
  message: 'First line\nsecond line',
  status: 'applied',
  isDestroy: false,
  isRefreshOnly: false,
  isPlanOnly: false,
  plan: 'plan-2',
  planned: { created: 2, updated: 0, deleted: 1, imported: 0 },
  applied: { created: 1, updated: 0, deleted: 1, imported: 0 },
};

it('lists the runs of a server', () => {
  const runs = [
    run,
    {
      ...run,
      id: 'run-1',
      createdBy: undefined,
      source: 'tfe-configuration-version',
      status: 'planned_and_finished',
      isPlanOnly: true,
      isDestroy: true,
    },
    {
      ...run,
      id: 'run-0',
      created: 'no time',
      status: 'errored',
      planned: undefined,
      applied: undefined,
    },
  ];
  expect(serverRunsText(runs)).toBe(
    [
      'Run    Time (UTC)           Who                        Command        Outcome               Objects',
      'run-2  2026-01-02 03:04:05  ada                        apply          applied               +1 -1',
      'run-1  2026-01-02 03:04:05  tfe-configuration-version  plan -destroy  planned and finished  planned +2 -1',
      'run-0  no time              ada                        apply          errored',
      '',
    ].join('\n'),
  );
});

it('describes a run of a server', () => {
  const text = serverRunText(
    { run, objects: [{ address: 'a.b', action: 'replace' }] },
    'https://runs.example.com/app/acme/app/runs',
  );
  expect(text).toContain('Message:       First line\nOutcome:       applied\n');
  expect(text).toContain('Page:          https://runs.example.com/app/acme/app/runs/run-2\n');
  expect(text.endsWith('\nObjects that the plan changes:\n-/+ a.b\n')).toBe(true);
  expect(serverRunText({ run, objects: undefined }, 'u')).toContain('shows no plan of this run');
  expect(serverRunJson(run)).toMatchObject({
    id: 'run-2',
    who: 'ada',
    outcome: 'applied',
    objects: { applied: run.applied },
  });
});

it('is documented with its output', () => {
  const page = readFileSync(new URL('../../../../../docs/history.md', import.meta.url), 'utf8');
  const url = 'https://runs.example.com/app/acme/app/runs';
  const applied = {
    ...run,
    id: 'run-Qx7sTnKdRbWc5uJe',
    created: '2024-01-02T03:04:05.000Z',
    message: 'Queued manually using Terrane',
    applied: { created: 2, updated: 0, deleted: 0, imported: 0 },
  };
  const planned = {
    ...applied,
    id: 'run-8vGfHqYXZtLmPq2w',
    created: '2024-01-02T03:06:05.000Z',
    status: 'planned_and_finished',
    isPlanOnly: true,
    planned: { created: 0, updated: 1, deleted: 0, imported: 0 },
    applied: undefined,
  };
  const objects = ['server', 'disk'].map(
    (name) => ({ address: `terraform_data.${name}`, action: 'create' }) as const,
  );
  const list = `Runs at ${url}\n\n${serverRunsText([planned, applied])}`;
  const shown = serverRunText({ run: applied, objects }, url);
  expect(page).toContain(
    `$ terrane history\n${list}$ terrane history show ${applied.id}\n${shown}`,
  );
});
