import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { isNetwork } from '@terrane/host';
import { LARGEST_BLOB, LARGEST_STREAM, mailUrlProblem } from '@terrane/server';
import type { CommandContext } from '../../command.ts';
import type { ServerFlags } from './flags.ts';

/** Values of the flags of `terrane server`. */
export type Values = ServerFlags['values'];

const DEFAULT_ADDRESS = '127.0.0.1:8443';

/** Validates flags and environment. */
export function optionProblems(values: Values, context: CommandContext): readonly Diagnostic[] {
  return [
    ...networkProblems(values),
    ...signOnProblems(values),
    ...mailProblems(values),
    ...blobProblems(values),
    ...(values.dev ? [] : productionProblems(values, context)),
  ];
}

function networkProblems(values: Values): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const add = (summary: string, detail: string): void =>
    void problems.push(errorDiagnostic(summary, detail));
  if (addressOf(values.listen) === undefined) {
    add(
      'Invalid address',
      'The option -listen has to be an address with a port, such as 0.0.0.0:8443.',
    );
  }
  if (values.url !== '' && !/^https?:\/\/[^/]+\/?$/.test(values.url)) {
    add(
      'Invalid URL',
      'The option -url has to be a URL without a path, such as https://runs.example.com.',
    );
  }
  const invalidDestination = values['allow-destination'].find((each) => !isDestination(each));
  if (invalidDestination !== undefined) {
    add(
      'Invalid destination',
      `The option -allow-destination is ${JSON.stringify(invalidDestination)}. It has to be a host name, an address or a network such as 10.0.0.0/8.`,
    );
  }
  if (values['log-format'] !== 'text' && values['log-format'] !== 'json') {
    add('Invalid log format', 'The option -log-format has to be "text" or "json".');
  }
  if (values['rate-limit'] < 0 || values['rate-limit'] > 100_000) {
    add('Invalid rate limit', 'The option -rate-limit has to be between 0 and 100000.');
  }
  return problems;
}

function signOnProblems(values: Values): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const add = (summary: string, detail: string): void =>
    void problems.push(errorDiagnostic(summary, detail));
  if ((values['oidc-issuer'] === '') !== (values['oidc-client-id'] === '')) {
    add(
      'Incomplete single sign-on',
      'The options -oidc-issuer and -oidc-client-id belong together. Use both, or neither.',
    );
  }
  if (
    values['oidc-issuer'] !== '' &&
    !/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)[:/])/.test(values['oidc-issuer'])
  ) {
    add(
      'Invalid issuer',
      'The option -oidc-issuer has to be the https:// URL of an OpenID Connect provider.',
    );
  }
  return problems;
}

function mailProblems(values: Values): readonly Diagnostic[] {
  if (values.smtp === '' && values['mail-from'] === '') return [];
  if (values.smtp === '' || values['mail-from'] === '') {
    const detail = 'The options -smtp and -mail-from belong together. Use both, or neither.';
    return [errorDiagnostic('Incomplete mail server', detail)];
  }
  const problem = mailUrlProblem(values.smtp);
  if (problem === undefined) return [];
  return [errorDiagnostic('Invalid mail server', `The option -smtp is not valid. ${problem}`)];
}

function blobProblems(values: Values): readonly Diagnostic[] {
  const move = values['move-blobs'];
  if (move !== '' && move !== 'storage' && move !== 'database') {
    const detail = 'The option -move-blobs has to be "storage" or "database".';
    return [errorDiagnostic('Invalid location of contents', detail)];
  }
  if (move !== '' && values['blob-storage'] === '') {
    const detail = 'The option -move-blobs requires -blob-storage.';
    return [errorDiagnostic('Missing blob storage', detail)];
  }
  if (values['blob-storage-from'] < 1) {
    const detail = 'The option -blob-storage-from has to be a number of bytes.';
    return [errorDiagnostic('Invalid size', detail)];
  }
  const limit = values['blob-storage-limit'];
  if (limit >= LARGEST_BLOB && limit <= LARGEST_STREAM) return [];
  const detail = `The option -blob-storage-limit has to be a number of bytes from ${LARGEST_BLOB} to ${LARGEST_STREAM}.`;
  return [errorDiagnostic('Invalid size', detail)];
}

function productionProblems(values: Values, { world }: CommandContext): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  const add = (summary: string, detail: string): void =>
    void problems.push(errorDiagnostic(summary, detail));
  if ((world.environment['TERRANE_DATABASE_URL'] ?? '') === '') {
    add(
      'Missing database',
      'The environment variable TERRANE_DATABASE_URL is not set. Set it to the connection string of a PostgreSQL database, or start the server with -dev to try it.',
    );
  }
  if (values['encryption-config'] === '') {
    add(
      'Missing encryption',
      'The option -encryption-config is required, because the database holds secrets. It names a file with a key provider, a method and a "plan" target, as in an "encryption" block.',
    );
  }
  const isServing =
    values['move-blobs'] === '' &&
    values['create-user'] === '' &&
    !values['create-agent-token'] &&
    !values['create-metrics-token'];
  if (
    isServing &&
    !values['behind-proxy'] &&
    (values['tls-cert'] === '' || values['tls-key'] === '')
  ) {
    add(
      'Missing certificate',
      'Clients require HTTPS. Use -tls-cert and -tls-key, or -behind-proxy if a proxy in front of the server ends TLS.',
    );
  }
  return problems;
}

const isDestination = (text: string): boolean =>
  isNetwork(text) || /^(?!\d+(\.\d+)*$)[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(text);

/** Parses an address with a port; "" is the default address. Undefined if it is invalid. */
export function addressOf(
  text: string,
): { readonly host: string; readonly port: number } | undefined {
  const match = /^(\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text === '' ? DEFAULT_ADDRESS : text);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) return undefined;
  return { host: (match[1] ?? '').replaceAll(/[[\]]/g, ''), port };
}
