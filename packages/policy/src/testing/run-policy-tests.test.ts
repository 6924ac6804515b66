import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { policyCoverageText, policyTestsJunit, policyTestSummaryText } from '../report/tests.ts';
import { runPolicyTests, type TestedPolicies } from './run-policy-tests.ts';

/** Runs tests of files in memory. */
async function run(
  files: Readonly<Record<string, string>>,
  request: Partial<Parameters<typeof runPolicyTests>[0]> = {},
): Promise<TestedPolicies> {
  const host = memoryHost();
  for (const [path, text] of Object.entries(files)) {
    const slash = path.lastIndexOf('/');
    if (slash > 0) await host.files.makeDirectory(path.slice(0, slash));
    await host.files.writeFile(path, text);
  }
  return await runPolicyTests({ policies: ['.'], tests: [], filter: [], ...request }, host);
}

/** Status of each mock by address, and the summaries of all diagnostics. */
function outcome(tested: TestedPolicies): {
  readonly mocks: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
} {
  const mocks = tested.files.flatMap((file) => file.mocks);
  return {
    mocks: Object.fromEntries(mocks.map(({ object, status }) => [object.address, status])),
    problems: [
      ...tested.diagnostics,
      ...tested.files.flatMap((file) => file.diagnostics),
      ...mocks.flatMap((mock) => mock.diagnostics),
    ].map(({ summary }) => summary),
  };
}

const ENCRYPTED = `
policy {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0.0"
    }
  }
}

resource_policy "aws_ebs_volume" "encrypted" {
  filter = core::try(attrs.type, "") != "scratch"

  enforce {
    condition     = core::try(attrs.encrypted, false) == true
    error_message = "Volume \${attrs.name} must be encrypted."
  }
}
`;

describe('runPolicyTests', () => {
  it('passes mocks with the expected outcome and fails the others', async () => {
    const tested = await run({
      'a.policy.hcl': ENCRYPTED,
      'a.policytest.hcl': `
policytest {
  targets = ["a.policy.hcl"]
}
resource "aws_ebs_volume" "good" {
  attrs = { name = "a", encrypted = true }
}
resource "aws_ebs_volume" "bad" {
  expect_failure = true
  attrs          = { name = "b", encrypted = false }
}
resource "aws_ebs_volume" "unexpected" {
  attrs = { name = "c" }
}
resource "aws_ebs_volume" "missing" {
  expect_failure = true
  attrs          = { name = "d", encrypted = true }
}
resource "aws_ebs_volume" "filtered" {
  attrs = { name = "e", type = "scratch" }
}
resource "aws_ebs_volume" "skipped" {
  skip  = true
  attrs = { name = "f" }
}
`,
    });
    expect(outcome(tested)).toEqual({
      mocks: {
        'resource.aws_ebs_volume.good': 'pass',
        'resource.aws_ebs_volume.bad': 'pass',
        'resource.aws_ebs_volume.unexpected': 'fail',
        'resource.aws_ebs_volume.missing': 'fail',
        'resource.aws_ebs_volume.filtered': 'pass',
        'resource.aws_ebs_volume.skipped': 'skip',
      },
      problems: ['Unexpected policy failure', 'Missing expected failure'],
    });
    expect(tested.isSuccessful).toBe(false);
    expect(policyTestSummaryText(tested)).toBe('Failure! 3 passed, 2 failed, 1 skipped.');
    const [failure] = tested.files[0]?.mocks[2]?.diagnostics ?? [];
    expect(failure?.detail).toContain('Volume c must be encrypted.');
  });

  it('infers the operation of a mock and skips policies of other operations', async () => {
    const tested = await run({
      'a.policy.hcl': `
resource_policy "t" "create_only" {
  operations = ["create"]
  enforce { condition = attrs.ok }
}
resource_policy "t" "delete_only" {
  operations = ["delete"]
  enforce { condition = core::try(prior_attrs.approved, false) }
}
resource_policy "t" "immutable" {
  operations = ["update"]
  enforce { condition = attrs.name == prior_attrs.name }
}
`,
      'a.policytest.hcl': `
resource "t" "create" {
  expect_failure = true
  attrs          = { ok = false }
}
resource "t" "delete" {
  expect_failure = true
  prior_attrs    = { approved = false }
}
resource "t" "update" {
  attrs       = { name = "a" }
  prior_attrs = { name = "a" }
}
resource "t" "renamed" {
  expect_failure = true
  attrs          = { name = "b" }
  prior_attrs    = { name = "a" }
}
resource "t" "overridden" {
  expect_failure = true
  meta           = { operation = "create" }
  attrs          = { ok = false }
  prior_attrs    = { ok = true }
}
`,
    });
    expect(Object.values(outcome(tested).mocks)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
  });

  it('looks related mocks up, with their references, and mocked data sources', async () => {
    const tested = await run({
      'a.policy.hcl': `
locals {
  account = core::getdatasource("aws_account", {}).id
}
resource_policy "aws_vpc" "logged" {
  locals {
    logs = core::getresources("aws_flow_log", { vpc_id = attrs.id, account = local.account })
  }
  enforce { condition = core::length(local.logs) == 1 && local.logs[0].traffic == "ALL" }
}
`,
      'a.policytest.hcl': `
data "aws_account" "current" {
  attrs = { id = "42" }
}
resource "aws_vpc" "logged" {
  attrs = { id = "vpc-1" }
}
resource "aws_vpc" "unlogged" {
  expect_failure = true
  attrs          = { id = "vpc-2" }
}
resource "aws_flow_log" "log" {
  skip  = true
  attrs = { vpc_id = aws_vpc.logged.attrs.id, account = data.aws_account.current.attrs.id, traffic = "ALL" }
}
`,
    });
    expect(outcome(tested)).toEqual({
      mocks: {
        'resource.aws_vpc.logged': 'pass',
        'resource.aws_vpc.unlogged': 'pass',
        'resource.aws_flow_log.log': 'skip',
      },
      problems: [],
    });
  });

  it('takes inputs from the file and from mocks, converted to their types', async () => {
    const tested = await run({
      'a.policy.hcl': `
input "port" {
  type    = number
  default = 22
}
resource_policy "t" "port" {
  enforcement_level = "advisory"
  enforce { condition = attrs.port != input.port }
}
`,
      'a.policytest.hcl': `
inputs {
  port = "80"
}
resource "t" "fails" {
  expect_failure = true
  attrs          = { port = 80 }
}
resource "t" "default" {
  attrs = { port = 22 }
}
resource "t" "own" {
  expect_failure = true
  attrs          = { port = 22 }
  inputs {
    port = 22
  }
}
resource "t" "misspelt" {
  attrs = { port = 22 }
  inputs {
    prot = 1
  }
}
`,
    });
    expect(outcome(tested)).toEqual({
      mocks: {
        'resource.t.fails': 'pass',
        'resource.t.default': 'pass',
        'resource.t.own': 'pass',
        'resource.t.misspelt': 'error',
      },
      problems: ['Undeclared input'],
    });
  });

  it('evaluates policies of providers and modules, with wildcards', async () => {
    const tested = await run({
      'a.policy.hcl': `
provider_policy "*" "official" {
  enforce { condition = core::startswith(meta.source, "registry.terraform.io/hashicorp/") }
}
module_policy "registry.terraform.io/*/vpc/aws" "pinned" {
  enforce { condition = core::semverconstraint(meta.version, ">= 5.0.0, < 6.0.0") }
}
resource_policy "aws_*" "named" {
  enforce { condition = core::try(attrs.name, "") != "" }
}
`,
      'a.policytest.hcl': `
provider "aws" "official" {
  meta = { source = "registry.terraform.io/hashicorp/aws" }
}
provider "aws" "other" {
  expect_failure = true
  meta           = { source = "registry.terraform.io/acme/aws" }
}
module "registry.terraform.io/acme/vpc/aws" "old" {
  expect_failure = true
  meta           = { version = "4.9.0" }
}
module "registry.terraform.io/acme/other/aws" "unmatched" {
  meta = { version = "1.0.0" }
}
resource "aws_x" "unnamed" {
  expect_failure = true
  attrs          = {}
}
resource "google_x" "unmatched" {
  attrs = {}
}
`,
    });
    expect(outcome(tested)).toMatchObject({ problems: [] });
    expect(tested.isSuccessful).toBe(true);
  });

  it('reports evaluation errors as errors, not as expected failures', async () => {
    const tested = await run({
      'a.policy.hcl': 'resource_policy "t" "p" {\n  enforce { condition = attrs.absent == 1 }\n}\n',
      'a.policytest.hcl':
        'resource "t" "a" {\n  expect_failure = true\n  attrs = { present = 1 }\n}\n',
    });
    expect(outcome(tested)).toEqual({
      mocks: { 'resource.t.a': 'error' },
      problems: ['Unsupported attribute'],
    });
  });

  it('reports targets that match nothing and invalid policy files', async () => {
    const tested = await run({
      'a.policy.hcl': 'resource_policy "t" "p" {\n  operations = []\n}\n',
      'a.policytest.hcl': 'policytest {\n  targets = ["b.policy.hcl"]\n}\n',
      'c.policytest.hcl': 'policytest {\n  targets = ["a.policy.hcl"]\n}\n',
    });
    expect(outcome(tested)).toEqual({
      mocks: {},
      problems: ['Invalid target', 'Missing enforce block', 'Invalid operations'],
    });
  });

  it('finds targets in a separate directory of policies', async () => {
    const tested = await run(
      {
        'policies/aws/a.policy.hcl': ENCRYPTED,
        'tests/a.policytest.hcl':
          'policytest {\n  targets = ["aws/a.policy.hcl"]\n}\nresource "aws_ebs_volume" "a" {\n  attrs = { encrypted = true, name = "a" }\n}\n',
      },
      { policies: ['policies'], tests: ['tests'] },
    );
    expect(outcome(tested)).toEqual({
      mocks: { 'resource.aws_ebs_volume.a': 'pass' },
      problems: [],
    });
  });

  it('reports cycles of locals and of references', async () => {
    const tested = await run({
      'a.policy.hcl':
        'resource_policy "t" "p" {\n  locals {\n    a = local.b\n    b = local.a\n  }\n  enforce { condition = local.a }\n}\n',
      'a.policytest.hcl': 'resource "t" "a" {\n  attrs = { x = 1 }\n}\n',
      'b.policytest.hcl':
        'resource "t" "a" {\n  attrs = { x = t.b.attrs.x }\n}\nresource "t" "b" {\n  attrs = { x = t.a.attrs.x }\n}\n',
    });
    expect(outcome(tested).problems).toEqual(['Cycle of references', 'Cycle of local values']);
  });

  it('reports coverage and JUnit XML', async () => {
    const tested = await run({
      'a.policy.hcl': ENCRYPTED,
      'a.policytest.hcl':
        'resource "aws_ebs_volume" "a" {\n  attrs = { encrypted = true, name = "a" }\n}\n',
    });
    expect(policyCoverageText(tested.coverage))
      .toBe(`Coverage: 0 of 1 conditions were true and false at least once.

  resource_policy.aws_ebs_volume.encrypted (a.policy.hcl)
    line 14: condition never false
`);
    expect(policyTestsJunit(tested)).toBe(`<?xml version="1.0" encoding="UTF-8"?><testsuites>
  <testsuite name="a.policytest.hcl" tests="1" skipped="0" failures="0" errors="0">
    <testcase name="resource.aws_ebs_volume.a" classname="a.policytest.hcl"></testcase>
  </testsuite>
</testsuites>
`);
  });
});
