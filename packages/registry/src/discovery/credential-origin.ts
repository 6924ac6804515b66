/** Credentials would go to an address that they are not for. */
export class CredentialsWithheld extends Error {
  constructor(hostname: string, url: URL, reason: string) {
    super(
      `the credentials for ${hostname} are not sent to ${url.origin}, ${reason}. Ask the operator of ${hostname} to offer the service over https, or remove the credentials for ${hostname} to go without`,
    );
    this.name = 'CredentialsWithheld';
  }
}

/**
 * Verifies that the credentials for a host may be sent to the URL of one of its services: over TLS, or to this machine.
 * A host may name services elsewhere, because it did so over TLS. @throws CredentialsWithheld
 */
export function requireEncrypted(hostname: string, url: URL): void {
  if (url.protocol === 'https:' || isLoopback(url)) return;
  throw new CredentialsWithheld(hostname, url, 'which is not encrypted');
}

/**
 * Verifies that the credentials for a service may be sent to a URL that the service named in a response: over TLS, and
 * to the origin of the service. @throws CredentialsWithheld
 */
export function requireSameOrigin(hostname: string, service: URL, url: URL): void {
  requireEncrypted(hostname, url);
  if (url.origin === service.origin) return;
  throw new CredentialsWithheld(
    hostname,
    url,
    `which is another server than that of the service (${service.origin})`,
  );
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
