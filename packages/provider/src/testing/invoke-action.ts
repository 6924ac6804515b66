import type { CheckedProvider } from '../enforce/enforce-contract.ts';
import { configValue, isError, plain } from './plan-scenarios.ts';
import type { Step, Written } from './resource-life.ts';

/** The result of an action: its progress messages and diagnostics. */
export interface InvocationResult {
  readonly messages: readonly string[];
  readonly diagnostics?: Step['diagnostics'];
}

/** Validates, plans and, unless a value is unknown, invokes an action with a `config` block in JSON form. */
export async function invokeAction(
  provider: CheckedProvider,
  type: string,
  written: Written,
): Promise<InvocationResult> {
  const schema = (await provider.schema()).actions?.[type];
  if (schema === undefined) throw new Error(`no action of type ${type}`);
  const config = configValue(schema.block, written);
  const capabilities = { deferralAllowed: false, writeOnlyAttributesAllowed: true };
  const messages: string[] = [];
  const diagnostics = [
    ...((await provider.validateActionConfig({ type, config })).diagnostics ?? []),
  ];
  const resultSoFar = (): InvocationResult => ({
    messages,
    ...(diagnostics.length > 0 && { diagnostics: plain(diagnostics) }),
  });
  if (diagnostics.some(isError)) return resultSoFar();
  const planned = await provider.planAction({ type, config, capabilities });
  diagnostics.push(...(planned.diagnostics ?? []));
  if (diagnostics.some(isError) || !config.isWhollyKnown()) return resultSoFar();
  const progress = (message: string): void => void messages.push(message);
  const answer = await provider.invokeAction({ type, config, progress });
  diagnostics.push(...(answer.diagnostics ?? []));
  return resultSoFar();
}
