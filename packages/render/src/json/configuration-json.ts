import { Bug, compareText, DYNAMIC, typeToJsonText } from '@terrane/cty';
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

/** Returns the `configuration` part of the plan JSON, as compact JSON text. */
export function configurationText(configuration: Configuration, schemas: Schemas): string {
  return text(configuration, { schemas, describesValues: false });
}

/** Formats a configuration without a plan, in OpenTofu's format, which adds types and flags of variables and outputs. */
export function configurationJson(configuration: Configuration, schemas: Schemas): string {
  return text(configuration, { schemas, describesValues: true });
}

/** Formats a single module as JSON, without schemas, called modules and expressions. */
export function singleModuleJson(configuration: Configuration): string {
  return text(configuration, { describesValues: true });
}

function text(
  configuration: Configuration,
  form: Pick<Context, 'schemas' | 'describesValues'>,
): string {
  const providers = new ProviderConfigs(configuration.root, form.schemas);
  return new JsonMembers()
    .add('provider_config', providers.json())
    .add('root_module', moduleJson(configuration.root, { ...form, providers }))
    .text();
}

interface Context {
  /** if absent, the output is for a single module, without schema information and expressions */
  readonly schemas?: Schemas;
  /** includes types of variables and outputs, and ephemeral resources, as OpenTofu does */
  readonly describesValues: boolean;
  readonly providers: ProviderConfigs;
}

function moduleJson(module: Module, context: Context): string {
  return new JsonMembers()
    .add(
      'outputs',
      mapMember(module.outputs, (output) => outputJson(output, context)),
    )
    .add('resources', resourcesMember(module, context))
    .add(
      'module_calls',
      mapMember(module.calls, (call) => callJson(call, module.children.get(call.name), context)),
    )
    .add(
      'variables',
      mapMember(module.variables, (variable) => variableJson(variable, context)),
    )
    .add('actions', actionsMember(module, context))
    .text();
}

function mapMember<T>(
  items: ReadonlyMap<string, T>,
  write: (item: T) => string,
): string | undefined {
  if (items.size === 0) return undefined;
  return jsonObject([...items].map(([name, item]) => [name, write(item)] as const));
}

function outputJson(output: Output, { schemas, describesValues }: Context): string {
  return new JsonMembers()
    .addFlag('sensitive', output.sensitive)
    .addFlag('ephemeral', describesValues && output.ephemeral)
    .addText('deprecated', describesValues ? output.deprecated : undefined)
    .add('expression', schemas === undefined ? undefined : expressionJson(output.expression))
    .add('depends_on', dependsOnJson(output.dependsOn))
    .addText('description', output.description)
    .text();
}

function variableJson(variable: Variable, { describesValues }: Context): string {
  const { constraint, default: defaultValue } = variable;
  const type = describesValues && constraint !== DYNAMIC ? typeToJsonText(constraint) : undefined;
  return new JsonMembers()
    .add('type', type)
    .add('default', defaultValue === undefined ? undefined : valueJson(defaultValue))
    .addText('description', variable.description)
    .addFlag('required', describesValues && defaultValue === undefined)
    .addFlag('sensitive', variable.sensitive)
    .addFlag('ephemeral', describesValues && variable.ephemeral)
    .addText('deprecated', describesValues ? variable.deprecated : undefined)
    .text();
}

function callJson(call: ModuleCall, child: Module | undefined, context: Context): string {
  if (context.schemas === undefined) {
    return new JsonMembers()
      .addText('source', call.sourceText)
      .addText('version_constraint', call.version)
      .add('depends_on', dependsOnJson(call.dependsOn))
      .text();
  }
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

// Managed resources come first, then data sources; ephemeral resources are not part of the plan format.
function resourcesMember(module: Module, context: Context): string | undefined {
  const resources = [...module.resources.values()].sort((a, b) =>
    compareText(a.addr.text, b.addr.text),
  );
  const modes = ['managed', 'data', ...(context.describesValues ? ['ephemeral'] : [])];
  const json = modes.flatMap((mode) =>
    resources
      .filter((resource) => resource.addr.mode === mode)
      .map((resource) => resourceJson(resource, module, context)),
  );
  return json.length === 0 ? undefined : jsonArray(json);
}

function resourceJson(resource: Resource, module: Module, context: Context): string {
  const { addr, providerLocal } = resource;
  const { schemas } = context;
  const schema = schemas?.resource(resource.provider, addr.mode, addr.type);
  if (schemas !== undefined && schema === undefined) throw new Bug(`no schema for ${addr.text}`);
  const local = !providerLocal.explicit
    ? addr.impliedProvider
    : providerLocal.alias === undefined
      ? providerLocal.name
      : `${providerLocal.name}.${providerLocal.alias}`;
  const provisioners = resource.provisioners.map((each) => provisionerJson(each, context));
  const members = new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('mode', jsonString(addr.mode))
    .add('type', jsonString(addr.type))
    .add('name', jsonString(addr.name))
    .addText('provider_config_key', context.providers.keyOf(local, module.path.text))
    .add('provisioners', provisioners.length === 0 ? undefined : jsonArray(provisioners));
  const dependsOn = dependsOnJson(resource.dependsOn);
  if (schema === undefined) return members.add('depends_on', dependsOn).text();
  const count = optionalExpressionJson(resource.count);
  return members
    .add('expressions', bodyJson(resource.body, schema.block))
    .add('schema_version', String(schema.version))
    .add('count_expression', count)
    .add(
      'for_each_expression',
      count === undefined ? optionalExpressionJson(resource.forEach) : undefined,
    )
    .add('depends_on', dependsOn)
    .text();
}

/** Formats actions by address, without their configuration. */
function actionsMember(module: Module, context: Context): string | undefined {
  if (module.actions.size === 0) return undefined;
  const actions = [...module.actions.values()].sort((a, b) =>
    compareText(a.addr.text, b.addr.text),
  );
  return jsonArray(actions.map((action) => actionJson(action, module, context)));
}

function actionJson(action: ActionBlock, module: Module, context: Context): string {
  const { addr, providerLocal } = action;
  const { name, alias } = providerLocal;
  const local = alias === undefined ? name : `${name}.${alias}`;
  const members = new JsonMembers()
    .add('address', jsonString(addr.text))
    .add('type', jsonString(addr.type))
    .add('name', jsonString(addr.name))
    .addText('provider_config_key', module.path.isRoot ? local : `${module.path.text}:${local}`);
  if (context.schemas === undefined) return members.text();
  const count = optionalExpressionJson(action.count);
  return members
    .add('count_expression', count)
    .add(
      'for_each_expression',
      count === undefined ? optionalExpressionJson(action.forEach) : undefined,
    )
    .text();
}

function provisionerJson(provisioner: Provisioner, { schemas }: Context): string {
  const schema = schemas === undefined ? undefined : PROVISIONER_SCHEMAS.get(provisioner.type);
  return new JsonMembers()
    .addText('type', provisioner.type)
    .add('expressions', schema === undefined ? undefined : bodyJson(provisioner.body, schema))
    .text();
}
