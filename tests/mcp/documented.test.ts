// The example of docs/mcp.md: what an agent receives, and what a person sees and types.
import { openProject } from '@terrane/ops';
import { memoryHost } from '@terrane/testkit';
import { Workbench } from 'terrane/testing';
import { expect, it } from 'vitest';
import { expectDocumented } from '../documented.ts';
import { AgentSession } from './session.ts';

const MAIN = (size: number): string =>
  `resource "terraform_data" "server" {\n  input = { size = ${size} }\n}\n`;

/** Replaces what is another one in each run of the program. */
const settled = (text: string, ticket: string): string =>
  text
    .replaceAll(new RegExp(`${ticket}[0-9a-f]{48}`, 'g'), '3f2a9c51d07be8f4…')
    .replaceAll(ticket, '3f2a9c51d07be8f4')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…');

it('shows the responses of the tools and the approval at a terminal', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN(1) });
  expect((await bench.run('apply -auto-approve')).code).toBe(0);
  await bench.write('main.tf', MAIN(2));
  const { disk, clock } = bench;
  const session = await AgentSession.open(
    openProject(memoryHost({ disk, clock, cwd: '/project', seed: 7 })),
  );
  const exchange = async (tool: string, args: Record<string, unknown>) => {
    const { isError, text, data } = await session.call(tool, args);
    expect({ isError, text }).toEqual({ isError: false, text });
    return { block: `> ${tool} ${JSON.stringify(args)}\n${JSON.stringify(data, null, 2)}\n`, data };
  };
  const plan = await exchange('plan', {});
  const proposal = await exchange('propose_apply', { reason: 'More traffic since Monday.' });
  await session.close();
  const ticket: string = proposal.data.ticket;
  const tickets = await bench.run('mcp tickets');
  // What somebody types does not count without a terminal, and another word than yes leaves the ticket open.
  expect((await bench.run(`mcp approve ${ticket}`, { input: ['yes'] })).code).toBe(1);
  const refused = await bench.run(`mcp approve ${ticket}`, { terminal: true, input: ['no'] });
  expect({ code: refused.code, isOpen: refused.stdout.includes('The ticket stays open') }).toEqual({
    code: 1,
    isOpen: true,
  });
  const approved = await bench.run(`mcp approve ${ticket}`, {
    terminal: true,
    input: ['yes'],
    environment: { NO_COLOR: '1' },
  });
  expect(approved.code).toBe(0);
  expect((await bench.run('plan -detailed-exitcode')).code).toBe(0);
  const again = await bench.run(`mcp approve ${ticket}`, { terminal: true, input: ['yes'] });
  expect(again.code).toBe(1);
  const blocks = [
    plan.block,
    proposal.block,
    `$ terrane mcp tickets\n${tickets.stdout}$ terrane mcp approve ${ticket}\n${approved.stdout}`,
  ];
  await expectDocumented(
    'mcp.md',
    blocks.map((block) => settled(block, ticket)),
  );
});
