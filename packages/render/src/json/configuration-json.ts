import { Bug, compareText } from '@terrane/cty';
import type {
  ActionBlock,
  Configuration,
  Module,
  ModuleCall,
  Output,
  Provisioner,
  Resource,
  Schemas,
  Variable,
} from '@terrane/engine';
import {
  argumentsJson,
  bodyJson,
  dependsOnJson,
  expressionJson,
  optionalExpressionJson,
} from './expressions-json.ts';
import { jsonArray, JsonMembers, jsonObject, jsonString } from './json-text.ts';
import { ProviderConfigs } from './provider-configs-json.ts';
import { PROVISIONER_SCHEMAS } from './provisioner-schemas.ts';
import { valueJson } from './value-json.ts';

/** The `configuration` part of the plan JSON, as compact JSON text. */
export function configurationText(configuration: Configuration, schemas: Schemas): string {
  const providers = new ProviderConfigs(configuration.root, schemas);
  return new JsonMembers()
    .add('provider_config', providers.json())
    .add('root_module', moduleJson(configuration.root, { schemas, providers }))
    .text();
}

interface Context {
  readonly schemas: Schemas;
  readonly providers: ProviderConfigs;
}

function moduleJson(module: Module, context: Context): string {
  return new JsonMembers()
    .add('outputs', mapMember(module.outputs, outputJson))
    .add('resources', resourcesMember(module, context))
    .add(
      'module_calls',
      mapMember(module.calls, (call) => callJson(call, module.children.get(call.name), context)),
    )
    .add('variables', mapMember(module.variables, variableJson))
    .add('actions', actionsMember(module))
    .text();
}

function mapMember<T>(
  items: ReadonlyMap<string, T>,
  write: (item: T) => string,
): string | undefined {
  if (items.size === 0) return undefined;
  return jsonObject([...items].map(([name, item]) => [name, write(item)] as const));
}

function outputJson(output: Output): string {
  return new JsonMembers()
    .addFlag('sensitive', output.sensitive)
    .add('expression', expressionJson(output.expression))
    .add('depends_on', dependsOnJson(output.dependsOn))
    .addText('description', output.description)
    .text();
}

function variableJson(variable: Variable): string {
  return new JsonMembers()
    .add('default', variable.default === undefined ? undefined : valueJson(variable.default))
    .addText('description', variable.description)
    .addFlag('sensitive', variable.sensitive)
    .text();
}

function callJson(call: ModuleCall, child: Module | undefined, context: Context): string {
  if (child === undefined) return '{"module":{}}';
  const count = optionalExpressionJson(call.count);
  return new JsonMembers()
    .addText('source', call.sourceText)
    .add('expressions', argumentsJson(call.body, child.variables.keys()))
    .add('count_expression', count)
    .add(
      'for_each_expression',
      count === undefined ? optionalExpressionJson(call.forEach) : undefined,
    )
    .add('module', moduleJson(child, context))
    .addText('version_constraint', call.version)
    .add('depends_on', dependsOnJson(call.dependsOn))
    .text();
}

// Managed resources first, then data sources; ephemeral ones are not part of the format.
function resourcesMember(module: Module, context: Context): string | undefined {
  const resources = [...module.resources.values()].sort((a, b) =>
    compareText(a.addr.text, b.addr.text),
  );
  const json = (['managed', 'data'] as const).flatMap((mode) =>
    resources
      .filter((resource) => resource.addr.mode === mode)
      .map((resource) => resourceJson(resource, module, context)),
  );
  return json.length === 0 ? undefined : jsonArray(json);
}

function resourceJson(resource: Resource, module: Module, context: Context): string {
  const { addr, providerLocal } = resource;
  const schema = context.schemas.resource(resource.provider, addr.mode, addr.type);
  if (schema === undefined) throw new Bug(`no schema for ${addr.text}`);
  const local = !providerLocal.explicit
    ? addr.impliedProvider
    : providerLocal.alias === undefined
      ? providerLocal.name
      : `${providerLocal.name}.${providerLocal.alias}`;
  const count = optionalExpressionJson(resource.count);
  const provisioners = resource.provisioners.map(provisionerJson);
  return new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('mode', jsonString(addr.mode))
    .add('type', jsonString(addr.type))
    .add('name', jsonString(addr.name))
    .addText('provider_config_key', context.providers.keyOf(local, module.path.text))
    .add('provisioners', provisioners.length === 0 ? undefined : jsonArray(provisioners))
    .add('expressions', bodyJson(resource.body, schema.block))
    .add('schema_version', String(schema.version))
    .add('count_expression', count)
    .add(
      'for_each_expression',
      count === undefined ? optionalExpressionJson(resource.forEach) : undefined,
    )
    .add('depends_on', dependsOnJson(resource.dependsOn))
    .text();
}

/** Actions by address, without what they are configured with. */
function actionsMember(module: Module): string | undefined {
  if (module.actions.size === 0) return undefined;
  const actions = [...module.actions.values()].sort((a, b) =>
    compareText(a.addr.text, b.addr.text),
  );
  return jsonArray(actions.map((action) => actionJson(action, module)));
}

function actionJson({ addr, providerLocal, ...action }: ActionBlock, module: Module): string {
  const count = optionalExpressionJson(action.count);
  const { name, alias } = providerLocal;
  const local = alias === undefined ? name : `${name}.${alias}`;
  return new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('type', jsonString(addr.type))
    .add('name', jsonString(addr.name))
    .addText('provider_config_key', module.path.isRoot ? local : `${module.path.text}:${local}`)
    .add('count_expression', count)
    .add(
      'for_each_expression',
      count === undefined ? optionalExpressionJson(action.forEach) : undefined,
    )
    .text();
}

function provisionerJson(provisioner: Provisioner): string {
  const schema = PROVISIONER_SCHEMAS.get(provisioner.type);
  return new JsonMembers()
    .addText('type', provisioner.type)
    .add('expressions', schema === undefined ? undefined : bodyJson(provisioner.body, schema))
    .text();
}
