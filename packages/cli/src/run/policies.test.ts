import { describe, expect, it } from 'vitest';
import { type RunResult, Workbench } from '../testing/run-terrane.ts';

const MAIN = `
variable "ok" {
  type    = bool
  default = false
}
variable "secret" {
  default   = "canary-4711"
  sensitive = true
}
resource "terraform_data" "parent" {
  input = "a"
}
resource "terraform_data" "child" {
  input = { ok = var.ok, parent = terraform_data.parent.id, secret = var.secret }
}
resource "terraform_data" "grandchild" {
  input = terraform_data.child.id
}
`;

/** A policy of `terraform_data.child`, the only one with an argument "ok". */
const childPolicy = (condition: string, level = 'mandatory', message = 'not ok'): string => `
resource_policy "terraform_data" "child_rule" {
  filter            = core::can(attrs.input.ok)
  enforcement_level = "${level}"
  enforce {
    condition     = ${condition}
    error_message = "${message}"
  }
}
`;

function bench(policies: string, more: Readonly<Record<string, string>> = {}): Promise<Workbench> {
  return Workbench.with({ 'main.tf': MAIN, 'policies/a.policy.hcl': policies, ...more });
}

/** The text of an output without the line breaks that its width causes. */
const flat = ({ stdout, stderr }: RunResult): string => `${stdout}${stderr}`.replace(/\s+/g, ' ');

async function stateOf(work: Workbench): Promise<readonly string[]> {
  return (await work.run('state list')).stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '');
}

describe('policies of a plan', () => {
  it('fails the plan for a mandatory policy, with source range, reason and remedy', async () => {
    const work = await bench(childPolicy('attrs.input.ok'));
    const result = await work.run('plan -policies=policies');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "child_rule" failed');
    expect(result.stderr).toContain('on main.tf line 13');
    expect(flat(result)).toContain(
      'not ok The creation of terraform_data.child violates resource_policy.terraform_data.child_rule (policies/a.policy.hcl, line 2; mandatory). The plan cannot be applied. Change the configuration; a mandatory policy cannot be overridden.',
    );
    expect(result.stdout).toContain('Policies: 0 passed, 1 failed (1 policy).');
    const fixed = await work.run('plan -policies=policies -var ok=true');
    expect(fixed.code).toBe(0);
    expect(fixed.stdout).toContain('Policies: 1 passed (1 policy).');
  });

  it('hides copies of sensitive values in messages', async () => {
    const rule = (name: string): string => `
resource_policy "terraform_data" "${name}" {
  operations        = ["update"]
  filter            = core::can(prior_attrs.output.secret)
  enforcement_level = "mandatory"
  enforce {
    condition     = false
    error_message = "secret \${prior_attrs.output.secret} of \${prior_attrs.output.ok}"
  }
}
`;
    const work = await bench('');
    await work.run('apply -auto-approve');
    await work.write('policies/a.policy.hcl', rule('shown'));
    const result = await work.run(
      'plan -var ok=true -json -policies=policies -policy-sarif=out.sarif',
    );
    const text = await work.run('plan -var ok=true -policies=policies');
    expect(flat(text)).toContain('secret (sensitive value) of false');
    const reports = flat(result) + text.stderr + (await work.read('out.sarif'));
    expect(reports).not.toContain('canary-4711');
  });

  it('warns for an advisory policy', async () => {
    const work = await bench(childPolicy('attrs.input.ok', 'advisory'));
    const result = await work.run('plan -policies=policies -detailed-exitcode');
    expect(result.code).toBe(2);
    expect(result.stdout).toContain('Warning: Policy "child_rule" failed');
    expect((await work.run('apply -auto-approve -policies=policies')).code).toBe(0);
  });

  it('continues with an override and its reason, and records both', async () => {
    const work = await bench(childPolicy('attrs.input.ok', 'mandatory_overridable'));
    const refused = await work.run('plan -policies=policies');
    expect(flat(refused)).toContain(
      "override the policy with -override-policy=child_rule -reason='…'.",
    );
    const unexplained = await work.run('plan -policies=policies -override-policy=child_rule');
    expect(unexplained.code).toBe(1);
    expect(unexplained.stderr).toContain('Error: Override without reason');
    const misspelt = await work.run('plan -policies=policies -override-policy=nope -reason=x');
    expect(misspelt.stderr).toContain('Error: Override of unknown policy');
    const planned = await work.run(
      'plan -policies=policies -override-policy=child_rule -reason=approved -out=saved',
    );
    expect(planned.code).toBe(0);
    expect(planned.stdout).toMatch(
      /! child_rule for terraform_data.child \(create\): overridden by \S+: approved/,
    );
    const json = JSON.parse((await work.run('show -json saved')).stdout) as {
      policy_results: { results: readonly Record<string, unknown>[] };
    };
    expect(json.policy_results.results).toMatchObject([
      {
        policy: 'resource_policy.terraform_data.child_rule',
        enforcement_level: 'mandatory_overridable',
        target_address: 'terraform_data.child',
        operation: 'create',
        result: 'fail',
        override: { name: 'child_rule', reason: 'approved' },
      },
    ]);
    // The override is part of the saved plan, as long as the policies are the same.
    expect((await work.run('apply -policies=policies saved')).code).toBe(0);
    const [run] = JSON.parse((await work.run('history -json')).stdout).runs as readonly {
      id: string;
    }[];
    const record = await work.run(`history show ${run?.id ?? ''}`);
    expect(record.stdout).toMatch(
      /Overridden: +resource_policy\.terraform_data\.child_rule for terraform_data\.child by \S+: approved/,
    );
  });

  it('cannot override a mandatory policy', async () => {
    const work = await bench(childPolicy('attrs.input.ok'));
    const result = await work.run(
      'plan -policies=policies -override-policy=child_rule -reason=approved',
    );
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "child_rule" failed');
  });

  it('reports policies that cannot be evaluated at their level', async () => {
    const work = await bench(childPolicy('attrs.input.absent == 1'));
    const result = await work.run('plan -policies=policies');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "child_rule" cannot be evaluated');
    expect(flat(result)).toContain('Unsupported attribute (policies/a.policy.hcl line 6)');
  });

  it('does not begin with invalid policies, paths and inputs', async () => {
    const work = await bench('resource_policy "t" "p" {\n}\n');
    expect((await work.run('plan -policies=policies')).stderr).toContain(
      'Error: Missing enforce block',
    );
    expect((await work.run('plan -policies=absent')).stderr).toContain(
      'Error: Invalid policy path',
    );
    expect((await work.run('plan -override-policy=x -reason=y')).stderr).toContain(
      'Error: No policies',
    );
    expect((await work.run('plan -policies=policies -policy-input=x')).stderr).toContain(
      'Error: Invalid -policy-input option',
    );
  });

  it('sets inputs of policies', async () => {
    const work = await bench(
      `input "wanted" {\n  type = list(bool)\n}\n${childPolicy('core::contains(input.wanted, attrs.input.ok)')}`,
    );
    expect((await work.run('plan -policies=policies')).stderr).toContain(
      'Error: No value for required input',
    );
    expect((await work.run('plan -policies=policies -policy-input wanted=[false]')).code).toBe(0);
    expect((await work.run('plan -policies=policies -policy-input wanted=[true]')).code).toBe(1);
    expect((await work.run('plan -policies=policies -policy-input wanted={}')).stderr).toContain(
      'Error: Invalid value for input',
    );
  });

  it('evaluates policies of providers and modules', async () => {
    const work = await Workbench.with({
      'main.tf': `
provider "null" {}
resource "null_resource" "x" {}
module "net" {
  for_each = toset(["a", "b"])
  source   = "./net"
  name     = each.key
}
`,
      'net/main.tf': 'variable "name" {}\nresource "null_resource" "y" {}\n',
      'policies/a.policy.hcl': `
provider_policy "null" "source" {
  filter = meta.alias == null
  enforce {
    condition    = meta.source == "registry.terraform.io/hashicorp/null" && core::semverconstraint(meta.version, ">= 3.0.0")
    info_message = "version \${meta.version}"
  }
}
module_policy "./net" "name" {
  enforce {
    condition     = attrs.name == "a"
    error_message = "module \${meta.address} is named \${attrs.name}"
  }
}
resource_policy "null_resource" "module" {
  enforce {
    condition     = meta.module_path == "" && meta.provider_type == "null" && meta.operation == "create"
    error_message = "path \${meta.module_path}"
  }
}
`,
    });
    expect((await work.run('init')).code).toBe(0);
    const result = await work.run('plan -policies=policies');
    expect(result.stdout).toContain('Policies: 3 passed, 3 failed (3 policies).');
    expect(result.stdout).toMatch(
      /i source for provider\["registry.terraform.io\/hashicorp\/null"\]: version 3\./,
    );
    expect(result.stderr).toContain('module module.net["b"] is named b');
    expect(result.stderr).toContain('path module.net["a"]');
  });

  it('distinguishes operations; a replacement is a creation and a deletion', async () => {
    const work = await Workbench.with({
      'main.tf':
        'variable "t" {\n  type    = number\n  default = 1\n}\nresource "terraform_data" "a" {\n  input            = var.t\n  triggers_replace = var.t < 3 ? 1 : var.t\n}\n',
      'policies/a.policy.hcl': ['create', 'update', 'delete']
        .map(
          (operation) =>
            `resource_policy "terraform_data" "${operation}s" {\n  operations        = ["${operation}"]\n  enforcement_level = "advisory"\n  enforce {\n    condition = false\n  }\n}\n`,
        )
        .join(''),
    });
    const failed = async (command: string): Promise<readonly string[]> => {
      const { stdout } = await work.run(`${command} -policies=policies`);
      return [...stdout.matchAll(/Policy "(\w+)" failed/g)].map((match) => match[1] ?? '').sort();
    };
    expect(await failed('apply -auto-approve')).toEqual(['creates']);
    expect(await failed('plan')).toEqual([]);
    expect(await failed('plan -var t=2')).toEqual(['updates']);
    expect(await failed('plan -var t=3')).toEqual(['creates', 'deletes']);
    expect(await failed('plan -destroy')).toEqual(['deletes']);
  });

  it('reads data sources with the providers of the configuration', async () => {
    const work = await Workbench.with({
      'main.tf': 'resource "local_file" "x" {\n  filename = "out"\n  content  = "a"\n}\n',
      'allowed.txt': 'a,b',
      'policies/a.policy.hcl': `
locals {
  allowed = core::split(",", core::getdatasource("local_file", { filename = "allowed.txt" }).content)
}
resource_policy "local_file" "content" {
  enforce {
    condition     = core::contains(local.allowed, attrs.content)
    error_message = "only \${core::join(" and ", local.allowed)}"
  }
}
`,
    });
    await work.run('init');
    const passed = await work.run('plan -policies=policies');
    expect({ code: passed.code, stderr: passed.stderr }).toEqual({ code: 0, stderr: '' });
    await work.write('allowed.txt', 'c,d');
    expect((await work.run('plan -policies=policies')).stderr).toContain('only c and d');
    await work.remove('allowed.txt');
    const failed = await work.run('plan -policies=policies');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('Error: Policy "content" cannot be evaluated');
    expect(failed.stderr).toContain('the data source "local_file" cannot be read');
  });

  it('is part of the JSON stream, of plan JSON and of SARIF', async () => {
    const work = await bench(
      `${childPolicy('attrs.input.ok')}resource_policy "terraform_data" "all" {\n  enforce {\n    condition    = true\n    info_message = "seen"\n  }\n}\n`,
    );
    const { stdout } = await work.run('plan -json -policies=policies -policy-sarif=o.sarif');
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(messages).toContainEqual(
      expect.objectContaining({
        '@policy': 'true',
        type: 'policy_result',
        policy_address: 'resource_policy.terraform_data.child_rule',
        result: 'DenyResult',
        target_address: 'terraform_data.child',
        policy_metadata: {
          policy_set_path: 'policies',
          policy_name: 'child_rule',
          file_name: 'a.policy.hcl',
          enforcement_level: 'mandatory',
        },
      }),
    );
    expect(messages.filter(({ type }) => type === 'policy_info')).toHaveLength(3);
    const sarif = JSON.parse(await work.read('o.sarif')) as {
      runs: readonly { results: readonly unknown[] }[];
    };
    expect(sarif.runs[0]?.results).toMatchObject([
      {
        ruleId: 'resource_policy.terraform_data.child_rule',
        level: 'error',
        message: { text: 'terraform_data.child (create): not ok' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'main.tf' } } }],
      },
    ]);
  });

  it('never shows sensitive values', async () => {
    const work = await bench(
      childPolicy('attrs.input.secret == "x"', 'advisory', 'secret is ${attrs.input.secret}') +
        childPolicy('core::jsondecode(attrs.input.secret) == 1', 'advisory').replace(
          'child_rule',
          'error_rule',
        ),
    );
    const text = await work.run('plan -policies=policies -out=saved -policy-sarif=o.sarif');
    const outputs = [
      text.stdout,
      text.stderr,
      await work.read('o.sarif'),
      (await work.run('plan -json -policies=policies')).stdout,
      (await work.run('apply -auto-approve -policies=policies')).stdout,
    ];
    const json = JSON.parse((await work.run('show -json saved')).stdout) as {
      policy_results: unknown;
    };
    outputs.push(JSON.stringify(json.policy_results));
    for (const output of outputs) expect(output).not.toContain('canary-4711');
    expect(text.stdout.replace(/\s+/g, ' ')).toContain(
      'The message of this policy refers to a sensitive value, so it is not displayed.',
    );
  });

  it('evaluates the policies of the CLI configuration, at paths relative to it', async () => {
    const work = await bench(childPolicy('attrs.input.ok'), {
      'config/rc': 'policies = ["../policies"]\n',
    });
    const environment = { TF_CLI_CONFIG_FILE: 'config/rc' };
    const result = await work.run('plan', { environment });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "child_rule" failed');
  });

  it('reports external checkers that cannot be run', async () => {
    const work = await bench('', {
      rc: 'policy_checker "opa" {\n  command = ["opa", "eval"]\n}\npolicy_checker "lint" {\n  command           = ["lint"]\n  enforcement_level = "advisory"\n}\n',
      bad: 'policy_checker "x" {\n  enforcement_level = "hard"\n}\n',
    });
    const result = await work.run('plan', { environment: { TF_CLI_CONFIG_FILE: 'rc' } });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy checker "opa" did not run');
    expect(result.stdout).toContain('Warning: Policy checker "lint" did not run');
    const invalid = await work.run('plan', { environment: { TF_CLI_CONFIG_FILE: 'bad' } });
    expect(invalid.stderr).toContain('Error: Invalid policy_checker "x"');
  });
});

describe('policies of an apply', () => {
  const UNKNOWN = childPolicy(
    'core::startswith(attrs.input.parent, "x-")',
    'mandatory',
    'parent ${attrs.input.parent}',
  );

  it('evaluates policies with unknown values before the change, and prevents it', async () => {
    for (const command of [
      'apply -policies=policies saved',
      'apply -auto-approve -policies=policies',
    ]) {
      const work = await bench(UNKNOWN);
      const planned = await work.run('plan -policies=policies -out=saved');
      expect(planned.code).toBe(0);
      expect(planned.stdout).toContain(
        '? child_rule for terraform_data.child (create): values are not known yet',
      );
      const result = await work.run(command);
      expect(result.code).toBe(1);
      expect(result.stdout).not.toContain('terraform_data.child: Creating...');
      expect(flat(result)).toMatch(/parent [0-9a-f-]{36} The creation of terraform_data.child/);
      expect(flat(result)).toContain('The change was not made.');
      expect(await stateOf(work)).toEqual(['terraform_data.parent']);
    }
  });

  it('passes when the values fit, and shows the decision', async () => {
    const work = await bench(childPolicy('attrs.input.parent != ""'));
    const result = await work.run('apply -auto-approve -policies=policies');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('Policies: 0 passed, 1 decided during the apply (1 policy).');
    expect(result.stdout).toContain('Policies: 1 passed (1 policy).');
    expect(await stateOf(work)).toHaveLength(3);
  });

  it('evaluates policies on computed values after the apply', async () => {
    const LOOKUP = `
resource_policy "terraform_data" "has_child" {
  filter = core::try(attrs.input == "a", false)
  enforce {
    condition     = core::length([for each in core::getresources("terraform_data", {}) : each if core::try(each.input.parent == attrs.id, false)]) == 1
    error_message = "no child"
  }
}
`;
    const good = await bench(LOOKUP);
    const applied = await good.run('apply -auto-approve -policies=policies');
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
    const bad = await bench(LOOKUP.replace('== attrs.id', '== "x-${attrs.id}"'));
    const failed = await bad.run('apply -auto-approve -policies=policies');
    expect(failed.code).toBe(1);
    expect(flat(failed)).toContain('the objects and the state are intact');
    expect(await stateOf(bad)).toHaveLength(3);
  });

  it('prevents a deletion', async () => {
    const work = await bench(
      'resource_policy "terraform_data" "keep" {\n  operations = ["delete"]\n  enforce {\n    condition = core::try(prior_attrs.input, "") != "a"\n  }\n}\n',
    );
    await work.run('apply -auto-approve');
    const result = await work.run('destroy -auto-approve -policies=policies');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "keep" failed');
    expect(await stateOf(work)).toHaveLength(3);
  });

  it('needs the policies of a saved plan, and judges it again if they changed', async () => {
    const work = await bench(childPolicy('true'));
    await work.run('plan -policies=policies -out=saved');
    expect((await work.run('apply saved')).stderr).toContain(
      'Error: Policies of the saved plan are missing',
    );
    await work.write('policies/a.policy.hcl', childPolicy('attrs.input.ok'));
    const result = await work.run('apply -policies=policies saved');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Policy "child_rule" failed');
    expect(await stateOf(work)).toEqual([]);
  });

  it('records nothing of a saved plan that fails a policy, not even a move', async () => {
    const work = await bench(childPolicy('true'));
    await work.run('apply -auto-approve -policies=policies');
    const moved = MAIN.replaceAll('"grandchild"', '"moved"');
    await work.write(
      'main.tf',
      `${moved}moved {\n  from = terraform_data.grandchild\n  to = terraform_data.moved\n}\n`,
    );
    await work.run('plan -policies=policies -var ok=true -out=saved');
    await work.write('policies/a.policy.hcl', childPolicy('!attrs.input.ok'));
    const before = (await work.run('state pull')).stdout;
    const refused = await work.run('apply -policies=policies saved');
    expect(refused.stderr).toContain('Error: Policy "child_rule" failed');
    expect((await work.run('state pull')).stdout).toBe(before);
    await work.write('policies/a.policy.hcl', childPolicy('attrs.input.ok'));
    expect((await work.run('apply -policies=policies saved')).code).toBe(0);
    expect(await stateOf(work)).toContain('terraform_data.moved');
  });

  it('does not apply a plan that fails a policy', async () => {
    const work = await bench(childPolicy('attrs.input.ok'));
    await work.run('plan -policies=policies -out=saved');
    const result = await work.run('apply -policies=policies saved');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Error: Cannot apply incomplete plan');
  });
});
