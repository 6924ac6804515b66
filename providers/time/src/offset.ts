import { quoteText } from '@terrane/cty';
import { parseInt64 } from '@terrane/provider';
import type { ProviderPorts } from '@terrane/provider';
import {
  atLeastOneConfigured,
  bigInt64,
  ifKnown,
  isUnknown,
  ProviderError,
  resource,
} from '@terrane/provider/sdk';
import type { Resource, Unknown } from '@terrane/provider/sdk';
import { addDate, addSeconds, formatMoment, momentOf, parseMoment } from './go-time.ts';
import type { Moment } from './go-time.ts';
import {
  BASE_TIMESTAMP,
  momentAttributes,
  partsOf,
  timeOf,
  timestamp,
} from './timestamp-attribute.ts';
import type { MomentParts } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

const OFFSETS = [
  'offset_seconds',
  'offset_minutes',
  'offset_hours',
  'offset_days',
  'offset_months',
  'offset_years',
] as const;

type Offsets = Readonly<Record<(typeof OFFSETS)[number], bigint | Unknown | null>>;

/** An argument of the offset; one description begins with a space in the published provider too. */
const offset = (description: string) =>
  bigInt64({
    optional: true,
    description: `${description} to offset the base timestamp. At least one of the 'offset_' arguments must be configured.`,
  });

const ATTRIBUTES = {
  ...momentAttributes('offset timestamp'),
  base_rfc3339: timestamp(BASE_TIMESTAMP),
  id: timestamp({
    computed: true,
    description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
  }),
  offset_days: offset('Number of days'),
  offset_hours: offset(' Number of hours'),
  offset_minutes: offset('Number of minutes'),
  offset_months: offset('Number of months'),
  offset_seconds: offset('Number of seconds'),
  offset_years: offset('Number of years'),
  rfc3339: timestamp({
    computed: true,
    description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
  }),
  triggers: triggers(
    'Arbitrary map of values that, when changed, will trigger a new base timestamp value to be saved. See [the main provider documentation](../index.md) for more information.',
  ),
};

/** `time_offset`: a timestamp at an offset from a base timestamp. */
export function offsetResource({ clock }: Pick<ProviderPorts, 'clock'>): Resource {
  return resource({
    description:
      'Manages an offset time resource, which keeps an UTC timestamp stored in the Terraform state that is offset from a locally sourced base timestamp. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html).',
    attributes: ATTRIBUTES,
    validators: [atLeastOneConfigured(...OFFSETS)],
    modifyPlan: ({ plan, state, changed }) => {
      if (state === null || !OFFSETS.some((name) => changed(name))) return undefined;
      // An unknown offset makes the result unknown.
      if (OFFSETS.some((name) => isUnknown(plan[name]))) return undefined;
      const base = ifKnown(plan.base_rfc3339, state.base_rfc3339);
      return { ...offsetState(plan, timeOf(base)), base_rfc3339: base };
    },
    create: ({ plan }) => {
      const baseTimestamp = ifKnown(plan.base_rfc3339, '');
      const moment = baseTimestamp === '' ? momentOf(clock.now()) : timeOf(baseTimestamp);
      return { ...plan, ...offsetState(plan, moment) };
    },
    update: ({ plan }) => ({ ...plan, ...offsetState(plan, timeOf(plan.base_rfc3339)) }),
    import: ({ id = '' }) => importOffset(id),
  });
}

interface OffsetState extends MomentParts {
  readonly base_rfc3339: string;
  readonly rfc3339: string;
  readonly id: string;
}

function offsetState(offsets: Offsets, base: Moment): OffsetState {
  const offsetOf = (name: keyof Offsets) => Number(ifKnown(offsets[name]) ?? 0);
  let moment = addDate(base, 0, 0, offsetOf('offset_days'));
  moment = addSeconds(moment, offsetOf('offset_hours') * 3600 + offsetOf('offset_minutes') * 60);
  moment = addDate(moment, 0, offsetOf('offset_months'), 0);
  moment = addSeconds(moment, offsetOf('offset_seconds'));
  moment = addDate(moment, offsetOf('offset_years'), 0, 0);
  return {
    ...partsOf(moment),
    base_rfc3339: formatMoment(base),
    rfc3339: formatMoment(moment),
    id: formatMoment(base),
  };
}

function importOffset(id: string) {
  const parts = id.split(',');
  const format = `Unexpected format of ID (${quoteText(id)}), expected BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES,SECONDS`;
  if (parts.length !== 7) throw new ProviderError('Unexpected Format of ID', format);
  const [base = '', ...texts] = parts;
  if (base === '' || texts.every((text) => text === '')) {
    const detail = `${format} where at least one offset value is non-empty`;
    throw new ProviderError('Unexpected Format of ID', detail);
  }
  const read = (name: keyof Offsets, text = ''): bigint | null => {
    if (text === '') return null;
    const parsed = parseInt64(text);
    if (typeof parsed !== 'string') return parsed;
    const reason = `could not parse offset (${quoteText(text)}) as int: ${parsed}`;
    const detail = `The ${name} parameter that was supplied could not be parsed as Int64.\n\n+Original Error: ${reason}`;
    throw new ProviderError('Import time offset error', detail);
  };
  const offsets = {
    offset_years: read('offset_years', texts[0]),
    offset_months: read('offset_months', texts[1]),
    offset_days: read('offset_days', texts[2]),
    offset_hours: read('offset_hours', texts[3]),
    offset_minutes: read('offset_minutes', texts[4]),
    offset_seconds: read('offset_seconds', texts[5]),
  };
  const moment = parseMoment(base);
  if (typeof moment === 'string') {
    const detail = `The base_rfc3339 timestamp that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
    throw new ProviderError('Create time offset error', detail);
  }
  return { ...offsets, ...offsetState(offsets, moment), triggers: NO_TRIGGERS };
}
