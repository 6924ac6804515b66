import type {
  Answer,
  InvokeActionRequest,
  PlanActionAnswer,
  PlanActionRequest,
  Provider,
  ValidateActionRequest,
} from '@terrane/provider';
import type { ActionEvent } from '../wire/messages.ts';
import { type Asking, CAPABILITIES, answerOf, failed, mayHaveEffect } from './asking.ts';
import { deferredOf } from './from-wire.ts';
import { callFailure, failure } from './plugin-pool.ts';
import { toDynamic } from './values.ts';

/** The calls about actions. */
export function actionCalls(
  asking: Asking,
): Pick<Provider, 'validateActionConfig' | 'planAction' | 'invokeAction'> {
  return {
    validateActionConfig(request: ValidateActionRequest): Promise<Answer> {
      return asking.validate('actions', 'ValidateActionConfig', request);
    },

    planAction(request: PlanActionRequest): Promise<PlanActionAnswer> {
      return asking.request<'PlanAction', PlanActionAnswer>(
        'actions',
        'PlanAction',
        request,
        ({ type }) => ({
          actionType: request.type,
          config: toDynamic(request.config, type),
          clientCapabilities: request.capabilities,
        }),
        (answer) => ({ ...answerOf(answer), ...deferredOf(answer.deferred) }),
        failed,
      );
    },

    async invokeAction(request: InvokeActionRequest): Promise<Answer> {
      const target = await asking.target('actions', 'InvokeAction', request);
      if ('diagnostics' in target) return target;
      try {
        let completed: ActionEvent['completed'];
        await target.connection.stream(
          'InvokeAction',
          {
            actionType: request.type,
            config: toDynamic(request.config, target.type),
            clientCapabilities: CAPABILITIES,
          },
          (event) => {
            if (event.progress != null) request.progress(event.progress.message ?? '');
            if (event.completed != null) completed = event.completed;
            return undefined;
          },
        );
        if (completed != null) return answerOf(completed);
        const detail = `The plugin ended the stream of events${target.subject} without saying that the action is complete.`;
        return { diagnostics: [failure('Plugin error', detail)], unanswered: true };
      } catch (error) {
        const { connection, subject } = target;
        const problem = await callFailure(connection, 'InvokeAction', subject, error);
        return {
          diagnostics: [problem],
          ...(mayHaveEffect(error) ? { unanswered: true } : {}),
        };
      }
    },
  };
}
