import { quoteText } from '@terrane/cty';
import { chain } from '@terrane/provider';
import type { Awaitable, ProviderPorts } from '@terrane/provider';
import { atLeastOneOf, matches, ProviderError, resource, string } from '@terrane/provider/sdk';
import type { Resource } from '@terrane/provider/sdk';
import { parseDuration } from './duration.ts';
import { formatMoment, momentOf } from './go-time.ts';
import { timestamp } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

type Ports = Pick<ProviderPorts, 'clock'>;

const DURATION = matches(
  /^[0-9]+(\.[0-9]+)?(ms|s|m|h)$/,
  'must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes), or h (hours). For example, "30s" for 30 seconds.',
);

/** `time_sleep`: waits while it is created or destroyed. */
export function sleepResource({ clock }: Ports): Resource {
  return resource({
    description:
      'Manages a resource that delays creation and/or destruction, typically for further resources. This prevents cross-platform compatibility and destroy-time issues with using the [`local-exec` provisioner](https://www.terraform.io/docs/provisioners/local-exec.html).',
    attributes: {
      create_duration: string({
        optional: true,
        description:
          '[Time duration](https://golang.org/pkg/time/#ParseDuration) to delay resource creation. For example, `30s` for 30 seconds or `5m` for 5 minutes. Updating this value by itself will not trigger a delay.',
        validators: [atLeastOneOf('destroy_duration'), DURATION],
      }),
      destroy_duration: string({
        optional: true,
        description:
          '[Time duration](https://golang.org/pkg/time/#ParseDuration) to delay resource destroy. For example, `30s` for 30 seconds or `5m` for 5 minutes. Updating this value by itself will not trigger a delay. This value or any updates to it must be successfully applied into the Terraform state before destroying this resource to take effect.',
        validators: [atLeastOneOf('create_duration'), DURATION],
      }),
      id: timestamp({
        computed: true,
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
        useStateForUnknown: true,
      }),
      triggers: triggers(
        '(Optional) Arbitrary map of values that, when changed, will run any creation or destroy delays again. See [the main provider documentation](../index.md) for more information.',
      ),
    },
    create: ({ plan, signal }) => {
      const waited = wait(clock, 'Create', plan.create_duration, signal);
      return chain(waited, () => ({ ...plan, id: formatMoment(momentOf(clock.now())) }));
    },
    delete: ({ state, signal }) => wait(clock, 'Delete', state.destroy_duration, signal),
    import: ({ id = '' }) => ({
      ...importedDurations(id),
      id: formatMoment(momentOf(clock.now())),
      triggers: NO_TRIGGERS,
    }),
  });
}

function wait(
  clock: Ports['clock'],
  operation: 'Create' | 'Delete',
  text: string | null,
  signal: AbortSignal,
): Awaitable<void> {
  if (text === null || text === '') return undefined;
  const summary = `${operation} time sleep error`;
  const duration = parseDuration(text);
  if (typeof duration === 'string') {
    const detail = `The create_duration cannot be parsed\n\n+Original Error: ${duration}`;
    throw new ProviderError(summary, detail);
  }
  return clock.sleep(Number(duration) / 1e6, signal).catch(() => {
    throw new ProviderError(summary, 'Original Error: context canceled');
  });
}

function importedDurations(id: string): {
  readonly create_duration: string | null;
  readonly destroy_duration: string | null;
} {
  const parts = id.split(',');
  if (parts.length !== 2 || parts.every((part) => part === '')) {
    const detail = `Unexpected format of ID (${quoteText(id)}), expected CREATEDURATION,DESTROYDURATION where at least one value is non-empty`;
    throw new ProviderError('Unexpected Format of ID', detail);
  }
  for (const part of parts) {
    const duration = part === '' ? 0n : parseDuration(part);
    if (typeof duration !== 'string') continue;
    const detail = `The create_duration cannot be parsed\n\n+Original Error: ${duration}`;
    throw new ProviderError('Import time sleep error', detail);
  }
  const [create = null, destroy = null] = parts.map((part) => (part === '' ? null : part));
  return { create_duration: create, destroy_duration: destroy };
}
