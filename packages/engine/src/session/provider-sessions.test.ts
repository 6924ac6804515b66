import { ProviderConfigAddr, type ProviderSource } from '@terrane/addresses';
import { object, str, STRING, type Value } from '@terrane/cty';
import { enforceContract, type Provider, type ProviderSchema } from '@terrane/provider';
import { describe, expect, it } from 'vitest';
import type { Schemas } from '../config/model.ts';
import { ProviderSessions } from './provider-sessions.ts';

function addressOf(text: string): ProviderConfigAddr {
  const address = ProviderConfigAddr.parse(text);
  if (address === undefined) throw new Error(text);
  return address;
}

const PLAIN = addressOf('provider["registry.terraform.io/hashicorp/test"]');
const ALIASED = addressOf('provider["registry.terraform.io/hashicorp/test"].other');

function schemaOf(required: boolean): ProviderSchema {
  const region = required ? { type: STRING, required: true } : { type: STRING, optional: true };
  return {
    provider: { version: 0, block: { attributes: { region }, blocks: {} } },
    resources: {},
    dataSources: {},
    ephemeralResources: {},
    functions: {},
    capabilities: {},
  };
}

/** Sessions over a provider that writes down what it is asked. */
function sessionsOf(
  options: {
    readonly required?: boolean;
    readonly refuse?: 'validate' | 'configure';
    readonly close?: () => Promise<void>;
  } = {},
) {
  const calls: string[] = [];
  const schema = schemaOf(options.required ?? false);
  const answerTo = (step: 'validate' | 'configure') =>
    options.refuse === step
      ? { diagnostics: [{ severity: 'error' as const, summary: `no ${step}`, detail: '' }] }
      : {};
  let started = 0;
  const make = (): Provider => {
    const number = ++started;
    const unused = (): never => {
      throw new Error('not asked for');
    };
    return {
      schema: () => schema,
      validateProviderConfig: () => answerTo('validate'),
      configure: async ({ config }) => {
        await Promise.resolve();
        const region = config.attr('region');
        calls.push(`configure ${number} ${region.isNull ? '-' : region.asString()}`);
        return answerTo('configure');
      },
      validateResourceConfig: unused,
      validateDataSourceConfig: unused,
      upgradeResourceState: unused,
      readResource: unused,
      planResourceChange: unused,
      applyResourceChange: unused,
      importResourceState: unused,
      readDataSource: unused,
      stop: () => void calls.push(`stop ${number}`),
      close: () => {
        calls.push(`close ${number}`);
        return options.close?.();
      },
    };
  };
  const port = {
    start: (source: ProviderSource) => {
      calls.push('start');
      return enforceContract(make(), source.text);
    },
  };
  const schemas: Schemas = { provider: () => schema, resource: () => undefined };
  return { sessions: new ProviderSessions(port, schemas), calls };
}

const config = (region: string): Value => object(new Map([['region', str(region)]]));

describe('provider sessions', () => {
  it('open a configuration once, however many ask for it at the same time', async () => {
    const { sessions, calls } = sessionsOf();
    const opened = await Promise.all([
      sessions.open(PLAIN),
      sessions.open(PLAIN),
      sessions.open(PLAIN),
    ]);
    expect(calls).toEqual(['start', 'configure 1 -']);
    expect(new Set(opened.map(({ provider }) => provider)).size).toBe(1);
    expect(opened[0]?.provider).toBeDefined();
  });

  it('configure a provider from its block, and start one for each configuration', async () => {
    const { sessions, calls } = sessionsOf();
    sessions.declare(PLAIN, undefined, config('here'));
    sessions.declare(ALIASED, undefined, config('there').mark('sensitive'));
    expect(calls).toEqual([]);
    const [plain, aliased] = [await sessions.open(PLAIN), await sessions.open(ALIASED)];
    expect(calls).toEqual(['start', 'configure 1 here', 'start', 'configure 2 there']);
    expect(plain.provider).not.toBe(aliased.provider);
  });

  it.each(['validate', 'configure'] as const)(
    'report once that a provider refuses to %s',
    async (refuse) => {
      const { sessions } = sessionsOf({ refuse });
      sessions.declare(PLAIN, undefined, config('here'));
      const { diagnostics } = await sessions.open(PLAIN);
      const summaries = [`no ${refuse}`, 'Invalid provider configuration'];
      expect(diagnostics.map(({ summary }) => summary)).toEqual(summaries);
      expect(await sessions.open(PLAIN)).toEqual({ diagnostics: [] });
      const empty = sessionsOf({ refuse }).sessions;
      const first = await empty.open(PLAIN);
      expect([first.provider, first.diagnostics.map(({ summary }) => summary)]).toEqual([
        undefined,
        summaries,
      ]);
      expect(await empty.open(PLAIN)).toEqual({ diagnostics: [] });
    },
  );

  it('report an error once for concurrent requests', async () => {
    const { sessions } = sessionsOf({ refuse: 'configure' });
    const opened = await Promise.all([sessions.open(PLAIN), sessions.open(PLAIN)]);
    expect(opened.map(({ diagnostics }) => diagnostics.length)).toEqual([2, 0]);
  });

  it('report missing arguments without a block, without a provider call', async () => {
    const { sessions, calls } = sessionsOf({ required: true });
    const { provider, diagnostics } = await sessions.open(PLAIN);
    expect(provider).toBeUndefined();
    expect(diagnostics.map(({ summary }) => summary)).toEqual([
      'Missing required argument',
      'Invalid provider configuration',
    ]);
    expect(calls).toEqual([]);
  });

  it('configure nothing where the block could not be evaluated', async () => {
    const { sessions, calls } = sessionsOf();
    sessions.fail(PLAIN);
    expect(await sessions.open(PLAIN)).toEqual({ diagnostics: [] });
    expect(calls).toEqual([]);
  });

  it('keep a provider that is started without a configuration apart from the configured one', async () => {
    const { sessions, calls } = sessionsOf();
    const started = await sessions.started(PLAIN);
    expect(calls).toEqual(['start']);
    expect((await sessions.open(PLAIN)).provider).not.toBe(started);
    expect(calls).toEqual(['start', 'start', 'configure 2 -']);
  });

  it('start a declared provider at its first use and close it after the last one that is expected', async () => {
    const { sessions, calls } = sessionsOf();
    sessions.declare(PLAIN, undefined, config('here'));
    for (let use = 0; use < 2; use++) sessions.expect(PLAIN);
    expect(calls).toEqual([]);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    expect(calls).toEqual(['start', 'configure 1 here']);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    await sessions.close();
    expect(calls).toEqual(['start', 'configure 1 here', 'close 1']);
  });

  it('close nothing that is held', async () => {
    const { sessions, calls } = sessionsOf();
    sessions.expect(PLAIN);
    const release = sessions.hold(PLAIN);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    expect(calls).toEqual(['start', 'configure 1 -']);
    release();
    await sessions.close();
    expect(calls).toEqual(['start', 'configure 1 -', 'close 1']);
  });

  it('open a provider again after the last expected use, and then keep it', async () => {
    const { sessions, calls } = sessionsOf();
    sessions.declare(PLAIN, undefined, config('here'));
    sessions.expect(PLAIN);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    await sessions.open(PLAIN);
    await sessions.open(PLAIN);
    const again = ['start', 'configure 1 here', 'close 1', 'start', 'configure 2 here'];
    expect(calls).toEqual(again);
    await sessions.close();
    expect(calls).toEqual([...again, 'close 2']);
  });

  it('start a provider only after another one has ended that is closing', async () => {
    let endClosing = (): void => {};
    const closing = new Promise<void>((resolve) => (endClosing = resolve));
    const { sessions, calls } = sessionsOf({ close: () => closing });
    sessions.expect(PLAIN);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    const other = sessions.open(ALIASED);
    await new Promise((turn) => setImmediate(turn));
    expect(calls).toEqual(['start', 'configure 1 -', 'close 1']);
    endClosing();
    await other;
    expect(calls.slice(3)).toEqual(['start', 'configure 2 -']);
  });

  it('report errors of closing a provider early when the run ends', async () => {
    const { sessions } = sessionsOf({ close: () => Promise.reject(new Error('broken pipe')) });
    sessions.expect(PLAIN);
    await sessions.use([PLAIN], () => sessions.open(PLAIN));
    await expect(sessions.close()).rejects.toThrow('broken pipe');
  });

  it('configure every instance of the declared configurations, and report errors once', async () => {
    const { sessions, calls } = sessionsOf();
    for (const key of ['a', 'b'])
      sessions.declare(ALIASED.instance(key), undefined, config(`in ${key}`));
    expect(await sessions.openDeclared([PLAIN, ALIASED])).toEqual([]);
    expect(calls.filter((call) => call !== 'start')).toEqual([
      'configure 1 in a',
      'configure 2 in b',
    ]);
    const refused = sessionsOf({ refuse: 'configure' }).sessions;
    refused.declare(PLAIN, undefined, config('here'));
    expect((await refused.openDeclared([PLAIN]))?.[0]?.summary).toBe('no configure');
    expect(await refused.openDeclared([PLAIN])).toBeUndefined();
  });

  it('start nothing after the run was cancelled', async () => {
    const { sessions, calls } = sessionsOf();
    await sessions.kill();
    const { provider, diagnostics } = await sessions.open(PLAIN);
    expect([provider, diagnostics[0]?.summary]).toEqual([undefined, 'Request cancelled']);
    expect(calls).toEqual([]);
  });

  it('stop and close every provider that was started, each once', async () => {
    const { sessions, calls } = sessionsOf();
    await sessions.started(PLAIN);
    await sessions.open(ALIASED);
    calls.length = 0;
    await sessions.stop();
    await sessions.close();
    await sessions.close();
    expect(calls).toEqual(['stop 1', 'stop 2', 'close 1', 'close 2']);
  });
});
