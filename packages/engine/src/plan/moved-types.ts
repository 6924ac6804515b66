import type { InstanceAddr } from '@terrane/addresses';
import { type Path, quoteText, SENSITIVE_MARKS, transform, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { impliedType, type MoveRequest } from '@terrane/provider';
import { resolveProvider } from '../config/resolve-provider.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { ProviderSessions } from '../session/provider-sessions.ts';
import { StateDraft } from '../state/draft.ts';
import type { StateEvent } from '../state/event.ts';
import type { StoredObject } from '../state/model.ts';
import { encodeStored } from '../state/stored-value.ts';
import { identityPart } from '../objects/stored-identity.ts';
import type { Moves } from './moves.ts';
import type { PlanInput } from './settings.ts';

/**
 * Converts objects that moved to another resource type or provider by the target's provider. If that fails, no object
 * moves, and the reason is reported.
 */
export async function takeOverMoved(
  request: PlanInput,
  sessions: ProviderSessions,
  moved: Moves,
): Promise<Moves> {
  const events: StateEvent[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [to, from] of moved.previous) {
    const event = await takeOver(request, sessions, moved, { from, to }, diagnostics);
    if (event !== undefined) events.push(event);
  }
  if (hasErrors(diagnostics)) return { ...moved, diagnostics };
  if (events.length === 0) return moved;
  const draft = new StateDraft(moved.state);
  for (const event of events) draft.apply(event);
  return { ...moved, state: draft.freeze(), events: [...moved.events, ...events] };
}

/**
 * Marks a value converted from a stored object as sensitive where the stored one is: at the same paths, and where a
 * sensitive text occurs.
 */
function withSecrets(value: Value, { sensitivePaths, attributesJson }: StoredObject): Value {
  if (sensitivePaths.length === 0) return value;
  const texts = new Set<string>();
  const source: unknown = JSON.parse(attributesJson ?? '{}');
  for (const path of sensitivePaths) collectTexts(partAt(source, path), texts);
  const marked = value.markWithPaths(
    sensitivePaths.map((path) => ({ path, marks: SENSITIVE_MARKS })),
  );
  return transform(marked, (_path, part) => {
    if (part.isMarked || part.type.kind !== 'string' || !part.isKnown || part.isNull) return part;
    return texts.has(part.asString()) ? part.withMarks(SENSITIVE_MARKS) : part;
  });
}

/** Returns the JSON at a path; for an element of a set, the whole set. */
function partAt(json: unknown, path: Path): unknown {
  let part = json;
  for (const step of path) {
    if (typeof part !== 'object' || part === null) return undefined;
    const key = step.kind === 'attr' ? step.name : keyText(step.key);
    if (key === undefined || !Object.hasOwn(part, key)) return part;
    part = Object.entries(part).find(([name]) => name === key)?.[1];
  }
  return part;
}

function keyText(key: Value): string | undefined {
  if (key.type.kind === 'string') return key.asString();
  return key.type.kind === 'number' ? String(key.asInt()) : undefined;
}

function collectTexts(part: unknown, texts: Set<string>): void {
  if (typeof part === 'string' && part !== '') texts.add(part);
  if (typeof part === 'object' && part !== null)
    for (const member of Object.values(part)) collectTexts(member, texts);
}

function moveRequest(source: StoredObject, from: InstanceAddr, to: InstanceAddr): MoveRequest {
  const { identityJson, identitySchemaVersion = 0 } = source;
  return {
    sourceProvider: source.provider.provider.text,
    sourceType: from.resource.resource.type,
    sourceVersion: source.schemaVersion,
    sourceJson: source.attributesJson ?? '{}',
    targetType: to.resource.resource.type,
    address: to.text,
    ...(source.private === undefined ? {} : { sourcePrivate: source.private }),
    ...(identityJson === undefined
      ? {}
      : { sourceIdentity: { json: identityJson, version: identitySchemaVersion } }),
  };
}

async function takeOver(
  { configuration, schemas }: PlanInput,
  sessions: ProviderSessions,
  { state, ranges }: Moves,
  { from, to }: { readonly from: InstanceAddr; readonly to: InstanceAddr },
  diagnostics: Diagnostic[],
): Promise<StateEvent | undefined> {
  const target = to.resource.resource;
  const module = configuration.modules.get(to.resource.module.path.text);
  const declared = module?.resources.get(target.text);
  const storedObject = state.instance(to)?.current;
  // Undeclared targets are reported when moves are checked against the configuration.
  if (module === undefined || declared === undefined || storedObject === undefined)
    return undefined;
  const sourceType = from.resource.resource.type;
  const isSameProvider = storedObject.provider.provider === declared.provider;
  if (sourceType === target.type && isSameProvider) return undefined;
  const subject = ranges.get(to);
  const provider = await sessions.started(
    resolveProvider(configuration, module, declared.providerLocal),
  );
  const schema = schemas.resource(declared.provider, 'managed', target.type);
  if (schemas.provider(declared.provider)?.capabilities.moveResourceState !== true) {
    diagnostics.push(
      errorDiagnostic(
        'Unsupported `moved` across resource types',
        `The provider "${declared.provider.text}" does not support moved operations across resource types and providers.`,
        subject,
      ),
    );
    return undefined;
  }
  if (schema === undefined) return undefined;
  const response = await provider.moveResourceState(moveRequest(storedObject, from, to));
  const problems = diagnosticsOf(response.diagnostics, {});
  diagnostics.push(...problems);
  if (hasErrors(problems)) return undefined;
  const providerAddr = resolveProvider(configuration, module, declared.providerLocal);
  if (response.identity?.isWhollyKnown() === false) {
    const detail = `Provider ${quoteText(providerAddr.text)} planned an identity with unknown values for the move from ${from.text} to ${to.text}. \n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.`;
    diagnostics.push(errorDiagnostic('Provider produced invalid identity', detail));
    return undefined;
  }
  const { status, dependencies, createBeforeDestroy, skipDestroy } = storedObject;
  const object = encodeStored(
    withSecrets(response.state, storedObject),
    impliedType(schema.block),
    {
      status,
      dependencies,
      createBeforeDestroy,
      ...(skipDestroy === undefined ? {} : { skipDestroy }),
      schemaVersion: schema.version,
      provider: providerAddr,
      ...(response.private === undefined ? {} : { private: response.private }),
      ...identityPart({ addr: to, provider }, response.identity),
    },
  );
  return { kind: 'put', addr: to, object };
}
