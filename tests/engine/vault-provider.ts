import { objectOf, str, type Value } from '@terrane/cty';
import type { Provider } from '@terrane/provider';
import {
  defineProvider,
  ephemeralResource,
  ifKnown,
  isUnknown,
  list,
  listBlock,
  number,
  privateData,
  ProviderError,
  resource,
  string,
} from '@terrane/provider/sdk';
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
  /** Called before each change. */
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
      config: { attributes: { token: string({ optional: true }) } },
      configure: ({ config }) => {
        this.calls.push(`configure ${shown(config.token)}`);
        return {};
      },
      resources: { vault_secret: this.#secret() },
      ephemeralResources: { vault_token: this.#token() },
    });
    const close = (): void => void this.calls.push('end');
    return this.bend(Object.assign(made, { close }));
  }

  #secret() {
    return resource({
      attributes: {
        id: string({ computed: true }),
        name: string({ required: true }),
        version: number({ optional: true }),
        secret_wo: string({ optional: true, writeOnly: true }),
        list_wo: list(string, { optional: true, writeOnly: true }),
        kind_wo: string({ optional: true, writeOnly: true, requiresReplace: true }),
      },
      blocks: {
        rotation: listBlock({
          days: number({ optional: true }),
          key_wo: string({ optional: true, writeOnly: true }),
        }),
      },
      validate: ({ config }) => {
        this.calls.push(`validate ${shown(config.secret_wo)}`);
      },
      create: async ({ plan, config }) => {
        await this.#store('create', config);
        return { ...plan, id: ifKnown(plan.id, `id-${plan.name}`) };
      },
      update: async ({ plan, config }) => {
        await this.#store('update', config);
        return { ...plan, id: ifKnown(plan.id, `id-${plan.name}`) };
      },
      delete: async ({ state }) => {
        this.calls.push(`delete ${state.name}`);
        await this.work(state.name);
      },
    });
  }

  async #store(
    action: string,
    config: {
      readonly name: string;
      readonly secret_wo: string | null;
      readonly rotation: readonly { readonly key_wo: string | null }[];
    },
  ): Promise<void> {
    const { name, rotation } = config;
    const nested = rotation.map((block) => shown(block.key_wo)).join(',');
    this.calls.push(
      `${action} ${name} ${shown(config.secret_wo)}${nested === '' ? '' : ` ${nested}`}`,
    );
    await this.work(name);
  }

  #token() {
    return ephemeralResource({
      attributes: {
        name: string({ required: true }),
        ttl: number({ optional: true }),
        value: string({ computed: true, sensitive: true }),
      },
      private: privateData<{ name: string }>(),
      open: ({ config, setPrivate, renewAt }) => {
        const { name, ttl } = config;
        this.calls.push(`open ${name}`);
        if (this.fails.open.includes(name)) {
          throw new ProviderError('Cannot open', `${name} is shut.`);
        }
        setPrivate({ name });
        if (ttl !== null) renewAt(this.#in(ttl));
        return { ...config, value: `token-${name}-${this.#next++}` };
      },
      renew: ({ private: { name = '' }, setPrivate, renewAt }) => {
        this.calls.push(`renew ${name}`);
        if (this.fails.renew.includes(name)) {
          throw new ProviderError('Cannot renew', `${name} is gone.`);
        }
        setPrivate({ name: `${name}'` });
        renewAt(this.#in(60_000));
      },
      close: ({ private: { name = '' } }) => {
        this.calls.push(`close ${name}`);
        if (this.fails.close.includes(name)) {
          throw new ProviderError('Cannot close', `${name} stays.`);
        }
      },
    });
  }

  #in(ms: number): Date {
    return new Date(this.#clock.now().getTime() + ms);
  }
}

/** A value as the calls have it. */
function shown(value: unknown): string {
  if (isUnknown(value)) return '?';
  if (value === null) return '-';
  return Array.isArray(value) ? value.map(shown).join('+') : String(value);
}

/** The object with one attribute set. */
export function withAttribute(value: Value, name: string, text: string): Value {
  const { type } = value;
  if (type.kind !== 'object') throw new Error('not an object');
  return objectOf(
    type,
    type.names.map((attribute) => (attribute === name ? str(text) : value.attr(attribute))),
  );
}
