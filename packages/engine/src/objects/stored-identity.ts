import type { InstanceAddr } from '@terrane/addresses';
import { CtyError, type Value, valueFromJson, valueToJson } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  type Awaitable,
  chain,
  type CheckedProvider,
  impliedType,
  type Schema,
} from '@terrane/provider';
import { diagnosticsOf, type Whereabouts } from '../session/provider-diagnostics.ts';
import type { StoredObject } from '../state/model.ts';

/** The instance of an identity, and its provider. */
interface IdentifiedInstance {
  readonly addr: InstanceAddr;
  readonly provider: Pick<CheckedProvider, 'known' | 'upgradeResourceIdentity'>;
}

/** Returns the identity schema of an instance; undefined if its type has none. */
function identitySchema({ provider, addr }: IdentifiedInstance): Schema | undefined {
  const identities = provider.known?.identities;
  if (identities === undefined) return undefined;
  const { type } = addr.resource.resource;
  return Object.hasOwn(identities, type) ? identities[type] : undefined;
}

/** Returns the error for an identity that a newer provider version has stored. */
export function newerIdentityError(addr: InstanceAddr): Diagnostic {
  const { type } = addr.resource.resource;
  const name = type.split('_', 1)[0] ?? type;
  return errorDiagnostic(
    'Resource instance managed by newer provider version',
    `The current state of ${addr.text} was created by a newer provider version than is currently selected. Upgrade the ${name} provider to work with this state.`,
  );
}

/**
 * Returns the stored object with its identity upgraded to the current schema version, unchanged if that is not necessary
 * or the type has no identity; undefined after errors. Terraform does this since 1.12.
 */
export function upgradeIdentity(
  subject: IdentifiedInstance,
  stored: StoredObject,
  where: Whereabouts,
  diagnostics: Diagnostic[],
): Awaitable<StoredObject | undefined> {
  const schema = identitySchema(subject);
  const { identityJson: json, identitySchemaVersion: version = 0 } = stored;
  if (schema === undefined || json === undefined || version === schema.version) return stored;
  const { addr, provider } = subject;
  const { type } = addr.resource.resource;
  if (version > schema.version) {
    diagnostics.push(newerIdentityError(addr));
    return undefined;
  }
  const request = { type, version, json, address: addr.text };
  return chain(provider.upgradeResourceIdentity(request), (response) => {
    const problems = diagnosticsOf(response.diagnostics, where);
    diagnostics.push(...problems);
    if (hasErrors(problems)) return undefined;
    return { ...stored, ...encodeIdentity(response.identity, schema) };
  });
}

/** Returns the stored identity for the provider; undefined if there is none in its schema version. */
export function storedIdentity(
  subject: IdentifiedInstance,
  stored: StoredObject,
): Value | undefined {
  const schema = identitySchema(subject);
  const { identityJson: json, identitySchemaVersion: version = 0 } = stored;
  if (schema === undefined || json === undefined || version !== schema.version) return undefined;
  try {
    return valueFromJson(json, impliedType(schema.block));
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** Returns the stored members of an identity, to be spread; empty if there is no identity or it is not wholly known. */
export function identityPart(
  subject: IdentifiedInstance,
  identity: Value | undefined,
): Pick<StoredObject, 'identityJson' | 'identitySchemaVersion'> {
  const schema = identitySchema(subject);
  if (schema === undefined || identity === undefined) return {};
  return identity.isNull || !identity.isWhollyKnown() ? {} : encodeIdentity(identity, schema);
}

/** Returns the stored object with its identity replaced. */
export function withIdentity(
  subject: IdentifiedInstance,
  stored: StoredObject,
  identity: Value | undefined,
): StoredObject {
  const { identityJson: _, identitySchemaVersion: __, ...rest } = stored;
  return { ...rest, ...identityPart(subject, identity) };
}

function encodeIdentity(
  identity: Value,
  schema: Schema,
): Pick<StoredObject, 'identityJson' | 'identitySchemaVersion'> {
  return {
    identityJson: valueToJson(identity, impliedType(schema.block)),
    identitySchemaVersion: schema.version,
  };
}
