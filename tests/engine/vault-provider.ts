import { listType, NUMBER, objectOf, STRING, str, type Value } from '@terrane/cty';
import {
  defineProvider,
  error,
  type Fields,
  type OpenOutcome,
  type Provider,
  type ProviderDiagnostic,
  requiresReplace,
} from '@terrane/provider';
import type { ManualClock } from '@terrane/testkit';

/**
 * A provider with ephemeral tokens and write-only arguments. It writes down what it is asked, and
 * what it is told in secret.
 */
export class Vault {
  readonly calls: string[] = [];
  /** Names of tokens that cannot be opened, renewed or closed. */
  readonly fails: { open: string[]; renew: string[]; close: string[] } = {
    open: [],
    renew: [],
    close: [],
  };
  /** What a change takes. */
  work: (name: string) => Promise<void> = () => Promise.resolve();
  /** Changes how the provider answers, for those that break the contract. */
  bend: (provider: Provider) => Provider = (provider) => provider;
  readonly #clock: ManualClock;
  #next = 1;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  provider(): Provider {
    const made = defineProvider({
      config: {
        attributes: { token: { type: STRING, optional: true } },
        configure: (config) => {
          this.calls.push(`configure ${shown(config.value('token'))}`);
          return [];
        },
      },
      resources: {
        vault_secret: {
          attributes: {
            id: { type: STRING, computed: true },
            name: { type: STRING, required: true },
            version: { type: NUMBER, optional: true },
            secret_wo: { type: STRING, optional: true, writeOnly: true },
            list_wo: { type: listType(STRING), optional: true, writeOnly: true },
            kind_wo: {
              type: STRING,
              optional: true,
              writeOnly: true,
              modifiers: [requiresReplace],
            },
          },
          blocks: {
            rotation: {
              nesting: 'list',
              attributes: {
                days: { type: NUMBER, optional: true },
                key_wo: { type: STRING, optional: true, writeOnly: true },
              },
            },
          },
          validate: (config) => {
            this.calls.push(`validate ${shown(config.value('secret_wo'))}`);
            return [];
          },
          create: ({ plan, config }) => this.#store('create', plan, config),
          update: ({ plan, config }) => this.#store('update', plan, config),
          delete: async ({ state }) => {
            const name = state.string('name') ?? '';
            this.calls.push(`delete ${name}`);
            await this.work(name);
            return {};
          },
        },
      },
      ephemeralResources: {
        vault_token: {
          attributes: {
            name: { type: STRING, required: true },
            ttl: { type: NUMBER, optional: true },
            value: { type: STRING, computed: true, sensitive: true },
          },
          open: (config) => this.#open(config),
          renew: (kept) => {
            const name = textOf(kept);
            this.calls.push(`renew ${name}`);
            if (this.fails.renew.includes(name))
              return { diagnostics: [error('Cannot renew', `${name} is gone.`)] };
            return { private: bytesOf(`${name}'`), renewAt: this.#in(60_000) };
          },
          close: (kept): readonly ProviderDiagnostic[] => {
            const name = textOf(kept);
            this.calls.push(`close ${name}`);
            return this.fails.close.includes(name) ? [error('Cannot close', `${name} stays.`)] : [];
          },
        },
      },
    });
    const close = (): void => void this.calls.push('end');
    return this.bend(Object.assign(made, { close }));
  }

  async #store(action: string, plan: Fields, config: Fields): Promise<{ state: Value }> {
    const name = plan.string('name') ?? '';
    const keys = config.value('rotation').elements();
    const nested = keys.map((block) => shown(block.attr('key_wo'))).join(',');
    this.calls.push(
      `${action} ${name} ${shown(config.value('secret_wo'))}${nested === '' ? '' : ` ${nested}`}`,
    );
    await this.work(name);
    const id = plan.string('id');
    return { state: id === undefined ? plan.with({ id: `id-${name}` }) : plan.with({}) };
  }

  #open(config: Fields): OpenOutcome {
    const name = config.string('name') ?? '';
    this.calls.push(`open ${name}`);
    if (this.fails.open.includes(name))
      return { diagnostics: [error('Cannot open', `${name} is shut.`)] };
    const ttl = config.integer('ttl');
    return {
      state: config.with({ value: `token-${name}-${this.#next++}` }),
      private: bytesOf(name),
      ...(ttl === undefined ? {} : { renewAt: this.#in(ttl) }),
    };
  }

  #in(ms: number): Date {
    return new Date(this.#clock.now().getTime() + ms);
  }
}

/** A value as the calls have it. */
function shown(value: Value): string {
  if (!value.isKnown) return '?';
  if (value.isNull) return '-';
  return value.type === STRING ? value.asString() : value.elements().map(shown).join('+');
}

/** The object with one attribute set. */
export function withAttribute(value: Value, name: string, text: string): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((one) => (one === name ? str(text) : value.attr(one))),
  );
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function textOf(data: Uint8Array | undefined): string {
  return new TextDecoder().decode(data);
}
