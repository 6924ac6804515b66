import { importOptional } from '@terrane/host';
import type { Mail } from './services.ts';

/** The mail server of an installation. */
export interface MailOptions {
  /** `smtps://mail.example.com:465`, or `smtp://…`, which switches to TLS; a user name is in the URL */
  readonly url: string;
  readonly password: string;
  /** the sender: an address, or `Name <address>` */
  readonly from: string;
}

const TIMEOUT_MS = 20_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns the problem of the URL of a mail server; undefined if it has none. */
export function mailUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isMail = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  if (url === undefined || !isMail || url.hostname === '') {
    return 'It has to be a URL such as smtps://user@mail.example.com:465.';
  }
  return url.password === '' ? undefined : 'The password belongs into TERRANE_SMTP_PASSWORD.';
}

/**
 * Opens the mail server of an installation. Connections are encrypted, except for those to this machine. Each e-mail has
 * one recipient.
 */
export async function openMailer({
  url: text,
  password,
  from,
}: MailOptions): Promise<(mail: Mail) => Promise<void>> {
  const { createTransport } = await importOptional(
    'E-mail notifications',
    ['nodemailer'],
    async () => await import('./libraries/server-mail.ts'),
  );
  const { protocol, hostname, port, username } = new URL(text);
  const isSecure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  const transport = createTransport({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && !LOOPBACK.test(hostname),
    ...(user !== '' && { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text: body }) => {
    await transport.sendMail({
      from,
      // An object, so that no part of the address is read as a list of addresses.
      to: { name: '', address: to },
      subject,
      text: body,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  };
}
