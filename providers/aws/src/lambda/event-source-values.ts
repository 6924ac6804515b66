import { listBlock, type ManyBlockOf, setBlock, string } from '@terrane/provider/sdk';

const single = { maxItems: 1 } as const;
const optional = string({ optional: true });

/** The block for Kafka sources, the same for clusters of MSK and others. */
export function kafkaBlock(): ManyBlockOf<{}> {
  return listBlock(
    { consumer_group_id: string({ optional: true, computed: true, requiresReplace: true }) },
    {
      ...single,
      blocks: {
        schema_registry_config: listBlock(
          { event_record_format: optional, schema_registry_uri: optional },
          {
            ...single,
            blocks: {
              access_config: setBlock({ type: optional, uri: optional }),
              schema_validation_config: setBlock({ attribute: optional }),
            },
          },
        ),
      },
    },
  );
}

/** Returns the name in the ARN of a function, with its version or alias; other texts are returned as they are. */
export function functionNameOf(function_: string): string {
  const [, name] = /^arn:[^:]*:lambda:[^:]*:[^:]*:function:(.+)$/.exec(function_) ?? [];
  return name ?? function_;
}
