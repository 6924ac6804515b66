import { type ObjectValidator } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { conflicting } from './validators.ts';

/** Validates that an object has a name or a prefix, not both. */
export function conflictingNames(
  attributes: Readonly<Record<string, unknown>>,
): readonly ObjectValidator<'name' | 'name_prefix'>[] {
  const both = ['name', 'name_prefix'].every((name) => Object.hasOwn(attributes, name));
  return both ? [conflicting('name', 'name_prefix')] : [];
}

/**
 * Returns the name of an object: the configured one, the prefix with a unique text, or a unique text. `suffix` is its
 * end, such as ".fifo".
 */
export function nameOf(
  aws: RegionalAws,
  written: { readonly name: unknown; readonly name_prefix: unknown },
  suffix = '',
): string {
  const { name, name_prefix: prefix } = written;
  if (typeof name === 'string' && name !== '') return name;
  const start = typeof prefix === 'string' && prefix !== '' ? prefix : 'terraform-';
  return `${start}${uniqueText(aws)}${suffix}`;
}

/** Returns the prefix of a name made unique by `nameOf`; null for other names. */
export function prefixOf(name: string, suffix = ''): string | null {
  const match = /^(.*)\d{18}[0-9a-f]{8}$/.exec(
    name.endsWith(suffix) ? withoutSuffix(name, suffix) : '',
  );
  return match?.[1] ?? null;
}

function withoutSuffix(text: string, end: string): string {
  return text.slice(0, text.length - end.length);
}

/** Returns digits of the time and random ones: 26 characters that sort by creation time. */
function uniqueText({ provider }: RegionalAws): string {
  const time = provider.clock.now().toISOString().replace(/\D/g, '').padEnd(18, '0');
  const random = [...provider.random.bytes(4)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `${time}${random.join('')}`;
}
