import { nullOf, number, NUMBER, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  atLeast,
  error,
  Fields,
  parseInt64,
  requireAtLeastOneOf,
  requiresReplace,
} from '@terrane/provider';
import type {
  Modifier,
  Outcome,
  ProviderDiagnostic,
  ProviderPorts,
  ReadOutcome,
  ResourceDefinition,
} from '@terrane/provider';
import { addDate, addSeconds, isAfter, momentOf, parseMoment, ZERO_TIME } from './go-time.ts';
import type { Moment } from './go-time.ts';
import { isFailure, partsOf, timeOf, timestamp, TIMESTAMP } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

const ROTATIONS = [
  'rotation_minutes',
  'rotation_hours',
  'rotation_days',
  'rotation_months',
  'rotation_years',
  'rotation_rfc3339',
];

type Ports = Pick<ProviderPorts, 'clock'>;

/** `time_rotating`: a moment that is replaced by a new one when it is old enough. */
export function rotatingResource({ clock }: Ports): ResourceDefinition {
  return {
    description:
      'Manages a rotating time resource, which keeps a rotating UTC timestamp stored in the Terraform state and proposes resource recreation when the locally sourced current time is beyond the rotation time. This rotation only occurs when Terraform is executed, meaning there will be drift between the rotation timestamp and actual rotation. The new rotation timestamp offset includes this drift. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html) by only forcing a new value on the set cadence.',
    attributes: {
      day: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number day of timestamp.',
      },
      hour: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number hour of timestamp.',
      },
      id: {
        ...TIMESTAMP,
        computed: true,
        description: 'RFC3339 format of the timestamp, e.g. `2020-02-12T06:36:13Z`.',
      },
      minute: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number minute of timestamp.',
      },
      month: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number month of timestamp.',
      },
      rfc3339: {
        ...TIMESTAMP,
        optional: true,
        computed: true,
        description:
          'Base timestamp in [RFC3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format (see [RFC3339 time string](https://tools.ietf.org/html/rfc3339#section-5.8) e.g., `YYYY-MM-DDTHH:MM:SSZ`). Defaults to the current time.',
        modifiers: [requiresReplace],
      },
      rotation_days: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of days to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        validators: [atLeast(1)],
      },
      rotation_hours: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of hours to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        validators: [atLeast(1)],
      },
      rotation_minutes: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of minutes to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        validators: [atLeast(1)],
      },
      rotation_months: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of months to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        validators: [atLeast(1)],
      },
      rotation_rfc3339: {
        ...TIMESTAMP,
        optional: true,
        computed: true,
        description:
          "Configure the rotation timestamp with an [RFC3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format of the offset timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        modifiers: [replaceIfOutdated(clock)],
      },
      rotation_years: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of years to add to the base timestamp to configure the rotation timestamp. When the current time has passed the rotation timestamp, the resource will trigger recreation. At least one of the 'rotation_' arguments must be configured.",
        validators: [atLeast(1)],
      },
      second: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number second of timestamp.',
      },
      triggers: triggers(
        'Arbitrary map of values that, when changed, will trigger a new base timestamp value to be saved. These conditions recreate the resource in addition to other rotation arguments. See [the main provider documentation](../index.md) for more information.',
      ),
      unix: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number of seconds since epoch time, e.g. `1581489373`.',
      },
      year: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number year of timestamp.',
      },
    },
    validate: requireAtLeastOneOf(...ROTATIONS),
    modifyPlan: ({ plan, state }) => {
      if (state === undefined || unrotated(plan, state)) return {};
      // A rotation that is not known yet leaves the result open, but for the moment that it gives itself.
      const open = ROTATIONS.slice(0, -1).some((name) => !plan.value(name).isKnown);
      if (open) return {};
      const planned = plan.value('rfc3339');
      const base = planned.isKnown ? planned : state.value('rfc3339');
      const moment = timeOf(base);
      if (isFailure(moment)) return { diagnostics: [moment] };
      const next = rotationState(plan, moment);
      if (Array.isArray(next)) return { diagnostics: next };
      const given = plan.value('rotation_rfc3339');
      return {
        plan: plan.with({
          ...next,
          rfc3339: base,
          ...(given.isKnown && !given.isNull && keeps(given, next) && { rotation_rfc3339: given }),
        }),
      };
    },
    create: ({ plan }): Outcome => {
      const chosen = (plan.string('rfc3339') ?? '') !== '';
      return rotated(plan, chosen ? timeOf(plan.value('rfc3339')) : momentOf(clock.now()));
    },
    read: (state): ReadOutcome => {
      const given = state.string('rotation_rfc3339') ?? '';
      if (given === '') return {};
      const rotation = timeOf(state.value('rotation_rfc3339'));
      if (isFailure(rotation)) return { diagnostics: [rotation] };
      return { gone: isAfter(momentOf(clock.now()), rotation) };
    },
    update: ({ plan, state }): Outcome =>
      unrotated(plan, state) ? {} : rotated(plan, timeOf(plan.value('id'))),
    import: importRotating,
  };
}

function replaceIfOutdated(clock: Ports['clock']): Modifier {
  return ({ state, planValue, stateValue }) => {
    if (state.isNull || planValue.rawEquals(stateValue)) return undefined;
    const moment = parseMoment(stateValue.isNull ? '' : stateValue.asString());
    if (typeof moment === 'string') {
      const detail = `The rotation rfc3339 timestamp that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
      return { diagnostics: [error('replaceIfOutdated plan modifier error', detail)] };
    }
    return { requiresReplace: isAfter(momentOf(clock.now()), moment) };
  };
}

function unrotated(plan: Fields, state: Fields): boolean {
  return ROTATIONS.every((name) => plan.value(name).rawEquals(state.value(name)));
}

function keeps(given: Value, next: Readonly<Record<string, Value>>): boolean {
  const computed = next['rotation_rfc3339'];
  return TIMESTAMP.sameMeaning?.(given.asString(), computed?.asString() ?? '') === true;
}

function rotated(plan: Fields, moment: Moment | ProviderDiagnostic): Outcome {
  if (isFailure(moment)) return { diagnostics: [moment] };
  const next = rotationState(plan, moment);
  return Array.isArray(next) ? { diagnostics: next } : { state: plan.with(next) };
}

/** The arguments for a base moment. Of several rotations the last one in this order holds. */
function rotationState(fields: Fields, base: Moment): Record<string, Value> | ProviderDiagnostic[] {
  const by = (unit: string) => fields.integer(`rotation_${unit}`) ?? 0;
  let rotation = ZERO_TIME;
  if (by('days') !== 0) rotation = addDate(base, 0, 0, by('days'));
  if (by('hours') !== 0) rotation = addSeconds(base, by('hours') * 3600);
  if (by('minutes') !== 0) rotation = addSeconds(base, by('minutes') * 60);
  if (by('months') !== 0) rotation = addDate(base, 0, by('months'), 0);
  if ((fields.string('rotation_rfc3339') ?? '') !== '') {
    const given = timeOf(fields.value('rotation_rfc3339'));
    if (isFailure(given)) return [given];
    rotation = given;
  }
  if (by('years') !== 0) rotation = addDate(base, by('years'), 0, 0);
  return {
    ...partsOf(rotation),
    rotation_rfc3339: timestamp(rotation),
    rfc3339: timestamp(base),
    id: timestamp(base),
  };
}

const ID_ORDER = ['years', 'months', 'days', 'hours', 'minutes'] as const;

function importRotating(id: string, empty: Fields): Outcome {
  const parts = id.split(',');
  const refuse = (expected: string) => {
    const detail = `Unexpected format of ID (${quoteText(id)}), expected ${expected}`;
    return { diagnostics: [error('Unexpected Format of ID', detail)] };
  };
  const [base = '', ...rotations] = parts;
  const lacking = base === '' || rotations.every((part) => part === '');
  const long = 'BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES';
  switch (parts.length) {
    case 2:
      return lacking ? refuse('BASETIMESTAMP,ROTATIONTIMESTAMP') : importMoments(parts, empty);
    case 6:
      if (!lacking) return importRotations(base, rotations, empty);
      return refuse(`${long} where at least one rotation value is non-empty`);
    default:
      return refuse(`${long} or BASETIMESTAMP,ROTATIONTIMESTAMP`);
  }
}

function importFailure(what: string, problem: string): Outcome {
  const detail = `The ${what}.\n\n+Original Error: ${problem}`;
  return { diagnostics: [error('Import time rotating error', detail)] };
}

function importMoments(
  [baseText = '', rotationText = '']: readonly string[],
  empty: Fields,
): Outcome {
  const what = 'timestamp that was supplied could not be parsed as RFC3339';
  const base = parseMoment(baseText);
  if (typeof base === 'string') return importFailure(what, base);
  const rotation = parseMoment(rotationText);
  if (typeof rotation === 'string') return importFailure(what, rotation);
  const state = empty.with({
    ...partsOf(rotation),
    rotation_rfc3339: timestamp(rotation),
    rfc3339: timestamp(base),
    id: timestamp(base),
    triggers: NO_TRIGGERS,
  });
  return { state };
}

function importRotations(base: string, rotations: readonly string[], empty: Fields): Outcome {
  const what = 'parameter that was supplied could not be parsed';
  const state: Record<string, Value> = {};
  for (const [i, unit] of ID_ORDER.entries()) {
    const text = rotations[i] ?? '';
    const parsed = text === '' ? undefined : parseInt64(text);
    if (typeof parsed === 'string') {
      return importFailure(what, `could not parse rotation (${quoteText(text)}) as int: ${parsed}`);
    }
    state[`rotation_${unit}`] = parsed === undefined ? nullOf(NUMBER) : number(parsed);
  }
  const moment = parseMoment(base);
  if (typeof moment === 'string') return importFailure(what, moment);
  const given = new Fields(empty.type, empty.with(state));
  const next = rotationState(given, moment);
  if (Array.isArray(next)) return { diagnostics: next };
  return { state: given.with({ ...next, triggers: NO_TRIGGERS }) };
}
