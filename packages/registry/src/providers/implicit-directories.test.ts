import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { implicitDirectories } from './implicit-directories.ts';

function directories(
  platform: string,
  variables: Readonly<Record<string, string>> = {},
): readonly string[] {
  const { environment } = memoryHost({ platform, variables });
  return implicitDirectories(environment, '/home/tester/.terraform.d');
}

describe('directories that are searched for providers by default', () => {
  it('are those of the project, the CLI configuration and the system', () => {
    expect(directories('linux')).toEqual([
      'terraform.d/plugins',
      '/home/tester/.terraform.d/plugins',
      '/home/tester/.local/share/terraform/plugins',
      '/usr/local/share/terraform/plugins',
      '/usr/share/terraform/plugins',
    ]);
  });

  it('follow the variables, OpenTofu’s own among them, but for relative ones', () => {
    expect(directories('linux', { XDG_DATA_HOME: '/data', XDG_DATA_DIRS: '/a:b' })).toEqual([
      'terraform.d/plugins',
      '/home/tester/.terraform.d/plugins',
      '/data/opentofu/plugins',
      '/data/terraform/plugins',
      '/a/terraform/plugins',
    ]);
  });

  it('are those of other systems there', () => {
    expect(directories('darwin').slice(2)).toEqual([
      '/home/tester/Library/Application Support/io.terraform/plugins',
      '/Library/Application Support/io.terraform/plugins',
    ]);
    expect(directories('win32', { APPDATA: 'C:/data' }).slice(2)).toEqual([
      'C:/data/HashiCorp/Terraform/plugins',
    ]);
  });
});
