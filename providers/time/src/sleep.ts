import { nullOf, quoteText, str, STRING } from '@terrane/cty';
import { atLeastOneOf, error, matches, useStateForUnknown } from '@terrane/provider';
import type {
  Awaitable,
  Fields,
  Outcome,
  ProviderPorts,
  ResourceDefinition,
} from '@terrane/provider';
import { parseDuration } from './duration.ts';
import { momentOf } from './go-time.ts';
import { timestamp, TIMESTAMP } from './timestamp-attribute.ts';
import { NO_TRIGGERS, triggers } from './triggers.ts';

type Ports = Pick<ProviderPorts, 'clock'>;

const DURATION = matches(
  /^[0-9]+(\.[0-9]+)?(ms|s|m|h)$/,
  'must be a number immediately followed by ms (milliseconds), s (seconds), m (minutes), or h (hours). For example, "30s" for 30 seconds.',
);

/** `time_sleep`: waits while it is created or destroyed. */
export function sleepResource({ clock }: Ports): ResourceDefinition {
  return {
    description:
      'Manages a resource that delays creation and/or destruction, typically for further resources. This prevents cross-platform compatibility and destroy-time issues with using the [`local-exec` provisioner](https://www.terraform.io/docs/provisioners/local-exec.html).',
    attributes: {
      create_duration: {
        type: STRING,
        optional: true,
        description:
          '[Time duration](https://golang.org/pkg/time/#ParseDuration) to delay resource creation. For example, `30s` for 30 seconds or `5m` for 5 minutes. Updating this value by itself will not trigger a delay.',
        validators: [atLeastOneOf('destroy_duration'), DURATION],
      },
      destroy_duration: {
        type: STRING,
        optional: true,
        description:
          '[Time duration](https://golang.org/pkg/time/#ParseDuration) to delay resource destroy. For example, `30s` for 30 seconds or `5m` for 5 minutes. Updating this value by itself will not trigger a delay. This value or any updates to it must be successfully applied into the Terraform state before destroying this resource to take effect.',
        validators: [atLeastOneOf('create_duration'), DURATION],
      },
      id: {
        ...TIMESTAMP,
        computed: true,
        description: 'RFC3339 format of the offset timestamp, e.g. `2020-02-12T06:36:13Z`.',
        modifiers: [useStateForUnknown],
      },
      triggers: triggers(
        '(Optional) Arbitrary map of values that, when changed, will run any creation or destroy delays again. See [the main provider documentation](../index.md) for more information.',
      ),
    },
    create: ({ plan, signal }) => {
      const done = (): Outcome => ({ state: plan.with({ id: timestamp(momentOf(clock.now())) }) });
      return wait(clock, 'Create', plan.string('create_duration'), signal, done);
    },
    delete: ({ state, signal }) =>
      wait(clock, 'Delete', state.string('destroy_duration'), signal, () => ({})),
    import: (id, empty) => importSleep(clock, id, empty),
  };
}

function wait(
  clock: Ports['clock'],
  operation: 'Create' | 'Delete',
  text: string | undefined,
  signal: AbortSignal | undefined,
  done: () => Outcome,
): Awaitable<Outcome> {
  if (text === undefined || text === '') return done();
  const summary = `${operation} time sleep error`;
  const duration = parseDuration(text);
  if (typeof duration === 'string') {
    const detail = `The create_duration cannot be parsed\n\n+Original Error: ${duration}`;
    return { diagnostics: [error(summary, detail)] };
  }
  return clock
    .sleep(Number(duration) / 1e6, signal)
    .then(done, () => ({ diagnostics: [error(summary, 'Original Error: context canceled')] }));
}

function importSleep(clock: Ports['clock'], id: string, empty: Fields): Outcome {
  const parts = id.split(',');
  if (parts.length !== 2 || parts.every((part) => part === '')) {
    const detail = `Unexpected format of ID (${quoteText(id)}), expected CREATEDURATION,DESTROYDURATION where at least one value is non-empty`;
    return { diagnostics: [error('Unexpected Format of ID', detail)] };
  }
  for (const part of parts) {
    const duration = part === '' ? 0n : parseDuration(part);
    if (typeof duration !== 'string') continue;
    const detail = `The create_duration cannot be parsed\n\n+Original Error: ${duration}`;
    return { diagnostics: [error('Import time sleep error', detail)] };
  }
  const [create, destroy] = parts.map((part) => (part === '' ? nullOf(STRING) : str(part)));
  return {
    state: empty.with({
      id: timestamp(momentOf(clock.now())),
      create_duration: create ?? nullOf(STRING),
      destroy_duration: destroy ?? nullOf(STRING),
      triggers: NO_TRIGGERS,
    }),
  };
}
