import type { Diagnostic } from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import type { ProvisionRequest } from '../session/provisioner-port.ts';
import { addressOf, openSample, problems, SampleProject, thing } from './fixtures/sample-run.ts';
import { isProvisioned, provisionCreated, provisionLeaving } from './provision.ts';
import { targetOf } from './target.ts';

const A = addressOf('test_thing.a');
const SELF = thing({ id: 'x', name: 'a', secret: 'hidden', size: 1 });

const exec = (command: string, more = ''): string =>
  `  provisioner "local-exec" {\n    command = ${command}\n    ${more}\n  }\n`;
const resource = (body: string): string => `resource "test_thing" "a" {\n  name = "a"\n${body}}\n`;

/** Provisions `test_thing.a` after its creation. */
async function provision(
  body: string,
  answer: (request: ProvisionRequest) => readonly ProviderDiagnostic[] = () => [],
) {
  const project = new SampleProject(resource(body));
  const commands: string[] = [];
  const provisioners = {
    provision: (request: ProvisionRequest) => {
      commands.push(request.config.attr('command').asString());
      return Promise.resolve(answer(request));
    },
  };
  const { run, evaluate } = await openSample(project, {}, { provisioners });
  await evaluate('test_thing.a');
  const target = await targetOf(run, A, []);
  if (target === undefined) throw new Error('no target');
  const diagnostics: Diagnostic[] = [];
  await provisionCreated(run, target, SELF, diagnostics);
  const output = project.events.flatMap((event) =>
    event.kind === 'provision-progress' ? [event.output] : [],
  );
  const ends = project.events.flatMap(({ kind }) =>
    kind === 'provision-complete' || kind === 'provision-errored' ? [kind] : [],
  );
  return {
    commands,
    output,
    ends,
    problems: problems(diagnostics),
    isProvisioned: isProvisioned(target),
  };
}

const fails = (): readonly ProviderDiagnostic[] => [
  { severity: 'error', summary: 'It failed', detail: 'exit code 1' },
];

describe('provisioning a created object', () => {
  it('runs its creation-time provisioners in order, with self', async () => {
    const result = await provision(
      exec('self.id') + exec('"never"', 'when = destroy') + exec('"second"'),
    );
    expect(result.commands).toEqual(['x', 'second']);
    expect(result.ends).toEqual(['provision-complete', 'provision-complete']);
    expect(result.isProvisioned).toBe(true);
  });

  it('runs none if there are only destroy-time provisioners', async () => {
    const result = await provision(exec('"never"', 'when = destroy'));
    expect(result.commands).toEqual([]);
    expect(result.isProvisioned).toBe(false);
  });

  it.each([
    ['fail', ['first'], 'error: It failed: exit code 1'],
    ['continue', ['first', 'second'], ''],
  ])('after a failure handles on_failure = %s', async (handling, commands, expected) => {
    const result = await provision(
      exec('"first"', `on_failure = ${handling}`) + exec('"second"'),
      ({ config }) => (config.attr('command').asString() === 'first' ? fails() : []),
    );
    expect(result.commands).toEqual(commands);
    expect(result.ends[0]).toBe('provision-errored');
    expect(result.problems).toBe(expected);
  });

  it.each([
    ['"plain"', 'line'],
    ['sensitive("x")', '(output suppressed due to sensitive value in config)'],
  ])('shows the output of %s as %s', async (command, expected) => {
    const { output } = await provision(exec(command), (request) => {
      request.output('line');
      return [];
    });
    expect(output).toEqual([expected]);
  });

  it('leaves sensitive values out of errors', async () => {
    const { problems } = await provision(exec('sensitive("hunter2")'), () => [
      { severity: 'error', summary: 'It failed', detail: 'running "hunter2"' },
    ]);
    expect(problems).not.toContain('hunter2');
    expect(problems).toContain('It failed');
  });
});

describe('provisioning an object that is destroyed', () => {
  const leaving = async (text: string) => {
    const project = new SampleProject(text).store({ 'test_thing.a': { id: 'i', name: 'a' } });
    const { run } = await openSample(project);
    const diagnostics: Diagnostic[] = [];
    const hasAny = await provisionLeaving(run, A, SELF, diagnostics);
    expect(diagnostics).toEqual([]);
    const commands = project.provisions.map(({ config }) => config.attr('command').asString());
    return { hasAny, commands };
  };

  it.each([
    ['its resource', resource(exec('self.id', 'when = destroy') + exec('"never"')), ['x']],
    [
      'the removed block of its resource',
      `removed {\n  from = test_thing.a\n${exec('self.name', 'when = destroy')}}\n`,
      ['a'],
    ],
    ['nothing', '', []],
    ['a resource without destroy-time provisioners', resource(exec('"never"')), []],
  ])('runs the destroy-time provisioners of %s', async (_name, text, commands) => {
    expect(await leaving(text)).toEqual({ hasAny: commands.length > 0, commands });
  });
});
