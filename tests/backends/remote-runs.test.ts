// Plans and applies that a server makes: what the program says and asks for, beside what terraform 1.11.4 was recorded
// to say and ask for on the same server.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runHere } from 'terrane/testing/run-here';
import { play, type Played, type Run, type Told } from './remote-runs/scenario.ts';
import { SCENARIOS } from './remote-runs/scenarios.ts';

function recorded(name: string): Played {
  const url = new URL(`remote-runs/recorded/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Played;
}

async function run(...[args, options]: Parameters<Run>): Promise<Told> {
  const { code, ...output } = await runHere(args, options);
  return { exit: code, ...output };
}

/** Returns a result without the program's name and without messages that depend on its speed. */
function comparable({ exit, stdout, stderr }: Told): Told {
  const same = (text: string): string =>
    text
      .replaceAll('Terrane', 'Terraform')
      .replaceAll('terrane', 'terraform')
      // Runs here tell that they stop.
      .replaceAll('Stopping operation...\n', '')
      .replaceAll(/\(\d+s elapsed\)/g, '(some elapsed)')
      // Terraform draws a rule where there is no terminal too.
      .replaceAll(/^─+$/gm, '');
  return { exit, stdout: same(stdout), stderr: same(stderr) };
}

it.concurrent.each(SCENARIOS)('sends the requests of terraform: $name', async (scenario) => {
  const [played, record] = [await play(scenario, run), recorded(scenario.name)];
  for (const [index, step] of scenario.steps.entries()) {
    const [ours, theirs] = [played.steps[index], record.steps[index]];
    if (ours === undefined || theirs === undefined) throw new Error('a step is missing');
    const reference = comparable(theirs);
    const expected = {
      exit: scenario.failsInterrupted === true ? 1 : reference.exit,
      stdout: scenario.failsEarlier === true ? '' : reference.stdout,
      stderr: reference.stderr,
    };
    expect(comparable(ours), step.args.join(' ')).toEqual(expected);
  }
  if (scenario.failsEarlier === true) expect(played.requests).toEqual([]);
  else if (scenario.isOfLaterVersion !== true) expect(played.requests).toEqual(record.requests);
});

it.concurrent.each(['cloud-structured', 'cloud-options'])(
  'prints only JSON in machine-readable output: %s',
  async (name) => {
    const scenario = SCENARIOS.find((each) => each.name === name);
    if (scenario === undefined) throw new Error('there is no such scenario');
    const steps = [{ args: ['apply', '-json', '-auto-approve'] }, { args: ['plan', '-json'] }];
    const played = await play({ ...scenario, steps }, run);
    for (const { exit, stdout, stderr } of played.steps) {
      expect(exit, stderr).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      const messages = lines.map((line) => JSON.parse(line) as { '@message'?: string });
      expect(messages.map((each) => each['@message']).join('\n')).toContain('runs/run-');
    }
    if (name === 'cloud-structured') {
      expect(played.steps[0]?.stdout).toContain('"type":"apply_complete"');
    }
  },
);

it.concurrent('refuses to query where the server would have to do it', async () => {
  const scenario = SCENARIOS.find(({ name }) => name === 'cloud-options');
  if (scenario === undefined) throw new Error('there is no such scenario');
  const [query] = (await play({ ...scenario, steps: [{ args: ['query', '-no-color'] }] }, run))
    .steps;
  expect(query).toMatchObject({ exit: 1, stdout: '' });
  expect(query?.stderr).toContain('Error: Remote queries are not supported');
  expect(query?.stderr).toContain('TF_FORCE_LOCAL_BACKEND');
});
