import type { Value } from '@terrane/cty';
import type { BackendBlock, CloudBlock, Configuration } from '@terrane/engine';
import {
  decodeBody,
  errorDiagnostic,
  hasErrors,
  overrideBody,
  type Body,
  type Diagnostic,
} from '@terrane/hcl';
import { backendHash } from './backend-hash.ts';
import { backendKind, CLOUD, unknownBackend, type BackendKind } from './backend-kind.ts';

/** The backend that the configuration and the command line of `init` describe. */
export interface ConfiguredBackend {
  readonly kind: BackendKind;
  /** the block merged with the command line */
  readonly body: Body;
  readonly value: Value;
  /** the hash of the block */
  readonly hash: number;
}

/** The configured backend; empty without a backend block, or with the errors in it. */
export interface BackendConfiguration {
  readonly configured?: ConfiguredBackend;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the backend of a configuration. Invalid backend blocks are errors; `unknownKind` returns the message for an
 * unknown backend type.
 */
export async function configuredBackend(
  configuration: Configuration | undefined,
  override?: (kind: BackendKind) => BackendOverride,
  unknownKind = 'Unsupported backend type',
): Promise<BackendConfiguration> {
  const root = configuration?.root;
  const block = root?.backend ?? cloudBlock(root?.cloud);
  if (block === undefined) return { diagnostics: [] };
  const kind = root?.backend === undefined ? await backendKind(CLOUD) : await kindOfBlock(block);
  if (kind === undefined) return { diagnostics: [unsupportedType(block, unknownKind)] };
  const overriding = override?.(kind) ?? { diagnostics: [] };
  if (hasErrors(overriding.diagnostics)) return { diagnostics: overriding.diagnostics };
  await configuration?.constants?.prepare(block.body, kind.spec);
  return withValue(kind, block, overriding.body, configuration);
}

/** Returns the backend of a standalone block, such as that of a test run. References are not allowed in it. */
export async function backendOfBlock(block: BackendBlock): Promise<BackendConfiguration> {
  const kind = await kindOfBlock(block);
  if (kind !== undefined) return withValue(kind, block, undefined, undefined);
  return { diagnostics: [unsupportedType(block)] };
}

/** Checks that the backend of a configuration is of a supported type. Its arguments are a matter of `init`. */
export async function checkBackendType({ root }: Configuration): Promise<readonly Diagnostic[]> {
  const { backend } = root;
  if (backend === undefined || (await kindOfBlock(backend)) !== undefined) return [];
  return [unsupportedType(backend)];
}

/** The kind that a `backend` block names. */
async function kindOfBlock({ type }: BackendBlock): Promise<BackendKind | undefined> {
  return type === CLOUD ? undefined : await backendKind(type);
}

function unsupportedType(
  { type, typeRange }: BackendBlock,
  summary = 'Unsupported backend type',
): Diagnostic {
  return errorDiagnostic(summary, unknownBackend(type), typeRange);
}

/** A `cloud` block, as if it were a backend. */
function cloudBlock(cloud: CloudBlock | undefined): BackendBlock | undefined {
  if (cloud === undefined) return undefined;
  const { body, range } = cloud;
  return { type: CLOUD, body, range, typeRange: range };
}

/** The backend settings of the command line. */
export interface BackendOverride {
  readonly body?: Body;
  readonly diagnostics: readonly Diagnostic[];
}

function withValue(
  kind: BackendKind,
  block: BackendBlock,
  override: Body | undefined,
  configuration: Configuration | undefined,
): BackendConfiguration {
  const problems: Diagnostic[] = [];
  const declared = decodeBackendBody(kind, block, block.body, configuration, problems);
  // Errors of an overridden value are irrelevant.
  const diagnostics: Diagnostic[] = override === undefined ? problems : [];
  const body = override === undefined ? block.body : overrideBody(block.body, override);
  const value =
    override === undefined
      ? declared
      : decodeBackendBody(kind, block, body, configuration, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!value.hasMarkDeep(mark)) continue;
    diagnostics.push(
      errorDiagnostic(
        `Backend config contains ${mark} values`,
        `The backend configuration is stored in .terraform/terraform.tfstate as well as plan files. It is recommended to instead supply ${mark} credentials via backend specific environment variables`,
        block.range,
      ),
    );
    return { diagnostics };
  }
  const hash = backendHash(kind, declared.unmarkDeep().value);
  return { configured: { kind, body, value: value.unmarkDeep().value, hash }, diagnostics };
}

function decodeBackendBody(
  kind: BackendKind,
  { type, range }: BackendBlock,
  body: Body,
  configuration: Configuration | undefined,
  diagnostics: Diagnostic[],
): Value {
  const constants = configuration?.constants;
  if (constants === undefined) return decodeBody(body, kind.spec, undefined, diagnostics);
  const use = { name: `backend.${type}`, range };
  return constants.decodeBody(body, kind.spec, use, diagnostics);
}
