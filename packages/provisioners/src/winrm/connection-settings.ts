import type { Value } from '@terrane/cty';
import { inBrackets, isTrue, portOf, textOf, timeoutOf } from '../connection-arguments.ts';

/** Settings of a WinRM `connection` block, with defaults. */
export interface WinrmSettings {
  /** a name or an address; an IPv6 address in brackets */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly https: boolean;
  /** server certificates of HTTPS are not verified */
  readonly insecure: boolean;
  readonly ntlm: boolean;
  /** the authorities to trust over HTTPS, in PEM; empty: those of this machine */
  readonly authorities: string;
  readonly scriptPath: string;
  readonly timeoutMs: number;
}

/** Reads the arguments of a connection. Throws Terraform's errors for invalid ones. */
export function winrmSettings(value: Value): WinrmSettings {
  const text = (name: string): string => textOf(value.attr(name));
  const host = text('host');
  if (host === '') throw new Error('host for provisioner cannot be empty');
  const scriptPath = text('script_path') || 'C:/Temp/terraform_%RAND%.cmd';
  // Windows deletes files there while it starts, including earlier uploads of scripts.
  if (scriptPath.startsWith('C:/Windows/Temp')) {
    throw new Error(
      String.raw`Using the C:\Windows\Temp folder is not supported. Please use a different 'script_path'.`,
    );
  }
  const authorities = text('cacert');
  if (authorities !== '' && !/-----BEGIN CERTIFICATE-----/.test(authorities)) {
    throw new Error(
      'Unable to read certificates: "cacert" is to hold certificates in PEM, such as file("ca.pem") gives',
    );
  }
  const https = isTrue(value.attr('https'));
  return {
    host: inBrackets(host),
    port: portOf(value.attr('port')) || (https ? 5986 : 5985),
    user: text('user') || 'Administrator',
    password: text('password'),
    https,
    insecure: isTrue(value.attr('insecure')),
    ntlm: isTrue(value.attr('use_ntlm')),
    authorities,
    scriptPath,
    timeoutMs: timeoutOf(text('timeout')),
  };
}
