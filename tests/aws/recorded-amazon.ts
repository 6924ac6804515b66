// A host without network, with recorded responses of Amazon to the requests that the provider sends while it is configured.
import { posix } from 'node:path';
import type { HttpAnswer, HttpRequest, Spawn } from '@terrane/host';
import { enforceContract, type ProviderDiagnostic } from '@terrane/provider';
import { configValue } from '@terrane/provider/testing';
import { provider } from '@terrane/provider-aws';
import { memoryHost } from '@terrane/testkit';
import type { Settings } from './moto-world.ts';

/** A request as it was sent. */
export interface Asked {
  readonly url: URL;
  /** how the host was to send it */
  readonly sent: HttpRequest;
  /** the operation: `GetCallerIdentity`, or of other services the path */
  readonly operation: string;
  /** what is asked for, of a request with a form */
  readonly form: URLSearchParams;
  /** whose key it is signed with, for which region; the empty string: nobody's */
  readonly key: string;
  readonly region: string;
}

/** The environment that the provider is configured in. */
export interface Place {
  readonly variables?: Readonly<Record<string, string>>;
  /** what is in which file */
  readonly files?: Readonly<Record<string, string>>;
  /** answers instead of the usual one; undefined: that */
  readonly answer?: (
    asked: Asked,
  ) => { readonly status: number; readonly text: string } | undefined;
  readonly spawn?: Spawn;
}

/** The result of configuring. */
export interface Configured {
  readonly asked: readonly Asked[];
  /** "error: summary: detail" */
  readonly messages: readonly string[];
}

/** Configures the provider, with `settings` as its block. */
export async function configured(settings: Settings, place: Place = {}): Promise<Configured> {
  const { variables = {}, files = {}, answer, spawn } = place;
  const memory = memoryHost({ variables });
  for (const [path, text] of Object.entries(files)) {
    await memory.files.makeDirectory(posix.dirname(path));
    await memory.files.writeFile(path, text);
  }
  const asked: Asked[] = [];
  const http = {
    request(url: string, sent: HttpRequest = {}): Promise<HttpAnswer> {
      const askedRequest = askedOf(url, sent);
      asked.push(askedRequest);
      const { status, text } = answer?.(askedRequest) ?? usualAnswer(askedRequest);
      const body = (async function* () {
        yield await Promise.resolve(new TextEncoder().encode(text));
      })();
      return Promise.resolve({ url, status, headers: { 'content-type': 'text/xml' }, body });
    },
    openSession: memory.http.openSession,
    serveLocally: memory.http.serveLocally,
  };
  const host = { ...memory, http, clock: { ...memory.clock, ...HASTY }, ...(spawn && { spawn }) };
  const checked = enforceContract(provider.create(host), provider.address);
  const { block } = (await checked.schema()).provider;
  const config = configValue(block, settings);
  const validated = await checked.validateProviderConfig({ config });
  const wrong = validated.diagnostics?.some(({ severity }) => severity === 'error') === true;
  const { diagnostics = [] } = wrong
    ? validated
    : await checked.configure({
        terraformVersion: '1.11.4',
        config,
        capabilities: { deferralAllowed: false, writeOnlyAttributesAllowed: true },
      });
  return { asked, messages: diagnostics.map(textOf) };
}

/** A clock that waits for nothing; it shows the real time, which requests are signed with. */
const HASTY = {
  now: () => new Date(),
  monotonicMs: () => 0,
  sleep: async () => await Promise.resolve(),
};

function textOf({ severity, summary, detail }: ProviderDiagnostic): string {
  return `${severity}: ${summary}: ${detail}`;
}

function askedOf(text: string, sent: HttpRequest): Asked {
  const url = new URL(text);
  const header = (name: string): string =>
    Object.entries(sent.headers ?? {}).find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
  const form = new URLSearchParams(Buffer.from(sent.body ?? '').toString('utf8'));
  const [, key = '', region = ''] =
    /Credential=([^/]+)\/\d+\/([^/]+)/.exec(header('authorization')) ?? [];
  return { url, sent, form, key, region, operation: form.get('Action') ?? url.pathname };
}

/** Answers of STS: whoever is assumed has a key that is called as the role is. */
function usualAnswer({ operation, form, key }: Asked): { status: number; text: string } {
  const role = form.get('RoleArn')?.split('/').pop() ?? '';
  switch (operation) {
    case 'GetCallerIdentity':
      return ok(operation, `<Account>123456789012</Account><Arn>${key}</Arn><UserId>u</UserId>`);
    case 'AssumeRole':
    case 'AssumeRoleWithWebIdentity':
      return ok(
        operation,
        `<Credentials><AccessKeyId>${role}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials>`,
      );
    default:
      return { status: 404, text: '' };
  }
}

/** A good answer of a service that speaks in forms. */
export function ok(operation: string, result: string): { status: number; text: string } {
  return {
    status: 200,
    text: `<${operation}Response><${operation}Result>${result}</${operation}Result><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></${operation}Response>`,
  };
}
