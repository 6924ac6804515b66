import type { TestEvent } from '@terrane/engine';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { openProject } from '../project.ts';
import { runTests, type Tested } from './run-tests.ts';

const FILES = {
  'main.tf': 'resource "terraform_data" "a" {\n  input = "x"\n}\n',
  'a.tftest.hcl': 'run "one" {\n}\nrun "two" {\n  state_key = "k"\n}\n',
  'b.tftest.hcl': 'run "three" {\n}\n',
};

/** Runs the tests; `on` is called with a short form of each event and may interrupt, softly or not. */
async function tested(
  on: (event: string, interrupt: { soft(): void; hard(): void }) => void,
): Promise<{ readonly tested: Tested; readonly events: readonly TestEvent[] }> {
  const host = memoryHost();
  for (const [path, text] of Object.entries(FILES)) await host.files.writeFile(path, text);
  const soft = new AbortController();
  const hard = new AbortController();
  const events: TestEvent[] = [];
  const result = await runTests(
    openProject(host),
    {
      testDirectory: 'tests',
      filter: [],
      variables: [],
      verbose: false,
      runParallelism: 1,
    },
    {
      emit(event) {
        events.push(event);
        const name = event.kind === 'run' ? `${event.run.name} ${event.progress}` : event.kind;
        on(name, { soft: () => soft.abort(), hard: () => hard.abort() });
      },
      showDiagnostics: () => undefined,
      signal: soft.signal,
      abort: hard.signal,
    },
  );
  return { tested: result, events };
}

const statuses = ({ suite }: Tested): readonly string[] =>
  (suite?.files ?? []).flatMap(({ runs }) => runs.map(({ name, status }) => `${name} ${status}`));

describe('tests that are interrupted', () => {
  it('end the run under way, clean up and skip the others', async () => {
    const { tested: result, events } = await tested((event, interrupt) => {
      if (event === 'one starting') interrupt.soft();
    });
    expect(statuses(result)).toStrictEqual(['one pass', 'two skip', 'three skip']);
    const cleaned = events.filter((event) => event.kind === 'cleanup');
    expect(cleaned.map(({ state }) => state.isEmpty)).toStrictEqual([true]);
    expect(events.at(-1)?.kind).toBe('conclusion');
  });

  it('stop at the second interrupt, report existing objects, and remove nothing', async () => {
    const { tested: result, events } = await tested((event, interrupt) => {
      if (event === 'two starting') interrupt.soft();
      if (event === 'two starting') interrupt.hard();
    });
    expect(statuses(result)).toStrictEqual(['one pass', 'two error', 'three pending']);
    expect(events.some(({ kind }) => kind === 'cleanup' || kind === 'conclusion')).toBe(false);
    const { suite } = result;
    expect(suite?.files[0]?.runs[1]?.diagnostics[0]?.summary).toBe('Test interrupted');
  });

  it('report existing objects during the clean-up', async () => {
    const { events } = await tested((event, interrupt) => {
      if (event === 'two teardown') interrupt.hard();
    });
    const interrupted = events.find((event) => event.kind === 'interrupt');
    expect(
      interrupted?.kind === 'interrupt' && [...interrupted.state.managedInstances()].length,
    ).toBe(1);
    expect(
      interrupted?.kind === 'interrupt' && interrupted.states.map(({ run }) => run.name),
    ).toStrictEqual(['two']);
  });
});
