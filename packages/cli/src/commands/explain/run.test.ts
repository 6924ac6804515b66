import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `variable "env" {
  default = "dev"
}

variable "secret" {
  default   = "hidden"
  sensitive = true
}

resource "terraform_data" "a" {
  input = "web-\${var.env}"
}

resource "terraform_data" "b" {
  input = var.secret
}
`;

async function applied(): Promise<Workbench> {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  expect((await bench.run('apply -auto-approve')).code).toBe(0);
  return bench;
}

describe('explain', () => {
  it('explains a planned change', async () => {
    const bench = await applied();
    const { code, stdout, stderr } = await bench.run('explain -var env=prod terraform_data.a');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`terraform_data.a is to be updated, because
  - input changes from "web-dev" to "web-prod" (main.tf:11)
    - var.env is "prod", given by -var; the state fits "dev"
  only the provider can tell, once it is done: output
`);
  });

  it('explains an unchanged object', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('explain terraform_data.a');
    expect(stdout).toBe(`terraform_data.a stays as it is, because
  - the object is as the configuration asks for (main.tf:10)
`);
  });

  it('explains a saved plan, including the origin of its variables', async () => {
    const bench = await applied();
    await bench.run('plan -out=saved', { environment: { TF_VAR_env: 'stage' } });
    const { stdout } = await bench.run('explain terraform_data.a.input saved');
    expect(stdout).toContain('var.env is "stage", given by TF_VAR_env in the environment');
  });

  it('prints JSON without sensitive values', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('explain -json -var secret=other terraform_data.b');
    expect(JSON.parse(stdout)).toMatchObject({
      format_version: '1.0',
      explanations: [
        {
          address: 'terraform_data.b',
          kind: 'resource',
          actions: ['update'],
          causes: [
            {
              kind: 'attribute',
              attribute: 'input',
              before_sensitive: true,
              after_sensitive: true,
              causes: [{ kind: 'variable', address: 'var.secret', origin: { source: 'option' } }],
            },
          ],
        },
      ],
    });
    expect(stdout).not.toMatch(/hidden|other"/);
  });

  it('reports invalid arguments', async () => {
    const bench = await applied();
    const without = await bench.run('explain');
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('No address given');
    expect((await bench.run('explain -var env=x a.b saved')).stderr).toContain(
      'Incompatible command line options',
    );
    expect((await bench.run('explain terraform_data.none')).stderr).toContain('Nothing to explain');
    expect((await bench.run('explain terraform_data.a none')).stderr).toContain(
      'no such file or directory',
    );
  });
});

describe('plan -explain', () => {
  it('explains every change of the plan', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('plan -explain -var env=prod');
    expect(stdout).toContain('\nWhy:\n\nterraform_data.a is to be updated, because\n');
    const json = await bench.run('plan -explain -json -var env=prod');
    const lines = json.stdout.trim().split('\n');
    const streamed = lines.map((line): { type?: string } => JSON.parse(line) as { type?: string }); // what the stream holds
    expect(streamed.filter(({ type }) => type === 'explanation')).toHaveLength(1);
  });
});

describe('an explanation of values that are built on each other', () => {
  const project = async (): Promise<Workbench> => {
    const bench = await Workbench.with({
      'main.tf': `variable "env" {
  default = "dev"
}
locals {
  title = upper("web-\${var.env}")
  full  = "\${local.title}-x"
}
resource "terraform_data" "b" {
  input            = lower(local.full)
  triggers_replace = [local.full]
}
`,
    });
    await bench.run('apply -auto-approve');
    return bench;
  };

  it('has a line for each step, with its alternatives, without repetition', async () => {
    const { stdout } = await (await project()).run('explain -var env=prod terraform_data.b');
    expect(stdout).toBe(`terraform_data.b is to be replaced, because
  - the provider cannot change triggers_replace of an object that exists (main.tf:10)
    - triggers_replace[0] changes from "WEB-DEV-x" to "WEB-PROD-x" (main.tf:10)
      - local.full gives "WEB-PROD-x" (main.tf:6)
        - local.title gives "WEB-PROD" (main.tf:5)
          - perhaps var.env is "prod", given by -var, or main.tf:5 has changed
  - input changes from "web-dev-x" to "web-prod-x" (main.tf:9)
    - perhaps local.full (see above), or main.tf:9 has changed
  only the provider can tell, once it is done: id, output
`);
  });

  it('fits the terminal', async () => {
    const bench = await project();
    const { stdout } = await bench.run('explain -no-color -var env=prod terraform_data.b', {
      terminal: true,
    });
    expect(stdout).toContain('that exists\n    (main.tf:10)\n');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(78);
  });
});
