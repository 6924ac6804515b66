// Policy checkers with Open Policy Agent itself, which scripts/install-opa.sh builds.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const RULES = `package terraform
import rego.v1

deny contains msg if {
  some change in input.resource_changes
  "create" in change.change.actions
  change.change.after.input == "public"
  msg := sprintf("%s is public", [change.address])
}

reported contains {"address": change.address, "msg": "has no input"} if {
  some change in input.resource_changes
  change.change.after.input == null
}

allow if count(deny) == 0
`;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

describe('opa', () => {
  let opa: string;
  let directory: string;

  beforeAll(() => {
    const folder = execFileSync(join(ROOT, 'scripts/install-opa.sh'), { encoding: 'utf8' });
    opa = join(folder.trim(), 'opa');
  }, 600_000);
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'terrane-opa-'));
    mkdirSync(join(directory, 'rules'));
    writeFileSync(join(directory, 'rules', 'terraform.rego'), RULES);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Plans a resource with an input, or runs another command. */
  function terrane(query: string, input: string, ...args: readonly string[]): Outcome {
    writeFileSync(
      join(directory, 'main.tf'),
      `resource "terraform_data" "a" {\n  input = ${input}\n}\n`,
    );
    const command = [opa, 'eval', '--stdin-input', '--format=json', '--data', 'rules', query];
    writeFileSync(
      join(directory, 'rc'),
      `policy_checker "opa" {\n  command = ${JSON.stringify(command)}\n}\n`,
    );
    try {
      const output = execFileSync(join(ROOT, 'bin/terrane'), [...args, '-no-color'], {
        cwd: directory,
        env: { ...process.env, TF_CLI_CONFIG_FILE: join(directory, 'rc') },
        encoding: 'utf8',
        stdio: 'pipe',
      });
      return { code: 0, output };
    } catch (error) {
      const { status, stdout, stderr } = Object(error) as {
        readonly status: number;
        readonly stdout: string;
        readonly stderr: string;
      };
      return { code: status, output: stdout + stderr };
    }
  }

  it('lets a plan without violations pass', () => {
    const { code, output } = terrane('data.terraform.deny', '"private"', 'plan');
    expect(code).toBe(0);
    expect(output).toContain('Policies: 1 passed');
  });

  it('stops an apply with its messages, before anything is changed', () => {
    const { code, output } = terrane('data.terraform.deny', '"public"', 'apply', '-auto-approve');
    expect(code).toBe(1);
    expect(output).toContain('terraform_data.a is public');
    expect(existsSync(join(directory, 'terraform.tfstate'))).toBe(false);
  });

  it('names the address of objects with messages', () => {
    const { code, output } = terrane('data.terraform.reported', 'null', 'plan');
    expect(code).toBe(1);
    expect(output).toContain('terraform_data.a: has no input');
  });

  it.each(['data.terraform.denny', 'data.terraform.allow'])(
    'fails if the query %s is undefined',
    (query) => {
      const { code, output } = terrane(query, '"public"', 'plan');
      expect(code).toBe(1);
      expect(output).toContain('The query of opa eval is undefined');
    },
  );

  it('reports errors of the rules', () => {
    writeFileSync(join(directory, 'rules', 'bad.rego'), 'package terraform\n\ndeny contains\n');
    const { code, output } = terrane('data.terraform.deny', '"private"', 'plan');
    expect(code).toBe(1);
    expect(output).toContain('var cannot be used for rule name');
  });
});
