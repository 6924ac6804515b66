import { BOOL, NULL, STRING } from '@terrane/cty';
import { alsoRequires, conflictsWith, sizeBetween } from '@terrane/provider';
import type { BlockDefinition, Fields } from '@terrane/provider';
import { urlWithScheme } from './url.ts';

/** The proxy to reach servers through. */
export interface ProxySettings {
  readonly url?: URL;
  /** without a URL: take it from the environment */
  readonly fromEnvironment: boolean;
}

/** The block of the provider's configuration. */
export const PROXY: BlockDefinition = {
  nesting: 'list',
  description: 'Proxy used by resources and data sources that connect to external endpoints.',
  descriptionKind: 'markdown',
  validators: [sizeBetween(0, 1)],
  attributes: {
    from_env: {
      type: BOOL,
      optional: true,
      description:
        'When `true` the provider will discover the proxy configuration from environment variables. This is based upon [`http.ProxyFromEnvironment`](https://pkg.go.dev/net/http#ProxyFromEnvironment) and it supports the same environment variables (default: `true`).',
      descriptionKind: 'markdown',
      validators: [conflictsWith('url', 'username', 'password')],
    },
    password: {
      type: STRING,
      optional: true,
      sensitive: true,
      description: 'Password used for Basic authentication against the Proxy.',
      descriptionKind: 'markdown',
      validators: [alsoRequires('username')],
    },
    url: {
      type: STRING,
      optional: true,
      description:
        'URL used to connect to the Proxy. Accepted schemes are: `http`, `https`, `socks5`. ',
      descriptionKind: 'markdown',
      validators: [urlWithScheme('http', 'https', 'socks5'), conflictsWith('from_env')],
    },
    username: {
      type: STRING,
      optional: true,
      description: 'Username (or Token) used for Basic authentication against the Proxy.',
      descriptionKind: 'markdown',
      validators: [alsoRequires('url')],
    },
  },
};

/** The settings that a configuration gives. */
export function proxySettings(config: Fields): ProxySettings {
  const blocks = config.value('proxy');
  const block = blocks.isKnown && !blocks.isNull ? (blocks.at(0) ?? NULL) : NULL;
  if (block.isNull) return { fromEnvironment: true };
  const text = (name: string) => {
    const v = block.attr(name);
    return v.isKnown && !v.isNull ? v.asString() : undefined;
  };
  const fromEnv = block.attr('from_env');
  const fromEnvironment = !fromEnv.isKnown || fromEnv.isNull || fromEnv.asBool();
  const given = text('url');
  if (given === undefined) return { fromEnvironment };
  const url = new URL(given);
  url.username = encodeURIComponent(text('username') ?? decodeURIComponent(url.username));
  url.password = encodeURIComponent(text('password') ?? decodeURIComponent(url.password));
  return { url, fromEnvironment };
}
