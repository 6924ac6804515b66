import type { PlanRequest as EngineRequest } from '@terrane/engine';
import type { RunRequest } from './run/run-request.ts';

/** What to plan: what the engine is asked, and of which state with which values. */
export interface PlanRequest
  extends
    RunRequest,
    Pick<
      EngineRequest,
      | 'mode'
      | 'refresh'
      | 'minimalRefresh'
      | 'targets'
      | 'targetTexts'
      | 'excludes'
      | 'excludeTexts'
      | 'allowDeferral'
      | 'replace'
      | 'invoke'
      | 'generateConfigOut'
    > {}
