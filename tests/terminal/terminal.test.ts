// Interactive use of the built program on a pseudo-terminal. Nothing depends on timing: each step waits for a text.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS, Terminal, type TerminalOptions } from './terminal.ts';

let work: string;
let open: Terminal[];

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-terminal-'));
  open = [];
});

afterEach(async () => {
  write('go', '');
  for (const terminal of open) await terminal.close();
  rmSync(work, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  writeFileSync(join(work, name), text);
}

async function start(
  args: readonly string[],
  options: Partial<TerminalOptions> = {},
): Promise<Terminal> {
  const terminal = await Terminal.start(args, { cwd: work, ...options });
  open.push(terminal);
  return terminal;
}

/** A resource whose creation takes until the test lets it go on. */
const waits = (name: string, more = ''): string => `resource "terraform_data" "${name}" {
  provisioner "local-exec" {
    command = "echo begun; while test ! -e go; do sleep 0.05; done"
  }
${more}}
`;

const SIMPLE = 'resource "terraform_data" "a" {\n  input = "x"\n}\n';

describe('approval', () => {
  it('yes applies', async () => {
    write('main.tf', SIMPLE);
    const terminal = await start(['apply']);
    await terminal.seen('Plan: 1 to add, 0 to change, 0 to destroy.');
    await terminal.seen('Do you want to perform these actions?');
    await terminal.seen("Only 'yes' will be accepted to approve.");
    await terminal.seen('Enter a value: ');
    terminal.type('yes\n');
    await terminal.seen('terraform_data.a: Creating...');
    await terminal.seen(/terraform_data\.a: Creation complete after \d+s \[id=[-0-9a-f]+\]/);
    await terminal.seen('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect(await terminal.ended()).toBe(0);
  });

  it.each(['no', ''])('%j does not', async (answer) => {
    write('main.tf', SIMPLE);
    const terminal = await start(['apply']);
    await terminal.seen('Enter a value: ');
    terminal.type(`${answer}\n`);
    await terminal.seen('Apply cancelled.');
    expect(await terminal.ended()).toBe(1);
    expect(existsSync(join(work, 'terraform.tfstate'))).toBe(false);
  });

  it('Ctrl-C at the prompt changes nothing, and releases the lock', async () => {
    write('main.tf', SIMPLE);
    const terminal = await start(['apply']);
    await terminal.seen('Enter a value: ');
    terminal.type(KEYS.interrupt);
    await terminal.seen('error asking for approval: interrupted');
    expect(await terminal.ended()).toBe(1);
    expect(readdirSync(work).filter((name) => name.includes('lock'))).toEqual([]);
    const next = await start(['apply', '-auto-approve']);
    await next.seen('Apply complete! Resources: 1 added');
    expect(await next.ended()).toBe(0);
  });

  it('prompts for values of variables, without showing secret ones', async () => {
    write(
      'main.tf',
      `variable "name" {
  description = "What it is called."
}
variable "password" {
  sensitive = true
}
output "name" {
  value = var.name
}
`,
    );
    const terminal = await start(['apply', '-auto-approve']);
    await terminal.seen('var.name');
    await terminal.seen('What it is called.');
    await terminal.seen('Enter a value: ');
    terminal.type('寿司\n');
    await terminal.seen('var.password');
    await terminal.seen('Enter a value: ');
    terminal.type('hunter2\n');
    await terminal.seen('name = "寿司"');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).not.toContain('hunter2');
  });
});

describe('interrupts', () => {
  it('the first Ctrl-C completes running operations, saves the state and releases the lock', async () => {
    write(
      'main.tf',
      `${waits('slow')}resource "terraform_data" "after" {
  input = terraform_data.slow.id
}
`,
    );
    const terminal = await start(['apply', '-auto-approve']);
    await terminal.seen('begun');
    terminal.type(KEYS.interrupt);
    await terminal.seen('Interrupt received.');
    await terminal.seen('Gracefully shutting down...');
    await terminal.seen('Stopping operation...');
    write('go', '');
    await terminal.seen('Error: ');
    expect(await terminal.ended()).toBe(1);
    const lines = await terminal.lines();
    expect(lines.join('\n')).not.toContain('terraform_data.after: Creating');
    const state = readFileSync(join(work, 'terraform.tfstate'), 'utf8');
    expect(state).toContain('"name": "slow"');
    expect(state).not.toContain('"name": "after"');
    expect(readdirSync(work).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('the second Ctrl-C does not wait', async () => {
    write(
      'main.tf',
      `resource "terraform_data" "before" {}

resource "terraform_data" "deaf" {
  depends_on = [terraform_data.before]
  provisioner "local-exec" {
    command = "trap '' TERM INT; echo listening no more; while test ! -e go; do sleep 0.1; done"
  }
}
`,
    );
    const terminal = await start(['apply', '-auto-approve']);
    await terminal.seen('listening no more');
    terminal.type(KEYS.interrupt);
    await terminal.seen('Stopping operation...');
    terminal.type(KEYS.interrupt);
    await terminal.seen('Two interrupts received. Exiting immediately.');
    expect(await terminal.ended()).toBe(1);
    write('go', '');
    const next = await start(['plan']);
    await next.seen(/Plan: \d to add, 0 to change, \d to destroy\./);
    expect(await next.ended()).toBe(0);
    expect((await next.lines()).join('\n')).not.toContain('terraform_data.before will be created');
  });
});

describe('plans', () => {
  it('that are too long for the terminal are summarised', async () => {
    write('main.tf', 'resource "terraform_data" "a" {\n  count = 20\n}\n');
    const terminal = await start(['plan'], { columns: 60 });
    await terminal.seen('Plan: 20 to add, 0 to change, 0 to destroy.');
    await terminal.seen('In short:');
    await terminal.seen('root module');
    await terminal.seen('+ create (20)');
    await terminal.seen(/terraform_data\.a\[0\], \[1\], .* and \d+ more/);
    expect(await terminal.ended()).toBe(0);
    expect((await terminal.lines()).every((line) => line.length <= 60)).toBe(true);
  });

  it('have links to the configuration in terminals that show them', async () => {
    write('main.tf', `${SIMPLE}output "x" {\n  value = terraform_data.b.id\n}\n`);
    const failed = await start(['plan'], { env: { TERM_PROGRAM: 'WezTerm' } });
    expect(await failed.ended()).toBe(1);
    expect(failed.raw).toMatch(/\]8;;file:\/\/\S+\/main\.tf#5\u001b\\main\.tf line 5\u001b\]8;;/);
    write('main.tf', SIMPLE);
    const plan = await start(['plan'], { env: { TERM_PROGRAM: 'WezTerm' } });
    expect(await plan.ended()).toBe(0);
    expect(plan.raw).toMatch(/\]8;;file:\/\/\S+\/main\.tf#1\u001b\\terraform_data\.a\u001b\]8;;/);
    const other = await start(['plan']);
    expect(await other.ended()).toBe(0);
    expect(other.raw).not.toContain('\u001b]8');
  });
});

describe('the live view', () => {
  it('shows operations in progress and the completed share, and leaves the usual lines', async () => {
    write(
      'main.tf',
      `resource "terraform_data" "quick" {
  count = 2
}
${waits('first', '  depends_on = [terraform_data.quick]\n')}${waits('second', '  depends_on = [terraform_data.quick]\n')}`,
    );
    const terminal = await start(['apply', '-auto-approve']);
    await terminal.seen(/terraform_data\.first: creating \(local-exec\), \d+s/);
    await terminal.seen(/2 of 4 done, 2 in progress, \d+s elapsed/);
    write('go', '');
    await terminal.seen('Apply complete! Resources: 4 added, 0 changed, 0 destroyed.');
    expect(await terminal.ended()).toBe(0);
    const lines = await terminal.lines();
    const finalLines = lines.slice(lines.indexOf('Plan: 4 to add, 0 to change, 0 to destroy.') + 1);
    expect(finalLines.filter((line) => /: creating|in progress|elapsed$/.test(line))).toEqual([]);
    expect(finalLines.filter((line) => line.endsWith(': Creating...')).sort()).toEqual([
      'terraform_data.first: Creating...',
      'terraform_data.quick[0]: Creating...',
      'terraform_data.quick[1]: Creating...',
      'terraform_data.second: Creating...',
    ]);
    expect(finalLines.slice(-2)).toEqual([
      '',
      'Apply complete! Resources: 4 added, 0 changed, 0 destroyed.',
    ]);
  });

  it('shows previous durations, from a file beside the state', async () => {
    write('main.tf', waits('slow'));
    write(
      '.terraform.tfstate.timings',
      '{"version":1,"milliseconds":{"create terraform_data.other":90000}}',
    );
    const terminal = await start(['apply', '-auto-approve']);
    await terminal.seen(/creating \(local-exec\), \d+s of about 1m30s/);
    await terminal.seen(/0 of 1 done, 1 in progress, \d+s elapsed, about 1m\d\ds left/);
    write('go', '');
    expect(await terminal.ended()).toBe(0);
    const { milliseconds } = JSON.parse(
      readFileSync(join(work, '.terraform.tfstate.timings'), 'utf8'),
    ) as { milliseconds: Record<string, number> };
    expect(Object.keys(milliseconds)).toEqual([
      'create terraform_data.other',
      'create terraform_data.slow',
    ]);
  });

  it('fits into the terminal when that becomes narrower and wider', async () => {
    write('main.tf', waits('a_name_that_is_rather_long_for_the_terminal_that_it_is_shown_on'));
    const terminal = await start(['apply', '-auto-approve'], { columns: 100 });
    await terminal.seen('shown_on: creating');
    await terminal.resize(40, 20);
    await terminal.seen(/a_name_that_is_\w*…/);
    await terminal.resize(120, 30);
    await terminal.seen('shown_on: creating');
    await terminal.resize(50, 20);
    await terminal.seen(/a_name_that_is_rather_\w*…/);
    write('go', '');
    await terminal.seen('Apply complete!');
    expect(await terminal.ended()).toBe(0);
    const screen = (await terminal.lines()).join('\n');
    expect(screen).toContain('Creation complete after');
    expect(screen.match(/Terraform will perform/g)).toHaveLength(1);
  });

  it.each([
    ['-no-color', ['-no-color'], {}],
    ['TERM=dumb', [], { TERM: 'dumb' }],
    ['TF_IN_AUTOMATION', [], { TF_IN_AUTOMATION: '1' }],
  ])('is not there with %s', async (_, args, env) => {
    // It goes on for longer than a live view takes to come.
    write(
      'main.tf',
      `resource "terraform_data" "slow" {
  provisioner "local-exec" {
    command = "sleep 0.7; echo over"
  }
}
`,
    );
    const terminal = await start(['apply', '-auto-approve', ...args], { env });
    await terminal.seen('over');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.raw).not.toContain('in progress');
    expect(terminal.raw).not.toContain('\u001b[J');
    expect(existsSync(join(work, '.terraform.tfstate.timings'))).toBe(false);
  });

  it('works without colors', async () => {
    write('main.tf', waits('slow'));
    const terminal = await start(['apply', '-auto-approve'], { env: { NO_COLOR: '1' } });
    await terminal.seen('0 of 1 done, 1 in progress');
    write('go', '');
    expect(await terminal.ended()).toBe(0);
    // oxlint-disable-next-line no-control-regex
    expect(terminal.raw).not.toMatch(/\u001b\[[0-9;]*m/);
  });
});

describe('other questions', () => {
  it('console answers, completes, remembers and ends', async () => {
    write('main.tf', 'locals {\n  greeting = "hello"\n}\n');
    const terminal = await start(['console']);
    await terminal.seen('> ');
    terminal.type('upper(local.gre');
    terminal.type(KEYS.tab);
    await terminal.seen('local.greeting');
    terminal.type(')\n');
    await terminal.seen('"HELLO"');
    await terminal.seen('> ');
    terminal.type(KEYS.up);
    await terminal.seen('upper(local.greeting)');
    terminal.type('\n');
    await terminal.seen('"HELLO"');
    await terminal.seen('> ');
    terminal.type('[1,\n');
    terminal.type('2]\n');
    await terminal.seen(/\[\n {2}1,\n {2}2,\n\]/);
    terminal.type('exit\n');
    expect(await terminal.ended()).toBe(0);
  });

  it('init prompts for the migration of the state', async () => {
    write('main.tf', SIMPLE);
    const apply = await start(['apply', '-auto-approve']);
    await apply.seen('Apply complete!');
    expect(await apply.ended()).toBe(0);
    write('backend.tf', 'terraform {\n  backend "local" {\n    path = "moved.tfstate"\n  }\n}\n');
    const no = await start(['init']);
    await no.seen('Do you want to copy existing state to the new backend?');
    await no.seen('Enter a value: ');
    no.type(KEYS.interrupt);
    expect(await no.ended()).toBe(1);
    const yes = await start(['init']);
    await yes.seen('Do you want to copy existing state to the new backend?');
    await yes.seen('Enter a value: ');
    yes.type('yes\n');
    await yes.seen('Successfully configured the backend "local"!');
    expect(await yes.ended()).toBe(0);
    expect(readFileSync(join(work, 'moved.tfstate'), 'utf8')).toContain('terraform_data');
  });

  it('login prompts before it begins, and for the token, which it does not show', async () => {
    const server = createServer((request, response) => {
      const known = request.headers.authorization === 'Bearer very-secret-token';
      response.writeHead(known ? 200 : 401, { 'content-type': 'application/vnd.api+json' });
      response.end(known ? '{"data":{"attributes":{"username":"somebody"}}}' : '{}');
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      write(
        'cli.tfrc',
        `host "tfe.test" {\n  services = {\n    "tfe.v2" = "http://127.0.0.1:${port}/api/v2/"\n  }\n}\n`,
      );
      const env = { TF_CLI_CONFIG_FILE: join(work, 'cli.tfrc') };
      const no = await start(['login', 'tfe.test'], { env });
      await no.seen('Do you want to proceed?');
      await no.seen('Enter a value: ');
      no.type('no\n');
      await no.seen('Login cancelled');
      expect(await no.ended()).toBe(1);
      const yes = await start(['login', 'tfe.test'], { env });
      await yes.seen('Enter a value: ');
      yes.type('yes\n');
      await yes.seen('Token for tfe.test');
      await yes.seen('Enter a value: ');
      yes.type('very-secret-token\n');
      await yes.seen('Retrieved token for user somebody');
      await yes.seen('Success!');
      expect(await yes.ended()).toBe(0);
      expect(yes.raw).not.toContain('very-secret-token');
      const stored = readFileSync(join(work, '.terraform.d/credentials.tfrc.json'), 'utf8');
      expect(stored).toContain('very-secret-token');
    } finally {
      server.close();
    }
  });

  it('destroy has a separate prompt', async () => {
    write('main.tf', SIMPLE);
    const apply = await start(['apply', '-auto-approve']);
    expect(await apply.ended()).toBe(0);
    const terminal = await start(['destroy']);
    await terminal.seen('Do you really want to destroy all resources?');
    await terminal.seen('Enter a value: ');
    terminal.type('no\n');
    await terminal.seen('Destroy cancelled.');
    expect(await terminal.ended()).toBe(1);
  });
});

describe('the live view of tests', () => {
  it('shows the run under way and how many are done, and leaves nothing behind', async () => {
    write('main.tf', waits('a'));
    write('a.tftest.hcl', 'run "quick" {\n  command = plan\n}\n\nrun "slow" {}\n');
    const terminal = await start(['test']);
    await terminal.seen('run "quick"... pass');
    await terminal.seen('a.tftest.hcl, run "slow": running');
    await terminal.seen('1 of 2 done, 1 in progress');
    write('go', '');
    await terminal.seen('Success! 2 passed, 0 failed.');
    expect(await terminal.ended()).toBe(0);
  });
});
