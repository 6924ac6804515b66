import {
  createStateManager,
  type Plan,
  type StateFile,
  type StateManager,
  type StateRecorder,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import {
  END_BEFORE,
  END_WITHIN,
  memoryHost,
  type MemoryHost,
  ProcessEnded,
  type Survival,
} from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { errorsOf, TestProject } from './harness.ts';

const PATH = '/project/terraform.tfstate';

function managerOf(host: MemoryHost): StateManager {
  return createStateManager({
    storage: {
      read: async () =>
        (await host.files.stat(PATH)) === undefined ? undefined : await host.files.readFile(PATH),
      write: (data, beforeCommit) =>
        host.files.replaceFile(PATH, data, {
          mode: 0o600,
          ...(beforeCommit === undefined ? {} : { beforeCommit }),
        }),
    },
    host,
    journalPath: '/project/.terraform.tfstate.journal',
  });
}

const thing = (name: string, body: string): string =>
  `resource "test_thing" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';

const BEFORE = [
  thing('updated', 'size = 1'),
  thing('replaced', 'kind = "1"'),
  thing('first', `kind = "1"\n  ${FIRST}`),
  thing('stuck', `kind = "1"\n  ${FIRST}`),
  thing('removed', ''),
  thing('kept', ''),
  thing('many', 'count = 2'),
].join('');

const AFTER = [
  thing('updated', 'size = 2'),
  thing('replaced', 'kind = "2"'),
  thing('first', `kind = "2"\n  ${FIRST}`),
  thing('stuck', `kind = "2"\n  fail = "create"\n  ${FIRST}`),
  thing('half', 'fail = "partial"'),
  thing('refused', 'fail = "create"'),
  thing('kept', ''),
  thing('many', 'count = 4'),
  thing('last', 'kind = test_thing.replaced.id'),
].join('');

interface Prepared {
  readonly project: TestProject;
  readonly host: MemoryHost;
  readonly plan: Plan;
  readonly file: StateFile | undefined;
}

async function begin(host: MemoryHost): Promise<StateRecorder> {
  const { state } = await managerOf(host).withoutLock().read();
  if (state === undefined)
    throw host.files.ended ? new ProcessEnded() : new Error('the state cannot be read');
  return await state.begin();
}

/** A project whose first configuration is applied and stored, and a plan for the second. */
async function prepare(): Promise<Prepared> {
  const project = new TestProject();
  project.world.delay = () => Promise.resolve();
  const host = memoryHost();
  project.write(BEFORE);
  expect(errorsOf(await project.apply())).toEqual([]);
  const recorder = await begin(host);
  for (const addr of project.state.instances()) {
    const object = project.state.instance(addr)?.current;
    if (object !== undefined) await recorder.record({ kind: 'put', addr, object });
  }
  const { file } = await recorder.finish();
  project.state = file.state;
  project.write(AFTER);
  const { plan } = await project.plan();
  if (plan === undefined) throw new Error('no plan');
  project.world.changes.length = 0;
  return { project, host, plan, file };
}

/** Applies the plan and stores the state; whether the process came to its end by itself. */
async function run({ project, host, plan }: Prepared): Promise<boolean> {
  try {
    const recorder = await begin(host);
    await project.applyWith(plan, recorder);
    const { diagnostics } = await recorder.finish();
    return diagnostics.length === 0;
  } catch (error) {
    expect(
      [error, error instanceof Error ? error.cause : undefined].some(
        (thrown) => thrown instanceof ProcessEnded,
      ),
    ).toBe(true);
    return false;
  }
}

/** Returns the objects that are only in the world or only in the state, and were not reported as interrupted. */
function unknownObjects(
  { project }: Prepared,
  file: StateFile | undefined,
  diagnostics: readonly Diagnostic[],
): readonly string[] {
  const interrupted = new Set(
    diagnostics
      .filter((diagnostic) => diagnostic.summary === 'Interrupted operation')
      .map((diagnostic) => diagnostic.address),
  );
  const known = new Map<string, string>();
  const problems: string[] = [];
  for (const addr of file?.state.instances() ?? []) {
    const { current, deposed } = file?.state.instance(addr) ?? {};
    for (const object of [current, ...(deposed?.values() ?? [])]) {
      if (object === undefined) continue;
      const { id, size } = JSON.parse(object.attributesJson ?? '{}') as {
        id: string;
        size: number;
      };
      known.set(id, addr.text);
      if (interrupted.has(addr.text)) continue;
      const real = project.world.objects.get(id);
      if (real === undefined) problems.push(`${addr.text} is ${id}, which is gone`);
      else if (real.attr('size').asInt() !== size) problems.push(`${addr.text} has a stale size`);
    }
  }
  const addresses = new Map(project.world.changes.map((call) => [call.id, call.address]));
  for (const id of project.world.objects.keys()) {
    if (!known.has(id) && !interrupted.has(addresses.get(id) ?? ''))
      problems.push(`${id} (${addresses.get(id)}) is forgotten`);
  }
  return problems;
}

let lastPid = 1000;

describe('a run whose process ends', () => {
  it('at any write leaves each object in the state or among the interrupted operations', async () => {
    const complete = await prepare();
    const first = complete.host.files.steps.length;
    expect(await run(complete)).toBe(true);
    const total = complete.host.files.steps.length - first;
    expect(total).toBeGreaterThan(20);
    const read = await managerOf(complete.host).read();
    expect(unknownObjects(complete, read.file, read.diagnostics)).toEqual([]);
    expect(read.diagnostics).toEqual([]);

    let interruptions = 0;
    for (let at = 0; at < total; at++) {
      // Before a write is much as within the one before it.
      for (const way of at % 3 === 0 ? [END_BEFORE, END_WITHIN] : [END_WITHIN]) {
        const prepared = await prepare();
        const { host } = prepared;
        const start = host.files.steps.length;
        host.files.fault = (_step, index) => (index === start + at ? way : undefined);
        await run(prepared);
        for (const survival of ['nothing', 'everything', 'torn'] satisfies Survival[]) {
          const next = memoryHost({
            disk: host.files.disk.survive(survival),
            pid: ++lastPid,
            seed: 7,
          });
          const { file, diagnostics } = await managerOf(next).read();
          const label = `${way} step ${at}, ${survival} survives`;
          expect(errorsOf(diagnostics), label).toEqual([]);
          expect(unknownObjects(prepared, file, diagnostics), label).toEqual([]);
          if (diagnostics.some((diagnostic) => diagnostic.summary === 'Interrupted operation'))
            interruptions++;
        }
      }
    }
    // Some of them are in the middle of a call.
    expect(interruptions).toBeGreaterThan(10);
  });
});
