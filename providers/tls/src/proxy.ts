import {
  alsoRequires,
  bool,
  conflictsWith,
  ifKnown,
  isUnknown,
  listBlock,
  sizeBetween,
  string,
} from '@terrane/provider/sdk';
import type { AttributeOf, ManyBlockOf, Unknown } from '@terrane/provider/sdk';
import { urlWithScheme } from './url.ts';

/** The proxy for connections to servers. */
export interface ProxySettings {
  readonly url?: URL;
  /** true to read the URL from the environment if `url` is not set */
  readonly fromEnvironment: boolean;
}

interface ProxyAttributes {
  readonly from_env: AttributeOf<typeof bool, 'optional', 'url' | 'username' | 'password'>;
  readonly password: AttributeOf<typeof string, 'optional', 'username'>;
  readonly url: AttributeOf<typeof string, 'optional', 'from_env'>;
  readonly username: AttributeOf<typeof string, 'optional', 'url'>;
}

/** The `proxy` block of the provider's configuration. */
export const PROXY: ManyBlockOf<ProxyAttributes> = listBlock(
  {
    from_env: bool({
      optional: true,
      description:
        'When `true` the provider will discover the proxy configuration from environment variables. This is based upon [`http.ProxyFromEnvironment`](https://pkg.go.dev/net/http#ProxyFromEnvironment) and it supports the same environment variables (default: `true`).',
      descriptionKind: 'markdown',
      validators: [conflictsWith('url', 'username', 'password')],
    }),
    password: string({
      optional: true,
      sensitive: true,
      description: 'Password used for Basic authentication against the Proxy.',
      descriptionKind: 'markdown',
      validators: [alsoRequires('username')],
    }),
    url: string({
      optional: true,
      description:
        'URL used to connect to the Proxy. Accepted schemes are: `http`, `https`, `socks5`. ',
      descriptionKind: 'markdown',
      validators: [urlWithScheme('http', 'https', 'socks5'), conflictsWith('from_env')],
    }),
    username: string({
      optional: true,
      description: 'Username (or Token) used for Basic authentication against the Proxy.',
      descriptionKind: 'markdown',
      validators: [alsoRequires('url')],
    }),
  },
  {
    description: 'Proxy used by resources and data sources that connect to external endpoints.',
    descriptionKind: 'markdown',
    validators: [sizeBetween(0, 1)],
  },
);

interface Proxy {
  readonly from_env: boolean | Unknown | null;
  readonly url: string | Unknown | null;
  readonly username: string | Unknown | null;
  readonly password: string | Unknown | null;
}

/** Reads the proxy settings of a configuration. */
export function proxySettings(blocks: readonly (Proxy | Unknown)[] | Unknown): ProxySettings {
  const block = isUnknown(blocks) ? undefined : blocks[0];
  if (block === undefined || isUnknown(block)) return { fromEnvironment: true };
  const fromEnvironment = ifKnown(block.from_env) ?? true;
  const proxyUrl = ifKnown(block.url) ?? undefined;
  if (proxyUrl === undefined) return { fromEnvironment };
  const url = new URL(proxyUrl);
  const [username, password] = [ifKnown(block.username), ifKnown(block.password)];
  url.username = encodeURIComponent(username ?? decodeURIComponent(url.username));
  url.password = encodeURIComponent(password ?? decodeURIComponent(url.password));
  return { url, fromEnvironment };
}
