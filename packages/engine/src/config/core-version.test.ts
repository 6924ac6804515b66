import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { loadConfiguration } from './load.ts';

async function problems(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const host = memoryHost();
  await host.files.makeDirectory('m');
  for (const [path, text] of Object.entries(files)) await host.files.writeFile(path, text);
  return loadConfiguration(host.files, '.').diagnostics.map(
    ({ summary, detail }) => `${summary}: ${detail}`,
  );
}

const required = (constraint: string): string =>
  `terraform {\n  required_version = "${constraint}"\n}\n`;

it.each(['1.11.4', '>= 1.0', '~> 1.11.0', '1.12.2', '~> 1.14', '>= 1.16, < 2.0', '1.16.0'])(
  'the constraint %s is met by the version that is followed, or by a later one that is understood',
  async (constraint) => {
    expect(await problems({ 'main.tf': required(constraint) })).toEqual([]);
  },
);

it.each(['< 1.0', '1.10.5', '>= 1.99', '~> 2.0'])('the constraint %s is not met', async (text) => {
  const [problem, ...rest] = await problems({ 'main.tf': required(text) });
  expect(problem).toMatch(/^Unsupported Terraform Core version: This configuration does not/);
  expect(rest).toEqual([]);
});

// Terraform 1.15 to 1.17 crash on such a value, so there is no recorded case.
it('ignore_nested_deprecations that is no bool is refused', async () => {
  const call = 'module "m" {\n  source = "./m"\n  ignore_nested_deprecations = "yes"\n}\n';
  expect(await problems({ 'main.tf': call, 'm/m.tf': '' })).toEqual([
    'Invalid type for ignore_nested_deprecations: The value for ignore_nested_deprecations must be a boolean (true or false), but the given value has type string.',
  ]);
});
