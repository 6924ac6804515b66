import { type InstanceAddr, parseInstanceAddr } from '@terrane/addresses';
import { object, str, STRING, type Value } from '@terrane/cty';
import { EMPTY_BODY } from '@terrane/hcl';
import {
  type CheckedProvider,
  enforceContract,
  type OpenAnswer,
  type Provider,
  type ProviderDiagnostic,
  type ProviderSchema,
  type RenewAnswer,
} from '@terrane/provider';
import { ManualClock } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { type EphemeralEvent, Ephemerals } from './ephemerals.ts';

const SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: {},
  dataSources: {},
  ephemeralResources: {
    test_token: {
      version: 0,
      block: { attributes: { token: { type: STRING, computed: true } }, blocks: {} },
    },
  },
  functions: {},
  capabilities: {},
};
const TOKEN = object(new Map([['token', str('t')]]));
const CONFIG = object(new Map([['token', str('')]]));

function addressOf(text: string): InstanceAddr {
  const { address } = parseInstanceAddr(text);
  if (address === undefined) throw new Error(text);
  return address;
}

interface Behaviour {
  readonly validate?: () => readonly ProviderDiagnostic[];
  readonly open?: () => OpenAnswer;
  readonly renew?: (text: string) => RenewAnswer | Promise<RenewAnswer>;
  readonly close?: (address: string) => readonly ProviderDiagnostic[];
}

const failure = (summary: string): ProviderDiagnostic => ({
  severity: 'error',
  summary,
  detail: '',
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (data: Uint8Array | undefined): string => new TextDecoder().decode(data);

/** Ephemerals over a provider that writes down what it is asked. */
function setUp(behaviour: Behaviour = {}) {
  const clock = new ManualClock();
  const calls: string[] = [];
  const events: string[] = [];
  const expired: string[] = [];
  const inner: Partial<Provider> = {
    schema: () => SCHEMA,
    validateEphemeralResourceConfig: () => ({ diagnostics: behaviour.validate?.() ?? [] }),
    openEphemeralResource: ({ address }) => {
      calls.push(`open ${address}`);
      return behaviour.open?.() ?? { result: CONFIG };
    },
    renewEphemeralResource: async ({ address, private: data }) => {
      calls.push(`renew ${address} ${textOf(data)}`);
      return (await behaviour.renew?.(textOf(data))) ?? {};
    },
    closeEphemeralResource: ({ address = '', private: data }) => {
      calls.push(`close ${address} ${textOf(data)}`.trimEnd());
      return { diagnostics: behaviour.close?.(address) ?? [] };
    },
  };
  const provider: CheckedProvider = enforceContract(inner as Provider, 'test'); // only ephemerals are asked for
  const ephemerals = new Ephemerals({
    emit: (event: EphemeralEvent) =>
      events.push(
        `${event.kind.slice('ephemeral-'.length)} ${event.addr.text}${'action' in event ? ` ${event.action}` : ''}`,
      ),
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  });
  const open = async (
    text: string,
  ): Promise<{
    readonly value: Value | 'deferred' | undefined;
    readonly problems: readonly string[];
  }> => {
    const diagnostics: { readonly summary: string }[] = [];
    const value = await ephemerals.open(
      {
        addr: addressOf(text),
        provider,
        config: CONFIG,
        where: { body: EMPTY_BODY, address: text },
        expire: () => expired.push(text),
      },
      diagnostics as never,
    );
    return { value, problems: diagnostics.map((diagnostic) => diagnostic.summary) };
  };
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms);
  return { clock, calls, events, expired, ephemerals, open, inMs };
}

const summaries = (diagnostics: readonly { readonly summary: string }[]): readonly string[] =>
  diagnostics.map((diagnostic) => diagnostic.summary);

describe('closing', () => {
  it('closes each open resource once, the last opened first', async () => {
    const { open, ephemerals, calls, events } = setUp();
    await open('ephemeral.test_token.a[0]');
    await open('ephemeral.test_token.a[1]');
    await open('ephemeral.test_token.b');
    expect(await ephemerals.close()).toEqual([]);
    expect(await ephemerals.close()).toEqual([]);
    expect(calls.filter((call) => call.startsWith('close'))).toEqual([
      'close ephemeral.test_token.b',
      'close ephemeral.test_token.a[1]',
      'close ephemeral.test_token.a[0]',
    ]);
    expect(events.slice(-2)).toEqual([
      'start ephemeral.test_token.a[0] close',
      'complete ephemeral.test_token.a[0] close',
    ]);
  });

  it('of one resource leaves the others open', async () => {
    const { open, ephemerals, calls } = setUp();
    await open('ephemeral.test_token.a["x"]');
    await open('module.m[0].ephemeral.test_token.a');
    await open('module.m[1].ephemeral.test_token.a');
    await ephemerals.closeAll('module.m.ephemeral.test_token.a');
    expect(calls.slice(3)).toEqual([
      'close module.m[0].ephemeral.test_token.a',
      'close module.m[1].ephemeral.test_token.a',
    ]);
    await ephemerals.close();
    expect(calls).toHaveLength(6);
  });

  it('continues after a failure, and reports every one', async () => {
    const { open, ephemerals, calls, events } = setUp({
      close: (address) => [failure(`cannot close ${address}`)],
    });
    await open('ephemeral.test_token.a');
    await open('ephemeral.test_token.b');
    expect(summaries(await ephemerals.close())).toEqual([
      'cannot close ephemeral.test_token.b',
      'cannot close ephemeral.test_token.a',
    ]);
    expect(calls).toHaveLength(4);
    expect(events.filter((event) => event.startsWith('errored'))).toHaveLength(2);
  });
});

describe('opening', () => {
  it('returns the value of the provider', async () => {
    const { open } = setUp({ open: () => ({ result: CONFIG }) });
    expect((await open('ephemeral.test_token.a')).value).toBe(CONFIG);
  });

  it('holds nothing after a refused configuration', async () => {
    const { open, ephemerals, calls, events } = setUp({ validate: () => [failure('bad')] });
    expect(await open('ephemeral.test_token.a')).toEqual({ value: undefined, problems: ['bad'] });
    await ephemerals.close();
    expect([calls, events]).toEqual([[], []]);
  });

  it('holds nothing after a failure', async () => {
    const { open, ephemerals, calls, events } = setUp({
      open: () => ({ result: TOKEN, diagnostics: [failure('cannot open')] }),
    });
    const { value, problems } = await open('ephemeral.test_token.a');
    expect([value, problems]).toEqual([undefined, ['cannot open']]);
    await ephemerals.close();
    expect(calls).toEqual(['open ephemeral.test_token.a']);
    expect(events).toEqual([
      'start ephemeral.test_token.a open',
      'errored ephemeral.test_token.a open',
    ]);
  });
});

describe('renewing', () => {
  it('happens at the time that the provider requested, each time with its latest private data', async () => {
    const { clock, open, ephemerals, calls, inMs } = setUp({
      open: () => ({ result: CONFIG, private: bytes('0'), renewAt: inMs(90_000) }),
      renew: (text) => ({ private: bytes(`${text}+`), renewAt: inMs(30_000) }),
    });
    await open('ephemeral.test_token.a');
    await clock.advance(89_999);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    expect(calls.slice(1)).toEqual(['renew ephemeral.test_token.a 0']);
    await clock.advance(60_000);
    expect(calls.slice(2)).toEqual([
      'renew ephemeral.test_token.a 0+',
      'renew ephemeral.test_token.a 0++',
    ]);
    await ephemerals.close();
    expect(calls.at(-1)).toBe('close ephemeral.test_token.a 0+++');
    expect(clock.sleeping).toBe(0);
    await clock.advance(1_000_000);
    expect(calls).toHaveLength(5);
  });

  it('ends when the provider names no further time', async () => {
    const { clock, open, calls, ephemerals, inMs } = setUp({
      open: () => ({ result: CONFIG, renewAt: inMs(10) }),
    });
    await open('ephemeral.test_token.a');
    await clock.advance(1_000_000);
    expect(calls.filter((call) => call.startsWith('renew'))).toHaveLength(1);
    await ephemerals.close();
  });

  it('that is due already still lets others have their turn', async () => {
    const { clock, open, calls, ephemerals, inMs } = setUp({
      open: () => ({ result: CONFIG, renewAt: inMs(-5) }),
      renew: () => ({ renewAt: inMs(60_000) }),
    });
    await open('ephemeral.test_token.a');
    expect(calls).toHaveLength(1);
    await clock.advance(0);
    expect(calls).toHaveLength(2);
    await ephemerals.close();
  });

  it('that fails makes the value expire, and is reported when the object is closed', async () => {
    const { clock, open, ephemerals, calls, expired, events, inMs } = setUp({
      open: () => ({ result: CONFIG, renewAt: inMs(10) }),
      renew: () => ({ diagnostics: [failure('cannot renew')], renewAt: inMs(10) }),
    });
    await open('ephemeral.test_token.a');
    await clock.advance(1000);
    expect(expired).toEqual(['ephemeral.test_token.a']);
    expect(calls).toHaveLength(2);
    expect(events.at(-1)).toBe('errored ephemeral.test_token.a renew');
    expect(summaries(await ephemerals.close())).toEqual(['cannot renew']);
    expect(calls.at(-1)).toBe('close ephemeral.test_token.a');
  });

  it('that is under way is awaited before the object is closed', async () => {
    let finish = (): void => {};
    const { clock, open, ephemerals, calls, inMs } = setUp({
      open: () => ({ result: CONFIG, renewAt: inMs(10) }),
      renew: () =>
        new Promise((resolve) => {
          finish = () => resolve({ private: bytes('late') });
        }),
    });
    await open('ephemeral.test_token.a');
    await clock.advance(10);
    const closing = ephemerals.close();
    await clock.advance(10);
    expect(calls).toHaveLength(2);
    finish();
    await closing;
    expect(calls.at(-1)).toBe('close ephemeral.test_token.a late');
  });
});
