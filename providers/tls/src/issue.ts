import type { KeyObject } from 'node:crypto';
import { TRUE } from '@terrane/cty';
import type { ProviderPorts } from '@terrane/provider';
import { ifKnown, planModifier, ProviderError, unknown } from '@terrane/provider/sdk';
import type { PlanModifier, Unknown } from '@terrane/provider/sdk';
import type { AlternativeNames } from './alternative-names.ts';
import { createCertificate, subjectKeyIdOf } from './certificate.ts';
import { EMPTY_NAME } from './distinguished-name.ts';
import { attempt, present } from './given.ts';
import { encodePem } from './pem.ts';

const HOUR = 3_600_000;

/** The subject, usages and issuer of a certificate. */
export interface Issue {
  /** names in DER */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER */
  readonly publicKey: Buffer;
  readonly names: AlternativeNames;
  readonly signer: KeyObject;
  /** the key ID of the issuer's certificate; undefined for a self-signed certificate */
  readonly issuerKeyId?: Buffer | undefined;
  readonly selfSigned: boolean;
}

/** The planned attributes of a certificate. */
export interface PlannedCertificate {
  readonly is_ca_certificate: boolean;
  readonly set_subject_key_id: boolean;
  readonly set_authority_key_id?: boolean;
  readonly validity_period_hours: number;
  readonly allowed_uses: readonly (string | null)[];
  readonly max_path_length: number | Unknown | null;
}

/** The computed attributes of an issued certificate. */
export interface Issued {
  readonly id: string;
  readonly cert_pem: string;
  readonly validity_start_time: string;
  readonly validity_end_time: string;
  readonly max_path_length: number | null;
}

/** Issues a planned certificate and returns its computed attributes. */
export function issue(
  { random, clock }: Pick<ProviderPorts, 'random' | 'clock'>,
  plan: PlannedCertificate,
  request: Issue,
): Issued {
  const isAuthority = plan.is_ca_certificate;
  if (isAuthority && request.subject.equals(EMPTY_NAME)) {
    const detail =
      'Must contain at least one Distinguished Name when creating Certificate Authority (CA)';
    throw new ProviderError('Invalid Certificate Subject', detail);
  }
  const wantsKeyId = isAuthority || plan.set_subject_key_id;
  const subjectKeyId = wantsKeyId ? subjectKeyIdOf(request.publicKey) : undefined;
  const issuerKeyId = request.selfSigned ? subjectKeyId : request.issuerKeyId;
  const wantsIssuer = request.selfSigned && plan.set_authority_key_id === true;
  if (wantsIssuer && issuerKeyId === undefined) {
    const detail = 'Could not determine Authority Key Identifier';
    throw new ProviderError('Invalid Certificate Authority', detail);
  }
  const namesDiffer = !request.issuer.equals(request.subject);
  const serial = BigInt(`0x0${Buffer.from(random.bytes(16)).toString('hex')}`);
  const notBefore = clock.now();
  const notAfter = new Date(notBefore.getTime() + plan.validity_period_hours * HOUR);
  const limit = ifKnown(plan.max_path_length) ?? null;
  const certificate = attempt('Failed to create certificate', () =>
    createCertificate(
      {
        serial,
        notBefore,
        notAfter,
        issuer: request.issuer,
        subject: request.subject,
        publicKey: request.publicKey,
        names: request.names,
        usages: present(plan.allowed_uses),
        isAuthority,
        maxPathLength: Math.max(0, limit ?? 0),
        subjectKeyId,
        authorityKeyId: wantsIssuer || namesDiffer ? issuerKeyId : undefined,
      },
      request.signer,
    ),
  );
  return {
    id: serial.toString(),
    cert_pem: encodePem('CERTIFICATE', certificate),
    validity_start_time: preciseTime(notBefore),
    validity_end_time: preciseTime(notAfter),
    max_path_length: limit,
  };
}

/** Formats a date by RFC 3339, without trailing zeros of the fraction. */
function preciseTime(date: Date): string {
  return date.toISOString().replace(/\.?0+Z$/, 'Z');
}

/** The validity period of a certificate. */
export interface Validity {
  readonly validity_end_time: string | Unknown | null;
  readonly early_renewal_hours: number | Unknown | null;
}

/** Returns true if a certificate is due for renewal; false if that is unknown. */
export function isDue(certificate: Validity, now: Date): boolean {
  const end = ifKnown(certificate.validity_end_time) ?? undefined;
  if (end === undefined) return false;
  const moment = Date.parse(end);
  if (Number.isNaN(moment)) {
    throw new ProviderError(
      `Failed to parse data from string: ${end}`,
      `parsing time "${end}" as "2006-01-02T15:04:05Z07:00"`,
    );
  }
  const early = (ifKnown(certificate.early_renewal_hours) ?? 0) * HOUR;
  return moment - early <= now.getTime();
}

/** Plans a replacement for a certificate that is due for renewal. */
export function planRenewal(
  plan: Validity,
  now: Date,
  requireReplace: (name: 'ready_for_renewal') => void,
): { readonly ready_for_renewal: Unknown } | undefined {
  if (!isDue(plan, now)) return undefined;
  requireReplace('ready_for_renewal');
  return { ready_for_renewal: unknown() };
}

/** Plans ready_for_renewal as true for a certificate whose renewal period begins with its validity. */
export const readyFromTheStart: PlanModifier = planModifier(({ plan }) => {
  const hours = (name: string) => {
    const v = plan.attr(name);
    return v.isKnown && !v.isNull ? v.asInt() : undefined;
  };
  const validity = hours('validity_period_hours') ?? 0;
  const early = hours('early_renewal_hours');
  const ready = validity === 0 || (early !== undefined && early >= validity);
  return ready ? { planValue: TRUE } : undefined;
});
