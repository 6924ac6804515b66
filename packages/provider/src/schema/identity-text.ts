import { formatNumber } from '@terrane/cty';
import type { Value } from '@terrane/cty';

/** An identity for messages, as Terraform writes it: `name=x,region=eu`. */
export function identityText(identity: Value): string {
  if (identity.isNull) return '<null>';
  if (!identity.isWhollyKnown()) return '<unknown>';
  if (identity.type.kind !== 'object' || identity.type.names.length === 0) return '<empty>';
  return identity.type.names.map((name) => `${name}=${partText(identity.attr(name))}`).join(',');
}

function partText(value: Value): string {
  if (value.isNull) return '<null>';
  if (value.hasMark('sensitive')) return '<sensitive>';
  switch (value.type.kind) {
    case 'string':
      return value.asString();
    case 'number':
      return formatNumber(value.asNum());
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    case 'list':
      return `[${[...value.elements()].map(partText).join(',')}]`;
    default:
      return '<unknown type>';
  }
}
