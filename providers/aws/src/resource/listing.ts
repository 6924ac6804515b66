import { type Attributes, ProviderError, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import type { Fields } from './fields.ts';
import { textIn } from './known-fields.ts';

/** An object that a list resource found. */
export interface Listed {
  /** the text to import it by, which is the value of the attribute that identifies it */
  readonly id: string;
  /** its name for users; default: the id */
  readonly name?: string | undefined;
}

/** Finds the objects of a resource type in a region. */
export type List = (aws: RegionalAws) => AsyncIterable<Listed>;

/** The parts of a resource type that its identity depends on. */
interface Identified {
  readonly identity?: string;
  readonly attributes: Attributes;
}

/**
 * Returns the list of a resource type from a paginated response. `listed` returns undefined for objects that are left
 * out. `next` returns the token of the next page.
 */
export function listing<P, T>(
  ask: (aws: RegionalAws, token: string | undefined) => Promise<P>,
  items: (page: P) => readonly T[] | undefined,
  listed: (item: T, aws: RegionalAws) => Listed | undefined,
  next: (page: P) => string | undefined = nextToken,
): List {
  return async function* list(aws) {
    let token: string | undefined;
    do {
      const page = await ask(aws, token);
      for (const item of items(page) ?? []) {
        const found = listed(item, aws);
        if (found !== undefined) yield found;
      }
      token = next(page) || undefined;
    } while (token !== undefined);
  };
}

function nextToken(page: unknown): string | undefined {
  const { NextToken, nextToken: lower } = Object(page) as Readonly<Record<string, unknown>>;
  const token = NextToken ?? lower;
  return typeof token === 'string' ? token : undefined;
}

/** Returns the token of the next page of IAM's lists. */
export function nextMarker(page: {
  readonly IsTruncated?: boolean | undefined;
  readonly Marker?: string | undefined;
}): string | undefined {
  return page.IsTruncated === true ? page.Marker : undefined;
}

/** Returns an object with the value of the tag `Name` as its name; undefined without an id. */
export function nameTagged(
  id: string | undefined,
  tags: readonly { readonly Key?: string | undefined; readonly Value?: string | undefined }[] = [],
): Listed | undefined {
  return id === undefined ? undefined : { id, name: tags.find(({ Key }) => Key === 'Name')?.Value };
}

/**
 * The identity of a resource type for the SDK: the attribute that identifies its objects, and account and region. An
 * ARN contains both.
 */
export function identityOf({ identity: name, attributes }: Identified): object | undefined {
  if (name === undefined) return undefined;
  const placed = name === 'arn' ? [] : placesOf(attributes);
  return {
    attributes: {
      ...Object.fromEntries(placed.map((each) => [each, string({ optional: true })])),
      [name]: string({ required: true }),
    },
    of: (state: Fields, { client }: { readonly client: Aws }) =>
      identityFields(placed, name, textIn(state, name) ?? '', client, textIn(state, 'region')),
  };
}

/** Returns the identity of an object with a value of the identifying attribute. */
export function identityWith(
  { identity: name = 'id', attributes }: Identified,
  value: string,
  aws: RegionalAws,
): Fields {
  const placed = name === 'arn' ? [] : placesOf(attributes);
  return identityFields(placed, name, value, aws.provider, aws.region);
}

function identityFields(
  placed: readonly string[],
  name: string,
  value: string,
  { accountId, region: ownRegion }: Aws,
  region: string | undefined,
): Fields {
  const places: Fields = {
    account_id: accountId === '' ? null : accountId,
    region: region ?? ownRegion,
  };
  return { ...Object.fromEntries(placed.map((each) => [each, places[each]])), [name]: value };
}

function placesOf(attributes: Attributes): readonly string[] {
  return Object.hasOwn(attributes, 'region') ? ['account_id', 'region'] : ['account_id'];
}

/**
 * Returns the text to import by, and the region, of an identity. Throws an error for users if the identity is of
 * another account.
 */
export function importedBy(
  { identity: name = 'id' }: Identified,
  identity: Fields,
  { accountId }: Aws,
): { readonly id: string; readonly region: string | undefined } {
  const account = textIn(identity, 'account_id');
  if (account !== undefined && accountId !== '' && account !== accountId)
    throw new ProviderError(
      'Object of another account',
      `The identity is of an object in the account ${account}, and the provider is configured for the account ${accountId}. Use a provider configuration of that account.`,
    );
  const id = textIn(identity, name) ?? '';
  return { id, region: textIn(identity, 'region') ?? /^arn:[^:]*:[^:]*:([^:]+):/.exec(id)?.[1] };
}
