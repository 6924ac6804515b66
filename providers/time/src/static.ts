import { NUMBER, str } from '@terrane/cty';
import { error, requiresReplace, useStateForUnknown } from '@terrane/provider';
import type { Outcome, ProviderPorts, ResourceDefinition } from '@terrane/provider';
import { momentOf, parseMoment } from './go-time.ts';
import { isFailure, partsOf, timeOf, timestamp, TIMESTAMP } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

/** `time_static`: the moment of its creation, or a given one. */
export function staticResource({ clock }: Pick<ProviderPorts, 'clock'>): ResourceDefinition {
  return {
    description:
      'Manages a static time resource, which keeps a locally sourced UTC timestamp stored in the Terraform state. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html).',
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
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
        modifiers: [useStateForUnknown],
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
      second: {
        type: NUMBER,
        integer: true,
        computed: true,
        description: 'Number second of timestamp.',
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
        description: 'Number year of timestamp.',
      },
    },
    modifyPlan: ({ plan, state }) => {
      const given = plan.value('rfc3339');
      if (state !== undefined || given.isNull || !given.isKnown) return {};
      const moment = timeOf(given);
      if (isFailure(moment)) return { diagnostics: [moment] };
      return { plan: plan.with({ ...partsOf(moment), id: given }) };
    },
    create: ({ plan }): Outcome => {
      const given = plan.string('rfc3339');
      const moment = given === undefined ? momentOf(clock.now()) : timeOf(str(given));
      if (isFailure(moment)) return { diagnostics: [moment] };
      const rfc3339 = timestamp(moment);
      return { state: plan.with({ ...partsOf(moment), rfc3339, id: rfc3339 }) };
    },
    import: (id, empty): Outcome => {
      const moment = parseMoment(id);
      if (typeof moment === 'string') {
        const detail = `The id that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
        return { diagnostics: [error('Import time static error', detail)] };
      }
      const rfc3339 = timestamp(moment);
      return {
        state: empty.with({ ...partsOf(moment), rfc3339, id: rfc3339, triggers: NO_TRIGGERS }),
      };
    },
  };
}
