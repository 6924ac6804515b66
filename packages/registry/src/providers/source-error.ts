import type { ProviderSource } from '@terrane/addresses';
import { type Platform, platformText } from './platform.ts';

/** The reason why a source has no suitable package. */
export type SourceProblem =
  | { readonly kind: 'no-registry'; readonly hostname: string; readonly hasOtherVersion: boolean }
  | { readonly kind: 'unreachable'; readonly hostname: string }
  | { readonly kind: 'unauthorized'; readonly hostname: string }
  /** none of the searched sources has the provider */
  | { readonly kind: 'not-found'; readonly places: readonly string[] }
  /** the provider's registry does not know it */
  | { readonly kind: 'not-known' }
  | {
      readonly kind: 'platform';
      readonly version: string;
      readonly platform: Platform;
      readonly mirror: string | undefined;
    }
  | {
      readonly kind: 'protocol';
      readonly version: string;
      /** the newest version with a supported protocol */
      readonly suggestion: string | undefined;
    }
  | { readonly kind: 'other' };

/** A failed request to a package source; the message has Terraform's text. */
export class SourceError extends Error {
  readonly problem: SourceProblem;

  constructor(problem: SourceProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SourceError';
    this.problem = problem;
  }
}

/** Creates the error for a host that is not a provider registry. */
export function noRegistry(hostname: string, hasOtherVersion: boolean): SourceError {
  return new SourceError(
    { kind: 'no-registry', hostname, hasOtherVersion },
    hasOtherVersion
      ? `host ${hostname} does not support the provider registry protocol required by this Terraform version, but may be compatible with a different Terraform version`
      : `host ${hostname} does not offer a Terraform provider registry`,
  );
}

/** Creates the error for a failed service discovery. */
export function unreachable(hostname: string, reason: string, cause: unknown): SourceError {
  return new SourceError(
    { kind: 'unreachable', hostname },
    `could not connect to ${hostname}: ${reason}`,
    cause,
  );
}

/** Returns the error for a response of 401 or 403. */
export function unauthorized(hostname: string, haveCredentials: boolean): SourceError {
  return new SourceError(
    { kind: 'unauthorized', hostname },
    haveCredentials
      ? `host ${hostname} rejected the given authentication credentials`
      : `host ${hostname} requires authentication credentials`,
  );
}

/** Returns the error for a provider that no source has. */
export function notFound(provider: ProviderSource, places: readonly string[] = []): SourceError {
  return new SourceError(
    { kind: 'not-found', places },
    `provider ${provider.text} was not found in any of the search locations`,
  );
}

/** Creates the error for a registry that does not have the provider. */
export function notKnown(provider: ProviderSource, hostname: string): SourceError {
  return new SourceError(
    { kind: 'not-known' },
    `provider registry ${hostname} does not have a provider named ${provider.text}`,
  );
}

/** Creates the error for a missing package for a platform. */
export function platformNotSupported(
  provider: ProviderSource,
  version: string,
  platform: Platform,
  mirror?: string,
): SourceError {
  const name = platformText(platform);
  return new SourceError(
    { kind: 'platform', version, platform, mirror },
    mirror === undefined
      ? `provider ${provider.text} ${version} is not available for ${name}`
      : `provider mirror ${mirror} does not have a package of ${provider.text} ${version} for ${name}`,
  );
}

/** Returns the error for a provider without a supported protocol. */
export function protocolNotSupported(
  provider: ProviderSource,
  version: string,
  suggestion: string | undefined,
): SourceError {
  return new SourceError(
    { kind: 'protocol', version, suggestion },
    `provider ${provider.text} ${version} is not supported by this version of terraform`,
  );
}

/** Returns the error for an unexpected response of a registry or mirror. */
export function queryFailed(
  provider: ProviderSource,
  reason: string,
  mirror?: string,
  cause?: unknown,
): SourceError {
  return new SourceError(
    { kind: 'other' },
    mirror === undefined
      ? `could not query provider registry for ${provider.text}: ${reason}`
      : `failed to query provider mirror ${mirror} for ${provider.text}: ${reason}`,
    cause,
  );
}
