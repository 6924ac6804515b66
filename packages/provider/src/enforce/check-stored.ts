import { quoteText } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { formatContractError } from '../change/contract-error.ts';
import type {
  ImportAnswer,
  ImportedObject,
  ImportRequest,
  MoveAnswer,
  ProviderDiagnostic,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
} from '../contract.ts';
import { identityText } from '../schema/identity-text.ts';
import type { Schema } from '../schema/model.ts';
import { containsWriteOnly } from '../schema/value-paths.ts';
import { checkIdentity } from './check-identity.ts';
import {
  hasError,
  nullObject,
  PROVIDER_BUG,
  typeErrors,
  violation,
  writeOnlyViolations,
} from './violations.ts';
import type { Subject } from './violations.ts';

/** Holds an upgraded stored object to the contract. On errors its state is null. */
export function checkUpgrade(s: Subject, type: string, answer: UpgradeAnswer): UpgradeAnswer {
  if (hasError(answer.diagnostics)) return { ...answer, state: nullObject(s) };
  const violations = upgradeViolations(s, type, answer.state);
  if (violations.length === 0) return answer;
  return {
    ...answer,
    state: nullObject(s),
    diagnostics: [...(answer.diagnostics ?? []), ...violations],
  };
}

const NONE: readonly ProviderDiagnostic[] = [];
const INVALID_UPGRADE = 'Invalid resource state upgrade';

function upgradeViolations(s: Subject, type: string, state: Value): readonly ProviderDiagnostic[] {
  const errors = typeErrors(state, s.schema);
  const isKnown = state.isWhollyKnown();
  if (errors.length === 0 && isKnown && !containsWriteOnly(s.schema.block)) return NONE;
  const reasons = errors.map(formatContractError);
  const hasRightType = reasons.length === 0;
  if (!isKnown) reasons.unshift('The returned state contains unknown values');
  const violations = reasons.map((reason) =>
    violation(
      INVALID_UPGRADE,
      `The ${providerOf(type)} provider upgraded the state for ${s.address} from a previous version, but produced an invalid result: ${reason}.`,
    ),
  );
  if (!hasRightType) return violations;
  const writeOnly = writeOnlyViolations(
    INVALID_UPGRADE,
    (path) =>
      `While attempting to upgrade state of resource ${s.address}, the provider ${quoteText(providerOf(type))} returned a value for the write-only attribute "${s.address}${path}". Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.`,
    state,
    s.schema.block,
  );
  return violations.length === 0 ? writeOnly : [...violations, ...writeOnly];
}

/** Returns the provider's name in messages about upgrades: as in Terraform, the prefix of the type's name. */
function providerOf(type: string): string {
  return type.split('_', 1)[0] ?? type;
}

/** Holds an upgraded identity to the contract; `s` has its schema. On errors it is null. */
export function checkUpgradeIdentity(
  s: Subject,
  type: string,
  answer: UpgradeIdentityAnswer,
): UpgradeIdentityAnswer {
  if (hasError(answer.diagnostics)) return { ...answer, identity: nullObject(s) };
  const invalid = (reason: string) =>
    violation(
      'Invalid resource identity upgrade',
      `The ${providerOf(type)} provider upgraded the identity for ${s.address} from a previous version, but produced an invalid result: ${reason}.`,
    );
  const violations = answer.identity.isWhollyKnown()
    ? typeErrors(answer.identity, s.schema).map((error) => invalid(formatContractError(error)))
    : [invalid('The returned state contains unknown values')];
  if (violations.length === 0) return answer;
  return {
    ...answer,
    identity: nullObject(s),
    diagnostics: [...(answer.diagnostics ?? []), ...violations],
  };
}

/** Returns the schemas that imported objects must conform to, by type; undefined for an unknown type. */
export type SchemasOf = (
  type: string,
) => { readonly schema: Schema; readonly identity: Schema | undefined } | undefined;

/**
 * Checks imported objects: there must be exactly one, unless several are allowed, each of its declared type, with null
 * write-only arguments, and with an identity if the import was by identity.
 */
export function checkImport(
  s: Subject,
  request: ImportRequest,
  answer: ImportAnswer,
  schemasOf: SchemasOf,
): ImportAnswer {
  if (hasError(answer.diagnostics)) return { ...answer, imported: [] };
  const violations: ProviderDiagnostic[] = [];
  const imported: ImportedObject[] = [];
  for (const object of answer.imported) {
    if (object.identity === undefined) {
      imported.push(object);
      continue;
    }
    const objectSchemas = schemasOf(object.type);
    const at = { ...s, schema: objectSchemas?.schema ?? s.schema };
    const bareObject = { ...object, diagnostics: [] };
    const { diagnostics, ...checked } = checkIdentity(
      at,
      objectSchemas?.identity,
      bareObject,
      'final',
    );
    imported.push(checked);
    violations.push(...(diagnostics ?? []));
  }
  violations.push(...importViolations(s, request, { ...answer, imported }, schemasOf));
  if (violations.length === 0) {
    const isSame = imported.every((object, index) => object === answer.imported[index]);
    return isSame ? answer : { ...answer, imported };
  }
  return { ...answer, imported: [], diagnostics: [...(answer.diagnostics ?? []), ...violations] };
}

function importViolations(
  s: Subject,
  request: ImportRequest,
  { imported, deferred }: ImportAnswer,
  schemasOf: SchemasOf,
): readonly ProviderDiagnostic[] {
  const by = importedBy(request);
  const [first] = imported;
  if (first === undefined) {
    if (deferred) return [];
    const detail = `While attempting to import with ${by}, the providerreturned no instance states.`;
    return [violation('Import returned no resources', detail)];
  }
  const violations: ProviderDiagnostic[] = [];
  if (imported.length > 1 && request.several !== true) {
    const detail = `While attempting to import with ${by}, the provider returned multiple resource instance states. This is not currently supported.`;
    violations.push(violation('Multiple import states not supported', detail));
  }
  if (first.type === '') {
    return [...violations, violation(`import of ${s.address} didn't set type`, '')];
  }
  if (request.identity !== undefined && first.identity === undefined) {
    return [...violations, violation(`import of ${s.address} didn't return an identity`, '')];
  }
  for (const object of request.several === true ? imported : [first]) {
    const schema = schemasOf(object.type)?.schema;
    if (schema === undefined) {
      violations.push(
        violation(`provider does not support resource type ${quoteText(object.type)}`, ''),
      );
      continue;
    }
    violations.push(...objectViolations({ ...s, schema }, request, object.state));
  }
  return violations;
}

function objectViolations(
  s: Subject,
  request: ImportRequest,
  state: Value,
): readonly ProviderDiagnostic[] {
  const violations: ProviderDiagnostic[] = [];
  for (const error of typeErrors(state, s.schema)) {
    const detail = `Provider ${s.provider} produced an invalid value for ${s.address} during import: ${formatContractError(error)}.${PROVIDER_BUG}`;
    violations.push(violation('Provider produced invalid object', detail));
  }
  if (violations.length > 0) return violations;
  const who = (path: string): string =>
    `rovider ${s.providerConfig} returned a value for the write-only attribute "${s.address}${path}"`;
  const end =
    "Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.";
  return writeOnlyViolations(
    'Import returned a non-null value for a write-only attribute',
    (path) =>
      request.several === true
        ? `P${who(path)} during import. ${end}`
        : `While attempting to import with ${importedBy(request)}, the p${who(path)}. ${end}`,
    state,
    s.schema.block,
  );
}

/** Describes the import ID or identity for messages. */
function importedBy({ id, identity }: ImportRequest): string {
  return identity === undefined ? `ID ${id ?? ''}` : `Identity ${identityText(identity)}`;
}

/** Verifies an object that was moved from another resource type. */
export function checkMove(s: Subject, answer: MoveAnswer): MoveAnswer {
  if (hasError(answer.diagnostics)) return answer;
  const summary = 'Provider returned invalid value';
  const violations: ProviderDiagnostic[] = [];
  const errors = typeErrors(answer.state, s.schema);
  for (const error of errors) {
    const detail = `The provider returned an invalid value during an across type move operation to ${s.address}: ${formatContractError(error)}. This is a bug in the relevant provider; Please report it.`;
    violations.push(violation(summary, detail));
  }
  if (errors.length === 0) {
    violations.push(
      ...writeOnlyViolations(
        summary,
        (path) =>
          `The provider ${s.providerConfig} returned a value for the write-only attribute "${s.address}${path}" during an across type move operation to ${s.address}. Write-only attributes cannot be read back from the provider. This is a bug in the provider, which should be reported in the provider's own issue tracker.`,
        answer.state,
        s.schema.block,
      ),
    );
  }
  if (violations.length === 0 && !answer.state.isWhollyKnown()) {
    const detail = `The provider ${s.configAddress} returned an invalid value during an across type move operation: The returned state contains unknown values. This is a bug in the relevant provider; Please report it.`;
    violations.push(violation(summary, detail));
  }
  if (violations.length === 0) return answer;
  return { ...answer, diagnostics: [...(answer.diagnostics ?? []), ...violations] };
}
