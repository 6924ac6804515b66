import type { Diagnostic } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { applyChange } from './change-step.ts';
import { addressOf, openSample, problems, SampleProject } from './fixtures/sample-run.ts';

const A = addressOf('test_thing.a');
const FAILURE = { severity: 'error', summary: 'It failed', detail: 'Not today.' } as const;

/** Creates `test_thing.a` and returns the recorded events, with the status of stored objects. */
async function creation(text: string, failing: 'provisioner' | 'action' | undefined) {
  const project = new SampleProject(text);
  const provisioners = {
    provision: () => Promise.resolve(failing === 'provisioner' ? [FAILURE] : []),
  };
  const { run, recorded, evaluate } = await openSample(project, {}, { provisioners });
  if (text.includes('action "')) await evaluate('action.test_act.go');
  await evaluate('test_thing.a');
  if (failing === 'action')
    project.overrides = { invokeAction: () => ({ diagnostics: [FAILURE] }) };
  const diagnostics: Diagnostic[] = [];
  await applyChange(run, 0, A, undefined, diagnostics);
  return {
    events: recorded.map((event) => (event.kind === 'put' ? event.object.status : event.kind)),
    end: project.events.findLast(({ kind }) => kind.startsWith('apply-'))?.kind,
    added: run.counts.added,
    problems: problems(diagnostics),
  };
}

const PROVISIONED =
  'resource "test_thing" "a" {\n  name = "a"\n  provisioner "local-exec" {\n    command = "x"\n  }\n}\n';

describe('an object with provisioners', () => {
  it('is tainted until they have succeeded', async () => {
    expect(await creation(PROVISIONED, undefined)).toEqual({
      events: ['intent', 'tainted', 'ready'],
      end: 'apply-complete',
      added: 1,
      problems: '',
    });
  });

  it('stays tainted if one fails', async () => {
    expect(await creation(PROVISIONED, 'provisioner')).toEqual({
      events: ['intent', 'tainted'],
      end: 'apply-errored',
      added: 0,
      problems: 'error: It failed: Not today.',
    });
  });
});

describe('an object that triggers an action', () => {
  const triggering = (handling: string): string => `
    action "test_act" "go" {
      config {
        say = "go"
      }
    }
    resource "test_thing" "a" {
      name = "a"
      lifecycle {
        action_trigger {
          events     = [after_create]
          actions    = [action.test_act.go]
          on_failure = ${handling}
        }
      }
    }
  `;

  it.each([
    ['taint', ['intent', 'ready', 'invoke', 'invoke', 'tainted'], 'apply-errored', 0],
    ['halt', ['intent', 'ready', 'invoke', 'invoke'], 'apply-errored', 0],
    ['continue', ['intent', 'ready', 'invoke', 'invoke'], 'apply-complete', 1],
  ])('is handled by on_failure = %s', async (handling, events, end, added) => {
    expect(await creation(triggering(handling), 'action')).toMatchObject({ events, end, added });
  });
});
