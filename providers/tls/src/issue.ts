import type { KeyObject } from 'node:crypto';
import { attrStep, BOOL, nullOf, NUMBER, TRUE, unknownOf } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { error } from '@terrane/provider';
import type {
  Fields,
  Modifier,
  PlanOutcome,
  ProviderDiagnostic,
  ProviderPorts,
  ReadOutcome,
} from '@terrane/provider';
import type { AlternativeNames } from './alternative-names.ts';
import { createCertificate, subjectKeyIdOf } from './certificate.ts';
import { EMPTY_NAME } from './distinguished-name.ts';
import { attempt } from './given.ts';
import type { Problem } from './given.ts';
import { encodePem } from './pem.ts';

const HOUR = 3_600_000;

/** Who and what a certificate is for, and who signs it. */
export interface Issue {
  /** names in DER */
  readonly issuer: Buffer;
  readonly subject: Buffer;
  /** SubjectPublicKeyInfo in DER */
  readonly publicKey: Buffer;
  readonly names: AlternativeNames;
  readonly signer: KeyObject;
  /** of the issuer's certificate; undefined: the certificate is its own */
  readonly issuerKeyId?: Buffer | undefined;
  readonly selfSigned: boolean;
}

/** Issues the certificate that a plan describes: the arguments that hold it. */
export function issue(
  { random, clock }: Pick<ProviderPorts, 'random' | 'clock'>,
  plan: Fields,
  what: Issue,
): Record<string, Value | string> | Problem {
  const isAuthority = plan.bool('is_ca_certificate') === true;
  if (isAuthority && what.subject.equals(EMPTY_NAME)) {
    const detail =
      'Must contain at least one Distinguished Name when creating Certificate Authority (CA)';
    return { problem: error('Invalid Certificate Subject', detail) };
  }
  const wantsKeyId = isAuthority || plan.bool('set_subject_key_id') === true;
  const subjectKeyId = wantsKeyId ? subjectKeyIdOf(what.publicKey) : undefined;
  const issuerKeyId = what.selfSigned ? subjectKeyId : what.issuerKeyId;
  const wantsIssuer = what.selfSigned && plan.bool('set_authority_key_id') === true;
  if (wantsIssuer && issuerKeyId === undefined) {
    const detail = 'Could not determine Authority Key Identifier';
    return { problem: error('Invalid Certificate Authority', detail) };
  }
  const namesDiffer = !what.issuer.equals(what.subject);
  const serial = BigInt(`0x0${Buffer.from(random.bytes(16)).toString('hex')}`);
  const notBefore = clock.now();
  const hours = plan.integer('validity_period_hours') ?? 0;
  const notAfter = new Date(notBefore.getTime() + hours * HOUR);
  const certificate = attempt('Failed to create certificate', () =>
    createCertificate(
      {
        serial,
        notBefore,
        notAfter,
        issuer: what.issuer,
        subject: what.subject,
        publicKey: what.publicKey,
        names: what.names,
        usages: plan.strings('allowed_uses'),
        isAuthority,
        maxPathLength: Math.max(0, plan.integer('max_path_length') ?? 0),
        subjectKeyId,
        authorityKeyId: wantsIssuer || namesDiffer ? issuerKeyId : undefined,
      },
      what.signer,
    ),
  );
  if ('problem' in certificate) return certificate;
  const limit = plan.value('max_path_length');
  return {
    id: serial.toString(),
    cert_pem: encodePem('CERTIFICATE', certificate),
    validity_start_time: preciseTime(notBefore),
    validity_end_time: preciseTime(notAfter),
    max_path_length: limit.isKnown ? limit : nullOf(NUMBER),
  };
}

/** Whether issuing failed. */
export function isProblem(issued: Record<string, Value | string> | Problem): issued is Problem {
  return 'problem' in issued;
}

/** RFC 3339 with as many fractional digits as there are. */
function preciseTime(date: Date): string {
  return date.toISOString().replace(/\.?0+Z$/, 'Z');
}

/** Whether a certificate is due for renewal; undefined when that can't be told. */
function isDue(fields: Fields, now: Date): boolean | undefined | ProviderDiagnostic {
  const end = fields.string('validity_end_time');
  if (end === undefined) return undefined;
  const moment = Date.parse(end);
  if (Number.isNaN(moment)) {
    return error(
      `Failed to parse data from string: ${end}`,
      `parsing time "${end}" as "2006-01-02T15:04:05Z07:00"`,
    );
  }
  const early = (fields.integer('early_renewal_hours') ?? 0) * HOUR;
  return moment - early <= now.getTime();
}

const READY = [attrStep('ready_for_renewal')];

/** Plans a replacement for a certificate that is due for renewal. */
export function planRenewal(plan: Fields, now: Date): PlanOutcome {
  const due = isDue(plan, now);
  if (due === true) {
    const planned = plan.with({ ready_for_renewal: unknownOf(BOOL) });
    return { plan: planned, requiresReplace: [READY] };
  }
  return typeof due === 'object' ? { diagnostics: [due] } : {};
}

/** Notes that a certificate is due for renewal. */
export function readRenewal(state: Fields, now: Date): ReadOutcome {
  const due = isDue(state, now);
  if (due === true) return { state: state.with({ ready_for_renewal: TRUE }) };
  return typeof due === 'object' ? { diagnostics: [due] } : {};
}

/** A certificate whose early renewal begins at once is ready for it from the start. */
export const readyFromTheStart: Modifier = ({ plan }) => {
  const hours = (name: string) => {
    const v = plan.attr(name);
    return v.isKnown && !v.isNull ? v.asInt() : undefined;
  };
  const validity = hours('validity_period_hours') ?? 0;
  const early = hours('early_renewal_hours');
  const ready = validity === 0 || (early !== undefined && early >= validity);
  return ready ? { planValue: TRUE } : undefined;
};
