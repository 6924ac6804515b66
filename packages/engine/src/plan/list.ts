import { AbsResource, type InstanceAddr, ResourceAddr } from '@terrane/addresses';
import {
  formatPath,
  FALSE,
  nullOf,
  number,
  numToInt,
  object,
  type Path,
  str,
  transform,
  tuple,
  SENSITIVE_MARKS,
  type Value,
} from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  type Answer,
  impliedType,
  type ListedResource,
  type Schema,
  sensitivePaths,
  memberOf,
} from '@terrane/provider';
import { evaluateAs } from '../evaluate/evaluate-as.ts';
import { evaluateBody } from '../evaluate/body.ts';
import { errorCount } from '../evaluate/expansion.ts';
import {
  checkListArgument,
  DEFAULT_LIMIT,
  LIST_ARGUMENT_TYPES,
  type ListArgument,
} from '../evaluate/list-argument.ts';
import { keysOf, repetitionOf } from '../evaluate/repetition.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import type { WantedInstance } from '../objects/wanted-instance.ts';
import type { FoundObject, GeneratedImport } from '../objects/event.ts';
import { whereabouts, withSchemaMarks } from '../objects/stored.ts';
import { generatedBlock, generatedImportBlock } from './generate-config.ts';
import { suggestedBody } from './generated.ts';
import { insideConfig, listArguments, listRequest } from './list-request.ts';
import type { PlanRun } from './run.ts';

/**
 * Queries a provider for the objects that an instance of a `list` block describes. The results are the value of the
 * instance and are reported by events.
 */
export async function queryList(
  run: PlanRun,
  wanted: WantedInstance,
  diagnostics: Diagnostic[],
): Promise<void> {
  const { addr, schema, provider, cell, key } = wanted;
  const { type } = addr.resource.resource;
  const config = await listConfiguration(run, wanted, diagnostics);
  if (config === undefined) return;
  const { generateConfigOut } = run.choices;
  const argument = await argumentsOf(run, wanted, diagnostics);
  if (argument === undefined) return;
  const includeResource = generateConfigOut !== undefined || argument.includeResource;
  const { limit } = argument;
  const configBlock = config.attr('config');
  const inputs = configBlock.isNull ? configBlock : withMarksOf(configBlock, listArguments(schema));
  run.emit({
    kind: 'list-start',
    addr,
    input: withoutSensitive(inputs),
    sensitive: sensitiveTexts(inputs),
  });
  const plain = config.unmarkDeep().value;
  const request = listRequest({ type, config: plain, address: addr.text }, schema);
  const where = whereabouts(wanted);
  const reportAnswer = (response: Answer): boolean => {
    const problems = diagnosticsOf(insideConfig(response).diagnostics, where);
    diagnostics.push(...problems);
    return !hasErrors(problems);
  };
  const validated = await provider.validateListResourceConfig(request);
  if (!reportAnswer(validated)) return;
  const target = targetOf(run, wanted);
  if (target === undefined) {
    diagnostics.push(missingIdentitySchema(type));
    return;
  }
  const { signal } = run;
  const more = { includeResource, limit, ...(signal === undefined ? {} : { signal }) };
  const listed = await listResources(provider, { ...request, ...more }, limit, reportAnswer);
  if (listed === undefined) return;
  // Results of an interrupted query are incomplete.
  if (signal?.aborted === true) return;
  const objects = listed.map((result) => foundObject(result, target));
  const generated =
    generateConfigOut === undefined
      ? []
      : await generatedImports(run, wanted, target, objects, diagnostics);
  if (generated === undefined) return;
  const data = tuple(
    objects.map(({ displayName, identity, resource: state }) =>
      object({ display_name: str(displayName), identity, state }),
    ),
  );
  cell.set(key, object({ config: configBlock, data }));
  const results = objects.map((listedObject, index) => foundResult(listedObject, generated[index]));
  run.queries.push({ addr, results });
  const { identityVersion } = target;
  run.emit({ kind: 'list-complete', addr, results, identityVersion });
}

/** Returns the name of a generated resource, from the positions of the instance and of the result. */
function generatedName(
  { resource: { resource } }: InstanceAddr,
  position: number | undefined,
  index: number,
): string {
  return position === undefined
    ? `${resource.name}_${index}`
    : `${resource.name}_${position}_${index}`;
}

function missingIdentitySchema(type: string): Diagnostic {
  const reason = `Identity schema not found for resource type ${type}; this is a bug in the provider - please report it there`;
  return errorDiagnostic(reason, '');
}

/** Returns the listed resources up to the limit; undefined after errors, which `report` receives. */
async function listResources(
  provider: WantedInstance['provider'],
  request: Parameters<WantedInstance['provider']['listResource']>[0],
  limit: number,
  report: (answer: Answer) => boolean,
): Promise<readonly ListedResource[] | undefined> {
  const listed: ListedResource[] = [];
  if (limit <= 0) return listed;
  for await (const event of provider.listResource(request)) {
    if (!report(event)) return undefined;
    // An event may contain only diagnostics.
    if (event.identity === undefined) continue;
    listed.push(event);
    if (listed.length >= limit) break;
  }
  return listed;
}

function foundResult(
  { displayName, identity, resource }: FoundObject,
  generated: GeneratedImport | undefined,
): FoundObject {
  return {
    displayName,
    identity,
    resource: withoutSensitive(resource),
    ...(generated === undefined ? {} : { generated }),
  };
}

/** Generates a resource and its import for each listed object. Returns undefined after errors. */
async function generatedImports(
  run: PlanRun,
  wanted: WantedInstance,
  target: Target,
  objects: readonly Pick<FoundObject, 'identity' | 'resource'>[],
  diagnostics: Diagnostic[],
): Promise<readonly GeneratedImport[] | undefined> {
  const { addr, cell, key } = wanted;
  const position = key === undefined ? undefined : keysOf(cell.expansion).indexOf(key);
  const generated: GeneratedImport[] = [];
  for (const [index, listedObject] of objects.entries()) {
    const named = { ...listedObject, name: generatedName(addr, position, index) };
    const suggestion = await generatedImport(run, wanted, target, named, diagnostics);
    if (suggestion === undefined) return undefined;
    generated.push(suggestion);
  }
  return generated;
}

/** A resource and its import, for an object that was found; undefined after errors. */
async function generatedImport(
  run: PlanRun,
  { addr: { resource: list }, provider, providerAddr, resource }: WantedInstance,
  { schema }: Target,
  listedObject: Pick<FoundObject, 'identity' | 'resource'> & { readonly name: string },
  diagnostics: Diagnostic[],
): Promise<GeneratedImport | undefined> {
  const managed = ResourceAddr.of('managed', list.resource.type, listedObject.name);
  const addr = AbsResource.of(list.module, managed).instance(undefined);
  const named = resource.providerLocal;
  const { provider: source } = providerAddr;
  const target = { addr, provider, schema, source, named, alwaysProvider: true };
  const body = await suggestedBody(run, target, listedObject.resource, diagnostics);
  if (body === undefined) return undefined;
  return {
    resource: generatedBlock(addr, body),
    import: generatedImportBlock(addr, listedObject.identity, named),
  };
}

/** The body's value, which has to be known; undefined after errors. */
async function listConfiguration(
  { evaluation }: PlanRun,
  { addr, schema, resource, cells, cell, key }: WantedInstance,
  diagnostics: Diagnostic[],
): Promise<Value | undefined> {
  const before = errorCount(diagnostics);
  const scope = evaluation.scope(cells, repetitionOf(cell.expansion, key));
  const value = await evaluation.evaluate(diagnostics, (pass) =>
    evaluateBody(resource.body, schema.block, scope, addr.text, pass.diagnostics),
  );
  if (errorCount(diagnostics) > before) return undefined;
  const config = value.attr('config');
  if (config.unmarkDeep().value.isWhollyKnown()) return value;
  diagnostics.push(
    errorDiagnostic(
      'Query depends on unknown values',
      `The configuration of ${addr.text} depends on values that are not known, such as those of resources that do not exist yet. A query can only use what is known now.`,
      resource.range,
    ),
  );
  return undefined;
}

async function argumentsOf(
  { evaluation }: PlanRun,
  { resource, cells }: WantedInstance,
  diagnostics: Diagnostic[],
): Promise<{ readonly limit: number; readonly includeResource: boolean } | undefined> {
  const before = errorCount(diagnostics);
  const scope = evaluation.scope(cells);
  const argument = (name: ListArgument, otherwise: Value): Value | undefined => {
    const { limit, includeResource } = resource.list ?? {};
    const expression = name === 'limit' ? limit : includeResource;
    if (expression === undefined) return otherwise;
    const value = evaluateAs(expression, LIST_ARGUMENT_TYPES[name], scope, diagnostics);
    const origin = { expression, module: scope.warnsFor, allowUnknown: false };
    return value && checkListArgument(name, value, origin, diagnostics);
  };
  const evaluated = await evaluation.evaluate(diagnostics, () => ({
    limit: argument('limit', number(DEFAULT_LIMIT)),
    includeResource: argument('include_resource', FALSE),
  }));
  const { limit, includeResource } = evaluated;
  if (limit === undefined || includeResource === undefined || errorCount(diagnostics) > before)
    return undefined;
  return { limit: Number(numToInt(limit.asNum()) ?? 0), includeResource: includeResource.asBool() };
}

/** The schemas of the listed objects. */
interface Target {
  readonly schema: Schema;
  readonly identity: Value;
  readonly identityVersion: number;
}

function targetOf({ schemas }: PlanRun, { addr, resource }: WantedInstance): Target | undefined {
  const { type } = addr.resource.resource;
  const providerSchema = schemas.provider(resource.provider);
  const schema = memberOf(providerSchema?.resources, type);
  const identity = memberOf(providerSchema?.identities, type);
  if (providerSchema === undefined || schema === undefined || identity === undefined)
    return undefined;
  return {
    schema,
    identity: nullOf(impliedType(identity.block)),
    identityVersion: identity.version,
  };
}

function foundObject(
  { displayName, identity, resource }: ListedResource,
  { schema, identity: none }: Target,
): { readonly displayName: string; readonly identity: Value; readonly resource: Value } {
  return {
    displayName,
    identity: identity ?? none,
    resource:
      resource === undefined
        ? nullOf(impliedType(schema.block))
        : withSchemaMarks(resource, schema),
  };
}

/** Marks the values that the schema declares sensitive. */
function withMarksOf(value: Value, block: Schema['block']): Value {
  const paths = sensitivePaths(block, value.unmarkDeep().value).map((path) => ({
    path,
    marks: SENSITIVE_MARKS,
  }));
  return paths.length === 0 ? value : value.markWithPaths(paths);
}

/** Replaces sensitive parts of a value by null. */
function withoutSensitive(root: Value): Value {
  const value = root.hasMarkDeep('sensitive')
    ? transform(root, (_path, part) => (part.hasMark('sensitive') ? nullOf(part.type) : part))
    : root;
  return value.unmarkDeep().value;
}

function sensitiveTexts(value: Value): readonly string[] {
  const texts = new Set<string>();
  const { paths } = value.unmarkDeepWithPaths();
  for (const { path, marks } of paths) if (marks.has('sensitive')) texts.add(textOf(path));
  return [...texts].sort();
}

const textOf = (path: Path): string => formatPath(path);
