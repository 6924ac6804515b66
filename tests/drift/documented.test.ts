// The documentation of drift: its files, its commands, and their output.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineProvider, gone, number, resource, string } from '@terrane/provider/sdk';
import { runWithin } from 'terrane/testing/with-providers';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/root.ts';

type Server = { name: string; size: number; address: string; uptime: number };

/** The service of the page, with its provider and its own tool. */
class WebService {
  readonly servers: Map<string, Server> = new Map();

  provider(): ReturnType<typeof defineProvider> {
    const { servers } = this;
    return defineProvider({
      resources: {
        web_server: resource({
          attributes: {
            name: string({ required: true }),
            size: number({ optional: true }),
            address: string({ computed: true }),
            uptime: number({ computed: true }),
          },
          create: ({ plan }) => {
            const { name, size } = plan;
            const server = { name, size: size ?? 1, address: `10.0.0.${servers.size}`, uptime: 1 };
            servers.set(name, server);
            return server;
          },
          read: ({ state }) => servers.get(state.name) ?? gone,
          update: ({ plan, state }) => ({ ...state, size: plan.size }),
          delete: () => undefined,
        }),
      },
    });
  }

  /** `web set NAME ATTRIBUTE=VALUE…`, `web delete NAME` */
  run(command: string, name: string, settings: readonly string[]): void {
    const server = this.servers.get(name);
    if (server === undefined) throw new Error(`there is no server ${name}`);
    if (command === 'delete') this.servers.delete(name);
    else {
      const changes = settings
        .map((each) => each.split('='))
        .map(([key, value]) => [key, Number(value)]);
      this.servers.set(name, { ...server, ...Object.fromEntries(changes) });
    }
  }
}

test('each command prints its documented output', async () => {
  const work = mkdtempSync(join(tmpdir(), 'terrane-drift-page-'));
  onTestFinished(() => rmSync(work, { recursive: true, force: true }));
  const page = readFileSync(join(root, 'docs/drift.md'), 'utf8');
  const service = new WebService();
  const providers = new Map([
    [
      'registry.terraform.io/example/web',
      { kind: 'in-process' as const, create: () => service.provider() },
    ],
  ]);
  const terrane = async (args: readonly string[]) =>
    await runWithin(args, { directory: work, environment: { HOME: work }, providers });
  let commands = 0;
  for (const [, kind, title = '', text = ''] of page.matchAll(
    /^```(hcl|console)(?: title="([\w.]+)")?\n([\s\S]*?)^```$/gm,
  )) {
    if (kind === 'hcl') {
      writeFileSync(join(work, title), text);
      if (title === 'main.tf') expect((await terrane(['apply', '-auto-approve'])).exit).toBe(0);
      continue;
    }
    const expected: string[] = [];
    let output = '';
    for (const line of text.trimEnd().split('\n')) {
      if (!line.startsWith('$ ')) {
        expected.push(line);
        continue;
      }
      commands += 1;
      const [program, ...args] = line.slice(2).split(' ');
      if (program === 'web') service.run(args[0] ?? '', args[1] ?? '', args.slice(2));
      else if (program === 'rm') rmSync(join(work, args[0] ?? ''));
      else {
        const ran = await terrane(args);
        expect({ line, stderr: ran.stderr, exit: ran.exit }).toEqual({ line, stderr: '', exit: 2 });
        output = ran.stdout;
      }
    }
    // The page may leave out the beginning.
    expect(
      `\n${output}`.endsWith(`\n${expected.join('\n')}\n`) || expected.length === 0,
      output,
    ).toBe(true);
  }
  expect(commands).toBe(6);
  expect(existsSync(join(work, 'terraform.tfstate'))).toBe(true);
});
