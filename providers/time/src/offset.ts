import { number, NUMBER, nullOf, quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { error, Fields, parseInt64, requireAtLeastOneOf } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { addDate, addSeconds, momentOf, parseMoment } from './go-time.ts';
import type { Moment } from './go-time.ts';
import { isFailure, partsOf, timeOf, timestamp, TIMESTAMP } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

const UNITS = ['seconds', 'minutes', 'hours', 'days', 'months', 'years'] as const;
const OFFSETS = UNITS.map((unit) => `offset_${unit}`);

/** `time_offset`: a moment some time before or after another. */
export function offsetResource({ clock }: Pick<ProviderPorts, 'clock'>): ResourceDefinition {
  return {
    description:
      'Manages an offset time resource, which keeps an UTC timestamp stored in the Terraform state that is offset from a locally sourced base timestamp. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html).',
    attributes: {
      base_rfc3339: {
        ...TIMESTAMP,
        optional: true,
        computed: true,
        description:
          'Base timestamp in [RFC3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format (see [RFC3339 time string](https://tools.ietf.org/html/rfc3339#section-5.8) e.g., `YYYY-MM-DDTHH:MM:SSZ`). Defaults to the current time.',
      },
      day: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number day of offset timestamp.',
      },
      hour: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number hour of offset timestamp.',
      },
      id: {
        ...TIMESTAMP,
        computed: true,
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
      },
      minute: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number minute of offset timestamp.',
      },
      month: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number month of offset timestamp.',
      },
      offset_days: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of days to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      offset_hours: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          " Number of hours to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      offset_minutes: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of minutes to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      offset_months: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of months to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      offset_seconds: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of seconds to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      offset_years: {
        type: NUMBER,
        integer: true,
        optional: true,
        description:
          "Number of years to offset the base timestamp. At least one of the 'offset_' arguments must be configured.",
      },
      rfc3339: {
        ...TIMESTAMP,
        computed: true,
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
      },
      second: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number second of offset timestamp.',
      },
      triggers: triggers(
        'Arbitrary map of values that, when changed, will trigger a new base timestamp value to be saved. See [the main provider documentation](../index.md) for more information.',
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
        description: 'Number year of offset timestamp.',
      },
    },
    validate: requireAtLeastOneOf(...OFFSETS),
    modifyPlan: ({ plan, state }) => {
      if (state === undefined || OFFSETS.every((name) => same(plan, state, name))) return {};
      // An offset that is not known yet leaves the result open.
      if (OFFSETS.some((name) => !plan.value(name).isKnown)) return {};
      const planned = plan.value('base_rfc3339');
      const base = planned.isKnown ? planned : state.value('base_rfc3339');
      const moment = timeOf(base);
      if (isFailure(moment)) return { diagnostics: [moment] };
      return { plan: plan.with({ ...offsetState(plan, moment), base_rfc3339: base }) };
    },
    create: ({ plan }): Outcome => {
      const given = plan.value('base_rfc3339');
      const chosen = (plan.string('base_rfc3339') ?? '') !== '';
      const moment = chosen ? timeOf(given) : momentOf(clock.now());
      if (isFailure(moment)) return { diagnostics: [moment] };
      return { state: plan.with(offsetState(plan, moment)) };
    },
    update: ({ plan }): Outcome => {
      const moment = timeOf(plan.value('base_rfc3339'));
      if (isFailure(moment)) return { diagnostics: [moment] };
      return { state: plan.with(offsetState(plan, moment)) };
    },
    import: importOffset,
  };
}

function same(plan: Fields, state: Fields, name: string): boolean {
  return plan.value(name).rawEquals(state.value(name));
}

function offsetState(fields: Fields, base: Moment): Record<string, Value> {
  const by = (unit: string) => fields.integer(`offset_${unit}`) ?? 0;
  let moment = addDate(base, 0, 0, by('days'));
  moment = addSeconds(moment, by('hours') * 3600 + by('minutes') * 60);
  moment = addDate(moment, 0, by('months'), 0);
  moment = addSeconds(moment, by('seconds'));
  moment = addDate(moment, by('years'), 0, 0);
  return {
    ...partsOf(moment),
    base_rfc3339: timestamp(base),
    rfc3339: timestamp(moment),
    id: timestamp(base),
  };
}

const ID_ORDER = ['years', 'months', 'days', 'hours', 'minutes', 'seconds'] as const;

function importOffset(id: string, empty: Fields): Outcome {
  const parts = id.split(',');
  const format = `Unexpected format of ID (${quoteText(id)}), expected BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES,SECONDS`;
  const refuse = (summary: string, detail: string) => ({ diagnostics: [error(summary, detail)] });
  if (parts.length !== 7) return refuse('Unexpected Format of ID', format);
  const [base = '', ...offsets] = parts;
  if (base === '' || offsets.every((offset) => offset === '')) {
    const detail = `${format} where at least one offset value is non-empty`;
    return refuse('Unexpected Format of ID', detail);
  }
  const state: Record<string, Value> = { triggers: NO_TRIGGERS };
  for (const [i, unit] of ID_ORDER.entries()) {
    const text = offsets[i] ?? '';
    const parsed = text === '' ? undefined : parseInt64(text);
    if (typeof parsed === 'string') {
      const why = `could not parse offset (${quoteText(text)}) as int: ${parsed}`;
      const detail = `The offset_${unit} parameter that was supplied could not be parsed as Int64.\n\n+Original Error: ${why}`;
      return refuse('Import time offset error', detail);
    }
    state[`offset_${unit}`] = parsed === undefined ? nullOf(NUMBER) : number(parsed);
  }
  const moment = parseMoment(base);
  if (typeof moment === 'string') {
    const detail = `The base_rfc3339 timestamp that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
    return refuse('Create time offset error', detail);
  }
  const given = new Fields(empty.type, empty.with(state));
  return { state: given.with(offsetState(given, moment)) };
}
