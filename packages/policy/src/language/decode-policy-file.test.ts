import { describe, expect, it } from 'vitest';
import { checkPolicyFile } from './check-policy-file.ts';
import { decodePolicyFile } from './decode-policy-file.ts';

const FUNCTIONS = new Set(['core::try', 'core::length', 'core::split']);

/** Summaries and severities of the diagnostics of a policy file. */
function problems(text: string): readonly string[] {
  const { file, diagnostics } = decodePolicyFile('a.policy.hcl', new TextEncoder().encode(text));
  const all = diagnostics.length > 0 ? diagnostics : checkPolicyFile(file, FUNCTIONS);
  return all.map(({ severity, summary }) => `${severity}: ${summary}`);
}

const policy = (body: string, head = ''): string =>
  `${head}\nresource_policy "t" "p" {\n${body}\n  enforce {\n    condition = true\n  }\n}\n`;

describe('decodePolicyFile', () => {
  it.each([
    ['an unknown block', 'data_policy "t" "p" {}\n', ['error: Unsupported block type']],
    ['an unknown argument', policy('  level = 1'), ['error: Unsupported argument']],
    [
      'operations of a provider policy',
      'provider_policy "t" "p" {\n  operations = ["create"]\n  enforce {\n    condition = true\n  }\n}\n',
      ['error: Unsupported argument'],
    ],
    ['an unknown operation', policy('  operations = ["read"]'), ['error: Invalid operation']],
    ['an empty list of operations', policy('  operations = []'), ['error: Invalid operations']],
    ['repeated operations', policy('  operations = ["create", "create"]'), []],
    [
      'a policy without conditions',
      'resource_policy "t" "p" {}\n',
      ['error: Missing enforce block'],
    ],
    [
      'an invalid name',
      'resource_policy "t" "1 p" {\n  enforce {\n    condition = true\n  }\n}\n',
      ['error: Invalid policy name'],
    ],
    ['two policies of one name', policy('') + policy(''), ['error: Duplicate policy']],
    ['two settings blocks', 'policy {}\npolicy {}\n', ['error: Duplicate policy block']],
    [
      'a local with the name of one of the file',
      policy('  locals {\n    a = 1\n  }', 'locals {\n  a = 1\n}'),
      ['error: Duplicate local value'],
    ],
    [
      'plugins',
      'policy {\n  plugins {\n    x = { source = "./x" }\n  }\n}\n',
      ['error: Policy plugins are not supported'],
    ],
    [
      'a required version of policies',
      'policy {\n  terraform_config {\n    required_version = ">= 1.16.0"\n  }\n}\n',
      [],
    ],
    [
      'an upper bound below this version',
      'policy {\n  terraform_config {\n    required_version = "< 1.0.0"\n  }\n}\n',
      ['error: Unsupported Terraform version'],
    ],
    [
      'a provider without source',
      'policy {\n  required_providers {\n    aws = "5.0"\n  }\n}\n',
      ['error: Invalid required_providers object'],
    ],
    ['an input without type', 'input "a" {}\n', ['error: Missing required argument']],
    [
      'an input with an unsuitable default',
      'input "a" {\n  type    = number\n  default = "x"\n}\n',
      ['error: Invalid default value for input'],
    ],
    ['an undeclared input', policy('  filter = input.a'), ['error: Reference to undeclared input']],
    [
      'an undeclared local',
      policy('  filter = local.a == 1'),
      ['error: Reference to undeclared local value'],
    ],
    ['an unknown root', policy('  filter = var.a'), ['error: Invalid reference']],
    ['attrs in a local of the file', 'locals {\n  a = attrs.x\n}\n', ['error: Invalid reference']],
    ['attrs in a level', policy('  enforcement_level = attrs.x'), ['error: Invalid reference']],
    ['an unknown function', policy('  filter = core::nope()'), ['error: Call to unknown function']],
    [
      'a function without prefix',
      policy('  filter = length([]) == 0'),
      ['warning: Function without prefix'],
    ],
    [
      'prior_attrs in a policy of creations',
      policy('  filter = prior_attrs.a == 1'),
      ['error: Reference to unavailable prior_attrs'],
    ],
    [
      'prior_attrs in a policy of updates',
      policy('  operations = ["update"]\n  filter = prior_attrs.a == 1'),
      [],
    ],
    [
      'syntax errors',
      'resource_policy {\n',
      ['error: Missing label for resource_policy', 'error: Unclosed configuration block'],
    ],
  ])('handles %s', (_name, text, expected) => {
    const found = problems(text);
    if (text === 'resource_policy {\n') expect(found.length).toBeGreaterThan(0);
    else expect(found).toEqual(expected);
  });

  it('bounds the errors of a file that is no text', () => {
    const bytes = Uint8Array.from({ length: 50_000 }, (_, i) => (i * i * 31 + (i >> 3)) % 256);
    const { diagnostics } = decodePolicyFile('a.policy.hcl', bytes);
    expect(diagnostics.length).toBeLessThan(60);
    expect(diagnostics.map(({ summary }) => summary)).toContain('More syntax errors');
  });
});
