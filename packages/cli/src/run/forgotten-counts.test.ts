// The number of forgotten objects in summaries: OpenTofu 1.12.6 has it, Terraform 1.11 and 1.16 do not.
import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const TOFU = { calledAs: 'tofu' } as const;

/** A project whose plan changes one object and forgets another. */
async function forgetting(): Promise<Workbench> {
  const bench = await Workbench.with({
    'main.tf': 'resource "terraform_data" "a" {}\nresource "terraform_data" "c" {}\n',
  });
  expect(await bench.run('apply -auto-approve')).toMatchObject({ code: 0 });
  await bench.write(
    'main.tf',
    'resource "terraform_data" "c" {\n  input = 1\n}\nremoved {\n  from = terraform_data.a\n  lifecycle {\n    destroy = false\n  }\n}\n',
  );
  return bench;
}

/** A project whose plan replaces an object and keeps the old one. */
async function replacing(): Promise<Workbench> {
  const resource = (trigger: number): string =>
    `resource "terraform_data" "a" {\n  triggers_replace = ${trigger}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
  const bench = await Workbench.with({ 'main.tofu': resource(1) });
  expect(await bench.run('apply -auto-approve')).toMatchObject({ code: 0 });
  await bench.write('main.tofu', resource(2));
  return bench;
}

/** The `changes` of the summaries in a `-json` stream, with their messages. */
function summaries(stdout: string): readonly (readonly [string, unknown])[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; '@message': string; changes?: unknown })
    .filter(({ type }) => type === 'change_summary')
    .map((message) => [message['@message'], message.changes]);
}

describe('under the name tofu', () => {
  it('plans and applies count forgotten objects', async () => {
    const bench = await forgetting();
    const { stdout } = await bench.run('apply -auto-approve', TOFU);
    expect(stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy, 1 to forget.\n');
    expect(stdout).toContain(
      'Apply complete! Resources: 0 added, 1 changed, 0 destroyed, 1 forgotten.\n',
    );
  });

  it('the JSON stream has the number, also if it is zero', async () => {
    const changes = { add: 0, change: 1, import: 0, remove: 0, forget: 1 };
    const bench = await forgetting();
    expect(summaries((await bench.run('apply -auto-approve -json', TOFU)).stdout)).toEqual([
      [
        'Plan: 0 to add, 1 to change, 0 to destroy, 1 to forget.',
        { ...changes, operation: 'plan' },
      ],
      [
        'Apply complete! Resources: 0 added, 1 changed, 0 destroyed, 1 forgotten.',
        { ...changes, operation: 'apply' },
      ],
    ]);
    expect(summaries((await bench.run('plan -json', TOFU)).stdout)).toEqual([
      [
        'Plan: 0 to add, 0 to change, 0 to destroy.',
        { add: 0, change: 0, import: 0, remove: 0, forget: 0, operation: 'plan' },
      ],
    ]);
  });

  it('the plan of a replacement counts the object that it keeps, the apply does not', async () => {
    const { stdout } = await (await replacing()).run('apply -auto-approve', TOFU);
    expect(stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy, 1 to forget.\n');
    expect(stdout).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.\n');
  });

  it('a destroy counts forgotten objects in the plan and in JSON only', async () => {
    const human = await (
      await replacing()
    ).run('destroy -auto-approve -suppress-forget-errors', TOFU);
    expect(human.stdout).toContain('Plan: 0 to add, 0 to change, 0 to destroy, 1 to forget.\n');
    expect(human.stdout).toContain('Destroy complete! Resources: 0 destroyed.\n');
    const json = await (
      await replacing()
    ).run('destroy -auto-approve -suppress-forget-errors -json', TOFU);
    expect(summaries(json.stdout)[1]).toEqual([
      'Destroy complete! Resources: 0 destroyed.',
      { add: 0, change: 0, import: 0, remove: 0, forget: 1, operation: 'destroy' },
    ]);
  });
});

it.each([{}, { calledAs: 'terraform' } as const])('is not there otherwise: %o', async (options) => {
  const bench = await forgetting();
  const { stdout } = await bench.run('apply -auto-approve', options);
  expect(stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.\n');
  expect(stdout).toContain('Apply complete! Resources: 0 added, 1 changed, 0 destroyed.\n');
  const json = await (await forgetting()).run('plan -json', options);
  expect(summaries(json.stdout)).toEqual([
    [
      'Plan: 0 to add, 1 to change, 0 to destroy.',
      { add: 0, change: 1, import: 0, remove: 0, operation: 'plan' },
    ],
  ]);
});
