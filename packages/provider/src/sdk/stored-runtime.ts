import { CtyError, nullOf } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import type {
  Awaitable,
  MoveAnswer,
  MoveRequest,
  UpgradeAnswer,
  UpgradeIdentityAnswer,
  UpgradeIdentityRequest,
  UpgradeRequest,
} from '../contract.ts';
import { error } from './diagnostics.ts';
import { handle, Work } from './handling.ts';
import type { Findings, Surroundings } from './handling.ts';
import type { Log } from './log.ts';
import { writeObject } from './part.ts';
import type { Part } from './part.ts';
import { PrivateState } from './private-state.ts';
import { identityAnswer } from './resource-runtime.ts';
import type { ResourcePart } from './resource-runtime.ts';
import type { StateUpgrader, UpgradeContext } from './state-upgraders.ts';
import { readStored, storedProblem } from './stored-state.ts';

const FLATMAP_PROBLEM =
  'flatmap states cannot be unmarshaled, only states written by Terraform 0.12 and higher can be unmarshaled';

/** Converts a stored object to the current schema, upgrading it if its version is older. */
export function upgradeState(
  part: ResourcePart,
  request: UpgradeRequest,
  log: Log,
): Awaitable<UpgradeAnswer> {
  const { upgraders, upgradeFlat } = part.options;
  const { flatmap, version } = request;
  if (request.json === undefined && flatmap !== undefined && upgradeFlat !== undefined) {
    return answerOfUpgrade(part, request, log, (context) =>
      upgradeFlat(flatmap, { ...context, version }),
    );
  }
  if (request.version === part.schema.version) return currentState(part, request);
  const upgrader = upgraders?.[request.version];
  if (upgrader === undefined) {
    const how = upgraders === undefined ? 'without' : 'with';
    const detail = `This resource was implemented ${how} an UpgradeState() method, however Terraform was expecting an implementation for version ${request.version} upgrade.\n\nThis is always an issue with the Terraform Provider and should be reported to the provider developer.`;
    return failure(part, 'Unable to Upgrade Resource State', detail);
  }
  return upgradeStored(part, upgrader, request, log);
}

function failure(part: Part, summary: string, detail: string): UpgradeAnswer {
  return { state: nullOf(part.type), diagnostics: [error(summary, detail)] };
}

const UNREADABLE = 'Unable to Read Previously Saved State for UpgradeResourceState';

function currentState(part: Part, { json }: UpgradeRequest): UpgradeAnswer {
  const refuse = (problem: string): UpgradeAnswer => {
    const detail = `There was an error reading the saved resource state using the current resource schema.\n\nIf this resource state was last refreshed with Terraform CLI 0.11 and earlier, it must be refreshed or applied with an older provider version first. If you manually modified the resource state, you will need to manually modify it to match the current resource schema. Otherwise, please report this to the provider developer:\n\n${problem}`;
    return failure(part, UNREADABLE, detail);
  };
  if (json === undefined) return refuse(FLATMAP_PROBLEM);
  try {
    return { state: readStored(json, part.type) };
  } catch (problem) {
    if (problem instanceof CtyError) return refuse(storedProblem(problem));
    throw problem;
  }
}

function upgradeStored(
  part: ResourcePart,
  upgrader: StateUpgrader<unknown>,
  request: UpgradeRequest,
  log: Log,
): Awaitable<UpgradeAnswer> {
  const { version, json } = request;
  let older: unknown;
  try {
    if (json === undefined) throw new CtyError(FLATMAP_PROBLEM);
    older = olderObject(upgrader, json);
  } catch (problem) {
    if (!(problem instanceof CtyError) && !(problem instanceof SyntaxError)) throw problem;
    const subject = problem instanceof CtyError ? storedProblem(problem) : problem.message;
    const detail = `There was an error reading the saved resource state using the prior resource schema defined for version ${version} upgrade.\n\nPlease report this to the provider developer:\n\n${subject}`;
    return failure(part, UNREADABLE, detail);
  }
  return answerOfUpgrade(part, request, log, (context) => callUpgrader(upgrader, older, context));
}

function answerOfUpgrade(
  part: ResourcePart,
  { address }: UpgradeRequest,
  log: Log,
  call: (context: UpgradeContext) => unknown,
): Awaitable<UpgradeAnswer> {
  const work = new Work('upgrading', address ?? part.name, part.type, log);
  const { findings } = work;
  const { diagnostics } = findings;
  return handle(
    work,
    () => call(upgradeContext(findings)),
    (state) => ({ state: writeObject(part, state, undefined), diagnostics }),
    () => ({ state: nullOf(part.type), diagnostics }),
  );
}

function upgradeContext(findings: Findings): UpgradeContext {
  const { warn, error: fail, report } = findings.functions;
  return { warn, error: fail, report };
}

function olderObject(upgrader: StateUpgrader<unknown>, json: string): unknown {
  if (typeof upgrader === 'function') return JSON.parse(json);
  return upgrader.codec.read(readStored(json, upgrader.codec.type));
}

function callUpgrader(
  upgrader: StateUpgrader<unknown>,
  older: unknown,
  context: UpgradeContext,
): unknown {
  // The stored object has the type that the upgrader takes.
  const upgrade = typeof upgrader === 'function' ? upgrader : upgrader.upgrade;
  return upgrade(older as never, context);
}

/** Converts a stored identity to the current schema, upgrading it if its version is older. */
export function upgradeIdentity(
  part: ResourcePart,
  { version, json, address }: UpgradeIdentityRequest,
  log: Log,
): Awaitable<UpgradeIdentityAnswer> {
  const { identity } = part;
  const refuse = (detail: string): UpgradeIdentityAnswer => ({
    identity: nullOf(identity?.type ?? part.type),
    diagnostics: [error('Unable to Upgrade Resource Identity', detail)],
  });
  if (identity === undefined) return refuse(`Resource type ${part.name} has no identity.`);
  const upgrader = part.options.identity?.upgraders?.[version];
  const older = version !== identity.schema.version;
  if (older && upgrader === undefined) {
    return refuse(
      `The provider cannot upgrade an identity of version ${version} of resource type ${part.name}. This is always an issue in the provider and should be reported to its developers.`,
    );
  }
  const doing = 'upgrading the identity of';
  const work = new Work(doing, address ?? part.name, identity.type, log);
  const { findings } = work;
  const { diagnostics } = findings;
  try {
    if (upgrader === undefined || !older) return { identity: readStored(json, identity.type) };
    const stored = olderObject(upgrader, json);
    return handle(
      work,
      () => callUpgrader(upgrader, stored, upgradeContext(findings)),
      (result) => ({ identity: writeObject(identity, result, undefined), diagnostics }),
      () => ({ identity: nullOf(identity.type), diagnostics }),
    );
  } catch (problem) {
    if (problem instanceof CtyError) return refuse(storedProblem(problem));
    if (problem instanceof SyntaxError) return refuse(problem.message);
    throw problem;
  }
}

/** Returns the response of resource types that support no moves. */
export function moveNotImplemented(type: Type, request: MoveRequest): MoveAnswer {
  return moveRefused(
    type,
    request,
    'The target resource implementation does not include move resource state support. The resource implementation can be updated by the provider developers to include this support with the ResourceWithMoveState interface.',
  );
}

function moveRefused(type: Type, request: MoveRequest, reason: string): MoveAnswer {
  const { sourceProvider, sourceType, sourceVersion, targetType } = request;
  const named = `Source Provider Address: ${sourceProvider}\nSource Resource Type: ${sourceType}\nSource Resource Schema Version: ${sourceVersion}\nTarget Resource Type: ${targetType}`;
  const diagnostics = [error('Unable to Move Resource State', `${reason}\n\n${named}`)];
  return { state: nullOf(type), diagnostics };
}

/** Converts an object of another type to this type. */
export function moveState(
  part: ResourcePart,
  request: MoveRequest,
  around: Surroundings,
): Awaitable<MoveAnswer> {
  const { sourceProvider, sourceType, sourceVersion, sourcePrivate } = request;
  const { moves } = part.options;
  if (moves === undefined) return moveNotImplemented(part.type, request);
  const refuse = (detail: string): MoveAnswer => moveRefused(part.type, request, detail);
  const from = moves.find(
    (move) =>
      move.type === sourceType &&
      (move.version === undefined || move.version === sourceVersion) &&
      (move.provider === undefined || `/${sourceProvider}`.endsWith(`/${move.provider}`)),
  );
  if (from === undefined) {
    return refuse(
      'The target resource implementation does not include support for the given source resource. The resource implementation can be updated by the provider developers to include this support by returning the moved state when the request matches this source.',
    );
  }
  let source: Value;
  try {
    source = readStored(request.sourceJson, from.codec.type);
  } catch (problem) {
    if (!(problem instanceof CtyError)) throw problem;
    return refuse(
      `The stored object does not fit the schema that the provider expects of ${sourceType}: ${storedProblem(problem)}`,
    );
  }
  const work = new Work('moving', request.address ?? part.name, part.type, around.log);
  const { diagnostics } = work.findings;
  const { warn, error: fail, report } = work.findings.functions;
  const privateState = new PrivateState(undefined);
  return handle(
    work,
    // The stored object has the type that the move takes.
    () =>
      from.move(from.codec.read(source) as never, {
        warn,
        error: fail,
        report,
        private: sourcePrivate,
        setPrivate: privateState.change,
        provider: sourceProvider,
        version: sourceVersion,
      }),
    (result) => {
      const state = writeObject(part, result, undefined);
      return { state, diagnostics, ...privateState.answer, ...identityAnswer(part, state, around) };
    },
    () => ({ state: nullOf(part.type), diagnostics }),
  );
}
