import type { ProviderPorts } from '@terrane/provider';
import { ifKnown, ProviderError, resource } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { formatMoment, momentOf, parseMoment } from './go-time.ts';
import {
  BASE_TIMESTAMP,
  momentAttributes,
  partsOf,
  timeOf,
  timestamp,
} from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

/** `time_static`: the time of its creation, or a configured time. */
export function staticResource({ clock }: Pick<ProviderPorts, 'clock'>): Resource {
  return resource({
    description:
      'Manages a static time resource, which keeps a locally sourced UTC timestamp stored in the Terraform state. This prevents perpetual differences caused by using the [`timestamp()` function](https://www.terraform.io/docs/configuration/functions/timestamp.html).',
    attributes: {
      ...momentAttributes('timestamp'),
      id: timestamp({
        computed: true,
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
        useStateForUnknown: true,
      }),
      rfc3339: timestamp({ ...BASE_TIMESTAMP, requiresReplace: true }),
      triggers: triggers(
        'Arbitrary map of values that, when changed, will trigger a new base timestamp value to be saved. See [the main provider documentation](../index.md) for more information.',
      ),
    },
    modifyPlan: ({ plan, isNew }) => {
      const timestamp = ifKnown(plan.rfc3339);
      return isNew && timestamp !== undefined
        ? { ...partsOf(timeOf(timestamp)), id: timestamp }
        : undefined;
    },
    create: ({ plan }) => {
      const timestamp = ifKnown(plan.rfc3339);
      const moment = timestamp === undefined ? momentOf(clock.now()) : timeOf(timestamp);
      const rfc3339 = formatMoment(moment);
      return { ...plan, ...partsOf(moment), rfc3339, id: rfc3339 };
    },
    import: ({ id = '' }) => {
      const moment = parseMoment(id);
      if (typeof moment === 'string') {
        const detail = `The id that was supplied could not be parsed as RFC3339.\n\n+Original Error: ${moment}`;
        throw new ProviderError('Import time static error', detail);
      }
      const rfc3339 = formatMoment(moment);
      return { ...partsOf(moment), rfc3339, id: rfc3339, triggers: NO_TRIGGERS };
    },
  });
}
