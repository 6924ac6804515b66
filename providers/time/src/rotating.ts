import { quoteText } from '@terrane/cty';
import { parseInt64 } from '@terrane/provider';
import type { ProviderPorts } from '@terrane/provider';
import {
  atLeast,
  atLeastOneConfigured,
  bigInt64,
  error,
  gone,
  ifKnown,
  isUnknown,
  planModifier,
  ProviderError,
  resource,
} from '@terrane/provider/sdk';
import type { PlanModifier, Resource, Unknown } from '@terrane/provider/sdk';
import {
  addDate,
  addSeconds,
  formatMoment,
  isAfter,
  momentOf,
  parseMoment,
  ZERO_TIME,
} from './go-time.ts';
import type { Moment } from './go-time.ts';
import {
  BASE_TIMESTAMP,
  momentAttributes,
  partsOf,
  sameTimestamp,
  timeOf,
  timestamp,
} from './timestamp-attribute.ts';
import type { MomentParts } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

const SPANS = [
  'rotation_minutes',
  'rotation_hours',
  'rotation_days',
  'rotation_months',
  'rotation_years',
] as const;
const ROTATIONS = [...SPANS, 'rotation_rfc3339'] as const;

type Spans = Readonly<Record<(typeof SPANS)[number], bigint | Unknown | null>>;
type Rotations = Spans & { readonly rotation_rfc3339: string | Unknown | null };

type Ports = Pick<ProviderPorts, 'clock'>;

/** An argument with the time until the next rotation. */
const span = (unit: string) =>
  bigInt64({
    optional: true,
    description: `Number of ${unit} to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.`,
    validators: [atLeast(1)],
  });

/** `time_rotating`: a time stamp that is replaced after its rotation period. */
export function rotatingResource({ clock }: Ports): Resource {
  return resource({
    description:
      'Manages a rotating time resource, which keeps a rotating UTC timestamp stored in the Terraform state and proposes resource recreation when the locally sourced current time is beyond the rotation time. This rotation only occurs when Terraform is executed, meaning there will be drift between the rotation timestamp and actual rotation. The new rotation timestamp offset includes this drift. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html) by only forcing a new value on the set cadence.',
    attributes: {
      ...momentAttributes('timestamp'),
      id: timestamp({
        computed: true,
        description: 'RFC3339 format of the timestamp, e.g. `2020-02-12T06:36:13Z`.',
      }),
      rfc3339: timestamp({ ...BASE_TIMESTAMP, requiresReplace: true }),
      rotation_days: span('days'),
      rotation_hours: span('hours'),
      rotation_minutes: span('minutes'),
      rotation_months: span('months'),
      rotation_rfc3339: timestamp({
        optional: true,
        computed: true,
        description:
          "Configure the rotation timestamp with an [RFC3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format of the offset timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        planModifiers: [replaceIfOutdated(clock)],
      }),
      rotation_years: span('years'),
      triggers: triggers(
        'Arbitrary map of values that, when changed, will trigger a new base timestamp value to be saved. These conditions recreate the resource in addition to other rotation arguments. See [the main provider documentation](../index.md) for more information.',
      ),
    },
    validators: [atLeastOneConfigured(...ROTATIONS)],
    modifyPlan: ({ plan, state, changed }) => {
      if (state === null || !ROTATIONS.some((name) => changed(name))) return undefined;
      // An unknown rotation leaves the result unknown, except for the timestamp that it sets itself.
      if (SPANS.some((name) => isUnknown(plan[name]))) return undefined;
      const base = ifKnown(plan.rfc3339, state.rfc3339);
      const next = rotationState(plan, timeOf(base));
      const rotationTimestamp = ifKnown(plan.rotation_rfc3339) ?? '';
      const unchanged = sameTimestamp(rotationTimestamp, next.rotation_rfc3339)
        ? { rotation_rfc3339: rotationTimestamp }
        : {};
      return { ...next, rfc3339: base, ...unchanged };
    },
    create: ({ plan }) => {
      const baseTimestamp = ifKnown(plan.rfc3339, '');
      const moment = baseTimestamp === '' ? momentOf(clock.now()) : timeOf(baseTimestamp);
      return { ...plan, ...rotationState(plan, moment) };
    },
    read: ({ state }) => {
      const rotationTimestamp = state.rotation_rfc3339;
      if (rotationTimestamp === null || rotationTimestamp === '') return state;
      return isAfter(momentOf(clock.now()), timeOf(rotationTimestamp)) ? gone : state;
    },
    update: ({ plan, state, changed }) =>
      ROTATIONS.some((name) => changed(name))
        ? { ...plan, ...rotationState(plan, timeOf(plan.id)) }
        : state,
    import: ({ id = '' }) => importRotating(id),
  });
}

function replaceIfOutdated(clock: Ports['clock']): PlanModifier {
  return planModifier(({ state, planValue, stateValue }) => {
    if (state.isNull || planValue.rawEquals(stateValue)) return undefined;
    const moment = parseMoment(stateValue.isNull ? '' : stateValue.asString());
    if (typeof moment === 'string') {
      const detail = `The rotation rfc3339 timestamp that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
      return { diagnostics: [error('replaceIfOutdated plan modifier error', detail)] };
    }
    return { requiresReplace: isAfter(momentOf(clock.now()), moment) };
  });
}

interface RotationState extends MomentParts {
  readonly rotation_rfc3339: string;
  readonly rfc3339: string;
  readonly id: string;
}

/** Returns the attributes for a base time. The last configured rotation in the order below applies. */
function rotationState(rotations: Rotations, base: Moment): RotationState {
  const amountOf = (name: keyof Spans) => Number(ifKnown(rotations[name]) ?? 0);
  let rotation = ZERO_TIME;
  if (amountOf('rotation_days') !== 0) rotation = addDate(base, 0, 0, amountOf('rotation_days'));
  if (amountOf('rotation_hours') !== 0)
    rotation = addSeconds(base, amountOf('rotation_hours') * 3600);
  if (amountOf('rotation_minutes') !== 0)
    rotation = addSeconds(base, amountOf('rotation_minutes') * 60);
  if (amountOf('rotation_months') !== 0)
    rotation = addDate(base, 0, amountOf('rotation_months'), 0);
  const rotationTimestamp = ifKnown(rotations.rotation_rfc3339) ?? '';
  if (rotationTimestamp !== '') rotation = timeOf(rotationTimestamp);
  if (amountOf('rotation_years') !== 0) rotation = addDate(base, amountOf('rotation_years'), 0, 0);
  return momentState(base, rotation);
}

function momentState(base: Moment, rotation: Moment): RotationState {
  return {
    ...partsOf(rotation),
    rotation_rfc3339: formatMoment(rotation),
    rfc3339: formatMoment(base),
    id: formatMoment(base),
  };
}

function importRotating(id: string) {
  const parts = id.split(',');
  const refuse = (expected: string): never => {
    const detail = `Unexpected format of ID (${quoteText(id)}), expected ${expected}`;
    throw new ProviderError('Unexpected Format of ID', detail);
  };
  const [base = '', ...rotations] = parts;
  const lacking = base === '' || rotations.every((part) => part === '');
  const long = 'BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES';
  switch (parts.length) {
    case 2:
      return lacking ? refuse('BASETIMESTAMP,ROTATIONTIMESTAMP') : importMoments(parts);
    case 6:
      if (!lacking) return importRotations(base, rotations);
      return refuse(`${long} where at least one rotation value is non-empty`);
    default:
      return refuse(`${long} or BASETIMESTAMP,ROTATIONTIMESTAMP`);
  }
}

function importFailure(subject: string, problem: string): ProviderError {
  const detail = `The ${subject}.\n\n+Original Error: ${problem}`;
  return new ProviderError('Import time rotating error', detail);
}

function importMoments([baseText = '', rotationText = '']: readonly string[]) {
  const subject = 'timestamp that was supplied could not be parsed as RFC3339';
  const base = parseMoment(baseText);
  if (typeof base === 'string') throw importFailure(subject, base);
  const rotation = parseMoment(rotationText);
  if (typeof rotation === 'string') throw importFailure(subject, rotation);
  return { ...momentState(base, rotation), triggers: NO_TRIGGERS };
}

function importRotations(base: string, texts: readonly string[]) {
  const subject = 'parameter that was supplied could not be parsed';
  const read = (text = ''): bigint | null => {
    if (text === '') return null;
    const parsed = parseInt64(text);
    if (typeof parsed !== 'string') return parsed;
    throw importFailure(subject, `could not parse rotation (${quoteText(text)}) as int: ${parsed}`);
  };
  const rotations = {
    rotation_years: read(texts[0]),
    rotation_months: read(texts[1]),
    rotation_days: read(texts[2]),
    rotation_hours: read(texts[3]),
    rotation_minutes: read(texts[4]),
    rotation_rfc3339: null,
  };
  const moment = parseMoment(base);
  if (typeof moment === 'string') throw importFailure(subject, moment);
  return { ...rotations, ...rotationState(rotations, moment), triggers: NO_TRIGGERS };
}
