import { userErrorText } from '@terrane/host';

/** A host that has no service of a kind. */
export class ServiceNotProvided extends Error {
  constructor(hostname: string | undefined, service: string) {
    const host = hostname === undefined ? 'host' : `host ${hostname}`;
    super(`${host} does not provide a ${service} service`);
    this.name = 'ServiceNotProvided';
  }
}

/** A host that has a service of a kind, in other versions only. */
export class ServiceVersionNotSupported extends Error {
  constructor(hostname: string, service: string, version: string) {
    super(`host ${hostname} does not support ${service} version ${version}`);
    this.name = 'ServiceVersionNotSupported';
  }
}

/** The OAuth client settings in a host's `login.v1` service. */
export interface OAuthClient {
  readonly id: string;
  readonly authorizationUrl: URL | undefined;
  readonly tokenUrl: URL | undefined;
  readonly minPort: number;
  readonly maxPort: number;
  readonly grantTypes: ReadonlySet<string>;
  readonly scopes: readonly string[] | undefined;
}

type Services = Readonly<Record<string, unknown>>;

/** The services of a host, read as terraform-svchost's `disco.Host` does. */
export class ServiceHost {
  /** as users read it */
  readonly hostname: string;
  readonly #at: string;
  readonly #services: Services | undefined;

  /** `at` is where the services were found; without services it is a host that has no list of them. */
  constructor(hostname: string, at: string, services?: Services) {
    this.hostname = hostname;
    this.#at = at;
    this.#services = services;
  }

  /**
   * Returns the URL of a service (`providers.v1`). Throws `ServiceNotProvided`, `ServiceVersionNotSupported`, or
   * another error.
   */
  serviceUrl(id: string): URL {
    const services = this.#having(id, (value) => typeof value === 'string');
    try {
      return this.#parseUrl(String(services[id]));
    } catch (error) {
      throw new Error(`Failed to parse service URL: ${userErrorText(error)}`, { cause: error });
    }
  }

  /**
   * Returns the OAuth client settings of a service (`login.v1`). Throws like `serviceUrl`, and for an unusable
   * definition.
   */
  oauthClient(id: string): OAuthClient {
    const definition = this.#having(id, (value) => value !== undefined)[id];
    const raw: unknown = Array.isArray(definition) ? definition[0] : definition;
    if (!isObject(raw)) {
      throw new Error(
        `Service ${id} must be declared with an object value in the service discovery document`,
      );
    }
    const grantTypes = grantTypesOf(id, raw['grant_types']);
    const client = raw['client'];
    if (typeof client !== 'string') throw missing(id, 'client');
    const authorizationUrl = this.#optionalUrl(raw['authz'], 'authorization');
    if (authorizationUrl === undefined && grantTypes.has('authz_code')) throw missing(id, 'authz');
    const tokenUrl = this.#optionalUrl(raw['token'], 'token');
    const needsToken = grantTypes.has('authz_code') || grantTypes.has('password');
    if (tokenUrl === undefined && needsToken) throw missing(id, 'token');
    const [minPort, maxPort] = portsOf(id, raw['ports']);
    const scopes = scopesOf(id, raw['scopes']);
    return { id: client, authorizationUrl, tokenUrl, minPort, maxPort, grantTypes, scopes };
  }

  #having(id: string, fits: (value: unknown) => boolean): Services {
    const [service, version] = splitService(id);
    const services = this.#services;
    if (services === undefined) throw new ServiceNotProvided(undefined, service);
    if (Object.hasOwn(services, id) && fits(services[id])) return services;
    if (Object.keys(services).some((each) => each.startsWith(`${service}.`))) {
      throw new ServiceVersionNotSupported(this.hostname, service, version);
    }
    throw new ServiceNotProvided(this.hostname, service);
  }

  #optionalUrl(value: unknown, subject: string): URL | undefined {
    if (typeof value !== 'string') return undefined;
    try {
      return this.#parseUrl(value);
    } catch (error) {
      throw new Error(`Failed to parse ${subject} URL: ${userErrorText(error)}`, { cause: error });
    }
  }

  #parseUrl(text: string): URL {
    const url = new URL(text, this.#at);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new Error(`unsupported scheme ${url.protocol.replace(/:$/, '')}`);
    }
    if (url.username !== '' || url.password !== '') {
      throw new Error('embedded username/password information is not permitted');
    }
    url.hash = '';
    return url;
  }
}

function splitService(id: string): [service: string, version: string] {
  const match = /^([^.]+)\.(v?[0-9].*)$/.exec(id);
  if (match === null) throw new Error(`Invalid service ID format (i.e. service.vN): ${id}`);
  return [match[1] ?? '', match[2] ?? ''];
}

function missing(id: string, property: string): Error {
  return new Error(`Service ${id} definition is missing required property "${property}"`);
}

function grantTypesOf(id: string, grantTypes: unknown): ReadonlySet<string> {
  if (grantTypes === undefined) return new Set(['authz_code']);
  if (!Array.isArray(grantTypes)) {
    throw new Error(
      `Service ${id} is defined with invalid grant_types property: must be an array of grant type strings`,
    );
  }
  return new Set(grantTypes.filter((each): each is string => typeof each === 'string'));
}

function portsOf(id: string, portRange: unknown): [min: number, max: number] {
  if (!Array.isArray(portRange)) return [1024, 65_535];
  const trouble = (reason: string): Error =>
    new Error(`Invalid "ports" definition for service ${id}: ${reason}`);
  if (portRange.length !== 2) throw trouble('must be a two-element array');
  const ports = portRange.map((port: unknown) => {
    if (typeof port !== 'number' || !Number.isInteger(port) || port < 1024 || port > 65_535) {
      throw trouble('both ports must be whole numbers between 1024 and 65535');
    }
    return port;
  });
  const [min = 1024, max = 65_535] = ports;
  if (max < min) throw trouble('minimum port cannot be greater than maximum port');
  return [min, max];
}

function scopesOf(id: string, scopes: unknown): readonly string[] | undefined {
  if (!Array.isArray(scopes)) return undefined;
  return scopes.map((scope: unknown) => {
    if (typeof scope === 'string') return scope;
    throw new Error(`Invalid "scopes" for service ${id}: all scopes must be strings`);
  });
}

function isObject(value: unknown): value is Services {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
