import { fromDynamic } from '../client/values.ts';
import type { ActionEvent, Calls } from '../wire/messages.ts';
import { capabilitiesOf, diagnosticsOf, unsupportedError } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import type { CallContext } from './call-context.ts';
import { wireDeferred } from './to-wire.ts';

/** Returns the handlers of unary calls about actions. */
export function actionCalls(
  answering: Answering,
): Pick<CallHandlers, 'ValidateActionConfig' | 'PlanAction'> {
  const { provider } = answering;
  return {
    ValidateActionConfig: async ({ typeName, config }) => {
      const { type } = await answering.target('actions', typeName);
      const request = { type: typeName, config: fromDynamic(config, type) };
      return diagnosticsOf((await provider.validateActionConfig?.(request)) ?? {});
    },
    PlanAction: async ({ actionType, config, clientCapabilities }) => {
      const { type } = await answering.target('actions', actionType);
      const answer =
        (await provider.planAction?.({
          type: actionType,
          config: fromDynamic(config, type),
          capabilities: capabilitiesOf(clientCapabilities),
        })) ?? {};
      return { ...diagnosticsOf(answer), ...wireDeferred(answer.deferred) };
    },
  };
}

/** Invokes an action; the last event contains its outcome. */
export async function invokeAction(
  answering: Answering,
  { actionType, config }: Calls['PlanAction']['request'],
  { signal }: CallContext,
  send: (event: ActionEvent) => void,
): Promise<ActionEvent> {
  const { type } = await answering.target('actions', actionType);
  const invoke = answering.provider.invokeAction?.bind(answering.provider);
  if (invoke === undefined) throw unsupportedError('actions');
  const answer = await invoke({
    type: actionType,
    config: fromDynamic(config, type),
    progress: (message) => send({ progress: { message } }),
    signal,
  });
  return { completed: diagnosticsOf(answer) };
}
