import {
  moduleSourceText,
  parseProviderPart,
  ProviderConfigAddr,
  ResourceAddr,
} from '@terrane/addresses';
import {
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  SENSITIVE_MARKS,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { type Diagnostic, hasErrors, type Range } from '@terrane/hcl';
import { coerceValue, sensitivePaths } from '@terrane/provider';
import type { Module, Schemas } from '../config/model.ts';
import { diagnosticsOf } from '../session/provider-diagnostics.ts';
import { CAPABILITIES, type ProviderSessions } from '../session/provider-sessions.ts';
import type { Evaluation } from './evaluation.ts';

/** A provider configuration, as an inspector sees it. */
export interface ProviderView {
  readonly address: ProviderConfigAddr;
  readonly config: Value;
  /** the release in use, if known */
  readonly version?: string;
  readonly range?: Range;
}

/** An instance of a module call, as an inspector sees it. */
export interface ModuleView {
  readonly address: string;
  readonly source: string;
  readonly version?: string;
  readonly variables: ReadonlyMap<string, Value>;
  readonly range: Range;
}

/** Returns the part of a run that an inspector can read, as far as it is evaluated. */
export function inspectedRun(
  evaluation: Evaluation,
  sessions: ProviderSessions,
  schemas: Schemas,
): {
  readonly providers: readonly ProviderView[];
  readonly modules: readonly ModuleView[];
  readData(type: string, config: Value): Promise<Value>;
} {
  const { configuration } = evaluation.program;
  return {
    get providers() {
      return providersOf([...configuration.modules.values()], sessions, schemas);
    },
    get modules() {
      return [...configuration.modules.values()].flatMap((module) => modulesOf(evaluation, module));
    },
    readData: (type, config) => readData(configuration.root, sessions, schemas, type, config),
  };
}

/** Returns the provider configurations of a configuration: those with blocks, and those that resources imply. */
function providersOf(
  modules: readonly Module[],
  sessions: ProviderSessions,
  schemas: Schemas,
): readonly ProviderView[] {
  const views = new Map<ProviderConfigAddr, ProviderView>();
  for (const module of modules) {
    for (const block of module.providers.values()) {
      const source = module.providerSource(block.name);
      const address = ProviderConfigAddr.of(module.path, source, block.alias);
      const declared = sessions.declarations(address);
      const version = schemas.version?.(source);
      const common = { range: block.range, ...(version === undefined ? {} : { version }) };
      if (declared.size === 0)
        views.set(address, { ...common, address, config: unknownOf(DYNAMIC) });
      for (const [instance, config] of declared)
        views.set(instance, { ...common, address: instance, config });
    }
  }
  // A provider without a block has the empty configuration.
  for (const module of modules) {
    for (const { provider: source, addr } of module.resources.values()) {
      if (addr.mode === 'ephemeral') continue;
      const isConfigured = [...views.keys()].some(({ provider }) => provider === source);
      if (isConfigured) continue;
      const address = ProviderConfigAddr.of(modules[0]?.path ?? module.path, source);
      const version = schemas.version?.(source);
      const versionPart = version === undefined ? {} : { version };
      views.set(address, { address, config: EMPTY_OBJECT_VALUE, ...versionPart });
    }
  }
  return [...views.values()];
}

function modulesOf(evaluation: Evaluation, module: Module): readonly ModuleView[] {
  const { call } = module;
  if (call === undefined) return [];
  const { source, sourceText, version, range } = call;
  return evaluation.instancesOf(module).map(({ instance, variables }) => ({
    address: instance.text,
    source: source === undefined ? sourceText : moduleSourceText(source),
    ...(version === undefined ? {} : { version }),
    variables,
    range,
  }));
}

async function readData(
  root: Module,
  sessions: ProviderSessions,
  schemas: Schemas,
  type: string,
  config: Value,
): Promise<Value> {
  const implied = ResourceAddr.of('data', type, 'policy').impliedProvider;
  const name = parseProviderPart(implied);
  const source = root.providerSource(typeof name === 'string' ? name : implied);
  const schema = schemas.resource(source, 'data', type);
  if (schema === undefined)
    throw new Error(
      `the configuration uses no provider with a data source ${JSON.stringify(type)}`,
    );
  let arguments_: Value;
  try {
    arguments_ = coerceValue(schema.block, config);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new Error(`invalid arguments for ${JSON.stringify(type)}: ${error.message}`);
  }
  const opened = await sessions.open(ProviderConfigAddr.of(root.path, source));
  const { provider } = opened;
  const address = `data.${type}`;
  const failure = (diagnostics: readonly Diagnostic[]): void => {
    if (!hasErrors(diagnostics)) return;
    const texts = diagnostics.map(({ summary, detail }) =>
      detail === '' ? summary : `${summary}: ${detail}`,
    );
    throw new Error(`the data source ${JSON.stringify(type)} cannot be read: ${texts.join('; ')}`);
  };
  failure(opened.diagnostics);
  if (provider === undefined)
    throw new Error(`the provider of the data source ${JSON.stringify(type)} is not configured`);
  const { value } = arguments_.unmarkDeep();
  const validated = await provider.validateDataSourceConfig({ type, config: value, address });
  failure(diagnosticsOf(validated.diagnostics, { address }));
  const response = await provider.readDataSource({
    type,
    config: value,
    address,
    capabilities: CAPABILITIES,
  });
  failure(diagnosticsOf(response.diagnostics, { address }));
  const paths = sensitivePaths(schema.block, response.state);
  return response.state.markWithPaths(paths.map((path) => ({ path, marks: SENSITIVE_MARKS })));
}
