// Control characters from values, messages, names and files, on a terminal: the attacker wants to hide lines, to change
// what is on the screen, or to send the terminal commands.
import { describe, expect, it, onTestFinished } from 'vitest';
import { Terminal } from '../terminal/terminal.ts';
import { Work } from './fixture.ts';

/** Moves the cursor, hides text, sets the title, writes the clipboard; as C0, C1 and with characters that reorder text. */
const EVIL =
  'safe\u001b[1A\u001b[2K\u001b[8m\u001b]0;t\u0007\u001b]52;c;eA==\u001b\\\r\b\u007f\u009b2K\u0085\u202e\u2066';
/** The same as an expression of the language, with a second line so that it is shown as a heredoc. */
const EXPRESSION = `"${EVIL.replaceAll(
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u202e\u2066]/g,
  (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
).replaceAll('\\u001b\\', '\\u001b\\\\')}"`;

/** The control sequences of the program itself: colors and its live view. */
const OWN =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[(?:[0124]|3[1-7]|9[0-6])m|\u001b\[\?2026h(?:\u001b\[\d+A\r\u001b\[J)?|\u001b\[\?2026l|\u001b\[\d+A\r\u001b\[J|\r\n/g;
// oxlint-disable-next-line no-control-regex
const CONTROL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Runs a command on a terminal, answers its question, and returns all that it wrote. */
async function shown(work: Work, args: readonly string[], answer?: string): Promise<string> {
  const terminal = await Terminal.start(args, { cwd: work.path, columns: 200 });
  onTestFinished(() => terminal.close());
  if (answer !== undefined) {
    await terminal.seen('Enter a value: ');
    terminal.type(`${answer}\n`);
  }
  await terminal.ended();
  return terminal.raw.slice(terminal.raw.indexOf('\n'));
}

function expectHarmless(raw: string, evidence: string | RegExp = 'safe'): void {
  expect(raw).toMatch(evidence);
  const rest = raw.replace(OWN, '');
  const at = rest.search(CONTROL);
  expect(at < 0 ? '' : JSON.stringify(rest.slice(Math.max(0, at - 60), at + 20))).toBe('');
}

const VALUE = `resource "terraform_data" "a" {
  input = ${EXPRESSION.slice(0, -1)}\\nsecond line"
}
output "a" {
  value = ${EXPRESSION.slice(0, -1)}\\nsecond line"
}
`;

describe.skipIf(process.platform === 'win32')('control characters', () => {
  it('of values are escaped in plans, at the approval question, in applies and in states', async () => {
    const work = new Work({ 'main.tf': VALUE });
    expectHarmless(await shown(work, ['plan']));
    expectHarmless(await shown(work, ['apply'], 'yes'));
    expectHarmless(await shown(work, ['show']));
    expectHarmless(await shown(work, ['show', '-json']));
    expectHarmless(await shown(work, ['output']));
    expectHarmless(await shown(work, ['output', '-json']));
    expectHarmless(await shown(work, ['state', 'show', 'terraform_data.a']));
    expectHarmless(await shown(work, ['state', 'pull']));
    expectHarmless(await shown(work, ['destroy'], 'yes'));
  });

  it('of values are written unchanged by output -raw', async () => {
    const work = new Work({ 'main.tf': VALUE });
    expect((await work.run(['apply', '-auto-approve'])).code).toBe(0);
    const { stdout } = await work.run(['output', '-raw', 'a']);
    expect(stdout).toBe(`${EVIL}\nsecond line`);
  });

  it('of messages, descriptions and code are escaped in diagnostics and questions', async () => {
    const work = new Work({
      'main.tf': `variable "v" {
  description = ${EXPRESSION}
  validation {
    condition     = var.v == "x"
    error_message = ${EXPRESSION}
  }
}
check "c" {
  assert {
    condition     = var.v == "y" # ${EVIL.replaceAll('\r', '')}
    error_message = ${EXPRESSION}
  }
}
`,
    });
    expectHarmless(await shown(work, ['plan'], 'x'));
    expectHarmless(await shown(work, ['plan', '-var=v=z']));
    work.write('main.tf', `nonsense ${EVIL}`);
    expectHarmless(await shown(work, ['validate']));
  });

  it('of names of files and directories are escaped', async () => {
    const work = new Work({ 'main.tf': VALUE });
    const name = 'safe\u001b[2K\u009b1A\u202e.tf';
    work.write(name, 'nonsense');
    expectHarmless(await shown(work, ['validate']));
    expectHarmless(await shown(work, ['fmt', '-check']));
    expectHarmless(await shown(work, [`-chdir=${name}`, 'plan']));
    expectHarmless(await shown(work, ['apply', name]));
    expectHarmless(await shown(work, ['workspace', 'new', name]));
    expectHarmless(await shown(work, [name]));
  });

  it('of output of local-exec are escaped', async () => {
    const work = new Work({
      'main.tf': `resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "cat evil; echo more >&2; exit 1"
  }
}
`,
      evil: `${EVIL}\n`,
    });
    expectHarmless(await shown(work, ['apply', '-auto-approve']));
  });

  it('of states that another client wrote are escaped', async () => {
    const work = new Work({
      'terraform.tfstate': JSON.stringify({
        version: 4,
        terraform_version: '1.11.4',
        serial: 1,
        lineage: EVIL,
        outputs: { [EVIL]: { value: EVIL, type: 'string' } },
        resources: [
          {
            mode: 'managed',
            type: 'terraform_data',
            name: 'a',
            provider: 'provider["terraform.io/builtin/terraform"]',
            instances: [{ index_key: EVIL, schema_version: 0, attributes: { id: EVIL } }],
          },
        ],
      }),
    });
    for (const args of [
      ['show'],
      ['state', 'list'],
      ['output'],
      ['plan'],
      ['graph'],
      ['state', 'show', 'terraform_data.a'],
    ])
      expectHarmless(await shown(work, args), /./);
    expectHarmless(await shown(work, ['destroy'], 'yes'), 'destroy');
  });

  it('of a module source are escaped', async () => {
    const work = new Work({
      'main.tf': `module "m" {\n  source = ${EXPRESSION.replace('safe', './safe')}\n}\n`,
    });
    expectHarmless(await shown(work, ['init']));
  });

  it.each(['-no-color', '-json'])('are escaped with %s too', async (option) => {
    const work = new Work({ 'main.tf': VALUE });
    expectHarmless(await shown(work, ['apply', '-auto-approve', option]));
  });

  it('are left alone in pipes, where programs read them', async () => {
    const work = new Work({ 'main.tf': VALUE });
    const { stdout } = await work.run(['plan', '-no-color']);
    expect(stdout).toContain('safe\u001b[1A');
  });
});
