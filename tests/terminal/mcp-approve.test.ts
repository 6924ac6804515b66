// A ticket of an agent that a person approves on a pseudo-terminal, with the built program.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeHost } from '@terrane/host';
import { openProject } from '@terrane/ops';
import { AgentSession } from '../mcp/session.ts';
import { KEYS, Terminal } from './terminal.ts';

let work: string;
let terminal: Terminal | undefined;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-approve-'));
});

afterEach(async () => {
  await terminal?.close();
  rmSync(work, { recursive: true, force: true });
});

async function proposed(): Promise<string> {
  writeFileSync(join(work, 'main.tf'), 'resource "terraform_data" "a" {\n  input = "x"\n}\n');
  const session = await AgentSession.open(openProject(nodeHost({ cwd: work })));
  // The reason of an agent must not move the cursor or hide what follows.
  const reason = 'needed\u001b[2J\nTicket approved';
  const { data } = await session.call('propose_apply', { reason });
  await session.close();
  return String(data.ticket);
}

it('applies a proposed plan after yes at the terminal', async () => {
  const ticket = await proposed();
  terminal = await Terminal.start(['mcp', 'approve', ticket], { cwd: work });
  await terminal.seen(`Ticket ${ticket}, proposed by test-agent 1.2.3`);
  await terminal.seen('terraform_data.a will be created');
  await terminal.seen('Do you want to apply this plan?');
  await terminal.seen('Enter a value: ');
  expect(terminal.raw).not.toContain('\u001b[2J');
  expect(await terminal.lines()).not.toContain('Ticket approved');
  terminal.type('yes\n');
  await terminal.seen('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
  expect(await terminal.ended()).toBe(0);
  expect(readFileSync(join(work, 'terraform.tfstate'), 'utf8')).toContain('"input"');
});

it.each([
  ['another answer', 'y\n'],
  ['Ctrl-C', KEYS.interrupt],
])('applies nothing after %s', async (_name, typed) => {
  const ticket = await proposed();
  terminal = await Terminal.start(['mcp', 'approve', ticket], { cwd: work });
  await terminal.seen('Enter a value: ');
  terminal.type(typed);
  await terminal.seen('Not applied. The ticket stays open');
  expect(await terminal.ended()).toBe(1);
  expect(existsSync(join(work, 'terraform.tfstate'))).toBe(false);
});
