import { valueToJson } from '@terrane/cty';
import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { impliedType } from '../schema/implied-type.ts';
import { configValue, isError, plain } from './plan-scenarios.ts';
import type { Step, Written } from './resource-life.ts';

/** Validates and reads a data source with a configuration in JSON form. */
export async function readData(
  provider: CheckedProvider,
  type: string,
  written: Written,
): Promise<Step> {
  return readBlock(provider, 'dataSources', type, written);
}

/** Validates and opens an ephemeral resource with a configuration in JSON form. */
export async function openEphemeral(
  provider: CheckedProvider,
  type: string,
  written: Written,
): Promise<Step> {
  return readBlock(provider, 'ephemeralResources', type, written);
}

async function readBlock(
  provider: CheckedProvider,
  kind: 'dataSources' | 'ephemeralResources',
  type: string,
  written: Written,
): Promise<Step> {
  const schema = (await provider.schema())[kind][type];
  if (schema === undefined) throw new Error(`nothing of type ${type}`);
  const { block } = schema;
  const config = configValue(block, written);
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const request = { type, config, capabilities };
  const ephemeral = kind === 'ephemeralResources';
  const checked = ephemeral
    ? await provider.validateEphemeralResourceConfig(request)
    : await provider.validateDataSourceConfig(request);
  const diagnostics = [...(checked.diagnostics ?? [])];
  if (diagnostics.some(isError)) return { state: null, diagnostics: plain(diagnostics) };
  const answer = ephemeral
    ? await provider.openEphemeralResource(request)
    : await provider.readDataSource(request);
  diagnostics.push(...(answer.diagnostics ?? []));
  const json = valueToJson('state' in answer ? answer.state : answer.result, impliedType(block));
  return {
    state: JSON.parse(json) as Written | null, // an object of a data source
    ...(diagnostics.length > 0 && { diagnostics: plain(diagnostics) }),
  };
}
