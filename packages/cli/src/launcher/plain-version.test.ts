import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';
import { plainVersion } from './plain-version.ts';

const machine = { platform: 'linux', arch: 'x64' } as const;

function versionOutput(
  args: string,
  environment: Readonly<Record<string, string>> = { HOME: '/home' },
  there: readonly string[] = [],
): string | undefined {
  const kindOf = (path: string) =>
    there.some((name) => name.startsWith(path)) ? 'other' : undefined;
  const namesIn = (path: string) =>
    there.flatMap((name) => (name.startsWith(`${path}/`) ? [name.slice(path.length + 1)] : []));
  return plainVersion(args.split(' '), { environment, kindOf, namesIn }, machine);
}

describe('the version printed without loading the program', () => {
  it.each(['version', 'version -json', '-version', '--version', '-v'])(
    "equals the program's output: %s",
    async (args) => {
      const { stdout } = await new Workbench().run(args);
      expect(versionOutput(args)?.replace('linux_amd64', '')).toBe(stdout.replace(/linux_\w+/, ''));
    },
  );

  it.each(['', 'plan', 'version -help', 'version -json=false', '-chdir=x version', 'version x'])(
    'is not used for: %s',
    (args) => expect(versionOutput(args)).toBeUndefined(),
  );

  it.each([
    'TF_CLI_ARGS',
    'TF_LOG',
    'TF_CLI_CONFIG_FILE',
    'TERRANE_LOG',
    'OTEL_TRACES_EXPORTER',
    'COMP_LINE',
  ])('is left to the program where %s is set', (name) =>
    expect(versionOutput('version', { HOME: '/home', [name]: '1' })).toBeUndefined(),
  );

  it('is left to the program where files have a say', () => {
    expect(versionOutput('version', undefined, ['.terraform.lock.hcl'])).toBeUndefined();
    expect(versionOutput('version', undefined, ['/home/.terraformrc'])).toBeUndefined();
    expect(versionOutput('version', undefined, ['/home/.terraform.d/a.tfrc'])).toBeUndefined();
    expect(
      versionOutput('version', undefined, ['/home/.terraform.d/checkpoint_signature']),
    ).toBeDefined();
    expect(versionOutput('version', {})).toBeUndefined();
  });
});
